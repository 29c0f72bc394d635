/** Look-ups without an answer. */
import { row } from "./row.ts";

export const LOOKUP_ERRORS = {
  "line-not-found": row<{ subject: string }>({
    kind: "not-found",
    message: ({ subject }) => `no release cycle found for ${subject}`,
    hint: () => "List the release cycles with: eolgate product SLUG",
  }),
  "purl-not-tracked": row<{ purl: string; words: string; line: string }>({
    kind: "not-found",
    message: ({ purl, words, line }) => `${purl} ${words}${line}`,
  }),
  "unknown-product": row<{ slug: string }>({
    kind: "not-found",
    message: ({ slug }) => `no product is called "${slug}"`,
  }),
} as const;
