/**
 * Evidence of the distribution release that a package belongs to: its revision and its repository. The release that the
 * document states is in `system.ts`.
 */
import type { ProductSlug } from "../../text/ids.ts";
import { getOwn, lazy, rememberedOf } from "../../text/values.ts";
import type { Catalogue, Component, CycleRef, DistroRevision, PackageCatalogue, Product } from "../../model/index.ts";
import type { PurlKey } from "../purl/key.ts";
import { RHEL } from "./shipped.ts";
import { compareNumbers, leadingNumbers } from "../version/parse.ts";

export interface Revision {
  readonly distribution: string;
  /** The products that write it; empty: a distribution that is not in the catalogue. */
  readonly products: readonly ProductSlug[];
  /** In the form of the distribution's cycle names: `12`, `22.04`, `15.5`. */
  readonly release: string | undefined;
  /** No other distribution writes it. */
  readonly proves: boolean;
}

interface CompiledPattern {
  readonly row: DistroRevision;
  /** Compiled when a package has the format. */
  readonly expression: () => RegExp;
}

/** Returns a row for every pattern that matches `version`, those that prove a distribution first. */
export function readRevisions(packages: PackageCatalogue, format: string, version: string): readonly Revision[] {
  const patterns = patternsOf(packages).get(format) ?? [];
  return patterns.flatMap(({ row, expression }) => {
    const match = expression().exec(version);
    if (match === null) return [];
    const { distribution, products, proves } = row;
    const text = match.groups?.["release"] ?? match.groups?.["rel2"] ?? row.release;
    return [{ distribution, products, release: text === undefined ? undefined : toRelease(text, row), proves }];
  });
}

const patternsOf = rememberedOf((packages: PackageCatalogue): ReadonlyMap<string, readonly CompiledPattern[]> => {
  const rows = packages
    .revisions()
    .filter(isEvidence)
    .map((row) => ({ row, expression: lazy(() => new RegExp(row.pattern)) }))
    .toSorted((a, b) => Number(b.row.proves) - Number(a.row.proves));
  return Map.groupBy(rows, ({ row }) => row.format);
});

/** A pattern that names no release and that several distributions write shows nothing. */
const isEvidence = ({ proves, release, pattern }: DistroRevision): boolean =>
  proves || release !== undefined || /\(\?<rel/.test(pattern);

/** SUSE writes 150500 for 15.5, openSUSE 155, openEuler 2203 for 22.03. */
function toRelease(text: string, { distribution }: DistroRevision): string {
  if (/^\d{6}$/.test(text)) return `${text.slice(0, 2)}.${Number(text.slice(2, 4))}`;
  const isPacked = distribution === "opensuse-leap" || (distribution === "openeuler" && text.length === 4);
  return isPacked ? `${text.slice(0, 2)}.${text.slice(2)}` : text;
}

export interface ReleaseEvidence {
  /** For messages: `distro=debian-12`, `revision 1.1.1n-0+deb11u5`. */
  readonly text: string;
  readonly release: CycleRef;
}

export type RevisionEvidence =
  | { readonly kind: "release"; readonly evidence: ReleaseEvidence; readonly proves: boolean }
  /** Only this distribution writes it, for several of its releases. */
  | { readonly kind: "distribution" }
  /** Only another distribution writes it. */
  | { readonly kind: "foreign"; readonly distribution: string }
  /** Another product of the distribution's vendor built it. */
  | { readonly kind: "layered" }
  | { readonly kind: "none" };

/** Returns what the revision shows about a package. `distribution` is undefined if the purl has no known namespace. */
export function revisionEvidence(
  catalogue: Catalogue,
  packages: PackageCatalogue,
  purl: PurlKey,
  distribution: ProductSlug | undefined,
): RevisionEvidence {
  const version = purl.version ?? "";
  const revisions = readRevisions(packages, purl.type, version);
  if (revisions.some((each) => each.distribution === "red-hat-layered-product")) return { kind: "layered" };
  const written = revisions.flatMap((revision) => {
    const product = productOf(revision, distribution, catalogue);
    return product === undefined ? [] : [{ product, revision }];
  });
  for (const { product, revision } of written) {
    const release = revision.release === undefined ? undefined : releaseOf(catalogue, product, revision.release);
    if (release)
      return { kind: "release", evidence: { text: `revision ${version}`, release }, proves: revision.proves };
  }
  if (written.some(({ revision }) => revision.proves)) return { kind: "distribution" };
  const foreign = revisions.find((each) => isForeign(each, distribution, catalogue));
  return foreign ? { kind: "foreign", distribution: foreign.distribution } : { kind: "none" };
}

export const provesDistribution = (revision: RevisionEvidence): boolean =>
  revision.kind === "distribution" || (revision.kind === "release" && revision.proves);

/** The product that wrote the revision. A pattern of several products needs a namespace to decide. */
function productOf(
  { products, proves }: Revision,
  distribution: ProductSlug | undefined,
  { facts }: Catalogue,
): ProductSlug | undefined {
  const { sameVendor } = facts.releaseEvidence;
  if (distribution === undefined) return proves && products.length === 1 ? products[0] : undefined;
  if (products.includes(distribution)) return distribution;
  return products.find((product) => getOwn(sameVendor, distribution)?.includes(product) === true);
}

const isForeign = (
  { products, proves }: Revision,
  distribution: ProductSlug | undefined,
  { facts }: Catalogue,
): boolean =>
  proves &&
  distribution !== undefined &&
  !products.includes(distribution) &&
  !products.some((product) => getOwn(facts.releaseEvidence.imports, distribution)?.includes(product) === true);

/** `repository_id` of DNF: `rhel-9-for-x86_64-appstream-rpms`, `ubi-9-baseos-rpms`, `rhocp-4.12-for-rhel-8-x86_64-rpms`. */
export function repositoryEvidence(catalogue: Catalogue, purl: PurlKey): ReleaseEvidence | undefined {
  const id = purl.qualifier("repository_id")?.toLowerCase();
  if (id === undefined) return undefined;
  for (const [pattern, slug] of catalogue.facts.releaseEvidence.repositories) {
    const number = pattern.exec(id)?.[1];
    const product = number === undefined ? undefined : catalogue.product(slug);
    const release = product && number !== undefined ? releaseOf(catalogue, product.slug, number) : undefined;
    if (release) return { text: `repository_id=${id}`, release };
  }
  return undefined;
}

/** The cycle that a release number names: exactly, with `.0`, or as the only cycle of that major. */
function releaseOf(catalogue: Catalogue, slug: ProductSlug, release: string): CycleRef | undefined {
  const product = catalogue.product(slug);
  const cycle = product && cycleName(product, release);
  return cycle === undefined ? undefined : { product: slug, cycle };
}

function cycleName({ cycles }: Product, release: string): string | undefined {
  const names = cycles.map(({ name }) => name);
  const [major = release] = release.split(".", 1);
  const exact = [release, `${release}.0`, major].find((name) => names.includes(name));
  if (exact !== undefined) return exact;
  const inMajor = names.filter((name) => name.startsWith(`${release}.`));
  return inMajor.length === 1 ? inMajor[0] : undefined;
}

/**
 * Whether a package with this `revision` cannot belong to the release that the other evidence states. A distribution
 * that keeps packages of earlier releases contains older revisions.
 */
function contradicts(revision: CycleRef, stated: CycleRef, { facts }: Catalogue): boolean {
  const { sameVendor, keepsOldPackages } = facts.releaseEvidence;
  const isSameVendor = (one: CycleRef, other: CycleRef): boolean =>
    getOwn(sameVendor, other.product)?.includes(one.product) === true;
  if (revision.product !== stated.product) return !isSameVendor(revision, stated) && !isSameVendor(stated, revision);
  if (revision.cycle === stated.cycle) return false;
  const isOlder = compareNumbers(leadingNumbers(revision.cycle), leadingNumbers(stated.cycle)) < 0;
  return !(isOlder && keepsOldPackages.includes(stated.product));
}

/** The texts of two pieces of evidence that contradict each other. `revision`: what the revision shows. */
export function firstConflict(
  all: readonly ReleaseEvidence[],
  revision: ReleaseEvidence | undefined,
  catalogue: Catalogue,
): readonly string[] | undefined {
  for (const one of all)
    for (const other of all) {
      // A package may be older than the release that contains it, so its revision may name an earlier release.
      if (one === other || (revision !== undefined && other === revision)) continue;
      if (contradicts(one.release, other.release, catalogue)) return [one.text, other.text];
    }
  return undefined;
}

/** Hosts of the distributions' own repositories. A `repository_url` with another host is a vendor's repository. */
export const OWN_HOSTS: RegExp =
  /(?:^|[/.])(?:debian\.org|ubuntu\.com|alpinelinux\.org|redhat\.com|fedoraproject\.org|centos\.org|rockylinux\.org|almalinux\.org|suse\.com|opensuse\.org|archlinux\.org|oracle\.com|amazonlinux\.com)(?:[/:]|$)/;

export interface StatedRepository {
  /** The segments of its address and its id: `alpine`, `v3.18`, `community`. Empty: the document does not name it. */
  readonly words: readonly string[];
  /** It is supported for a shorter time than the release, and the release does not state for how long. */
  readonly isShorter: boolean;
}

interface RepositoryRequest {
  readonly purl: PurlKey;
  readonly component: Pick<Component, "publisher" | "supplier">;
}

const NOT_STATED: StatedRepository = { words: [], isShorter: false };

/** Extra Packages for Enterprise Linux, development branches, repositories of contributors. */
const SHORTER_SUPPORT = /^(?:epel|edge|testing|unstable|rawhide|copr|rpmfusion|backports)(?:\b|_|$)/;

/** On RHEL and its rebuilds, packages of the Fedora project come from EPEL. */
const FEDORA = /^(?:organization:\s*)?fedora project/i;

export function statedRepository({ purl, component }: RepositoryRequest, release: CycleRef): StatedRepository {
  const address = purl.qualifier("repository_url")?.replace(/^[a-z]+:\/\//, "");
  const id = purl.qualifier("repository_id");
  const words = [...(address?.split(/[/?#]/).slice(1) ?? []), id ?? ""].map((word) => word.toLowerCase());
  const stated = words.filter((word) => word !== "");
  if (stated.length > 0) return { words: stated, isShorter: stated.some((word) => SHORTER_SUPPORT.test(word)) };
  return RHEL.has(release.product) && isByFedora(component) ? { words: ["epel"], isShorter: true } : NOT_STATED;
}

const isByFedora = ({ publisher, supplier }: RepositoryRequest["component"]): boolean =>
  [publisher, supplier].some((name) => name !== undefined && FEDORA.test(name));
