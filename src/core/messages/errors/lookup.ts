/** Look-ups without an answer. */
import { row } from "./row.ts";

export const LOOKUP_ERRORS = {
  "line-not-found": row<{ subject: string }>({
    kind: "not-found",
    message: ({ subject }) => `no release cycle found for ${subject}`,
    hint: () => "List the release cycles with: eolgate product SLUG",
  }),
  "purl-not-tracked": row<{ purl: string; distribution: string }>({
    kind: "not-found",
    message: ({ purl, distribution }) => `${purl}: package not in the catalogue${distribution}`,
  }),
  "unknown-product": row<{ slug: string }>({
    kind: "not-found",
    message: ({ slug }) => `no product is called "${slug}"`,
  }),
} as const;
