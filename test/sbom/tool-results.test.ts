/** Results of other tools mention images and list packages. Reading only the images would hide the packages. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readFolder } from "../../src/api/inventory/folder.ts";
import { kindOfFile } from "../../src/api/inventory/file.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { readSbom } from "../../src/sbom/read.ts";
import { TOOL_RESULTS, toolResultOf } from "../../src/sbom/tool-results.ts";
import { bytesOf, errorOf } from "./documents.ts";
import { writeFiles } from "../images/build.ts";

const { facts } = loadCatalogue();
const IMAGE = { image: "node:14", userInput: "ubuntu:20.04", tags: ["ubuntu:20.04"] };
const artifact = { name: "zlib", version: "1.2.11", type: "deb", foundBy: "dpkg-db-cataloger" };

/** Documents in the shape in which the tool writes them, with an image that the reader of configuration knows. */
const DOCUMENTS: Readonly<Record<string, readonly object[]>> = {
  "syft-json": [
    { artifacts: [artifact], source: { target: IMAGE }, distro: {}, descriptor: { name: "syft" } },
    { artifacts: [], artifactRelationships: [], source: { target: IMAGE } },
  ],
  "a Trivy report": [
    { SchemaVersion: 2, ArtifactName: "node:14", ArtifactType: "container_image", Metadata: IMAGE, Results: [] },
    { SchemaVersion: 2, CreatedAt: "2026-01-01T00:00:00Z", ArtifactName: "node:14", Metadata: IMAGE },
  ],
  "a Grype report": [{ matches: [{ vulnerability: { id: "CVE-1" } }], source: { target: IMAGE }, descriptor: {} }],
  "a GitHub dependency snapshot": [{ version: 0, job: IMAGE, detector: { name: "a" }, manifests: {} }],
  "a Snyk dependency graph": [{ schemaVersion: "1.2.0", pkgManager: { name: "deb" }, pkgs: [IMAGE] }],
  "a SARIF log": [
    { version: "2.1.0", runs: [{ tool: { driver: { name: "Trivy" } }, properties: IMAGE }] },
    { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [{ properties: IMAGE }] },
  ],
  "an OpenVEX document": [{ "@context": "https://openvex.dev/ns/v0.2.0", statements: [{ products: [IMAGE] }] }],
  "a CSAF document": [{ document: { csaf_version: "2.0", notes: [IMAGE] }, vulnerabilities: [] }],
  "a result of OSV-Scanner": [{ results: [{ source: { path: "a" }, packages: [IMAGE] }], experimental_config: {} }],
  "a security report of GitLab": [
    { version: "15.0.0", vulnerabilities: [{ identifiers: [], location: IMAGE }], scan: {} },
    { version: "15.0.0", vulnerabilities: [IMAGE], scan: { analyzer: {} } },
  ],
  "a report of eolgate": [{ schema_version: "1.0", tool: { name: "eolgate" }, as_of: "2026-01-01", x: IMAGE }],
};

const cases = Object.entries(DOCUMENTS).flatMap(([name, documents]) =>
  documents.flatMap((document) => [
    [name, JSON.stringify(document)] as const,
    [name, JSON.stringify(document, undefined, 2)] as const,
  ]),
);

const folderOf = (text: string): string =>
  writeFiles(mkdtempSync(join(tmpdir(), "eolgate-results-")), { ".nvmrc": "22\n", "scan.json": text });

describe("results of other tools", () => {
  test.each(cases)("%s in a folder is named as not read", async (_, text) => {
    const folder = folderOf(text);
    const { inputs, coverage } = await readFolder(folder, folder, { facts });
    expect(inputs.map(({ file }) => file)).toEqual([join(folder, ".nvmrc")]);
    expect(coverage.notRead).toEqual([
      { kind: "results of other tools", reason: "not-supported", count: 1, examples: [join(folder, "scan.json")] },
    ]);
  });

  test.each(cases)("%s alone is refused by its name", (name, text) => {
    expect(kindOfFile("scan.json", folderOf(text))).toBeUndefined();
    expect(errorOf(() => readSbom(bytesOf(text))).message).toContain(name);
  });

  test("each row has a document, or is read as a lockfile", () => {
    const names = new Set(TOOL_RESULTS.map(({ name }) => name));
    expect([...names].filter((name) => !(name in DOCUMENTS))).toEqual(["an npm lock file", "a composer lock file"]);
  });

  test.each([
    ["configuration of skaffold", '{"build": {"artifacts": [{"image": "node:14"}]}}'],
    ["a list of images", '{"images": ["node:14"], "results": [], "matches": []}'],
    ["configuration with a scan", '{"image": "node:14", "scan": {"type": "daily"}, "detector": {"name": "a"}}'],
    ["a package", '{"name": "a", "scan": true, "runs": 3, "image": "node:14"}'],
  ])("%s is no result of a tool", (_, text) => {
    expect(toolResultOf(text)).toBeUndefined();
  });
});
