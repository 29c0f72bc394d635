/**
 * Version schemes of products whose numbers do not start with the name of their cycle. The catalogue names the scheme of
 * a product. A product without a scheme whose recorded releases contradict its cycles resolves by cycle name only.
 */
import type { Product, VersionMatchedBy } from "../../model/index.ts";
import { leadingNumbers } from "./parse.ts";

/** The result of a version scheme. */
export type SchemeAnswer =
  /** This cycle. */
  | { readonly kind: "cycle"; readonly name: string; readonly by: VersionMatchedBy }
  /** Treat it as this version and continue with the cycle names. */
  | { readonly kind: "read-as"; readonly version: string }
  /** Several cycles share the number. */
  | { readonly kind: "shared"; readonly names: readonly string[] }
  /** It belongs to the product, but to no recorded cycle. */
  | { readonly kind: "none" }
  /** The scheme does not apply; the cycle names decide. */
  | undefined;

/** Applies the scheme to a normalized version. */
export type VersionScheme = (version: string, product: Product) => SchemeAnswer;

/** Java 1.5 to 1.8 became 5 to 8; vendors also write `jdk8u402`. */
const javaLegacy: VersionScheme = (version) => {
  const legacy = /^(?:jdk-?)?1\.([5-8])(?!\d)(.*)$/.exec(version);
  if (legacy) return { kind: "read-as", version: `${legacy[1]}${legacy[2] ?? ""}` };
  const prefixed = /^jdk-?(\d.*)$/.exec(version);
  return prefixed ? { kind: "read-as", version: prefixed[1] ?? "" } : undefined;
};

/** For products with a recorded release that deviates by mistake or was renamed later: the cycle names decide. */
const cycleNames: VersionScheme = () => undefined;

/**
 * Versions are builds, and a cycle is identified by its latest recorded build. If a series (15.1) belongs to only one
 * cycle, so does every build of the series.
 */
const latestBuild: VersionScheme = (version, product) => {
  const numbers = leadingNumbers(version);
  if (numbers.length < 3) return undefined;
  const exact = cycleOfRelease(product, ({ release }) => release === numberOf(version));
  if (exact) return exact;
  const series = releasesOf(product).filter((each) => sameStart(each.numbers, numbers, 2));
  // If cycles are named like the series (SQL Server), the names and the split decide.
  if (series.length === 0 || hasCycleOfSeries(product, numbers)) return undefined;
  return onlyCycle(series, "rule");
};

/** Windows: the third number is the build. Editions share builds. */
const windowsBuild: VersionScheme = (version, product) => {
  const numbers = leadingNumbers(version);
  if (numbers.length < 3) return undefined;
  const builds = releasesOf(product).filter((each) => sameStart(each.numbers, numbers, 3));
  return builds.length === 0 ? { kind: "none" } : onlyCycle(builds, "latest-build");
};

interface RecordedRelease {
  readonly name: string;
  readonly release: string;
  readonly numbers: readonly number[];
}

function releasesOf(product: Product): readonly RecordedRelease[] {
  return product.cycles.flatMap(({ name, latest }) =>
    latest ? [{ name, release: numberOf(latest.name), numbers: leadingNumbers(latest.name) }] : [],
  );
}

function cycleOfRelease(product: Product, matches: (release: RecordedRelease) => boolean): SchemeAnswer {
  const [only, ...others] = releasesOf(product).filter(matches);
  return only && others.length === 0 ? { kind: "cycle", name: only.name, by: "latest-build" } : undefined;
}

function onlyCycle(releases: readonly RecordedRelease[], by: VersionMatchedBy): SchemeAnswer {
  const [only, ...others] = releases;
  return only && others.length === 0
    ? { kind: "cycle", name: only.name, by }
    : { kind: "shared", names: releases.map(({ name }) => name) };
}

const numberOf = (release: string): string => /^\d+(?:\.\d+)*/.exec(release)?.[0] ?? release;
const sameStart = (left: readonly number[], right: readonly number[], parts: number): boolean =>
  right.slice(0, parts).every((part, at) => part === left[at]);
const hasCycleOfSeries = (product: Product, numbers: readonly number[]): boolean =>
  product.cycles.some(({ name }) => sameStart(leadingNumbers(name), numbers, 2));

/** A branch has one cycle for Linux and one for Windows, with different builds: only a recorded build resolves. */
const nvidia: VersionScheme = (version, product) => {
  const exact = cycleOfRelease(product, ({ release }) => release === version);
  if (exact) return exact;
  const [branch] = leadingNumbers(version);
  if (branch === undefined) return undefined;
  const names = product.cycles.map(({ name }) => name).filter((name) => name.startsWith(`r${branch}-`));
  return names.length > 0 ? { kind: "shared", names } : { kind: "none" };
};

/**
 * 2.12 and 2.3 became cycles when Java 7 and 6 got the fixes of December 2021: they start at 2.12.2 and 2.3.1.
 */
const log4j: VersionScheme = (version) =>
  /^2\.12\.[01](?!\d)/.test(version) || /^2\.(?:[0-2]|3(?:\.0)?(?![.\d]))(?!\d)/.test(version)
    ? { kind: "cycle", name: "2", by: "rule" }
    : undefined;

/**
 * Jenkins: versions of two numbers are weekly releases of cycle 2, versions of three numbers are LTS releases. An LTS
 * release that is not recorded must not resolve to the weekly cycle.
 */
const longTermByThree: VersionScheme = (version, product) => {
  const numbers = leadingNumbers(version);
  return numbers.length < 3 || hasCycleOfSeries(product, numbers) ? undefined : { kind: "none" };
};

/** Cycles are named by the first release of each major version: 5.0 contains 5.4.4. */
const firstRelease: VersionScheme = (version) => {
  const [major] = leadingNumbers(version);
  return major === undefined ? undefined : { kind: "cycle", name: `${major}.0`, by: "rule" };
};

/** CKEditor 5 numbers its own releases from 10. */
const ckeditor: VersionScheme = (version) => {
  const [major = 0] = leadingNumbers(version);
  return major >= 10 ? { kind: "cycle", name: "5", by: "rule" } : undefined;
};

/** The schemes by the name that the catalogue states for a product (`versionRule`). */
export const VERSION_SCHEMES: Readonly<Record<string, VersionScheme>> = {
  ckeditor,
  "first-release": firstRelease,
  "java-legacy": javaLegacy,
  "latest-build": latestBuild,
  "cycle-names": cycleNames,
  log4j,
  "long-term-by-three": longTermByThree,
  nvidia,
  "windows-build": windowsBuild,
};

/** For the trace of `explain`. */
export function describeAnswer(answer: Exclude<SchemeAnswer, undefined>): string {
  switch (answer.kind) {
    case "cycle":
      return `cycle ${answer.name}`;
    case "read-as":
      return `read as ${answer.version}`;
    case "shared":
      return `shared by ${answer.names.join(", ")}`;
    case "none":
      return "no cycle";
  }
}
