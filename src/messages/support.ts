/** Texts for support levels, statements and reasons. Texts of maintainers in them are not escaped yet. */
import type {
  Evidence,
  Finding,
  NewestVersion,
  StatementCode,
  Support,
  SupportCounts,
  SupportLevel,
  UnknownReason,
  UnresolvedReason,
} from "../model/index.ts";
import { SUPPORT_LEVELS } from "../model/support.ts";
import { formatCount, formatNumber, formatPercent } from "./format.ts";

export const REASON_LABELS: Readonly<Record<UnresolvedReason, string>> = {
  "purl-not-tracked": "package not in the catalogue",
  "own-package": "the project's own",
  "purl-invalid": "package URL not valid",
  "name-not-recognised": "no package URL, and name not recognised",
  "name-matching-off": "no package URL, and name matching is off",
  "name-conflict": "CPE or publisher of another vendor",
  "model-not-tracked": "AI model not in the catalogue",
  "no-version": "no usable version",
  "computed-value": "computed value, which the file does not state",
  "version-not-tracked": "version matches no release cycle",
  "newer-than-catalogue": "newer than the catalogue",
  "newer-than-branch": "newer than the recorded cycles of a branch that is still supported",
  "cycle-not-recorded": "only retired versions of the product are recorded",
  "version-ambiguous": "version may belong to several release cycles",
  "version-conflict": "version and package URL disagree",
  "version-is-range": "version range instead of a version",
  "distro-unknown": "release of the distribution not known",
  "distro-conflict": "contradictory evidence of the distribution release",
  "distro-package-unknown": "not a known package of its distribution",
  "vendor-rebuild": "rebuilt by a vendor, whose support period is not recorded",
  "distro-version-unknown": "not known whether the release of the distribution ships this package",
  "module-stream-unknown": "module stream not known",
  "alternative-version-unknown": "support period of this alternative version not recorded",
};

export const LEVEL_LABELS: Readonly<Record<SupportLevel, string>> = {
  supported: "supported",
  maintained: "maintained",
  current: "on the newest major version",
  superseded: "superseded",
  outdated: "outdated",
  inactive: "inactive",
  "no-longer-maintained": "no longer maintained",
  "end-of-support": "end of support",
  unknown: "unknown",
};

const STATEMENT_LABELS: Readonly<Record<StatementCode, string>> = {
  "cycle-supported": "release cycle supported",
  "cycle-superseded": "superseded by a newer release",
  "cycle-ended": "release cycle ended",
  "cycle-retired": "retired by its maintainers",
  "distribution-supported": "supported by its distribution",
  "distribution-ended": "no longer supported by its distribution",
  "declared-supported": "support declared by the document",
  "declared-no-longer-maintained": "lack of support declared by the document",
  "declared-end-of-support": "end of support declared by the document",
  "version-deprecated": "version deprecated by its maintainers",
  "package-deprecated": "package deprecated by its maintainers",
  "package-abandoned": "package abandoned by its maintainers",
  "package-relocated": "package moved to other coordinates",
  "project-archived": "project archived by its maintainers",
  "project-deprecated": "project deprecated by its maintainers",
  "repository-archived": "repository archived",
  "project-quarantined": "project quarantined by the registry",
  "version-released": "this version released",
  "default-version-released": "default version released",
  "last-release": "last release",
  "last-commit": "last commit",
  "newest-version": "newest version",
  "repository-active": "commits in the 90 days before",
  "repository-inactive": "no commits in the 90 days before",
  "version-withdrawn": "version withdrawn by its maintainers",
  "version-unlisted": "version not listed by its maintainers",
  "replacement-named": "replacement named by its maintainers",
};

export const UNKNOWN_LABELS: Readonly<Record<UnknownReason, string>> = {
  "signals-off": "no source was queried",
  "not-a-package": "not a package",
  "declarations-only": "type declarations, which contain no code that runs",
  "majors-not-counted": "its major versions cannot be counted: there is no number, a year, or a new count",
  "no-purl": "no package URL",
  "purl-invalid": "the package URL cannot be sent to a registry",
  "no-version": "no version",
  "type-without-source": "no source for packages of this type",
  private: "private package, not sent to any source",
  "other-registry": "from another registry, not sent to any source",
  "not-found": "no source has this package and version",
  "no-activity-date": "no source states the date of the last release or commit",
  quarantined: "quarantined by its registry",
  "not-cached": "no answer in the cache",
  "source-unavailable": "a source did not answer",
  "time-budget": "the time limit for all sources was reached",
};

/** `last release 2019-05-01 (npm, checked on 2026-11-22)`. */
export function formatEvidence({ source, statement, date, message, retrievedAt, aged, newest }: Evidence): string {
  const day = newest === undefined ? (date === undefined ? "" : ` ${date}`) : formatNewest(newest);
  const quoted = message === undefined ? "" : `: "${message}"`;
  const age = aged === true ? ", not checked since" : "";
  return `${STATEMENT_LABELS[statement]}${day}${quoted} (${source}, checked on ${retrievedAt}${age})`;
}

/** ` 4.2.1 of 2026-10, 2 major versions ahead`, ` 0.55.0 or newer, 9 minor versions ahead`. */
export function formatNewest({ version, released, atLeast, behind }: NewestVersion): string {
  const month = released === undefined ? "" : ` of ${released}`;
  const more = atLeast === true ? " or newer" : "";
  const unit = version.startsWith("0.") ? "minor version" : "major version";
  return ` ${version}${more}${month}${behind === 0 ? "" : `, ${formatCount(behind, unit)} ahead`}`;
}

/** `930 of 1,000 components have a support level, 93.0 %: 12 end of support, 40 no longer maintained, …`. */
export function formatSupportCounts(counts: SupportCounts): string {
  const { determined, unknown, percent, levels } = counts;
  const parts = LEVELS_BY_URGENCY.filter((level) => levels[level] > 0).map(
    (level) => `${formatNumber(levels[level])} ${LEVEL_LABELS[level]}`,
  );
  const total = formatNumber(determined + unknown);
  return `${formatNumber(determined)} of ${total} components have a support level, ${formatPercent(percent)}: ${parts.join(", ")}`;
}

/** The most urgent first. */
const LEVELS_BY_URGENCY: readonly SupportLevel[] = [...SUPPORT_LEVELS.slice(0, -1).toReversed(), "unknown"];

/** The level of several components: the most urgent one, and how many have it. Empty when no source was asked. */
export function formatLevels(levels: readonly (SupportLevel | undefined)[]): string {
  const stated = levels.filter((level) => level !== undefined);
  const worst = LEVELS_BY_URGENCY.find((level) => stated.includes(level));
  if (worst === undefined) return "";
  const count = stated.filter((level) => level === worst).length;
  const share = count === stated.length ? "" : ` (${formatNumber(count)} of ${formatNumber(stated.length)})`;
  return `${LEVEL_LABELS[worst]}${share}`;
}

/** What sources state, or else the file itself: `version deprecated by its maintainers, as line 884 states: "use b"`. */
export function formatUnmaintained({ component, support }: Pick<Finding, "component" | "support">): string {
  const { retirement } = component;
  if (retirement === undefined || support?.level === "no-longer-maintained") return formatSupport(support);
  const { kind, message, replacement, line } = retirement;
  const where = line === undefined ? "" : `, as line ${String(line)} states`;
  const quoted = message === undefined ? "" : `: "${message}"`;
  const instead = replacement === undefined ? "" : `; replaced by ${replacement}`;
  const label = STATEMENT_LABELS[kind === "deprecated" ? "version-deprecated" : "package-abandoned"];
  return `${label}${where}${quoted}${instead}`;
}

/** The level with the decisive statement; where it is unknown, the reason and what is known of the newest version. */
export function formatSupport(support: Support | undefined): string {
  if (support === undefined) return LEVEL_LABELS.unknown;
  const { level, reason, evidence, replacement } = support;
  const [deciding] = evidence;
  const known =
    reason === undefined || deciding?.newest !== undefined ? deciding && formatEvidence(deciding) : undefined;
  const why = [reason && UNKNOWN_LABELS[reason], known].filter((part) => part !== undefined).join("; ");
  const instead = replacement === undefined ? "" : `; replaced by ${replacement}`;
  return `${LEVEL_LABELS[level]}${why === "" ? "" : `, ${why}`}${instead}`;
}

export const POLICY_NOT_RECORDED = "no policy of its maintainers is recorded: state it in eolgate.catalogue.yaml";
