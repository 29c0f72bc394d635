/** Findings of one day, joined with the table of release cycles, are those that a check on another day gives. */
import { DuckDBInstance } from "@duckdb/node-api";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { addDays } from "../../src/lifecycle/days.ts";
import { asIsoDate, type IsoDate } from "../../src/text/ids.ts";
import { runCommand } from "../cli/fake-io.ts";
import { soaked } from "../soaked.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "examples/fleet");
const TODAY = asIsoDate("2026-11-22");
const DOCUMENTS = soaked(8, 200);
const DAYS = soaked(4, 50);
const PER_DOCUMENT = 20;

const folder = mkdtempSync(join(tmpdir(), "eolgate-other-days-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One version of each release cycle with a package, so that many ends lie between the days. */
function components(): readonly object[] {
  const catalogue = loadCatalogue();
  const all = catalogue
    .slugs()
    .flatMap((slug) => catalogue.product(slug) ?? [])
    .flatMap(({ purls, cycles }) => {
      const purl = purls.find((each) => /^pkg:(?:generic|npm|pypi|maven|deb)\//.test(each) && !each.includes("?"));
      return purl === undefined ? [] : cycles.map((cycle) => [purl, cycle.latest?.name ?? cycle.name] as const);
    });
  const every = Math.max(1, Math.floor(all.length / (DOCUMENTS * PER_DOCUMENT)));
  return all
    .filter((_, index) => index % every === 0)
    .map(([purl, version]) => ({ type: "library", name: purl, version, purl: `${purl}@${encodeURIComponent(version)}` }));
}

interface Row {
  readonly record: string;
  readonly file: string;
  readonly pointer: string;
  readonly outcome: { readonly severity: string; readonly condition: string | null };
}

async function check(day: IsoDate): Promise<string> {
  const args = ["check", "*.cdx.json", "--format", "ndjson", "--as-of", day];
  return (await runCommand(args, { cwd: folder, env: { EOLGATE_JOBS: "1" } })).out;
}

const found = (ndjson: string): ReadonlyMap<string, string> =>
  new Map(
    ndjson
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row)
      .filter(({ record }) => record === "finding")
      .map(({ file, pointer, outcome }) => [`${file} ${pointer}`, `${outcome.severity} ${String(outcome.condition)}`]),
  );

test("the join on a day gives what a check on the day gives", { timeout: 600_000 }, async () => {
  const all = components();
  for (let index = 0; index < DOCUMENTS; index++) {
    const own = all.slice(index * PER_DOCUMENT, (index + 1) * PER_DOCUMENT);
    const document = { bomFormat: "CycloneDX", specVersion: "1.6", components: own };
    if (own.length > 0) writeFileSync(join(folder, `${String(index)}.cdx.json`), JSON.stringify(document));
  }
  writeFileSync(join(folder, `fleet-${TODAY}.ndjson`), await check(TODAY));
  const exported = await runCommand(["catalogue", "export", "--format", "cycles"], { cwd: folder, today: TODAY });
  writeFileSync(join(folder, "cycles.ndjson"), exported.out);

  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    for (const name of ["tables.sql", "cycles.sql"]) {
      const sql = readFileSync(join(EXAMPLES, name), "utf8");
      await connection.run(sql.replaceAll(/'(?=fleet-|cycles\.ndjson)/g, `'${folder}/`));
    }
    for (let at = 0; at < DAYS; at++) {
      const day = addDays(TODAY, Math.round((at - DAYS / 3) * (1500 / DAYS)));
      const expected = found(await check(day));
      const sql = `SELECT file, pointer, outcome, condition, is_joined FROM findings_on(DATE '${day}')`;
      const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson() as readonly Record<string, unknown>[];
      const joined = rows.filter((row) => row["is_joined"] === true);
      const wrong = joined.flatMap((row) => {
        const key = `${String(row["file"])} ${String(row["pointer"])}`;
        const answer = `${String(row["outcome"])} ${String(row["condition"])}`;
        const is = expected.get(key);
        return is === undefined || is === answer ? [] : [`${key} on ${day}: ${answer}, and not ${is}`];
      });
      expect(wrong).toEqual([]);
      expect(rows.length).toBe(found(readFileSync(join(folder, `fleet-${TODAY}.ndjson`), "utf8")).size);
      expect(joined.length / rows.length).toBeGreaterThan(0.8);
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});
