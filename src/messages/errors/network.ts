/** Errors of the network and of remote services. */
import { row } from "./row.ts";

export const NETWORK_ERRORS = {
  "answer-of-another-document": row<{ why: string }>({
    kind: "network",
    message: ({ why }) => `the service's answer is about another document: ${why}`,
    hint: () => "Check the address of the service, and that the service and this command have the same version.",
  }),
  "inconsistent-answer": row<{ cycle: string; why: string }>({
    kind: "network",
    message: ({ cycle, why }) => `the service's answer for ${cycle} cannot be true: ${why}`,
    hint: () => "Check the clocks of both machines and the address of the service.",
  }),
  "github-unreachable": row({
    kind: "network",
    message: () => "the GitHub API did not answer",
  }),
  "cycle-not-at-service": row<{ product: string; cycle: string }>({
    kind: "network",
    message: ({ product, cycle }) => `the service does not track ${product}:${cycle}, which is in the local catalogue`,
    hint: () => "Use the service's own catalogue: eolgate catalogue update --channel ADDRESS",
  }),
  "source-unread": row<{ why: string }>({
    kind: "network",
    message: ({ why }) => `a source cannot be read: ${why}`,
    hint: () => "The current catalogue stays in use. Try again later, or name a mirror with --source-base.",
  }),
  "unexpected-status": row<{ status: number }>({
    kind: "network",
    message: ({ status }) => `the service answered with HTTP status ${status}`,
  }),
  "update-stopped": row({
    kind: "network",
    message: () => "the update was cancelled",
  }),
  "vendors-unread": row<{ failed: number; all: number }>({
    kind: "network",
    message: ({ failed, all }) => `${failed} of ${all} sources could not be read; the others were updated`,
    hint: () => "Run the command again later. Without --strict-sources this is only a warning.",
  }),
  "no-answer": row<{ reason: string }>({
    kind: "network",
    message: ({ reason }) => `the service did not answer${reason}`,
    hint: () => "Check the address, the network and HTTPS_PROXY.",
  }),
  "answer-too-large": row<{ limit: number }>({
    kind: "network",
    message: ({ limit }) => `the answer of the service is larger than ${limit} bytes`,
    hint: () => "Check that the address belongs to an eolgate service.",
  }),
  "unexpected-answer": row<{ problem: string }>({
    kind: "network",
    message: ({ problem }) => problem,
    hint: () => "Check that the address belongs to an eolgate service of the same or a newer version.",
  }),
  "github-refused": row<{ status: number; method: string }>({
    kind: "network",
    message: ({ status, method }) => `the GitHub API answered ${method} with HTTP status ${status}`,
    hint: () => "Grant the job the permission pull-requests: write.",
  }),
} as const;
