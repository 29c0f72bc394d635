/** Checks whether a component's CPE or publisher names a vendor other than the product's. */
import type { Catalogue, Component, Product } from "../model/index.ts";
import { parseCpe } from "./cpe.ts";
import { normalizeName } from "./normalize-name.ts";

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

/** A publisher contradicts when it is the vendor of other products in the catalogue, and not of this one. */
function isOtherPublisher(
  publisher: string,
  product: Product,
  known: ReadonlySet<string>,
  catalogue: Catalogue,
): boolean {
  const vendor = toVendor(publisher);
  if (vendor === "" || known.size === 0 || catalogue.isCpeVendor?.(vendor) !== true) return false;
  const own = [...known, product.slug, product.name].map(normalizeName);
  return !own.some((name) => name.includes(vendor) || vendor.includes(name));
}

const LEGAL_FORM =
  /\b(?:the|incorporated|inc|corporation|corp|company|co|limited|ltd|llc|gmbh|ag|sa|sas|bv|b\.v|plc|foundation|project|software|team|group|technologies|systems)\b\.?/g;

/** `Organization: Red Hat, Inc. (secalert@redhat.com)` → `redhat`. */
function toVendor(publisher: string): string {
  const name = publisher.replace(/^(?:Organization|Person|Tool):/i, "").replace(/[(<].*$/, "");
  return normalizeName(name.toLowerCase().replaceAll(LEGAL_FORM, "")).replaceAll(".", "");
}
