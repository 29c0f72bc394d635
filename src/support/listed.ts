/**
 * Levels from the list of newest versions in the package: no network, the same answer on every machine. The list does not
 * state what maintainers deprecated.
 */
import type {
  AssessedComponent,
  CatalogueFacts,
  NewestVersion,
  PackageSignals,
  Policy,
  Support,
  UnknownReason,
} from "../model/index.ts";
import { leadingNumbers } from "../resolve/version/parse.ts";
import type { IsoDate } from "../text/ids.ts";
import { percentEncode } from "../text/values.ts";
import { knownSupport } from "./cycle.ts";
import { decideSupport } from "./decide.ts";
import { knownMove } from "./evidence.ts";
import { periods } from "./levels.ts";
import { compilePrivatePatterns, type PackageSubject, packageSubject } from "./subject.ts";

/** The list, which lies beside the catalogue. */
export interface ListedPackages {
  /** The day on which the registries were read. */
  readonly listedOn: IsoDate;
  /** @param path The package as its registry names it. */
  find(type: string, path: string): Omit<NewestVersion, "behind"> | undefined;
}

export interface ListedOptions {
  readonly policy: Policy;
  /** Facts of the catalogue: packages that have moved. */
  readonly facts: Pick<CatalogueFacts, "packageMoves">;
  readonly asOf: IsoDate;
  readonly list: ListedPackages;
}

/** Returns the level of a component. A release cycle of the catalogue decides where there is one. */
export function listedLevels({ policy, facts, asOf, list }: ListedOptions): (each: AssessedComponent) => Support {
  const isPrivate = compilePrivatePatterns(policy.privatePackages);
  const since = periods(asOf, policy.inactiveMonths);
  return (each) => {
    const subject = packageSubject(each.component, isPrivate);
    const move = typeof subject === "string" ? undefined : knownMove(facts.packageMoves, subject);
    const signals = typeof subject === "string" ? subject : listedSignals(subject, list);
    // Sources that were not asked may have a package that the list does not have.
    const isOpen = policy.signals === "off" && (signals === "not-found" || signals === "type-without-source");
    const cycle = { ...knownSupport(each, policy, asOf), ...(move && { move }) };
    return decideSupport(cycle, isOpen ? "signals-off" : signals, since);
  };
}

/** Where people can see the versions of a package. */
const PAGES: Readonly<Record<string, string>> = {
  npm: "https://www.npmjs.com/package/",
  pypi: "https://pypi.org/project/",
};

function listedSignals({ type, path, version }: PackageSubject, list: ListedPackages): PackageSignals | UnknownReason {
  const page = PAGES[type];
  if (page === undefined) return "type-without-source";
  // Their numbers are those of the package that they describe, at whose versions they need not be.
  if (type === "npm" && path.startsWith("@types/")) return "declarations-only";
  const newest = list.find(type, path);
  const behind = newest && majorsBehind(version, newest);
  if (newest === undefined || behind === undefined) return "not-found";
  const url = `${page}${path.split("/").map(percentEncode).join("/")}`;
  const evidence = { source: "bundled", statement: "newest-version", url, retrievedAt: list.listedOn } as const;
  return { found: true, unanswered: [], evidence: [{ ...evidence, newest: { ...newest, behind } }] };
}

/**
 * Majors from a version to the newest one; minors while both majors are 0. 0 where the version is not older, and where the
 * newest one counts years: they are no majors. Undefined where one of them has no numbers.
 */
export function majorsBehind(version: string, newest: Omit<NewestVersion, "behind">): number | undefined {
  const [from, to] = [leadingNumbers(version), leadingNumbers(newest.version)];
  const [major, newestMajor] = [from[0], to[0]];
  if (major === undefined || newestMajor === undefined) return undefined;
  if (countsYears(newestMajor, newest.released)) return 0;
  if (newestMajor > 0) return Math.max(0, newestMajor - major);
  return major > 0 ? 0 : Math.max(0, (to[1] ?? 0) - (from[1] ?? 0));
}

const FIRST_YEAR = 1990;

/** 2026.2 and 20260102; also 26.1 where it was released in 2026. */
const countsYears = (major: number, released = ""): boolean =>
  major >= FIRST_YEAR || (major > 0 && released.slice(2, 4) === String(major).padStart(2, "0"));
