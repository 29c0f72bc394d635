/** Errors of `--github`. */
import { row } from "./row.ts";

export const GITHUB_ERRORS = {
  "bad-github-target": row<{ written: string }>({
    kind: "usage",
    message: ({ written }) => `"${written}" names no repository and no organisation`,
    hint: () => "Write --github OWNER/REPO, OWNER/REPO@REF for a branch, tag or commit, or OWNER for all repositories.",
  }),
  "bad-github-url": row({
    kind: "usage",
    message: () => "the address of the GitHub API is not an https URL without a user name",
    hint: () => "For GitHub Enterprise Server: https://HOST/api/v3. Unset the variable for github.com.",
  }),
  "github-not-found": row<{ what: string; hasToken: boolean }>({
    kind: "input",
    message: ({ what }) => `GitHub has no ${what}, or the token may not see it`,
    hint: ({ hasToken }) =>
      hasToken
        ? "Check the name, and that the token may read the contents of the repository."
        : "Check the name; private repositories need a token in GITHUB_TOKEN or GH_TOKEN.",
  }),
  "github-empty": row({
    kind: "input",
    message: () => "the repository has no commit, or the ref does not exist",
    hint: () => "Check the branch, tag or commit behind the @.",
  }),
  "github-api-refused": row<{ status: number; reason: string }>({
    kind: "network",
    message: ({ status, reason }) => `GitHub refused the request (HTTP ${String(status)})${reason}`,
    hint: () => "Check the token in GITHUB_TOKEN or GH_TOKEN and its permissions.",
  }),
  "github-rate-limit": row<{ until: string | undefined }>({
    kind: "network",
    message: ({ until }) => `GitHub's rate limit is used up${until === undefined ? "" : ` until ${until}`}`,
    hint: () => "Use a token, or run again later: with --resume FILE, finished repositories are not read again.",
  }),
  "github-unanswered": row<{ reason: string }>({
    kind: "network",
    message: ({ reason }) => `GitHub did not answer${reason}`,
    hint: () => "Check the network, the proxy variables and https://www.githubstatus.com, and run again.",
  }),
  "github-archive": row<{ why: string }>({
    kind: "network",
    message: ({ why }) => `the archive of the repository cannot be read: ${why}`,
    hint: () => "Run again; if it stays, clone the repository and check the folder.",
  }),
  "github-too-large": row<{ limit: number }>({
    kind: "input",
    message: ({ limit }) => `the files to read are larger than ${String(limit / 1024 / 1024)} MiB together`,
    hint: () => "Clone the repository and check the folder, or leave paths out with --exclude.",
  }),
} as const;
