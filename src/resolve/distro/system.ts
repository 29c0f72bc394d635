/**
 * The distribution release that a document states: by the name and version of an operating system, as os-release, Trivy,
 * Claircore or a person writes them, or in the `distro` qualifier of a purl.
 */
import type { ProductSlug } from "../../text/ids.ts";
import type {
  Component,
  ComponentDocument,
  CycleRef,
  OsEntry,
  OsVersionRule,
  Product,
  Tracer,
  VersionMatchedBy,
} from "../../model/index.ts";
import { type ResolveContext, versionOptions } from "../context.ts";
import { purlKey } from "../purl/key.ts";
import { type Unresolved, unresolved } from "../unresolved.ts";
import { indexCycles } from "../version/cycle-index.ts";
import { normalizeVersion } from "../version/parse.ts";
import { type VersionResolution, resolveVersion } from "../version/resolve.ts";

export type SystemMatch =
  | { readonly kind: "cycle"; readonly releaseCycle: CycleRef; readonly versionMatchedBy?: VersionMatchedBy }
  /** A rolling distribution: it has no release cycles and no end, and no other cycle is used instead. */
  | { readonly kind: "rolling" }
  | Unresolved
  /** No operating system of this name is known. */
  | { readonly kind: "unknown" };

/** The root of a package manager, an image without an operating system, a scanner that found none. */
const PLACEHOLDERS = new Set(["", "none", "busybox", "full", "unknown", "scratch", "linux", "noassertion"]);
/** Development versions: `3.19_alpha20231219`, `trixie/sid`. */
const DEVELOPMENT = /_alpha|\bsid\b|\brawhide\b|^edge\b/i;
/** The last major version of CentOS Linux; CentOS 9 and later is CentOS Stream. */
const LAST_CENTOS_LINUX = 8;

/**
 * Finds the cycle of the operating system `name`. A title may contain its version (`Debian GNU/Linux 12 (bookworm)`).
 */
export function matchSystem(
  context: ResolveContext,
  name: string,
  version: string | undefined,
  trace?: Tracer,
): SystemMatch {
  const { catalogue } = context;
  const normalized = name.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (PLACEHOLDERS.has(normalized)) return { kind: "unknown" };
  const entry = catalogue.operatingSystem(normalized);
  trace?.("operating-system", `${normalized}: ${describe(entry)}`);
  if (entry === "rolling") return { kind: "rolling" };
  return entry ? matchVersion(context, entry, version ?? "", trace) : matchTitled(context, normalized, version, trace);
}

/** Matches a title that consists of the name of an operating system and a version. */
function matchTitled(
  context: ResolveContext,
  title: string,
  version: string | undefined,
  trace: Tracer | undefined,
): SystemMatch {
  const [, name, own] = /^(\D.*?) v?(\d\S*(?: \(.*\)| lts| \d+| sp\d+)?)$/.exec(title) ?? [];
  if (name === undefined || own === undefined) return { kind: "unknown" };
  const entry = context.catalogue.operatingSystem(name);
  if (entry === undefined) return { kind: "unknown" };
  return entry === "rolling" ? { kind: "rolling" } : matchVersion(context, entry, version || own, trace);
}

function matchVersion(context: ResolveContext, entry: OsEntry, version: string, trace?: Tracer): SystemMatch {
  const written = version.trim();
  const product = context.catalogue.product(entry.product);
  if (!product) return { kind: "unknown" };
  if (written === "" || DEVELOPMENT.test(written)) return unresolved("no-version", { product: product.slug });
  const stream = centosStream(context, entry, written);
  if (stream) return matchVersion(context, stream, written, trace);
  const release = releaseIn(written, product, entry);
  trace?.("os-version", `${written} → ${release ?? "no release"} (${entry.rule})`);
  if (release === undefined) return unresolved("version-not-tracked", { product: product.slug });
  const found = resolveVersion(product, release, versionOptions(context, trace));
  return found.kind === "unresolved"
    ? unresolved(found.reason, { product: product.slug, candidates: found.candidates })
    : matched(product, found, written);
}

/** A codename, or the part of the version that names a cycle. */
function releaseIn(version: string, product: Product, { rule }: OsEntry): string | undefined {
  return indexCycles(product).byAlias.has(normalizeVersion(version)) ? version : SYSTEM_VERSIONS[rule]?.(version);
}

function matched(
  product: Product,
  { cycle, versionMatchedBy: how }: Extract<VersionResolution, { kind: "cycle" }>,
  written: string,
): SystemMatch {
  const isNamed = normalizeVersion(written) === normalizeVersion(cycle.name) && cycle.olderThan === undefined;
  return {
    kind: "cycle",
    releaseCycle: { product: product.slug, cycle: cycle.name },
    ...(!isNamed && { versionMatchedBy: how ?? "release-line" }),
  };
}

const describe = (entry: OsEntry | "rolling" | undefined): string =>
  entry === undefined ? "not known" : entry === "rolling" ? "has no release cycles that could end" : entry.product;

function centosStream({ catalogue }: ResolveContext, { product, rule }: OsEntry, version: string): OsEntry | undefined {
  if (product !== "centos") return undefined;
  const major = Number(/^\d+/.exec(version)?.[0] ?? 0);
  const stream = major > LAST_CENTOS_LINUX ? catalogue.product("centos-stream") : undefined;
  return stream && { product: stream.slug, rule };
}

/** The part of an operating system's version that names its cycle; undefined if none does. */
export type SystemVersion = (version: string) => string | undefined;

const numbers =
  (pattern: RegExp): SystemVersion =>
  (version) =>
    pattern.exec(version)?.[0];

/** By the rule's name in the catalogue. */
export const SYSTEM_VERSIONS: Readonly<Record<OsVersionRule, SystemVersion>> = {
  /** `12 (bookworm)`, `10.13`, `7.6.1810`. */
  major: numbers(/^\d+/),
  /** `3.18.12`. */
  minor: numbers(/^\d+(?:\.\d+)?/),
  /** `22.04.2 LTS`. */
  "year-month": numbers(/^\d{1,2}\.\d{2}/),
  /** `2`, `2 (Karoo)`, `2018.03`. */
  whole: numbers(/^\S+/),
  /** `2023.10.20260105 (Amazon Linux)`. */
  "first-word": numbers(/^\S+/),
  /** `15.5`, `15-SP5`, `15 SP5`. A bare 15 is any of its service packs. */
  sles: (version) => {
    const [, major, pack] = /^(\d+)(?:[.\s-]*(?:SP)?(\d+))?/i.exec(version) ?? [];
    return major === undefined ? undefined : pack === undefined ? major : `${major}.${pack}`;
  },
  /** `cos-113`, `113`, `113-18244.85.5`. */
  "prefix-cos": (version) => {
    const milestone = /^(?:cos-)?(\d+)/.exec(version)?.[1];
    return milestone === undefined ? undefined : `cos-${milestone}`;
  },
  "minor-then-major": numbers(/^\d+(?:\.\d+)?/),
};

/** A release; a rolling distribution has none; undefined when it is not known. */
export type StatedRelease =
  | { readonly kind: "cycle"; readonly releaseCycle: CycleRef }
  | { readonly kind: "rolling" }
  | undefined;

/** In `distro=el8` the letters name a family; the namespace names the distribution. */
const FAMILY: Readonly<Record<string, string>> = { fc: "fedora", amzn: "amzn", ol: "ol", el: "" };

/**
 * Reads the release from a `distro` qualifier: `debian-10.13`, `opensuse-leap-15.5`, `3.18.12` (Trivy; of the
 * distribution in the namespace), `el8`, `bookworm`, `ubuntu-jammy`.
 */
export function releaseOfQualifier(
  context: ResolveContext,
  qualifier: string,
  namespace: string,
  trace?: Tracer,
): StatedRelease {
  for (const [name, version] of readings(qualifier.toLowerCase(), namespace)) {
    const release = toRelease(matchSystem(context, name, version, trace));
    if (release) return release;
  }
  return undefined;
}

/** The ways to read a qualifier as the name and version of an operating system. */
function* readings(text: string, namespace: string): Generator<readonly [name: string, version: string | undefined]> {
  yield [text, undefined];
  const hyphen = text.search(/-(?=[^-]*$)/);
  if (hyphen > 0) yield [text.slice(0, hyphen), text.slice(hyphen + 1)];
  // `sles-15-sp5` has a second hyphen that belongs to the version.
  const [, name = "", version] = /^([a-z.-]+?)-(\d.*)$/.exec(text) ?? [];
  if (version !== undefined) yield [name, version];
  const [, family = "", release] = /^(fc|amzn|ol|el)(\d[\d.]*)$/.exec(text) ?? [];
  if (release !== undefined) yield [FAMILY[family] || namespace, release];
  else if (namespace !== "") yield [namespace, text];
}

/**
 * The release of the document's operating system, or of the package that installs `/etc/os-release` in a document
 * without one; undefined if there is none, or several of different releases.
 */
export function releaseOfDocument(context: ResolveContext, { components }: ComponentDocument): StatedRelease {
  const systems = [...releasesOfSystems(context, components)];
  return singleRelease(systems.length > 0 ? systems : releasesOfPackages(context, components));
}

function* releasesOfSystems(context: ResolveContext, components: Iterable<Component>): Iterable<StatedRelease> {
  for (const component of components)
    if (component.kind === "operating-system" || hasSystemTag(context, component))
      yield toRelease(matchSystemComponent(context, component));
}

function singleRelease(releases: Iterable<StatedRelease>): StatedRelease {
  let single: StatedRelease;
  for (const release of releases) {
    if (!release || (single && !isSameRelease(single, release))) return undefined;
    single = release;
  }
  return single;
}

/**
 * Packages that have the number of the release. Debian's development release writes the next one, which is no release
 * yet; Ubuntu numbers its `base-files` otherwise. Packages of rpm name the release in their revisions.
 */
const RELEASE_PACKAGE = /^pkg:(?:deb\/debian\/base-files|apk\/alpine\/alpine-release)@/;

function* releasesOfPackages(context: ResolveContext, components: Iterable<Component>): Iterable<StatedRelease> {
  for (const { purls } of components)
    for (const text of purls) {
      const purl = RELEASE_PACKAGE.test(text) ? purlKey(text) : undefined;
      if (purl?.kind !== "purl" || purl.version === undefined) continue;
      yield toRelease(matchSystem(context, purl.namespace, purl.version.replace(/-[^-]*$/, "")));
    }
}

/** A software identification tag of an operating system: `pkg:swid/Canonical/ubuntu@22.04?tag_id=…`. */
const hasSystemTag = ({ catalogue }: ResolveContext, { name, purls }: Component): boolean =>
  catalogue.operatingSystem(name.trim().toLowerCase()) !== undefined &&
  purls.some((purl) => purl.startsWith("pkg:swid/"));

export const matchSystemComponent = (context: ResolveContext, component: Component, trace?: Tracer): SystemMatch =>
  matchSystem(context, component.name, component.version, trace);

const toRelease = (match: SystemMatch): StatedRelease =>
  match.kind === "cycle" || match.kind === "rolling" ? match : undefined;

function isSameRelease(left: NonNullable<StatedRelease>, right: NonNullable<StatedRelease>): boolean {
  if (left.kind !== "cycle" || right.kind !== "cycle") return left.kind === right.kind;
  return (
    left.releaseCycle.product === right.releaseCycle.product && left.releaseCycle.cycle === right.releaseCycle.cycle
  );
}

export const describeRelease = (release: StatedRelease): string =>
  release === undefined
    ? "not known"
    : release.kind === "rolling"
      ? "has no release cycles that could end"
      : `${release.releaseCycle.product} ${release.releaseCycle.cycle}`;

/**
 * Whether the operating system is another one than the package's distribution, such as for an rpm in a Debian image.
 */
export const isOtherProduct = ({ product }: CycleRef, distribution: ProductSlug | undefined): boolean =>
  distribution !== undefined && product !== distribution && !(distribution === "centos" && product === "centos-stream");
