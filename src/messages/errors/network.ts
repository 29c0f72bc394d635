/** Errors with exit code 5 of the command line: of the network and of remote services. */
import { cycleKey } from "../../text/ids.ts";
import { problems, row } from "./row.ts";

export const NETWORK_ERRORS = {
  "no-answer": problems("network", {
    meaning: "a service, a registry, the Docker daemon or GitHub did not answer",
    advice: "Check the address, the network and `HTTPS_PROXY`, and run the command again.",
  }),
  "unexpected-status": problems("network", {
    meaning: "a service answered with an HTTP status that means failure",
    advice: "Check the address and the log of the service, or try again later.",
  }),
  "unexpected-answer": problems("network", {
    meaning: "the answer of the service is not valid, too large, about another document, or contradicts itself",
    advice: "Check that the address belongs to an eolgate service of the same or a newer version.",
    hint: "Check that the address belongs to an eolgate service of the same or a newer version.",
  }),
  "cycle-not-at-service": row<{ product: string; cycle: string }>("network", {
    message: (releaseCycle) => `the service does not track ${cycleKey(releaseCycle)}, which is in the local catalogue`,
    hint: () => "Use the service's own catalogue: eolgate catalogue update --channel ADDRESS/catalogue.json",
  }),
  "source-unread": row<{ why: string }>("network", {
    message: ({ why }) => `a source cannot be read: ${why}`,
    hint: () => "The current catalogue stays in use. Try again later, or name a mirror with --source-base.",
  }),
  "vendors-unread": row<{ failed: number; all: number }>("network", {
    message: ({ failed, all }) => `${failed} of ${all} sources could not be read; the others were updated`,
    hint: () => "Run the command again later. Without --strict-sources this is only a warning.",
  }),
  "update-stopped": row("network", {
    message: () => "the update was cancelled",
    docs: { advice: "Run the update again. The current catalogue stays in use." },
  }),
  "registry-refused": row<{ repository: string; hasCredentials: boolean }>("unauthorised", {
    message: ({ repository }) => `the registry refuses access to ${repository}, or does not have it`,
    hint: ({ hasCredentials }) =>
      hasCredentials
        ? "Check the name, and the permissions of the credentials in Docker's configuration."
        : "Check the name, or log in with docker login.",
  }),
  "image-not-found": problems("network", {
    meaning: "the registry or the Docker daemon has no such image",
    advice: "Check the repository and the tag.",
    hint: "Check the repository and the tag.",
  }),
  "registry-untrusted": problems("network", {
    meaning: "the registry sent content with another digest, or named an address that is refused",
    advice: "Check the registry and the proxies in front of it.",
  }),
  "github-api-refused": row<{ status: number; reason: string }>("network", {
    message: ({ status, reason }) => `GitHub refused the request (HTTP ${String(status)})${reason}`,
    hint: () => "Check the token in GITHUB_TOKEN or GH_TOKEN and its permissions.",
  }),
  "github-rate-limit": row<{ until: string | undefined }>("network", {
    message: ({ until }) => `GitHub's rate limit is used up${until === undefined ? "" : ` until ${until}`}`,
    hint: () => "Use a token, run the command again later, or check parts of the repositories with --shard.",
  }),
  "github-archive": row<{ why: string }>("network", {
    message: ({ why }) => `the archive of the repository cannot be read: ${why}`,
    hint: () => "Run the command again. If the error persists, clone the repository and check the folder.",
  }),
  "signals-cache-unreadable": row<{ why: string }>("unavailable", {
    message: ({ why }) => `the signal cache cannot be used: ${why}`,
    hint: () => "Delete the file, or name another folder with EOLGATE_CACHE.",
  }),
} as const;
