/** Stored rows about distributions' packages become the model's. Runs once for each section that a document needs. */
import { asIsoDate, asProductSlug } from "../text/ids.ts";
import type { DistroRevision, PackageLifecycle, VendorPackages } from "../model/packages.ts";
import { readDate, readEnd } from "./ends.ts";
import type { References } from "./decode.ts";
import type { StoredDistroRevision, StoredPackageLifecycle, StoredVendorPackages } from "./schema-packages.ts";

type Sources = Pick<References, "address" | "read">;

export function decodePackageLifecycle(stored: StoredPackageLifecycle, sources: Sources): PackageLifecycle {
  const { kind, name, packages = [] } = stored;
  const read = sources.read(stored.read);
  if (read === undefined) throw new RangeError(`no read ${stored.read}`);
  return {
    kind,
    name,
    packages,
    ...subjectOf(stored),
    ...conditionsOf(stored),
    end: readEnd(stored.eol),
    url: sources.address(read.page) ?? "",
    retrievedAt: asIsoDate(read.on),
  };
}

/** What the row is about, beyond its names. */
function subjectOf({ stream, versions, product, repository }: StoredPackageLifecycle) {
  return {
    ...(stream !== undefined && { stream }),
    ...(versions !== undefined && { versions }),
    ...(product !== undefined && { product: decodeProductRef(product) }),
    ...(repository !== undefined && { repository }),
  };
}

function conditionsOf({ start, extended, commitment, follows, ...flags }: StoredPackageLifecycle) {
  return {
    ...(start !== undefined && { start: readDate(start) }),
    ...(extended !== undefined && { extended: { name: extended[0], end: readDate(extended[1]) } }),
    ...(commitment !== undefined && { commitment }),
    ...(follows !== undefined && { follows: asProductSlug(follows) }),
    rolling: flags.rolling === true,
    fullLife: flags.fullLife === true,
    dependent: flags.dependent === true,
    weak: flags.weak === true,
  };
}

function decodeProductRef([slug, cycle]: readonly [string, string?]): NonNullable<PackageLifecycle["product"]> {
  return { slug: asProductSlug(slug), ...(cycle !== undefined && { cycle }) };
}

export function decodeVendorPackages(stored: StoredVendorPackages, { address }: Sources): VendorPackages {
  const { vendor, product, names, productNames = [], revision = {}, proof = {}, maintainers = [] } = stored;
  return {
    vendor,
    ...(product !== undefined && { product: asProductSlug(product) }),
    names,
    productNames,
    revision,
    proof,
    maintainers,
    // Few of hundreds are shown.
    get url() {
      return address(stored.page) ?? "";
    },
    retrievedAt: asIsoDate(stored.on),
  };
}

export function decodeDistroRevision(stored: StoredDistroRevision, { address }: Sources): DistroRevision {
  const { distribution, products, format, pattern, release, proves } = stored;
  return {
    distribution,
    products: products.map(asProductSlug),
    format,
    pattern,
    ...(release !== undefined && { release }),
    proves: proves ?? false,
    get url() {
      return address(stored.page) ?? "";
    },
    retrievedAt: asIsoDate(stored.on),
  };
}
