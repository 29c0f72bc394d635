/** How each statement of a source counts: one row for each code. */
import type { Evidence, PackageMove, StatementCode } from "../model/index.ts";
import { getOwn } from "../text/values.ts";
import { compareNumbers, leadingNumbers, normalizeVersion } from "../resolve/version/parse.ts";
import type { PackageSubject } from "./subject.ts";

/**
 * - `catalogue`: the release cycle decides.
 * - `declared`: the document decides, unless the maintainers retired it.
 * - `retired`: the maintainers state that it is no longer maintained.
 * - `archived`: the same, unless a release was published after the stated day (the project moved).
 * - `activity`: a release or a commit on the stated day.
 * - `newest`: how far the version is behind the newest one, and when that was released.
 * - `blocked`: the registry blocks the project; nothing is concluded about its maintenance.
 * - `move`: names a replacement, never decides it.
 * - `note`: stated in addition to the level, never decides it.
 */
type Weight = "catalogue" | "declared" | "retired" | "archived" | "activity" | "newest" | "blocked" | "move" | "note";

interface StatementRow {
  readonly weight: Weight;
  /** The stated day is the day of the package's last release, or of the release that an install picks by default. */
  readonly lastRelease?: true;
  /** The stated day ends a window of this many days in which the activity took place. */
  readonly windowDays?: number;
}

export const STATEMENTS: Readonly<Record<StatementCode, StatementRow>> = {
  "cycle-supported": { weight: "catalogue" },
  "cycle-superseded": { weight: "catalogue" },
  "cycle-ended": { weight: "catalogue" },
  "cycle-retired": { weight: "catalogue" },
  "distribution-supported": { weight: "catalogue" },
  "distribution-ended": { weight: "catalogue" },
  "declared-supported": { weight: "declared" },
  "declared-no-longer-maintained": { weight: "declared" },
  "declared-end-of-support": { weight: "declared" },
  "version-deprecated": { weight: "retired" },
  "package-deprecated": { weight: "retired" },
  "package-abandoned": { weight: "retired" },
  "package-relocated": { weight: "retired" },
  "project-archived": { weight: "retired" },
  "project-deprecated": { weight: "retired" },
  "repository-archived": { weight: "archived" },
  "project-quarantined": { weight: "blocked" },
  "version-released": { weight: "activity" },
  "default-version-released": { weight: "activity", lastRelease: true },
  "last-release": { weight: "activity", lastRelease: true },
  "last-commit": { weight: "activity" },
  "newest-version": { weight: "newest" },
  // https://github.com/ossf/scorecard/blob/main/docs/checks.md#maintained looks at the last 90 days.
  "repository-active": { weight: "activity", windowDays: 90 },
  "repository-inactive": { weight: "note" },
  "version-withdrawn": { weight: "note" },
  "version-unlisted": { weight: "note" },
  "replacement-named": { weight: "move" },
};

/** The row of a statement, with its optional fields. */
export const statementRow = (code: StatementCode): StatementRow => STATEMENTS[code];

/** Maximum length of a maintainer's text, in UTF-16 units. */
const MESSAGE_LIMIT = 500;

/** A maintainer's text, truncated without splitting a surrogate pair; undefined when there is none. */
export function messageText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (text === "") return undefined;
  return text.length <= MESSAGE_LIMIT ? text : `${text.slice(0, MESSAGE_LIMIT - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Registries that ignore the case of names. */
const CASE_INSENSITIVE: ReadonlySet<string> = new Set(["composer", "nuget", "pypi"]);

/** Returns the replacement that the maintainers of a package name, as evidence. */
export function knownMove(
  moves: Readonly<Record<string, PackageMove>>,
  { type, path, version }: Pick<PackageSubject, "type" | "path" | "version">,
): Evidence | undefined {
  const known = getOwn(moves, `${type}/${CASE_INSENSITIVE.has(type) ? path.toLowerCase() : path}`);
  if (known === undefined || isBelow(version, known.since)) return undefined;
  const { to, page, on } = known;
  return {
    source: "catalogue",
    statement: "replacement-named",
    url: page,
    retrievedAt: on,
    replacement: to.join(", "),
  };
}

const isBelow = (version: string, since: string | undefined): boolean =>
  since !== undefined && compareNumbers(leadingNumbers(normalizeVersion(version)), leadingNumbers(since)) < 0;
