/**
 * CPE names (formatted strings of CPE 2.3 and URIs of CPE 2.2), and the check whether the CPE or the publisher of a
 * component names a vendor other than the product's.
 */
import type { Catalogue, Component, Product } from "../model/index.ts";
import { getOwn } from "../text/values.ts";
import { normalizeName } from "./normalize-name.ts";

export interface CpeName {
  /** `vendor:product` in lower case, unescaped: the catalogue's key. */
  readonly key: string;
  /** Undefined for `*` and `-`. */
  readonly version: string | undefined;
}

export function parseCpe(text: string): CpeName | undefined {
  const name = text.trim();
  const fields = name.startsWith("cpe:2.3:")
    ? name.slice("cpe:2.3:".length).split(/(?<!\\):/)
    : /^cpe:\//i.test(name)
      ? name.slice("cpe:/".length).split(":").map(decodePercent)
      : undefined;
  const [part, vendor, product, version] = fields ?? [];
  if (part === undefined || !/^[aoh]$/i.test(part) || !vendor || !product) return undefined;
  return { key: `${unescape(vendor)}:${unescape(product)}`.toLowerCase(), version: versionOf(version) };
}

/** CPE 2.3 escapes punctuation with a backslash (NISTIR 7695, 6.2). */
const unescape = (field: string): string => field.replaceAll(/\\(.)/g, "$1");

/** CPE 2.2 percent-encodes (NISTIR 7695, 6.1). */
function decodePercent(field: string): string {
  try {
    return decodeURIComponent(field);
  } catch {
    return field;
  }
}

function versionOf(version: string | undefined): string | undefined {
  return version === undefined || version === "" || version === "*" || version === "-" ? undefined : unescape(version);
}

/** Whether the publisher of a component is the vendor in a CPE of the product, apart from its legal form. */
export function isMadeBy({ publisher, supplier }: Component, { cpes }: Pick<Product, "cpes">): boolean {
  const maker = toVendor(publisher ?? supplier ?? "");
  return maker !== "" && cpes.some((text) => normalizeName(vendorOf(text) ?? "") === maker);
}

/** The vendor that contradicts a match by name; undefined when nothing does. */
export function otherVendor(component: Component, product: Product, catalogue: Catalogue): string | undefined {
  const known = new Set(product.cpes.flatMap((text) => vendorOf(text) ?? []));
  const stated = component.cpes.flatMap((text) => vendorOf(text) ?? []);
  // The vendor of a product without a recorded CPE is not known.
  if (known.size > 0 && stated.length > 0 && !stated.some((vendor) => known.has(vendor))) return stated[0];
  return [component.publisher, component.supplier].find(
    (publisher) => publisher !== undefined && isOtherPublisher(publisher, product, known, catalogue),
  );
}

const vendorOf = (cpe: string): string | undefined => parseCpe(cpe)?.key.split(":", 1)[0];

/**
 * Whether a publisher contradicts a match by name. If the product and its maker have different names (`vault` of
 * HashiCorp), every other publisher does, because other software can have that name. If they have the same name, only the
 * vendor of another product in the catalogue does.
 */
function isOtherPublisher(
  publisher: string,
  product: Product,
  known: ReadonlySet<string>,
  catalogue: Catalogue,
): boolean {
  const maker = toVendor(publisher);
  if (maker === "" || known.size === 0) return false;
  const makers = getOwn(catalogue.facts.packageEvidence.makers, product.slug) ?? [];
  const vendors = [...known, ...makers].map(normalizeName);
  const names = [product.slug, product.name].map(normalizeName);
  const isOwn =
    [...vendors, ...names].some((own) => own.includes(maker)) || vendors.some((own) => maker.startsWith(own));
  if (isOwn) return false;
  return !vendors.some((own) => names.includes(own)) || catalogue.isCpeVendor?.(maker) === true;
}

const LEGAL_FORM =
  /\b(?:the|incorporated|inc|corporation|corp|company|co|limited|ltd|llc|gmbh|ag|sa|sas|bv|b\.v|plc|foundation|project|software|team|group|technologies|systems|global|development|developers|contributors|community|authors|maintainers|organization)\b\.?/g;

/** `Organization: Red Hat, Inc. (secalert@redhat.com)` → `redhat`. */
function toVendor(publisher: string): string {
  const name = publisher.replace(/^(?:Organization|Person|Tool):/i, "").replace(/[(<].*$/, "");
  return normalizeName(name.toLowerCase().replaceAll(LEGAL_FORM, "")).replaceAll(".", "");
}
