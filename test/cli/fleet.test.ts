/** Runs over many documents: threads, partitions, per-document reports, and queries over the result. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isInstalled } from "../programs.ts";
import { runCommand } from "./fake-io.ts";

const root = join(import.meta.dirname, "..", "..");
const DOCUMENTS = 24;
let folder = "";

const component = (name: string, version: string, purl: string) => ({ type: "library", name, version, purl });

/** Documents with an even number fail; every third document has no component that can be assessed. */
function writeDocument(index: number, teams = ["payments", "search"]): void {
  const team = teams[index % teams.length] ?? "";
  const node = component(
    "node",
    index % 2 === 0 ? "16.20.0" : "24.1.0",
    `pkg:generic/node@${index % 2 === 0 ? "16.20.0" : "24.1.0"}`,
  );
  const unknown = component("inhouse", "1.0.0", "pkg:npm/%40acme/inhouse@1.0.0");
  const components = index % 3 === 0 ? [unknown] : [node, unknown];
  mkdirSync(join(folder, team), { recursive: true });
  writeFileSync(
    join(folder, team, `service-${String(index).padStart(2, "0")}.cdx.json`),
    JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components }),
  );
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-fleet-"));
  for (let index = 0; index < DOCUMENTS; index += 1) writeDocument(index);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One thread unless the test needs more, because threads start slowly from the TypeScript sources. */
const check = (...flags: string[]) =>
  runCommand(["check", "*/*.cdx.json", ...flags], { cwd: folder, env: { EOLGATE_JOBS: "1" } });
const records = (text: string): readonly Record<string, unknown>[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const named = (text: string, record: string) => records(text).filter((each) => each["record"] === record);

describe("run over many documents", () => {
  test("has the same output for any number of threads", async () => {
    const one = await check("--format", "ndjson", "--jobs", "1");
    const three = await check("--format", "ndjson", "--jobs", "3");
    expect(three).toEqual(one);
    expect(named(one.out, "document")).toHaveLength(DOCUMENTS);
  });

  test("has the same output as a check that loads all documents", async () => {
    const few = "payments/service-0[0-8].cdx.json";
    const streamed = await runCommand(["check", few, "--format", "ndjson", "--jobs", "1"], { cwd: folder });
    const whole = await runCommand(["check", few, "--format", "ndjson"], { cwd: folder });
    const withoutSettings = (text: string) => text.replace(/"settings":\{.*?\]\},/s, "");
    expect(withoutSettings(streamed.out)).toBe(withoutSettings(whole.out));
    expect(streamed.exit).toBe(whole.exit);
  });

  test("has one line for each document, the counts and the release cycles at the end", async () => {
    const { out, exit } = await check();
    expect(out.split("\n").filter((line) => line.includes("service-"))).toHaveLength(DOCUMENTS);
    expect(out).toMatch(/^ {2}FAIL +8 of 24 documents fail, 8 could not be assessed, 8 pass$/m);
    expect(out).toMatch(/^ +8 +8 {2}Node\.js 16 +\S/m);
    // A failure takes precedence over documents without a verdict.
    expect(exit).toBe(1);
  });

  test("lists the 100 worst documents in the table, and counts the others", async () => {
    const many = mkdtempSync(join(tmpdir(), "eolgate-fleet-many-"));
    for (let index = 0; index < 104; index += 1)
      copyFileSync(join(folder, "search/service-01.cdx.json"), join(many, `pass-${index}.cdx.json`));
    copyFileSync(join(folder, "payments/service-02.cdx.json"), join(many, "worst.cdx.json"));
    const { out } = await runCommand(["check", "*.cdx.json", "--jobs", "1"], { cwd: many });
    rmSync(many, { recursive: true });
    const lines = out.split("\n").filter((line) => /\.cdx\.json/.test(line));
    expect(lines).toHaveLength(100);
    expect(lines[0]).toContain("worst.cdx.json");
    expect(out).toContain("... 5 more: --format ndjson lists every document");
  });

  test("states the subject and the labels of each document", async () => {
    const flags = ["--label", "team={1}", "--label", "stage=test", "--jobs"];
    for (const jobs of ["1", "2"]) {
      const { out } = await check("--format", "ndjson", ...flags, jobs);
      const [document] = named(out, "document");
      expect(document).toMatchObject({ labels: { team: "payments", stage: "test" }, subject: { name: null } });
      for (const each of records(out).filter(({ record }) => record === "finding"))
        expect(each["labels"]).toEqual({ team: String(each["file"]).split("/")[0], stage: "test" });
    }
    const csv = await runCommand(["check", "payments/service-02.cdx.json", "--format", "csv", ...flags.slice(0, 4)], {
      cwd: folder,
    });
    expect(csv.out).toMatch(/,labels\r\n.*,"?team=payments; stage=test"?\r\n/);
  });

  test("prints the verdict alone with --quiet", async () => {
    const { out } = await check("--quiet");
    expect(out.trim().split("\n")).toHaveLength(1);
  });

  test("reports an unreadable document together with the others, and exits with code 3", async () => {
    const broken = join(folder, "payments", "zz.cdx.json");
    writeFileSync(broken, "{");
    try {
      const { out, err, exit } = await check("--format", "ndjson");
      expect(named(out, "failed").map((each) => each["file"])).toEqual(["payments/zz.cdx.json"]);
      expect(named(out, "document")).toHaveLength(DOCUMENTS);
      expect(err).toContain("payments/zz.cdx.json");
      expect(exit).toBe(3);
    } finally {
      rmSync(broken);
    }
  });

  test("stops at the first error that affects all documents", async () => {
    writeFileSync(join(folder, "bad.catalogue.yaml"), "products: [");
    const { exit, out } = await check("--own-catalogue", "bad.catalogue.yaml", "--jobs", "2");
    expect([exit, out]).toEqual([2, ""]);
  });
});

describe("partitions", () => {
  test.each([1, 2, 5, 24])("%i partitions contain each document exactly once", async (count) => {
    const all = named((await check("--format", "ndjson")).out, "document").map((each) => each["file"]);
    const parts: unknown[] = [];
    for (let part = 1; part <= count; part += 1) {
      const { out } = await check("--format", "ndjson", "--jobs", "1", "--shard", `${part}/${count}`);
      parts.push(...named(out, "document").map((each) => each["file"]));
    }
    expect(parts).toHaveLength(all.length);
    expect(new Set(parts)).toEqual(new Set(all));
  });

  test("count from 0 when 1 is added in the flag", async () => {
    const parts = ["0+1/2", "1/2", "1+1/2", "2/2"].map((shard) => check("--format", "ndjson", "--shard", shard));
    const [first, one, second, two] = (await Promise.all(parts)).map(({ out }) =>
      named(out, "document").map((each) => each["file"]),
    );
    expect([first, second]).toEqual([one, two]);
    expect(first).not.toEqual(second);
  });

  test.each([
    ["0/4", "invalid-value"],
    ["5/4", "invalid-value"],
    ["4+1/4", "invalid-value"],
    ["1+2/4", "invalid-value"],
    ["0/0", "invalid-value"],
    ["1", "invalid-value"],
    ["1/4 ", "invalid-value"],
    ["25/25", "is empty"],
  ])("%s is a usage error", async (written, text) => {
    const { exit, err } = await check("--shard", written);
    expect(exit).toBe(2);
    expect(err).toContain(text === "invalid-value" ? "is not a shard" : text);
  });
});

describe("unsupported combinations", () => {
  test.each([
    [["--format", "html"], "the format html needs all documents in memory"],
    [["--report", "sarif=all.sarif"], "--report sarif=all.sarif needs all documents in memory"],
    [["--baseline", "payments/service-00.cdx.json"], "--baseline needs all documents in memory"],
    [["--forecast", "12m"], "--forecast needs all documents in memory"],
    [["--stack", "nodejs:18"], "--stack does not name documents"],
    [["--group-by", "cycle"], "--group-by"],
    [["--only", "fail"], "--only"],
  ])("%j with --jobs is a usage error that names the flag", async (flags, text) => {
    const { exit, err } = await check("--jobs", "2", ...flags);
    expect(exit).toBe(2);
    expect(err).toContain(text);
  });

  test("EOLGATE_JOBS applies only to runs over many documents", async () => {
    const env = { EOLGATE_JOBS: "2" };
    const { exit, out } = await runCommand(["check", "payments", "--format", "json"], { cwd: folder, env });
    expect([exit, JSON.parse(out)["documents"].length]).toEqual([1, DOCUMENTS / 2]);
  });

  test.each(["0", "257", "x", "1.5", "-1"])("--jobs %s is a usage error", async (jobs) => {
    const { exit, err } = await check(`--jobs=${jobs}`);
    expect(exit).toBe(2);
    expect(err).toContain("is not a number of jobs");
  });

  test("refuses a folder and standard input with --jobs", async () => {
    for (const target of [".", "-"]) {
      const { exit } = await runCommand(["check", target, "--jobs", "2"], { cwd: folder });
      expect(exit).toBe(2);
    }
  });

  test("passes all documents to a format that needs them when the flags are not set", async () => {
    const { exit, out } = await runCommand(["check", "*/*.cdx.json", "--format", "json"], { cwd: folder });
    expect(exit).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ documents: { length: DOCUMENTS } });
  });
});

describe("reports of each document", () => {
  test("are written to the report folder and equal those of a check of the single document", async () => {
    const { exit } = await check("--report", "json=reports/{document}.report.json", "--jobs", "2", "--quiet");
    expect(exit).toBe(1);
    const path = join(folder, "reports/payments/service-02.cdx.json.report.json");
    const report = JSON.parse(readFileSync(path, "utf8"));
    const alone = await runCommand(["check", "payments/service-02.cdx.json", "--format", "json"], { cwd: folder });
    const { settings: _1, ...rest } = report;
    const { settings: _2, ...expected } = JSON.parse(alone.out);
    expect(rest).toEqual(expected);
    rmSync(join(folder, "reports"), { recursive: true });
  });

  test("are also written for a few documents, and never outside the folder", async () => {
    await runCommand(["check", "../payments/service-02.cdx.json", "--report", "markdown=out/{document}.md"], {
      cwd: join(folder, "search"),
    });
    expect(existsSync(join(folder, "search/out/payments/service-02.cdx.json.md"))).toBe(true);
    rmSync(join(folder, "search/out"), { recursive: true });
  });

  test.each([{}, { EOLGATE_JOBS: "1" }])(
    "refuses two documents with the same report path before the run (%j)",
    async (env) => {
      const copy = join(folder, "search/payments/service-02.cdx.json");
      mkdirSync(join(folder, "search/payments"));
      writeFileSync(copy, readFileSync(join(folder, "payments/service-02.cdx.json")));
      const argv = ["check", "payments/*.json", "../payments/service-02.cdx.json", "--report", "json=r/{document}"];
      const { exit, err, out } = await runCommand(argv, { cwd: join(folder, "search"), env });
      rmSync(join(folder, "search/payments"), { recursive: true });
      expect([exit, out]).toEqual([2, ""]);
      expect(err).toContain("r/payments/service-02.cdx.json");
    },
  );
});

describe("queries over the records of a run", () => {
  test.skipIf(!isInstalled("jq"))(
    "the queries of docs/fleet.md run in jq (skipped where it is not installed)",
    async () => {
      const { out } = await check("--format", "ndjson");
      writeFileSync(join(folder, "fleet.ndjson"), out);
      const commands = [...readFileSync(join(root, "docs/fleet.md"), "utf8").matchAll(/```sh\n(jq .*?)```/gs)];
      const answers = commands.map(([, command = ""]) =>
        execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" }),
      );
      expect(answers).toEqual(["nodejs\t16\t8\t8\n", "", "payments\t12\t8\nsearch\t12\t0\n"]);
    },
  );
});
