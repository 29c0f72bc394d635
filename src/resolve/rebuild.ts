/**
 * Rebuilds by vendors: `4.1.63.Final-redhat-00001` is not the release 4.1.63 of the project. The vendor patches and
 * supports it, so the dates of the project do not apply.
 */
import type { Catalogue, Product, Tracer } from "../model/index.ts";
import { normalizeName } from "./normalize-name.ts";
import { unresolved, type Unresolved } from "./unresolved.ts";

/** Refuses a version that a vendor rebuilt, unless the product is the vendor's own. */
export function refuseRebuild(
  { slug, name }: Product,
  version: string | undefined,
  { facts }: Catalogue,
  trace?: Tracer,
): Unresolved | undefined {
  if (version === undefined) return undefined;
  const vendor = facts.packageEvidence.rebuilds.find(([pattern]) => pattern.test(version))?.[1];
  if (vendor === undefined) return undefined;
  const word = normalizeName(vendor);
  if ([slug, name].some((each) => normalizeName(each).startsWith(word))) return undefined;
  trace?.("candidate-rejected", `${version} is a rebuild by ${vendor}`);
  return unresolved("vendor-rebuild", { product: slug, evidence: [`version ${version}`] });
}
