/** The questions in `examples/fleet`, answered by DuckDB over the NDJSON of two days. */
import { DuckDBInstance } from "@duckdb/node-api";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../cli/fake-io.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "examples/fleet");
const [BEFORE, TODAY] = ["2026-04-29", "2026-04-30"] as const;
let folder = "";

const library = (name: string, version: string, purl = `pkg:generic/${name}@${version}`) => ({
  type: "library",
  name,
  version,
  purl,
});
const inhouse = library("inhouse", "1.0.0", "pkg:npm/%40acme/inhouse@1.0.0");
const log4j = library("log4j-core", "2.14.1", "pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1");

/** On the first day, search runs a dead Node.js; on the second one, payments does. Node.js 20 ends on the second day. */
const FLEET: Readonly<Record<string, Readonly<Record<string, readonly object[]>>>> = {
  [BEFORE]: {
    "payments/a": [library("node", "24.1.0"), inhouse],
    "payments/b": [library("node", "20.1.0"), inhouse],
    "search/c": [library("node", "16.20.0"), log4j, inhouse],
  },
  [TODAY]: {
    "payments/a": [library("node", "16.20.0"), inhouse],
    "payments/b": [library("node", "20.1.0"), inhouse],
    "search/c": [library("node", "24.1.0"), log4j, inhouse],
  },
};

async function check(day: string, part: string): Promise<void> {
  const { out } = await runCommand(
    ["check", "*/*.cdx.json", "--format", "ndjson", "--label", "team={1}", "--as-of", day, "--shard", part],
    { cwd: folder, env: { EOLGATE_JOBS: "1" } },
  );
  writeFileSync(join(folder, `fleet-${day}.${part.replace("/", "-of-")}.ndjson`), out);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-questions-"));
  for (const [day, documents] of Object.entries(FLEET)) {
    for (const [path, components] of Object.entries(documents)) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      const metadata = { component: { type: "application", name: path, version: "1" } };
      const document = { bomFormat: "CycloneDX", specVersion: "1.6", metadata, components };
      writeFileSync(join(folder, `${path}.cdx.json`), JSON.stringify(document));
    }
    for (const part of ["1/2", "2/2"]) await check(day, part);
  }
  const products = ["--product", "nodejs", "--product", "log4j"];
  const { out } = await runCommand(["catalogue", "export", "--format", "cycles", ...products], {
    cwd: folder,
    today: TODAY,
  });
  writeFileSync(join(folder, "cycles.ndjson"), out);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VIEWS = ["tables.sql", "cycles.sql"];

const sqlOf = (name: string): string =>
  readFileSync(join(EXAMPLES, name), "utf8").replaceAll(/'(?=fleet-|cycles\.ndjson)/g, `'${folder}/`);

async function rowsOf(sql: string): Promise<readonly unknown[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    for (const name of VIEWS) await connection.run(sqlOf(name));
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const SCHEDULE = "https://raw.githubusercontent.com/nodejs/Release/main/schedule.json";

/** The expected answers, also of the pictures in the comments. */
const ANSWERS: Readonly<Record<string, readonly object[]>> = {
  "dead-by-team.sql": [{ team: "payments", product: "nodejs", cycle: "16", documents: "1", components: "1" }],
  "ends-within-90-days.sql": [
    { support_end_date: "2026-04-30", product: "nodejs", cycle: "20", documents: "1", teams: "payments" },
  ],
  "new-and-fixed.sql": [
    { change: "fixed", team: "search", product: "nodejs", cycle: "16", documents: "1" },
    { change: "new", team: "payments", product: "nodejs", cycle: "16", documents: "1" },
  ],
  "exploited.sql": [
    {
      product: "log4j",
      version: "2.14.1",
      cves: expect.stringContaining("CVE-2021-44228"),
      documents: "1",
      teams: "search",
    },
    { product: "nodejs", version: "20.1.0", cves: "CVE-2023-44487", documents: "1", teams: "payments" },
  ],
  "coverage.sql": [
    { team: "payments", documents: "2", failing: "1", assessed: "2", components: "4", percent: 50 },
    { team: "search", documents: "1", failing: "0", assessed: "2", components: "3", percent: 66.7 },
  ],
  "unanswered.sql": [{ package: "pkg:npm/%40acme/inhouse", reason: "purl-not-tracked", documents: "3" }],
  "paid-support.sql": [
    { product: "nodejs", cycle: "16", paid_support_until: "no end stated", documents: "1", teams: "payments" },
  ],
  "oldest-statements.sql": [
    { cycle: "2", product: "log4j", url: "https://endoflife.date/log4j", day: "2026-08-22" },
    ...["16", "20", "24"].map((cycle) => ({ cycle, product: "nodejs", url: SCHEDULE, day: "2026-11-17" })),
  ].map(({ cycle, product, url, day }) => ({ stated_on: day, product, cycle, documents: "1", source_url: url })),
  "one-product.sql": [
    { cycle: "16", outcome: "fail", team: "payments", file: "payments/a.cdx.json", version: "16.20.0" },
    { cycle: "20", outcome: "warn", team: "payments", file: "payments/b.cdx.json", version: "20.1.0" },
    { cycle: "24", outcome: "pass", team: "search", file: "search/c.cdx.json", version: "24.1.0" },
  ],
};

describe("questions about a fleet", () => {
  test.each(Object.entries(ANSWERS))("%s", async (name, rows) => {
    expect(await rowsOf(sqlOf(name))).toEqual(rows);
  });

  test("each file begins with its question and has an answer here", () => {
    const files = readdirSync(EXAMPLES).filter((name) => name.endsWith(".sql") && !VIEWS.includes(name));
    expect(files).toEqual(Object.keys(ANSWERS).toSorted());
    for (const name of files) {
      const [first = "", , heading = ""] = readFileSync(join(EXAMPLES, name), "utf8").split("\n");
      expect(first).toMatch(/^-- .*\?/);
      const columns = heading.replace("-- ", "").split("|").map((column) => column.trim());
      expect(columns).toEqual(Object.keys(ANSWERS[name]?.[0] ?? {}));
    }
  });

  test("the views have every record of both days", async () => {
    const sql = `SELECT CAST(day AS VARCHAR) AS day,
      (SELECT count(*) FROM findings f WHERE f.day = d.day) AS findings,
      (SELECT count(*) FROM unmatched u WHERE u.day = d.day) AS unmatched, count(*) AS documents, any_value(subject) IS NOT NULL AS named
      FROM documents d GROUP BY d.day ORDER BY 1`;
    const counts = { findings: "4", unmatched: "3", documents: "3", named: true };
    expect(await rowsOf(sql)).toEqual([
      { day: BEFORE, ...counts },
      { day: TODAY, ...counts },
    ]);
  });

  test("without an earlier day, nothing is new", async () => {
    for (const part of ["1-of-2", "2-of-2"]) rmSync(join(folder, `fleet-${BEFORE}.${part}.ndjson`));
    const changes = await rowsOf(sqlOf("new-and-fixed.sql"));
    expect(changes).toEqual([]);
  });
});
