/** The level of support of every component of this project's own SBOM: each row of the report in examples/ has evidence. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { runCommand } from "../cli/fake-io.ts";

const path = (name: string): string => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const read = (name: string): string => readFileSync(path(name), "utf8");
const cells = (line: string): readonly string[] =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = ""]) => cell.replaceAll(/^"|"$/g, ""));

type Row = Readonly<Record<string, string>>;
function rowsOf(csv: string): readonly Row[] {
  const [header = "", ...lines] = csv.trimEnd().split("\r\n");
  const names = cells(header);
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, at) => [names[at] ?? "", cell])));
}

interface Recorded {
  readonly source: string;
  readonly key: string;
  readonly retrieved_at: string;
  readonly found: boolean;
  readonly evidence: readonly { readonly url?: string; readonly u?: string }[];
}
const [, ...lines] = read("eolgate.signals.jsonl").trimEnd().split("\n");
const recorded = new Map(lines.map((line) => JSON.parse(line) as Recorded).map((each) => [each.key, each]));
const rows = rowsOf(read("eolgate.fda.csv"));
const components: readonly { readonly purl?: string }[] = JSON.parse(read("eolgate.cdx.json")).components;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-example-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the report has a row for each component of the document, in its order", () => {
  expect(rows.map((row) => row["unique_identifier"])).toEqual(components.map(({ purl }) => purl));
});

describe("every row", () => {
  const catalogue = loadCatalogue();
  /** Each address that the catalogue reads dates from. */
  const addresses = new Set(
    catalogue
      .slugs()
      .flatMap((slug) => catalogue.product(slug)?.cycles ?? [])
      .flatMap(({ claims }) => claims.map(({ url }) => url)),
  );

  test.each(rows.map((row) => [row["unique_identifier"] ?? "", row] as const))("%s", (purl, row) => {
    const answer = recorded.get(purl);
    if (row["support_level"] === "unknown") {
      expect([row["evidence"], row["evidence_url"], row["end_of_support_date"]]).toEqual(["", "", ""]);
      // What was asked is recorded, and the answer decides nothing.
      expect(answer?.evidence).toEqual([]);
      expect(row["justification"]).toBe(
        answer?.found === true
          ? "no source states the date of the last release or commit"
          : "no source has this package and version",
      );
      return;
    }
    expect(row["evidence_checked_on"]).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    if (row["evidence"]?.includes("(catalogue,")) expect(addresses).toContain(row["evidence_url"]);
    else expect(answer?.retrieved_at).toBe(row["evidence_checked_on"]);
  });
});

test("the recorded answers give the same levels offline", async () => {
  const setup = { cwd: folder, env: { HOME: folder, EOLGATE_CACHE: join(folder, "cache") } };
  expect((await runCommand(["signals", "import", path("eolgate.signals.jsonl")], setup)).exit).toBe(0);
  const args = ["check", path("eolgate.cdx.json"), "--signals", "cache", "--as-of", "2026-11-22", "--format", "fda"];
  const { out } = await runCommand(args, setup);
  const asked = (all: readonly Row[]) =>
    all
      .filter(({ evidence }) => !evidence?.includes("(catalogue,"))
      .map((row) => [row["unique_identifier"], row["support_level"], row["justification"]]);
  // A newer catalogue may contain more.
  const known = new Map(asked(rowsOf(out)).map(([purl, ...rest]) => [purl, rest]));
  for (const [purl, ...rest] of asked(rows)) if (known.has(purl)) expect([purl, ...(known.get(purl) ?? [])]).toEqual([purl, ...rest]);
  expect(known.size).toBeGreaterThan(40);
});
