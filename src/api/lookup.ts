/** Finds a product and a release cycle by slug and version, or throws an error with candidates and suggestions. */
import { EolgateError } from "../messages/error.ts";
import { ERRORS } from "../messages/errors/index.ts";
import { formatList } from "../messages/format.ts";
import { REASON_LABELS } from "../messages/support.ts";
import type { Catalogue, Component, Product, ReleaseCycle, Resolution, UnresolvedReason } from "../model/index.ts";
import { asPurl, type IsoDate } from "../text/ids.ts";
import { findProduct, suggest } from "../resolve/product.ts";
import { resolveVersion } from "../resolve/version/resolve.ts";
import type { Requested } from "../wire/score.ts";

export interface FoundCycle {
  readonly cycle: ReleaseCycle;
  /** Absent when the request named the cycle itself. */
  readonly requested?: Requested;
}

export function productNamed(catalogue: Catalogue, name: string, trackedProducts: string): Product {
  const product = CONTROL.test(name) ? undefined : findProduct(catalogue, name);
  if (product) return product;
  const suggestions = suggest(catalogue, name);
  throw EolgateError.of(
    "product-not-found",
    { name, suggestions: formatList(suggestions) },
    { details: { not_tracked: true, suggestions, tracked_products: trackedProducts } },
  );
}

/** `asOf`: the day on which a version older than the recorded cycles is assessed. */
export function findCycle(product: Product, version: string, asOf: IsoDate): FoundCycle {
  const found = CONTROL.test(version) ? NO_VERSION : resolveVersion(product, version, { asOf });
  if (found.kind === "unresolved") throw refusal(product, version, found.reason, found.candidates);
  const matchedBy = found.versionMatchedBy;
  return { cycle: found.cycle, ...(matchedBy === undefined ? {} : { requested: { version, matchedBy } }) };
}

/** Names and versions are compared without case and punctuation. Control characters are not ignored. */
const CONTROL = /\p{Cc}/u;
const NO_VERSION = { kind: "unresolved", reason: "version-not-tracked", candidates: undefined } as const;

const SUGGESTED_CYCLES = 10;

function refusal(
  product: Product,
  version: string,
  reason: UnresolvedReason,
  candidates?: readonly string[],
): EolgateError {
  const named = product.slug;
  if (reason === "version-ambiguous") {
    return EolgateError.of(
      "ambiguous-version",
      { product: named, version, candidates: formatList(candidates ?? []) },
      { details: { requested_version: version, candidates: candidates ?? [], suggestions: candidates ?? [] } },
    );
  }
  const cycles = candidates ?? product.cycles.slice(0, SUGGESTED_CYCLES).map((cycle) => cycle.name);
  return EolgateError.raw("not-found", {
    code: reason,
    message: ERRORS["version-not-tracked"].message({
      product: named,
      version,
      reason: REASON_LABELS[reason],
      cycles: formatList(cycles),
    }),
    details: { suggestions: cycles },
  });
}

/** A component that consists of a purl only, as in a batch. */
export function purlComponent(purl: string, version: string | undefined): Component {
  return {
    pointer: "",
    span: { start: 0, end: 0 },
    kind: "other",
    name: purl,
    ...(version === undefined ? {} : { version }),
    purls: [asPurl(purl)],
    cpes: [],
    licenses: [],
    declared: [],
  };
}

export function unresolvedError(purl: string, resolution: Exclude<Resolution, { kind: "resolved" }>): EolgateError {
  if (resolution.kind === "unmatched") {
    const { reason, candidates } = resolution;
    return EolgateError.raw(reason === "version-ambiguous" ? "ambiguous" : "not-found", {
      code: reason === "version-ambiguous" ? "ambiguous-version" : reason,
      message: `${purl}: ${REASON_LABELS[reason]}`,
      ...(candidates === undefined ? {} : { details: { candidates } }),
    });
  }
  const distribution =
    resolution.kind === "distro-maintained"
      ? `; its distribution ${resolution.by.product}:${resolution.by.cycle} maintains it`
      : "";
  return EolgateError.of("purl-not-tracked", { purl, distribution });
}
