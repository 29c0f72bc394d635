import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand, type Outcome } from "../fake-io.ts";

/** Relative, as a user would give it: reports contain the path. */
const catalogue = resolve("test/fixtures/catalogue.json");
const BOM = `${JSON.stringify(
  {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", name: "shop" } },
    components: [
      { type: "library", name: "@angular/core", version: "14.2.12", purl: "pkg:npm/%40angular/core@14.2.12" },
      { type: "library", name: "mystery", version: "1", properties: [{ name: "x", value: "y" }] },
    ],
  },
  undefined,
  2,
)}\n`;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-enrich-"));
  file = join(folder, "bom.json");
  writeFileSync(file, BOM);
});
afterEach(() => rmSync(folder, { recursive: true }));

const eolgate = (...argv: readonly string[]): Promise<Outcome> =>
  runCommand(argv, { cwd: folder, env: { EOLGATE_CATALOGUE: catalogue } });
const now = (): string => readFileSync(file, "utf8");

interface Enriched {
  readonly metadata: { readonly properties: readonly { readonly name: string; readonly value: string }[] };
  readonly components: readonly { readonly properties: readonly { readonly name: string; readonly value: string }[] }[];
}
const values = (properties: readonly { readonly name: string; readonly value: string }[] | undefined) =>
  Object.fromEntries((properties ?? []).map(({ name, value }) => [name, value]));

describe("enrich", () => {
  test("prints only the enriched document on standard output", async () => {
    const { exit, out, err } = await eolgate("enrich", "bom.json", "--as-of", "2026-11-21", "--validate");
    expect([exit, err]).toEqual([0, "bom.json: 4 edits\n"]);
    const document = JSON.parse(out) as Enriched;
    expect(values(document.components[0]?.properties)).toMatchObject({
      "lifecycle:status": "eol",
      "lifecycle:product": "angular",
      "lifecycle:cycle": "14",
      "lifecycle:matched_by": "purl",
      "lifecycle:purl_matched": "pkg:npm/%40angular/core",
      "lifecycle:score_url": "https://endoflife.date/angular",
    });
    expect(values(document.components[1]?.properties)).toEqual({
      x: "y",
      "lifecycle:status": "not-tracked",
      "lifecycle:gate": "not-assessed",
      "lifecycle:reason": "name-not-recognised",
    });
    expect(values(document.metadata.properties)).toMatchObject({
      "lifecycle:summary:components": "2",
      "lifecycle:summary:matched": "1",
      "lifecycle:summary:not_tracked": "1",
      "lifecycle:summary:unique_products": "1",
    });
    expect(now()).toBe(BOM);
  });

  test("enriches in place, updates, and removes its properties", async () => {
    const link = join(folder, "link.json");
    symlinkSync("bom.json", link);
    expect((await eolgate("enrich", "bom.json", "--in-place")).exit).toBe(0);
    const once = now();
    expect(once).toContain("lifecycle:gate:verdict");
    expect((await eolgate("enrich", "link.json", "--in-place")).exit).toBe(0);
    expect(now()).toBe(once);
    const { exit, out } = await eolgate("enrich", "bom.json", "--in-place", "--remove");
    expect([exit, out, now()]).toEqual([0, "", BOM]);
  });

  test("--remove needs no catalogue", async () => {
    await eolgate("enrich", "bom.json", "--in-place");
    const { exit } = await runCommand(["enrich", "bom.json", "--remove", "-o", "back.json"], {
      cwd: folder,
      env: { EOLGATE_CATALOGUE: "nowhere.json" },
    });
    expect([exit, readFileSync(join(folder, "back.json"), "utf8")]).toEqual([0, BOM]);
  });

  test("--diff shows what changes, --dry-run writes nothing", async () => {
    const { exit, out, err } = await eolgate("enrich", "bom.json", "--in-place", "--diff", "--dry-run");
    expect([exit, err.replace(/^eolgate: note: .*\n/, ""), now()]).toEqual([
      0,
      "bom.json: 4 edits, nothing written\n",
      BOM,
    ]);
    expect(out).toContain("--- bom.json\n+++ bom.json\n@@ ");
    expect(out.split("\n").filter((line) => line.startsWith("-"))).toEqual([
      "--- bom.json",
      '-      "name": "shop"',
      "-    }",
      '-      "purl": "pkg:npm/%40angular/core@14.2.12"',
      "-        }",
    ]);
  });

  test("reads standard input and writes standard output, with gzip decompressed", async () => {
    const stdin = gzipSync(BOM);
    const { exit, out } = await runCommand(["enrich", "-", "--remove"], { cwd: folder, stdin });
    expect([exit, out]).toEqual([0, BOM]);
  });

  test("--properties both adds the registered name as well, also in SPDX", async () => {
    const { out } = await eolgate("enrich", "bom.json", "--properties", "both");
    expect(out).toContain('"cdx:lifecycle:milestone:');
    const { out: only } = await eolgate("enrich", "bom.json", "--properties", "cdx");
    expect(only).not.toContain("lifecycle:status");
  });

  test("enriches the other documents when one has no result", async () => {
    writeFileSync(join(folder, "broken.json"), "{");
    const { exit, err } = await eolgate("enrich", "broken.json", "bom.json", "--in-place");
    expect(exit).toBe(3);
    expect(err).toContain("broken.json");
    expect(now()).toContain("lifecycle:status");
    expect(statSync(join(folder, "broken.json")).size).toBe(1);
  });

  test.each([
    ["usage error before input error", ["bom.json.gz", "broken.json"]],
    ["in another order", ["broken.json", "bom.json.gz", "bom.json"]],
  ])("exits with the highest-ranked code when several documents have no result: %s", async (_, files) => {
    writeFileSync(join(folder, "broken.json"), "{");
    writeFileSync(join(folder, "bom.json.gz"), gzipSync(BOM));
    const { exit, err } = await eolgate("enrich", ...files, "--in-place");
    expect(exit).toBe(2);
    expect(err).toMatch(/broken\.json/);
  });

  test.each([
    ["no file", [], 2, "no SBOM given"],
    ["two outputs", ["bom.json", "--in-place", "-o", "x.json"], 2, "--in-place cannot be used with --output"],
    ["standard input in place", ["-", "--in-place"], 2, "--in-place cannot be used with standard input"],
    [
      "several documents with one output",
      ["bom.json", "bom2.json"],
      2,
      "several SBOMs cannot be written to one output",
    ],
    ["an unknown set of properties", ["bom.json", "--properties", "mine"], 2, "mine"],
    ["a missing file", ["nowhere.json"], 3, "no such file"],
  ])("refuses %s", async (_, args, exit, message) => {
    const outcome = await eolgate("enrich", ...args);
    expect([outcome.exit, outcome.out]).toEqual([exit, ""]);
    expect(outcome.err).toContain(message);
    expect(now()).toBe(BOM);
  });

  test("refuses a signed document unless its signature may be broken", async () => {
    writeFileSync(file, BOM.replace('"version": 1', '"version": 1,\n  "signature": { "value": "x" }'));
    const refused = await eolgate("enrich", "bom.json");
    expect([refused.exit, refused.out]).toEqual([3, ""]);
    expect(refused.err).toContain("--break-signature");
    expect((await eolgate("enrich", "bom.json", "--break-signature")).exit).toBe(0);
  });

  test("enriches a gzip file in place", async () => {
    writeFileSync(join(folder, "bom.json.gz"), gzipSync(BOM));
    expect((await eolgate("enrich", "bom.json.gz", "--in-place")).exit).toBe(2);
    expect((await eolgate("enrich", "bom.json.gz")).exit).toBe(0);
  });

  test("--validate refuses a document that is invalid by its schema", async () => {
    writeFileSync(file, BOM.replace('"type": "library"', '"type": "nothing"'));
    const { exit, err, out } = await eolgate("enrich", "bom.json", "--validate");
    expect([exit, out]).toEqual([3, ""]);
    expect(err).toContain("The document was not valid before enrichment");
  });
});
