/** Error codes: network. */
import { row } from "./row.ts";

export const NETWORK_ERRORS = {
  "github-unreachable": row({
    kind: "network",
    message: () => "GitHub's API did not answer",
  }),
  "line-not-at-service": row<{ product: string; cycle: string }>({
    kind: "network",
    message: ({ product, cycle }) => `the service does not know ${product}:${cycle}, which the catalogue here does`,
    hint: () => "Use the service's own catalogue: eolgate catalogue update --from its address",
  }),
  "unexpected-status": row<{ status: number }>({
    kind: "network",
    message: ({ status }) => `the service answered with status ${status}`,
  }),
  "update-stopped": row({
    kind: "network",
    message: () => "the update was stopped before it had an answer",
  }),
  "vendors-unread": row<{ length: number; length2: number }>({
    kind: "network",
    message: ({ length, length2 }) => `${length} of ${length2} sources could not be read; the rest is in place`,
    hint: () => "Without --strict-sources this is a note.",
  }),
} as const;
