/** Who requires an ended component, and what that means for the gate. */
import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { checkDocument } from "../../src/api/check.ts";
import { assessLocally } from "../../src/api/assess.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { inventoryDocument } from "../../src/files/document.ts";
import { readLockfile } from "../../src/files/lockfiles/kinds.ts";
import type { Finding, ParsedDocument, Policy, RequiredBy } from "../../src/model/index.ts";
import { DEFAULT_POLICY } from "../../src/policy/policy.ts";
import { toFindings } from "../../src/policy/rows.ts";
import { requirementNote } from "../../src/report/requirement.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { openSbom } from "../../src/sbom/open.ts";
import { cyclonedx } from "../sbom/documents.ts";

const catalogue = loadCatalogue();
const asOf = asIsoDate("2026-11-24");

interface Packages {
  readonly [path: string]: Readonly<Record<string, unknown>>;
}

async function findingsOf(document: ParsedDocument, policy: Partial<Policy> = {}) {
  const context = { catalogue, policy: { ...DEFAULT_POLICY, ...policy }, asOf, assess: assessLocally(catalogue, asOf) };
  const { rows } = await checkDocument({ file: "x", document, digest: () => "" }, context);
  return toFindings(rows);
}

async function npm(packages: Packages, policy?: Partial<Policy>): Promise<readonly Finding[]> {
  const text = JSON.stringify({ lockfileVersion: 3, packages });
  const document = await inventoryDocument(Buffer.from(text), async (read) => {
    const { packages: entries, direct } = await readLockfile("package-lock.json", read);
    return { format: "lockfile", specVersion: "package-lock.json 3", entries, ...(direct && { direct }) };
  });
  return await findingsOf(document, policy);
}

const outcomeOf = (findings: readonly Finding[], name: string): string => {
  const finding = findings.find(({ component }) => component.name === name);
  return `${finding?.outcome.severity} ${finding?.outcome.condition}`;
};

const dev = (more: Packages, section = "devDependencies"): Packages => ({
  "": { [section]: { terser: "^5.0.0" } },
  ...more,
});
const terser = (range: string, isDev = true) => ({
  "node_modules/terser": { version: "5.31.0", ...(isDev && { dev: true }), dependencies: { commander: range } },
});
const commander = (version: string, isDev = true) => ({
  "node_modules/commander": { version, ...(isDev && { dev: true }) },
});

describe("an ended package that only development needs", () => {
  test.each([
    ["^2.20.0", "2.20.3"],
    ["2 || 3", "2.20.3"],
    ["^10.0.0", "10.0.1"],
    ["~8.3.0", "8.3.0"],
    ["2.20.3", "2.20.3"],
    [">=2 <5", "4.1.1"],
    ["<3.0", "2.20.3"],
  ])("is blocked by a requirer that admits %s only", async (range, version) => {
    const findings = await npm(dev({ ...terser(range), ...commander(version) }));
    expect(outcomeOf(findings, "commander")).toBe("warn blocked");
  });

  test.each([
    [">=2", "2.20.3"],
    ["*", "2.20.3"],
    ["2 || >=14", "2.20.3"],
    ["^2 || ^15.0.0", "2.20.3"],
    ["latest", "2.20.3"],
    ["github:tj/commander.js", "2.20.3"],
  ])("fails where its requirer admits %s", async (range, version) => {
    const findings = await npm(dev({ ...terser(range), ...commander(version) }));
    expect(outcomeOf(findings, "commander")).toBe("fail eol");
  });

  test("fails with --strict, and where the policy fails on it", async () => {
    const packages = dev({ ...terser("^2.20.0"), ...commander("2.20.3") });
    expect(outcomeOf(await npm(packages, { strict: true }), "commander")).toBe("fail blocked");
    const failOn = [{ kind: "eol" }, { kind: "blocked" }] as const;
    expect(outcomeOf(await npm(packages, { failOn }), "commander")).toBe("fail blocked");
  });

  test("fails where one of several requirers admits a supported release", async () => {
    const loose = { "node_modules/loose": { version: "1.0.0", dev: true, dependencies: { commander: ">=2" } } };
    const findings = await npm(dev({ ...terser("^2.20.0"), ...loose, ...commander("2.20.3") }));
    expect(outcomeOf(findings, "commander")).toBe("fail eol");
  });

  test("fails where the project requires it, too", async () => {
    const root = { "": { devDependencies: { terser: "^5.0.0", commander: "^2" } } };
    const findings = await npm({ ...root, ...terser("^2.20.0"), ...commander("2.20.3") });
    expect(outcomeOf(findings, "commander")).toBe("fail eol");
  });

  test("fails where the lockfile does not state what the project requires", async () => {
    const findings = await npm({ "": {}, ...terser("^2.20.0"), ...commander("2.20.3") });
    expect(outcomeOf(findings, "commander")).toBe("fail eol");
  });
});

test("an ended package that runs in production fails, and its requirer is named", async () => {
  const findings = await npm(dev({ ...terser("^2.20.0", false), ...commander("2.20.3", false) }, "dependencies"));
  expect(outcomeOf(findings, "commander")).toBe("fail eol");
  const failing = findings.filter(({ component }) => component.name === "commander");
  expect(requirementNote({ findings: failing, state: "fail" })).toEqual([
    "required by terser 5.31.0 as ^2.20.0: no supported release in that range; upgrade or replace terser",
  ]);
  expect(requirementNote({ findings: failing, state: "waived" })).toEqual([]);
});

const requirementOf = (finding: Finding | undefined): RequiredBy | undefined =>
  finding?.requirements?.of(finding.component);

test("a package of the same release cycle is upgraded together with the one that requires it", async () => {
  const findings = await npm({
    "": { devDependencies: { eslint: "^8" } },
    "node_modules/eslint": { version: "8.57.1", dev: true, dependencies: { "@eslint/js": "8.57.1" } },
    "node_modules/@eslint/js": { version: "8.57.1", dev: true },
  });
  expect(outcomeOf(findings, "@eslint/js")).toBe("fail eol");
  const finding = findings.find(({ component }) => component.name === "@eslint/js");
  expect(requirementOf(finding)).toEqual({ isDirect: true, requirers: [] });
});

test.each([
  [100, "warn blocked"],
  [101, "fail eol"],
])("of %d packages of one release cycle in a chain, the last one has the outcome %s", async (length, outcome) => {
  const version = "2.20.3";
  const chain = Array.from({ length }, (_, at) => {
    const isLast = at === length - 1;
    const entry = { version, dev: true, ...(!isLast && { dependencies: { commander: "^2.20.0" } }) };
    return ["node_modules/commander/".repeat(at + 1).slice(0, -1), entry] as const;
  });
  const findings = await npm(dev({ ...terser("^2.20.0"), ...Object.fromEntries(chain) }));
  const last = findings.findLast(({ component }) => component.name === "commander");
  expect(`${last?.outcome.severity} ${last?.outcome.condition}`).toBe(outcome);
});

test("an SBOM names the requirer without a range, which blocks nothing", async () => {
  const component = (name: string, version: string) => ({
    type: "library",
    "bom-ref": name,
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
  });
  const document = await openSbom(
    Buffer.from(
      JSON.stringify({
        ...cyclonedx({ components: [component("terser", "5.31.0"), component("commander", "2.20.3")] }),
        metadata: { component: { type: "application", "bom-ref": "app", name: "app" } },
        dependencies: [
          { ref: "app", dependsOn: ["terser"] },
          { ref: "terser", dependsOn: ["commander"] },
        ],
      }),
    ),
  );
  const [, , found] = await findingsOf(document);
  expect(requirementOf(found)).toEqual({ isDirect: false, requirers: [{ name: "terser", version: "5.31.0" }] });
  expect(found?.outcome).toMatchObject({ severity: "fail", condition: "eol" });
});
