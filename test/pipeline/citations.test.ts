/** Proposed changes and forks are not statements, and cannot be cited. */
import { expect, test } from "vitest";
import { isProposal } from "../../src/pipeline/compile/citations.ts";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { inputs, ours } from "../catalogue/builders.ts";

test.each([
  ["https://github.com/owner/kit/pull/391", true],
  ["https://github.com/owner/kit/pull/950.diff", true],
  ["https://www.github.com/owner/kit/pull/1/files", true],
  ["https://github.com/owner/kit/pulls?q=eol", true],
  ["https://github.com/owner/kit/compare/v1...v2", true],
  ["https://github.com/owner/kit/blob/refs/pull/3/head/EOL.md", true],
  ["https://raw.githubusercontent.com/owner/kit/refs/pull/3/head/EOL.md", true],
  ["https://patch-diff.githubusercontent.com/raw/owner/kit/pull/3.patch", true],
  ["https://gitlab.com/group/part/kit/-/merge_requests/3488", true],
  ["https://gitlab.com/group/kit/merge_requests/3488", true],
  ["https://git.vendor.test/group/kit/-/compare/v1...v2", true],
  ["https://bitbucket.org/owner/kit/pull-requests/7", true],
  ["https://github.com/owner/kit/blob/main/docs/pull/policy.md", false],
  ["https://github.com/owner/kit/tree/pull", false],
  ["https://github.com/owner/pull/blob/main/README.md", false],
  ["https://github.com/pull/compare", false],
  ["https://github.com/owner/kit/issues/12", false],
  ["https://github.com/owner/kit/releases/tag/v5.0.0", false],
  ["https://raw.githubusercontent.com/owner/kit/refs/heads/main/EOL.md", false],
  ["https://gitlab.com/group/kit/-/blob/main/merge_requests.md", false],
  ["https://vendor.test/compare/editions", false],
  ["@shared-page", false],
])("%s as a proposed change: %s", (url, expected) => {
  expect(isProposal(url)).toBe(expected);
});

const cited =
  (page: string, more: Parameters<typeof ours>[2] = {}) =>
  () =>
    compile(
      inputs([], {
        products: [
          ours("kit", [{ cycle: "1", eol: true }], { reads: [{ page, on: "2026-11-23", basis: "stated" }], ...more }),
        ],
      }),
    );
const go = { purls: ["pkg:golang/github.com/owner/kit"] };
const moved = { ...go, policy: "https://github.com/Successor/kit#support" };

test.each<[string, string, Parameters<typeof ours>[2]]>([
  ["a fork of the package's repository", "https://github.com/stranger/kit/blob/main/README.md", go],
  ["a fork's commit", "https://github.com/stranger/Kit/commit/0a1b2c", { purls: ["pkg:github/owner/kit@1"] }],
  ["a fork's raw file", "https://raw.githubusercontent.com/stranger/kit/main/EOL.md", go],
  ["a fork next to a moved repository", "https://github.com/stranger/kit", moved],
])("%s is refused", (_, page, more) => {
  expect(cited(page, more)).toThrow(/is a repository of stranger/i);
});

test.each<[string, string, Parameters<typeof ours>[2]]>([
  ["the package's own repository", "https://github.com/Owner/kit/blob/main/README.md", go],
  ["the repository that the policy names", "https://github.com/successor/kit/blob/main/README.md", moved],
  ["another repository, which lists the product", "https://github.com/stranger/advisories/blob/main/kit.md", go],
  ["a vendor's page", "https://vendor.test/stranger/kit", go],
  ["any repository, where the record names none", "https://github.com/stranger/kit", {}],
])("%s may be cited", (_, page, more) => {
  expect(cited(page, more)).not.toThrow();
});
