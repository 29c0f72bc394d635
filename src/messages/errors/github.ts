/** Errors of `--github`. */
import { row } from "./row.ts";

export const GITHUB_ERRORS = {
  "bad-github-target": row<{ written: string }>({
    kind: "usage",
    message: ({ written }) => `"${written}" is not a repository, organisation or user`,
    hint: () => "Use --github OWNER/REPO, OWNER/REPO@REF for a branch, tag or commit, or OWNER for all repositories.",
  }),
  "bad-github-url": row({
    kind: "usage",
    message: () => "the address of the GitHub API is not an https URL without a user name",
    hint: () => "For GitHub Enterprise Server, set GITHUB_API_URL to https://HOST/api/v3. For github.com, unset it.",
  }),
  "github-not-found": row<{ what: string; hasToken: boolean }>({
    kind: "input",
    message: ({ what }) => `GitHub has no ${what}, or the token has no access to it`,
    hint: ({ hasToken }) =>
      hasToken
        ? "Check the name, and that the token has read access to the contents of the repository."
        : "Check the name; private repositories need a token in GITHUB_TOKEN or GH_TOKEN.",
  }),
  "github-empty": row({
    kind: "input",
    message: () => "the repository has no commit, or the ref does not exist",
    hint: () => "Check the branch, tag or commit after the @.",
  }),
  "github-api-refused": row<{ status: number; reason: string }>({
    kind: "network",
    message: ({ status, reason }) => `GitHub refused the request (HTTP ${String(status)})${reason}`,
    hint: () => "Check the token in GITHUB_TOKEN or GH_TOKEN and its permissions.",
  }),
  "github-rate-limit": row<{ until: string | undefined }>({
    kind: "network",
    message: ({ until }) => `GitHub's rate limit is used up${until === undefined ? "" : ` until ${until}`}`,
    hint: () =>
      "Use a token, or run the command again later. With --resume FILE, finished repositories are not read again.",
  }),
  "github-unanswered": row<{ reason: string }>({
    kind: "network",
    message: ({ reason }) => `GitHub did not answer${reason}`,
    hint: () => "Check the network, the proxy variables and https://www.githubstatus.com, and run the command again.",
  }),
  "github-archive": row<{ why: string }>({
    kind: "network",
    message: ({ why }) => `the archive of the repository cannot be read: ${why}`,
    hint: () => "Run the command again. If the error persists, clone the repository and check the folder.",
  }),
  "github-too-large": row<{ mebibytes: number }>({
    kind: "input",
    message: ({ mebibytes }) => `the files to read have more than ${String(mebibytes)} MiB in total`,
    hint: () => "Clone the repository and check the folder, or exclude paths with --exclude.",
  }),
} as const;
