/**
 * From the version of a package to the numbers of the product: without the parts that the package type adds, within the
 * limits of the entry in the purl map, and in agreement with a version in the package's name.
 */
import type { Product, PurlEntry, UnresolvedReason, VersionTransform } from "../../model/index.ts";
import type { PurlKey } from "../purl/key.ts";
import { getOwn } from "../../text/values.ts";
import { indexCycles } from "./cycle-index.ts";
import { compareNumbers, isBoundary, leadingNumbers, normalizeVersion } from "./parse.ts";
import { javaNumber } from "../../lifecycle/kev.ts";

/** The software's own version, or why the field contains none. */
type Stripped = string | { readonly reason: UnresolvedReason };
/** Removes what a package type adds to the version of the software. */
export type PackagingRule = (version: string, product: Product, purl: PurlKey) => Stripped;

const NO_VERSION: Stripped = { reason: "no-version" };
const withoutEpoch = (version: string): string => version.replace(/^\d+:/, "");

/** Debian Policy 5.6.12: `[epoch:]upstream[-revision]`; `10.0+really9.1-2` is 9.1 with a number that sorts as 10.0. */
const deb: PackagingRule = (version) =>
  withoutEpoch(version)
    .replace(/^.*\+really/, "")
    .replace(/-[^-]*$/, "");

/** `1:18.19.0-1.el8`: epoch, and the release after the last hyphen. */
const rpm: PackagingRule = (version) => withoutEpoch(version).replace(/-[^-]*$/, "");

/**
 * The version of the toolchain is `go1.22.3`; a pseudo-version is a commit (https://go.dev/ref/mod#pseudo-versions).
 */
const golang: PackagingRule = (version) =>
  /[-.]\d{14}-[0-9a-f]{12}(?:\+|$)/.test(version) ? NO_VERSION : version.replace(/^(?:go)(?=\d)/, "");

/** `dev-main` and `2.x-dev` are branches. */
const composer: PackagingRule = (version) => (/^dev-|[.-]?x-dev$|-dev$/.test(version) ? NO_VERSION : version);

/** A commit or a branch is not a version; tags may start with the project's name (`release-1.4`, `nginx-1.25.0`). */
const github: PackagingRule = (version, _product, purl) => {
  if (/^[0-9a-f]{40}$/.test(version) || (/^[0-9a-f]{7,39}$/.test(version) && /[a-f]/.test(version))) return NO_VERSION;
  const tag = version.toLowerCase();
  const prefix = ["release", "version", "rel", purl.name].find((word) => tag.startsWith(word));
  const number = (prefix === undefined ? tag : tag.slice(prefix.length).replace(/^[-_]/, "")).replaceAll("_", ".");
  return /^v?\d/.test(number) ? number : NO_VERSION;
};

/**
 * A tag names a version when it starts with a number. A codename is a release of the distribution in its own image
 * (`debian:bookworm-slim`), and only the base of any other (`node:bookworm`).
 */
const image: PackagingRule = (version, product, purl) => {
  const tag = purl.qualifier("tag") ?? version;
  if (/^(?:sha\d+[:_]|[0-9a-f]{64}$)/.test(tag)) return NO_VERSION;
  const runtime = runtimeCycle(tag, product, purl);
  if (runtime !== undefined) return runtime;
  if (/^v?\d/.test(tag)) return tag;
  const word = normalizeVersion(tag).split("-", 1)[0] ?? "";
  return product.category === "os" && indexCycles(product).byAlias.has(word) ? word : NO_VERSION;
};

/**
 * Lambda's cycles are runtimes: `python:3.12` is python3.12, `nodejs:20` nodejs20.x, `provided:al2` provided.al2, and
 * `provided:alami` the first runtime of that kind. A tag may end in the day of the build and the processor,
 * `20.2024.02.07.18-arm64`. Sources: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html and, for the tags,
 * https://github.com/aws/aws-sam-cli (`samcli/local/docker/lambda_image.py`).
 */
function runtimeCycle(tag: string, product: Product, { name: image }: PurlKey): string | undefined {
  const name = image.replace(/^aws-lambda-/, "");
  const release = normalizeVersion(tag)
    .replace(/-(?:arm64|x86_64)$/, "")
    .replace(/\.20\d{2}(?:\.\d{2}){2,}$/, "");
  const { byName } = indexCycles(product);
  const names = [`${name}${release}`, `${name}${release}.x`, `${name}.${release}`];
  if (release === "alami") names.push(name);
  return names.find((cycle) => byName.has(cycle));
}

/** Conda appends a build to the version: `3.11.4=h2f3a4b_0`. */
const conda: PackagingRule = (version) => version.replace(/=.*$/, "");

/** By purl type. A type without a row contains the software's own version. */
export const PACKAGING_RULES: Readonly<Record<string, PackagingRule>> = {
  alpm: rpm,
  composer,
  conda,
  deb,
  docker: image,
  github,
  golang,
  oci: image,
  rpm,
};

/**
 * Patterns for the whole name, by what is packaged; groups are the components of the version. It must agree with the
 * package's own version, because repackaged software is the most common cause of a wrong cycle.
 */
export const NAMED_VERSIONS: Readonly<Record<string, RegExp>> = {
  python: /^python(\d)\.(\d+)$/,
  // Red Hat's modules: python39 is 3.9.
  "python-module": /^python(\d)(\d+)$/,
  nodejs: /^nodejs(\d\d)$/,
  dotnet: /^dotnet-sdk-(\d+)\.(\d+)$/,
  "java-1": /^java-1\.(\d)\.0-(?:openjdk|alibaba-dragonwell)(?:-.+)?$/,
  java: /^java-(\d\d)-openjdk(?:-.+)?$/,
  "bellsoft-java": /^bellsoft-java(\d+)(?:-.+)?$/,
  liberica: /^liberica(\d+)j[dr]k?e?(?:full|lite)?$/,
  "liberica-jdk": /^bellsoft\.libericajdk\.(\d+)$/,
};

/** The version in the name of a package; undefined when it has none. */
export function versionFromName(name: string): string | undefined {
  for (const pattern of Object.values(NAMED_VERSIONS)) {
    const match = pattern.exec(name);
    if (match) return match.slice(1).join(".");
  }
  return undefined;
}

/** Whether a cycle agrees with the version in a name: one of them is a component prefix of the other. */
export function agreesWithName(cycleName: string, named: string): boolean {
  const [short, long] = cycleName.length < named.length ? [cycleName, named] : [named, cycleName];
  return long.startsWith(short) && isBoundary(long, short.length);
}

/** Returns the version in the product's numbering; undefined when the transform does not apply. */
export type Transform = (version: string) => string | undefined;

/** Kubernetes' Go modules: `v0.30.2` is 1.30.2. Releases before that scheme used other numbers (`v12.0.0`). */
const minorShift: Transform = (version) => /^v?0\.(\d.*)$/.exec(version)?.[1]?.replace(/^/, "1.");

/**
 * Packages numbered 2.3 are ASP.NET Core for .NET Framework, which is no release of .NET and has terms of its own:
 * https://dotnet.microsoft.com/platform/support/policy/aspnet/2.3-packages.
 */
const dotnetPackage: Transform = (version) => (/^2\.3(?:\.|$)/.test(version) ? undefined : version);

export const TRANSFORMS: Readonly<Record<VersionTransform, Transform>> = {
  "minor-shift": minorShift,
  "java-legacy": javaNumber,
  "dotnet-package": dotnetPackage,
};

const outside = (why: string) => ({ reason: "version-not-tracked", why }) as const;

/** Why a version has no number of the product. */
export interface NoNumbers {
  readonly reason: UnresolvedReason;
  /** The version, if it is older than the first one that follows the product's numbers. */
  readonly below?: string;
}

/** Returns `version` in the product's numbering, or why it is outside the limits of the entry. */
export function toProductNumbers(entry: PurlEntry, version: string): string | (NoNumbers & { readonly why: string }) {
  const numbers = leadingNumbers(normalizeVersion(version));
  if (entry.min !== undefined && compareNumbers(numbers, leadingNumbers(entry.min)) < 0) {
    const below = outside(`the package follows the product's numbers only from ${entry.min}`);
    // Packages that share only the major version had other numbers before.
    return entry.basis === "same-major" ? below : { ...below, below: version };
  }
  if (entry.max !== undefined && compareNumbers(numbers, leadingNumbers(entry.max)) > 0)
    return outside(`the package follows the product's numbers only up to ${entry.max}`);
  if (entry.transform === undefined) return version;
  return getOwn(TRANSFORMS, entry.transform)?.(version) ?? outside(`${entry.transform} does not apply to ${version}`);
}
