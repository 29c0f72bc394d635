/**
 * Support levels from the catalogue's list of newest versions: no network, the same answer for the same catalogue. The list
 * does not contain deprecations.
 */
import type {
  AssessedComponent,
  CatalogueFacts,
  ListedVersion,
  NewestVersions,
  PackageSignals,
  Policy,
  Support,
  UnknownReason,
} from "../model/index.ts";
import { leadingNumbers } from "../resolve/version/parse.ts";
import type { IsoDate } from "../text/ids.ts";
import { knownSupport } from "./cycle.ts";
import { decideSupport, isBehind } from "./decide.ts";
import { knownMove } from "./evidence.ts";
import { periods } from "./levels.ts";
import { compilePrivatePatterns, encodedPath, type PackageSubject, packageSubject } from "./subject.ts";

export interface ListedOptions {
  readonly policy: Policy;
  readonly facts: Pick<CatalogueFacts, "packageMoves">;
  readonly asOf: IsoDate;
  /** Absent where the catalogue has no list. */
  readonly list: NewestVersions | undefined;
}

const NO_LIST: NewestVersions = { listedOn: {}, find: () => undefined };

/** The level of a component: by its release cycle in the catalogue, else by the list. */
export function listedLevels({
  policy,
  facts,
  asOf,
  list = NO_LIST,
}: ListedOptions): (each: AssessedComponent) => Support {
  const isPrivate = compilePrivatePatterns(policy.privatePackages);
  const since = periods(asOf, policy.inactiveMonths);
  return (each) => {
    const subject = packageSubject(each.component, isPrivate);
    const move = typeof subject === "string" ? undefined : knownMove(facts.packageMoves, subject);
    const signals = typeof subject === "string" ? subject : listedSignals(subject, list);
    // A source could have a package that the list does not have.
    const isOpen = policy.signals === "off" && (signals === "not-found" || signals === "type-without-source");
    const cycle = { ...knownSupport(each, policy, asOf), ...(move && { move }) };
    return decideSupport(cycle, isOpen ? "signals-off" : signals, since);
  };
}

/** Determines the levels of components from the list alone. */
export function determineListed(options: ListedOptions) {
  const levelOf = listedLevels(options);
  return (components: readonly AssessedComponent[]) =>
    Promise.resolve(components.map((each) => ({ ...each, support: levelOf(each) })));
}

/** By the type of a purl: its pages with the versions of a package. */
const LISTS: Readonly<Record<string, { readonly page: string; readonly bound?: { readonly atLeast: true } }>> = {
  /** Versions that public repositories require: there may be newer ones. */
  golang: { page: "https://pkg.go.dev/", bound: { atLeast: true } },
  npm: { page: "https://www.npmjs.com/package/" },
  pypi: { page: "https://pypi.org/project/" },
};

function listedSignals(subject: PackageSubject, list: NewestVersions): PackageSignals | UnknownReason {
  const { type, path } = subject;
  const row = LISTS[type];
  if (row === undefined) return "type-without-source";
  // Their versions are those of the package that they describe, and need not follow it.
  if (type === "npm" && path.startsWith("@types/")) return "declarations-only";
  const newest = list.find(type, path);
  const retrievedAt = list.listedOn[type];
  if (retrievedAt === undefined || newest === undefined) return "not-found";
  const behind = behindNewest(subject, newest);
  if (behind === undefined) return "majors-not-counted";
  if (row.bound !== undefined && !isBehind({ ...newest, behind })) return "not-found";
  const url = `${row.page}${encodedPath(path)}`;
  const evidence = { source: "bundled", statement: "newest-version", url, retrievedAt } as const;
  return { found: true, unanswered: [], evidence: [{ ...evidence, newest: { ...newest, ...row.bound, behind } }] };
}

/** Versions of Go modules start with a `v`. */
const behindNewest = ({ type, version }: PackageSubject, newest: ListedVersion): number | undefined =>
  majorsBehind(type === "golang" ? version.replace(/^v/, "") : version, newest);

/**
 * Majors from a version to the newest one; minors while both majors are 0. 0 where the version is not older, and where the
 * newest one counts years, which are no majors. Undefined where majors cannot be counted: a version has no numbers, the
 * newest major may be a year or not, or a package has begun to count in thousands.
 */
export function majorsBehind(version: string, newest: ListedVersion): number | undefined {
  const [from, to] = [leadingNumbers(version), leadingNumbers(newest.version)];
  if (from[0] === undefined || to[0] === undefined) return undefined;
  if (to[0] === 0) return from[0] > 0 ? 0 : Math.max(0, (to[1] ?? 0) - (from[1] ?? 0));
  return majorsBetween(from[0], to[0], { minor: to[1] ?? 0, year: Number(newest.released?.slice(2, 4)) });
}

/**
 * 2026, 202611 and 20261122 are years, not 1100, 3008 or 9999. 26.1 of 2026 is one too: over 95 % of the packages whose
 * newest major is its year count years. 26.0 of 2026 may be the 26th major.
 */
function majorsBetween(major: number, newest: number, of: { minor: number; year: number }): number | undefined {
  if (newest <= major || /^(?:199\d|20\d\d)(?:\d\d){0,3}$/.test(String(newest))) return 0;
  if (newest > 9 && newest === of.year) return of.minor > 0 ? 0 : undefined;
  return newest >= 1000 && major < 1000 ? undefined : newest - major;
}
