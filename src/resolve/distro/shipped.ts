/** What releases of distributions ship: names of packages, and versions of products. */
import { lastDay } from "../../lifecycle/days.ts";
import { freeTracks, supportThatCounts } from "../../lifecycle/support.ts";
import type { Catalogue, CycleRef, PackageCatalogue, ReleaseCycle } from "../../model/index.ts";
import type { ProductSlug } from "../../text/ids.ts";
import { getOwn, remembered } from "../../text/values.ts";
import type { ResolveContext } from "../context.ts";
import { normalizeName } from "../normalize-name.ts";
import type { MappedPackage } from "../purl/entry.ts";
import type { PurlKey } from "../purl/key.ts";
import { hasVersionPrefix } from "../version/parse.ts";
import { PACKAGING_RULES } from "../version/product-numbers.ts";
import { cycleByName } from "../version/resolve.ts";

export const isGlob = (pattern: string): boolean => pattern.includes("*") || pattern.includes("[");

const toExpression = remembered((pattern: string) => {
  const [start = "", ...parts] = pattern.replaceAll(/[.+?^${}()|\\]/g, "\\$&").split("*");
  const end = parts.pop();
  // What is between two stars is searched once: a lookahead gives nothing back, so that a long name takes linear time.
  const between = parts.map((part, index) => `(?=(.*?${part}))\\${index + 1}`);
  return new RegExp(`^${start}${between.join("")}${end === undefined ? "" : `.*${end}`}$`);
});

export const matchesGlob = (pattern: string, name: string): boolean =>
  pattern === name || (isGlob(pattern) && toExpression(pattern).test(name));

/** Maximum length of a start in characters; names are looked up by this prefix and by each shorter one. */
export const START_LENGTH = 5;

/** The characters before the first wildcard, by which a table finds the patterns that a name can match. */
export function literalStart(pattern: string): string {
  let length = 0;
  while (length < START_LENGTH && length < pattern.length && !"*[".includes(pattern.charAt(length))) length += 1;
  return pattern.slice(0, length);
}

export const matchesAny = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, name));

/**
 * Packages that only Ubuntu has. Most other packages of Ubuntu have `ubuntu` in their revision, which is sufficient
 * evidence.
 */
const UBUNTU_ONLY: readonly RegExp[] = [
  /^(?:linux|ubuntu|kubuntu|xubuntu|lubuntu|yaru|nvidia|libnvidia|cloud|grub)-/,
  /^language-(?:pack|selector|support)-/,
  /^(?:landscape|update-(?:manager|notifier)|command-not-found|motd-news)-/,
  /^(?:snapd|netplan\.io|apport|whoopsie|pollinate|overlayroot|friendly-recovery|fwupd-signed|shim-signed)$/,
  /^python3-(?:apport|commandnotfound|distupgrade|update-manager|problem-report)$/,
];

/** Whether a release ships a package or a version; `unknown`: what it ships is not recorded. */
type Shipped = "shipped" | "never" | "unknown";

/** Whether the release ships this version of the package's product, or a package of its name where it has none. */
export function ships(
  catalogue: Catalogue,
  release: CycleRef,
  { name }: PurlKey,
  mapped: MappedPackage | undefined,
): Shipped {
  if (mapped) return shipsVersion(catalogue, release, mapped);
  return catalogue.packages ? shipsPackage(catalogue.packages, release, name) : "shipped";
}

/** Whether the release ships a package of this name. The names of other distributions than these two are not asked for. */
function shipsPackage(packages: PackageCatalogue, { product, cycle }: CycleRef, name: string): Shipped {
  if (product !== "debian" && product !== "ubuntu") return "shipped";
  const listed = packages.inDebian(name, product === "debian" ? cycle : undefined);
  if (listed === true || (product === "ubuntu" && UBUNTU_ONLY.some((pattern) => pattern.test(name)))) return "shipped";
  return listed === false && product === "debian" ? "never" : "unknown";
}

/** RHEL and its rebuilds: they write `.el9` or `.module…` in each release part since version 6. */
export const RHEL: ReadonlySet<string> = new Set(
  "rhel centos centos-stream almalinux rocky-linux oracle-linux".split(" "),
);

/**
 * Whether the release ships this version of a product, where nothing but its revision names the distribution.
 *
 * - `shipped`: it does, or its distribution is one whose versions are not recorded.
 * - `never`: it never shipped this product, or other versions of it: somebody else built the package.
 * - `unknown`: its versions are not known. Of RHEL only those with errata are.
 */
function shipsVersion(catalogue: Catalogue, release: CycleRef, mapped: MappedPackage): Shipped {
  if (!isCompared(release, mapped)) return "shipped";
  const { product, purl } = mapped;
  const starts = startsOf(catalogue, release, product.slug);
  const version = PACKAGING_RULES[purl.type]?.(purl.version ?? "", product, purl);
  if (starts === undefined || typeof version !== "string") return "unknown";
  if (starts.some((start) => hasVersionPrefix(version, start))) return "shipped";
  return RHEL.has(release.product) && starts.length > 0 ? "unknown" : "never";
}

/** Debian builds its backports itself. */
const isCompared = ({ product }: CycleRef, { entry, purl }: MappedPackage): boolean =>
  RECORDED.has(product) && !entry.productOnly && !/~bpo\d+\+/.test(purl.version ?? "");

/** The distributions whose versions are recorded. */
export const RECORDED: ReadonlySet<string> = new Set([...RHEL, "debian", "ubuntu"]);

/** Whether the project had ended this cycle before the release of the distribution was published. */
export function endedBefore(release: CycleRef, own: CycleRef, context: ResolveContext): boolean {
  // Service packs contain packages of the first release.
  if (release.product === "sles" || release.product === "opensuse") return false;
  const cycle = cycleOf(own, context);
  const end = cycle?.eol.kind === "dated" ? cycle.eol.date : cycle?.eolNoLaterThan;
  const published = cycleOf(release, context)?.releaseDate?.value;
  return end !== undefined && published !== undefined && lastDay(end) < published;
}

/** The starts of the versions that the release ships. */
const startsOf = ({ facts }: Catalogue, { product, cycle }: CycleRef, slug: string): readonly string[] | undefined => {
  const { follows, versions } = facts.shippedVersions;
  // Rebuilds ship what the original ships.
  return getOwn(versions, slug)?.[`${getOwn(follows, product) ?? product} ${cycle}`];
};

/** The product of this name, if the release never shipped it. */
export function neverShipped(catalogue: Catalogue, release: CycleRef, name: string): ProductSlug | undefined {
  const [slug, ...others] = catalogue.named(normalizeName(name));
  if (slug === undefined || others.length > 0) return undefined;
  return startsOf(catalogue, release, slug)?.length === 0 ? slug : undefined;
}

/** Whether RHEL or a rebuild ships a package of this name, although a vendor publishes packages of this name. */
export const isOwnName = ({ facts }: Catalogue, { product }: CycleRef, name: string): boolean => {
  const { follows, ownNames } = facts.shippedVersions;
  return getOwn(ownNames, getOwn(follows, product) ?? product)?.includes(name) === true;
};

/** Whether a release, or a cycle, has ended on the day of the context, with all support that counts by default. */
export function hasEnded(ref: CycleRef, context: ResolveContext): boolean {
  const cycle = cycleOf(ref, context);
  return cycle !== undefined && supportThatCounts(cycle, freeTracks(cycle), context.asOf).status === "eol";
}

function cycleOf({ product: slug, cycle }: CycleRef, { catalogue, asOf }: ResolveContext): ReleaseCycle | undefined {
  const product = catalogue.product(slug);
  return product && cycleByName(product, cycle, asOf);
}
