/** Proposed changes and forks are not statements, and cannot be cited. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CURATED } from "../../src/catalogue/places.ts";
import { type Curated, readCurated } from "../../src/pipeline/compile/curated.ts";
import { isProposal } from "../../src/pipeline/compile/curated-schemas.ts";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { claim, cycle, inputs, ours, packageRows, recorded, vendor } from "../catalogue/builders.ts";

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
      inputs(
        [],
        {
          products: [
            ours("kit", [{ cycle: "1", eol: true }], { reads: [{ page, on: "2026-11-23", basis: "stated" }], ...more }),
          ],
        },
        { refusesNew: true },
      ),
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

describe("every page that is read for a product of the record", () => {
  const record = recorded("kit", [cycle("1", "2020-01-01", "2022-01-01")], {
    identifiers: [{ type: "purl", id: "pkg:github/owner/kit" }],
  });
  const on = "2025-02-01";
  const rows: readonly (readonly [string, (page: string) => Partial<Curated>])[] = [
    [
      "an added cycle",
      (page) => ({ addedCycles: { reads: [{ page, on }], rows: [{ product: "kit", cycle: "2", eol: false }] } }),
    ],
    [
      "a correction",
      (page) => ({
        corrections: [{ product: "kit", cycle: "1", kind: "override", eol: "2022-02-02", page, on, reason: "x" }],
      }),
    ],
    [
      "extended support",
      (page) => ({ extendedSupport: { reads: [{ page, on }], rows: [["kit", "1", "2023-01-01", 0]] } }),
    ],
    [
      "the meaning of the ends",
      (page) => ({
        milestones: {
          labels: [],
          products: {
            kit: { label: "Security Support", gate: "eol", basis: "vendor", ends: { 1: "2022-02-02" }, page, on },
          },
          endsAfter: {},
          irregular: {},
        },
      }),
    ],
    ["the period of a package", (page) => ({ packageLifecycles: packageRows(page, on).packageLifecycles })],
    ["a vendor's package", (page) => ({ vendorPackages: packageRows(page, on).vendorPackages })],
    ["a revision", (page) => ({ distroRevisions: packageRows(page, on).distroRevisions })],
    [
      "affected versions",
      (page) => ({
        kevVersions: [
          { reads: [{ source: "cve", page, on }], products: { kit: [{ cve: "CVE-2024-0001", ranges: ["<1"] }] } },
        ],
      }),
    ],
    ["a name of tools and images", (page) => ({ factPages: [{ product: "kit", page }] })],
  ];
  test.each(rows)("%s is not read in a fork", (_, curated) => {
    const compiled = (owner: string) => () =>
      compile(inputs([record], curated(`https://github.com/${owner}/kit/blob/main/EOL.md`), { refusesNew: true }));
    expect(compiled("stranger")).toThrow(/is a repository of stranger: kit is at owner/);
    expect(compiled("owner")).not.toThrow();
  });

  test("a feed is not read in a fork", () => {
    const compiled = (owner: string) => () => {
      const feed = vendor("kit-feed", [claim("kit", "1", "eol", "2022-01-01")], {
        url: `https://github.com/${owner}/kit`,
      });
      return compile(inputs([record], {}, { vendors: [feed], refusesNew: true }));
    };
    expect(compiled("stranger")).toThrow(/is a repository of stranger: kit is at owner/);
    expect(compiled("owner")).not.toThrow();
  });

  test("a repository that moved in the record is noted in an update", () => {
    const page = "https://github.com/stranger/kit/blob/main/EOL.md";
    const { notes } = compile(inputs([record], { factPages: [{ product: "kit", page }] }));
    expect(notes.filter(({ code }) => code === "fork").map(({ message }) => message)).toEqual([
      `${page} is a repository of stranger: kit is at owner`,
    ]);
  });
});

describe("a curated file", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "eolgate-curated-"));
    cpSync(CURATED, folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const page = "https://github.com/owner/kit/pull/3";
  test.each<[string, string, (text: string) => string, RegExp]>([
    [
      "with a product of runners that is misspelt",
      "actions",
      (text) => text.replace('"github-hosted-runner"', '"github-hosted-runer"'),
      /no product is called github-hosted-runer/,
    ],
    [
      "with a maker read in a proposed change",
      "package-evidence",
      (text) => text.replace(/"page": "[^"]*"/, `"page": "${page}"`),
      /is a proposed change/,
    ],
    [
      "with an image read in a proposed change",
      "images",
      (text) => text.replace(/"page": "[^"]*"/, `"page": "${page}"`),
      /is a proposed change/,
    ],
  ])("%s is refused", (_, name, change, message) => {
    const file = join(folder, "facts", `${name}.json`);
    const text = readFileSync(file, "utf8");
    expect(change(text)).not.toBe(text);
    writeFileSync(file, change(text));
    expect(() => readCurated(pathToFileURL(`${folder}/`))).toThrow(message);
    writeFileSync(file, text);
    expect(() => readCurated(pathToFileURL(`${folder}/`))).not.toThrow();
  });
});
