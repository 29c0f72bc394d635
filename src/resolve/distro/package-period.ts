/**
 * The support period of a package inside a distribution release, where it differs from the release: module streams,
 * application streams, versioned packages, backports. The shorter of two ends of the same vendor decides
 * (docs/evidence-rules.md).
 */
import type { Component, CycleRef, PackageCatalogue, PackageLifecycle } from "../../model/index.ts";
import { MOST_ANSWERS, remembered } from "../../text/values.ts";
import type { PurlKey } from "../purl/key.ts";
import { PACKAGING_RULES } from "../version/product-numbers.ts";
import { hasVersionPrefix } from "../version/parse.ts";
import { isGlob, literalStart, matchesAny, matchesGlob, RHEL, START_LENGTH } from "./shipped.ts";
import { statedRepository, type StatedRepository } from "./release-evidence.ts";

export type PackagePeriod =
  /** A support period is recorded for this package. */
  | { readonly kind: "recorded"; readonly lifecycle: PackageLifecycle }
  /** Built from a module, and the version does not show from which stream. */
  | { readonly kind: "stream-unknown" }
  /** An alternative version (a module stream, a versioned name) without a recorded period. */
  | { readonly kind: "alternative" }
  /** From a repository that does not belong to the release, and is supported for a shorter time. */
  | { readonly kind: "other-repository" }
  /** No period of its own: the release decides. */
  | { readonly kind: "release" };

const RELEASE: PackagePeriod = { kind: "release" };

/** Whether the distribution ships several versions of runtimes and databases, with support periods of their own. */
const isEnterprise = ({ product }: CycleRef): boolean =>
  RHEL.has(product) || product === "sles" || product === "amazon-linux";

export interface PackageIdentity {
  readonly purl: PurlKey;
  readonly component: Pick<Component, "moduleLabel" | "publisher" | "supplier">;
}

/**
 * Finds the support period of a package in a release. `packages`: undefined when the catalogue has no data about
 * packages.
 */
export function packagePeriod(
  packages: PackageCatalogue | undefined,
  installed: PackageIdentity,
  release: CycleRef,
): PackagePeriod {
  if (packages === undefined) return RELEASE;
  const { purl } = installed;
  const rows = rowsOf(packages, release);
  const label = moduleLabel(installed);
  if (label !== undefined) return byModuleLabel(rows.all, label);
  if (purl.type === "rpm" && /\.module[+_]/.test(purl.version ?? "")) return byModuleBuild(rows.all, purl);
  return byNameOrRepository(rows, installed, release);
}

function byNameOrRepository(rows: ReleaseRows, installed: PackageIdentity, release: CycleRef): PackagePeriod {
  const { purl } = installed;
  const repository = statedRepository(installed, release);
  const row =
    rowByName(rows, purl, repository) ??
    (repository.words.length > 0 ? rows.all.find((each) => isRepository(each, repository)) : undefined);
  if (row) return { kind: "recorded", lifecycle: row };
  if (repository.isShorter) return { kind: "other-repository" };
  const isAlternative = isEnterprise(release) && (hasVersionedName(purl.name) || isVersionOfModule(rows, purl));
  return isAlternative ? { kind: "alternative" } : RELEASE;
}

/** A version that the release ships in a module only, in a package that was not built from one. */
const isVersionOfModule = (rows: ReleaseRows, purl: PurlKey): boolean =>
  rows
    .candidates(purl.name)
    .some(
      ({ kind, name, stream, fullLife }) =>
        kind === "module" &&
        stream !== undefined &&
        !fullLife &&
        isStreamPackage(purl.name, name) &&
        hasVersionPrefix(softwareVersion(purl), stream),
    );

/** The module label from a qualifier, as Red Hat and Trivy write it, or from a property of the component. */
function moduleLabel({ purl, component }: PackageIdentity): string | undefined {
  const label = purl.qualifier("rpmmod") ?? purl.qualifier("modularitylabel") ?? component.moduleLabel;
  return label !== undefined && /^[^:]+:[^:]/.test(label) ? label : undefined;
}

/**
 * The row with exactly this name, else one with a pattern. A row for a repository other than the stated one does not
 * apply.
 */
function rowByName(rows: ReleaseRows, purl: PurlKey, { words }: StatedRepository): PackageLifecycle | undefined {
  const candidates = rows.candidates(purl.name);
  if (candidates.length === 0) return undefined;
  return candidates
    .filter((each) => isNamedBy(each, purl, purl.version ?? ""))
    .filter(({ repository }) => repository === undefined || words.length === 0 || words.includes(repository))
    .toSorted((a, b) => Number(hasExactName(b, purl.name)) - Number(hasExactName(a, purl.name)))[0];
}

const isRepository = ({ kind, name, versions }: PackageLifecycle, { words }: StatedRepository): boolean =>
  kind === "repository" && versions === undefined && words.includes(name);

/** The rows of a release. */
interface ReleaseRows {
  readonly all: readonly PackageLifecycle[];
  /** The rows that can match a name, in their order. Most names have none. */
  readonly candidates: (name: string) => readonly PackageLifecycle[];
}

const indexed = new WeakMap<readonly PackageLifecycle[], ReleaseRows>();

/** The rows of the release, and those of the distribution that it is rebuilt from. */
function rowsOf(packages: PackageCatalogue, { product, cycle }: CycleRef): ReleaseRows {
  const own = packages.lifecycles(product, cycle);
  const known = indexed.get(own);
  if (known !== undefined) return known;
  const followed = own.find(({ follows }) => follows !== undefined)?.follows;
  const all = followed === undefined ? own : [...own, ...packages.lifecycles(followed, cycle)];
  const byStart = new Map<string, number[]>();
  for (const [position, row] of all.entries())
    // A row with versions matches every name.
    for (const start of new Set(row.versions ? [""] : row.packages.map(literalStart)))
      byStart.set(start, [...(byStart.get(start) ?? []), position]);
  const rows = { all, candidates: remembered((name: string) => candidatesOf(all, byStart, name), MOST_ANSWERS) };
  indexed.set(own, rows);
  return rows;
}

/** `byStart`: the positions of the rows by the start of the names that they can match. */
function candidatesOf(
  all: readonly PackageLifecycle[],
  byStart: ReadonlyMap<string, readonly number[]>,
  name: string,
): readonly PackageLifecycle[] {
  const positions: number[] = [];
  for (let length = Math.min(START_LENGTH, name.length); length >= 0; length -= 1)
    positions.push(...(byStart.get(name.slice(0, length)) ?? []));
  positions.sort((a, b) => a - b);
  return positions.flatMap((position) => all[position] ?? []);
}

/** `nodejs:12:8060020220523160029:ad008a3a`: name, stream, version and context of a module. */
function byModuleLabel(rows: readonly PackageLifecycle[], label: string): PackagePeriod {
  const [name, stream] = label.split(":");
  const row = rows.find((each) => each.kind === "module" && each.name === name && each.stream === stream);
  return row ? { kind: "recorded", lifecycle: row } : { kind: "alternative" };
}

/** Packages of a module that have the version of its stream; others (`npm`, `rubygem-json`) have versions of their own. */
const STREAM_PACKAGE =
  /^-(?:server|libs|devel|common|cli|fpm|client|core|contrib|docs?|full-i18n|embedded|backup|errmsg|static|test|plperl|plpython3|pltcl|upgrade|server-devel|server-utils|all-modules|filesystem)$/;

function byModuleBuild(rows: readonly PackageLifecycle[], purl: PurlKey): PackagePeriod {
  const modules = rows.filter((row) => row.kind === "module" && matchesAny(row.packages, purl.name));
  const [first, ...others] = modules;
  if (first === undefined) return { kind: "stream-unknown" };
  // The module has only one stream.
  if (others.length === 0) return { kind: "recorded", lifecycle: first };
  const version = softwareVersion(purl);
  const ofStream = modules.filter(
    ({ name, stream = "" }) => isStreamPackage(purl.name, name) && hasVersionPrefix(version, stream),
  );
  const [row] = ofStream.toSorted((a, b) => (b.stream?.length ?? 0) - (a.stream?.length ?? 0));
  if (row) return { kind: "recorded", lifecycle: row };
  return modules.some(({ name }) => isStreamPackage(purl.name, name))
    ? { kind: "alternative" }
    : { kind: "stream-unknown" };
}

const isStreamPackage = (packageName: string, module: string): boolean =>
  packageName === module || (packageName.startsWith(module) && STREAM_PACKAGE.test(packageName.slice(module.length)));

/** `python3.11-pip`: the pattern contains the stream. `nodejs` 16.20: the version does. */
function isNamedBy(row: PackageLifecycle, purl: PurlKey, version: string): boolean {
  if (row.versions) return matchesAny(row.versions, version);
  const pattern = row.kind === "repository" ? undefined : row.packages.find((each) => matchesGlob(each, purl.name));
  if (pattern === undefined || pattern === "*") return false;
  const { stream, kind } = row;
  if (stream === undefined || containsVersion(pattern, stream)) return true;
  return kind !== "module" && hasVersionPrefix(softwareVersion(purl), stream) && !isGlob(pattern);
}

const containsVersion = (pattern: string, stream: string): boolean =>
  pattern.includes(stream) || (/\d/.test(stream) && pattern.includes(stream.replaceAll(".", "")));

const hasExactName = ({ packages }: PackageLifecycle, name: string): boolean => packages.includes(name);

function softwareVersion(purl: PurlKey): string {
  const version = (purl.version ?? "").replace(/^\d+:/, "");
  return PACKAGING_RULES[purl.type] === undefined ? version : version.replace(/-[^-]*$/, "");
}

/** `nodejs14`, `php8.1-fpm`, `php74`, `python38-libs`, `postgresql-13`, `java-11-openjdk`, `ruby2.5`, `mariadb105`. */
const VERSIONED_NAME =
  /^(?:nodejs\d+|php\d[.\d]*|python3\.?\d+|python2\d?|postgresql-?\d+|java-[\d.]+-openjdk|ruby\d[.\d]*|mariadb\d+|mysql\d[.\d]*|go1\.\d+|redis\d+|tomcat\d+|dotnet-[a-z-]+-\d+\.\d+|perl5\d+|nginx\d+)(?:-|$)/;

export const hasVersionedName = (name: string): boolean => VERSIONED_NAME.test(name);
