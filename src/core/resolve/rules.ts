/**
 * Rules for products whose numbers do not start with their line's name. The catalogue says which product follows which;
 * one without a rule whose recorded releases contradict its lines' names resolves by name only (see `version.ts`).
 */
import type { Product, VersionMatchedBy } from "../model.ts";
import { leadingNumbers } from "./normalize-version.ts";

export type VersionRuleResult =
  /** This line. */
  | { readonly kind: "line"; readonly name: string; readonly by: VersionMatchedBy }
  /** Read it as this version, and go on with the lines' names. */
  | { readonly kind: "read-as"; readonly version: string }
  /** Several lines share the number. */
  | { readonly kind: "shared"; readonly names: readonly string[] }
  /** The number is one of the product's, and no line of it is known. */
  | { readonly kind: "none" }
  /** The rule has nothing to say: the lines' names decide. */
  | undefined;

/** `version` is folded. */
export type VersionRule = (version: string, product: Product) => VersionRuleResult;

/** Java 1.5 to 1.8 became 5 to 8; vendors also write `jdk8u402`. */
const javaLegacy: VersionRule = (version) => {
  const legacy = /^(?:jdk-?)?1\.([5-8])(?!\d)(.*)$/.exec(version);
  if (legacy) return { kind: "read-as", version: `${legacy[1]}${legacy[2] ?? ""}` };
  const prefixed = /^jdk-?(\d.*)$/.exec(version);
  return prefixed ? { kind: "read-as", version: prefixed[1] ?? "" } : undefined;
};

/** The record's odd release is a slip or a later name; the lines' names decide. */
const lineNames: VersionRule = () => undefined;

/**
 * Numbers are builds, and a line is known by the build that is recorded as its latest. Where the series (15.1) belongs to
 * one line alone, any build of it does.
 */
const latestBuild: VersionRule = (version, product) => {
  const asked = leadingNumbers(version);
  if (asked.length < 3) return undefined;
  const exact = lineWith(product, ({ release }) => release === numberOf(version));
  if (exact) return exact;
  const series = releasesOf(product).filter(({ numbers }) => sameStart(numbers, asked, 2));
  // SQL Server's lines are named by the series: there the names and the split decide.
  if (series.length === 0 || linesNamedBy(product, asked)) return undefined;
  return oneOf(series, "rule");
};

/** Windows: the third number is the build. Editions share builds. */
const windowsBuild: VersionRule = (version, product) => {
  const asked = leadingNumbers(version);
  if (asked.length < 3) return undefined;
  const builds = releasesOf(product).filter(({ numbers }) => sameStart(numbers, asked, 3));
  return builds.length === 0 ? { kind: "none" } : oneOf(builds, "latest-build");
};

interface Release {
  readonly name: string;
  readonly release: string;
  readonly numbers: readonly number[];
}

function releasesOf(product: Product): readonly Release[] {
  return product.cycles.flatMap(({ name, latest }) =>
    latest ? [{ name, release: numberOf(latest.name), numbers: leadingNumbers(latest.name) }] : [],
  );
}

function lineWith(product: Product, matches: (release: Release) => boolean): VersionRuleResult {
  const [only, ...others] = releasesOf(product).filter(matches);
  return only && others.length === 0 ? { kind: "line", name: only.name, by: "latest-build" } : undefined;
}

function oneOf(releases: readonly Release[], by: VersionMatchedBy): VersionRuleResult {
  const [only, ...others] = releases;
  return only && others.length === 0
    ? { kind: "line", name: only.name, by }
    : { kind: "shared", names: releases.map(({ name }) => name) };
}

const numberOf = (release: string): string => /^\d+(?:\.\d+)*/.exec(release)?.[0] ?? release;
const sameStart = (left: readonly number[], right: readonly number[], parts: number): boolean =>
  right.slice(0, parts).every((part, at) => part === left[at]);
const linesNamedBy = (product: Product, asked: readonly number[]): boolean =>
  product.cycles.some(({ name }) => sameStart(leadingNumbers(name), asked, 2));

/** A branch is one line for Linux and one for Windows, and their numbers drift apart: only a recorded build is told. */
const nvidia: VersionRule = (version, product) => {
  const exact = lineWith(product, ({ release }) => release === version);
  if (exact) return exact;
  const [branch] = leadingNumbers(version);
  if (branch === undefined) return undefined;
  const names = product.cycles.map(({ name }) => name).filter((name) => name.startsWith(`r${branch}-`));
  return names.length > 0 ? { kind: "shared", names } : { kind: "none" };
};

/**
 * 2.12 and 2.3 became lines of their own when Java 7 and 6 got the fixes of December 2021: they begin at 2.12.2 and 2.3.1.
 */
const log4j: VersionRule = (version) =>
  /^2\.12\.[01](?!\d)/.test(version) || /^2\.(?:[0-2]|3(?:\.0)?(?![.\d]))(?!\d)/.test(version)
    ? { kind: "line", name: "2", by: "rule" }
    : undefined;

/**
 * Jenkins: two numbers are a weekly release, of the line 2; three are one of a long-term line. One that is not recorded
 * ended long ago or is yet to come, and is no weekly release either way.
 */
const longTermByThree: VersionRule = (version, product) => {
  const asked = leadingNumbers(version);
  return asked.length < 3 || linesNamedBy(product, asked) ? undefined : { kind: "none" };
};

/** Lines are named by the first release of each major version: 5.0 holds 5.4.4. */
const firstRelease: VersionRule = (version) => {
  const [major] = leadingNumbers(version);
  return major === undefined ? undefined : { kind: "line", name: `${major}.0`, by: "rule" };
};

/** CKEditor 5 counts its own releases from 10 upwards. */
const ckeditor: VersionRule = (version) => {
  const [major = 0] = leadingNumbers(version);
  return major >= 10 ? { kind: "line", name: "5", by: "rule" } : undefined;
};

/** By the name that the catalogue gives with a product. */
export const VERSION_RULES: Readonly<Record<string, VersionRule>> = {
  ckeditor,
  "first-release": firstRelease,
  "java-legacy": javaLegacy,
  "latest-build": latestBuild,
  "line-names": lineNames,
  log4j,
  "long-term-by-three": longTermByThree,
  nvidia,
  "windows-build": windowsBuild,
};
