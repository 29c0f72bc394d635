/**
 * Support levels from the catalogue's list of newest versions: no network, the same answer for the same catalogue. The list
 * does not contain deprecations.
 */
import type {
  AssessedComponent,
  CatalogueFacts,
  Component,
  ListedVersion,
  NewestVersion,
  NewestVersions,
  PackageSignals,
  Policy,
  Support,
  UnknownReason,
} from "../model/index.ts";
import { hashGivenText } from "../json-rows/bytes.ts";
import { NO_MATCH } from "../json-rows/memory-layout.ts";
import { purlKey } from "../resolve/purl/key.ts";
import { leadingNumbers } from "../resolve/version/parse.ts";
import type { IsoDate } from "../text/ids.ts";
import { knownSupport } from "./cycle.ts";
import { decideSupport, isBehind } from "./decide.ts";
import { knownMove } from "./evidence.ts";
import { periods } from "./levels.ts";
import { getOwn } from "../text/values.ts";
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

/** The newest version of a component's package, or why the list does not tell whether it is of an older major version. */
export function listedVersions({ policy, asOf, list = NO_LIST }: Omit<ListedOptions, "facts">) {
  const isPrivate = compilePrivatePatterns(policy.privatePackages);
  const { listedSince } = periods(asOf, policy.inactiveMonths);
  return (component: Component): NewestVersion | UnknownReason => {
    const subject = packageSubject(component, isPrivate);
    const found = typeof subject === "string" ? subject : inList(subject, list);
    if (typeof found === "string" || isBehind(found)) return found;
    return found.listedOn < listedSince ? "no-activity-date" : found;
  };
}

/** Most purls of npm and PyPI: no qualifiers, and a version that begins with its major. */
const PLAIN = /^pkg:(npm|pypi)\/(?:(?:%40|@)([^/?#A-Z]+)\/)?[^/?#A-Z]+@(\d+)([\w.+-]*)$/;

/**
 * Whether a component is of an older major version than the newest one; undefined where the list does not tell. The list's
 * index of hashes answers for most packages, which only a count may rely on.
 */
export function listedAges(options: Omit<ListedOptions, "facts">): (component: Component) => boolean | undefined {
  const newestOf = listedVersions(options);
  const ask = (component: Component): boolean | undefined => {
    const found = newestOf(component);
    return typeof found === "string" ? undefined : isBehind(found);
  };
  const { policy, asOf, list } = options;
  const byHash = policy.privatePackages.length === 0 ? list?.byHash?.() : undefined;
  if (list === undefined || byHash === undefined) return ask;
  const { listedSince } = periods(asOf, policy.inactiveMonths);
  return (component) => {
    const plain = plainPackage(component);
    if (plain === undefined) return ask(component);
    const newest = plain.scope === "types" ? undefined : byHash(plain.hash);
    if (newest?.version === "") return ask(component);
    const isOlder = newest && isOlderThan(newest, plain);
    return isOlder === false && (list.listedOn[plain.type] ?? "") < listedSince ? undefined : isOlder;
  };
}

interface PlainPackage {
  readonly type: string;
  readonly scope: string | undefined;
  readonly major: string;
  readonly version: string;
  readonly hash: number;
}

function plainPackage(component: Component): PlainPackage | undefined {
  const { purls } = component;
  const plain = purls.length === 1 ? PLAIN.exec(purls[0] ?? "") : null;
  if (plain === null) return undefined;
  const [purl, type = "", scope, major = "", minor = ""] = plain;
  const hash = component.purlHash?.() ?? hashOfKey(purl);
  return hash === NO_MATCH ? undefined : { type, scope, major, version: major + minor, hash };
}

function isOlderThan(newest: ListedVersion, { major, version }: PlainPackage): boolean | undefined {
  const behind = newest.version === major ? 0 : majorsBehind(version, newest);
  return behind === undefined ? undefined : isBehind({ ...newest, behind });
}

function hashOfKey(purl: string): number {
  const key = purlKey(purl);
  return key.kind === "invalid" ? NO_MATCH : hashGivenText(key.key);
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
  const found = inList(subject, list);
  if (typeof found === "string") return found;
  const { page, listedOn: retrievedAt, ...newest } = found;
  const url = `${page}${encodedPath(subject.path)}`;
  const evidence = { source: "bundled", statement: "newest-version", url, retrievedAt } as const;
  return { found: true, unanswered: [], evidence: [{ ...evidence, newest }] };
}

interface InList extends NewestVersion {
  readonly page: string;
  readonly listedOn: IsoDate;
}

function inList(subject: PackageSubject, list: NewestVersions): InList | UnknownReason {
  const { type, path } = subject;
  const row = getOwn(LISTS, type);
  if (row === undefined) return "type-without-source";
  // Their versions are those of the package that they describe, and need not follow it.
  if (type === "npm" && path.startsWith("@types/")) return "declarations-only";
  const newest = list.find(type, path);
  const listedOn = list.listedOn[type];
  if (listedOn === undefined || newest === undefined) return "not-found";
  const behind = behindNewest(subject, newest);
  if (behind === undefined) return "majors-not-counted";
  if (row.bound !== undefined && !isBehind({ ...newest, behind })) return "not-found";
  return { page: row.page, listedOn, ...newest, ...row.bound, behind };
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
