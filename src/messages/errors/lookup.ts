/** Errors of look-ups. */
import { row } from "./row.ts";

export const LOOKUP_ERRORS = {
  "ambiguous-version": row<{ product: string; version: string; candidates: string }>({
    kind: "ambiguous",
    message: ({ product, version, candidates }) =>
      `version "${version}" of "${product}" is ambiguous: ask for ${candidates}`,
  }),
  "product-not-found": row<{ name: string; suggestions: string }>({
    kind: "not-found",
    message: ({ name, suggestions }) =>
      `product "${name}" not found${suggestions === "" ? "" : `; did you mean ${suggestions}?`}`,
  }),
  "version-not-tracked": row<{ product: string; version: string; reason: string; cycles: string }>({
    kind: "not-found",
    message: ({ product, version, reason, cycles }) =>
      `version "${version}" of "${product}" not found: ${reason}${cycles === "" ? "" : `; release cycles: ${cycles}`}`,
  }),
  "cycle-not-found": row<{ subject: string }>({
    kind: "not-found",
    message: ({ subject }) => `no release cycle found for ${subject}`,
    hint: () => "List the release cycles with: eolgate product SLUG",
    httpHint: "List the release cycles with GET /v1/product/{slug}.",
  }),
  "purl-not-tracked": row<{ purl: string; distribution: string }>({
    kind: "not-found",
    message: ({ purl, distribution }) => `${purl}: package not in the catalogue${distribution}`,
  }),
  "unknown-product": row<{ slug: string }>({
    kind: "not-found",
    message: ({ slug }) => `no product has the slug "${slug}"`,
  }),
  "cycle-not-in-catalogue": row<{ product: string; cycle: string }>({
    kind: "catalogue",
    message: ({ product, cycle }) => `the catalogue has no release cycle ${product}:${cycle}`,
  }),
  "no-cycles": row<{ product: string }>({
    kind: "not-found",
    message: ({ product }) => `no release cycle of "${product}" is tracked`,
  }),
} as const;
