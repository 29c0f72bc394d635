/** Guarantees of the README: reproducible output, no network, a message on old Node versions, robust parsing. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";
import { singleReport } from "../single-report.ts";
import { soaked } from "../soaked.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bin = join(root, "bin/eolgate.js");
/** Relative, as a user would give it: reports contain the path. */
const catalogue = "test/fixtures/catalogue.json";
const folder = mkdtempSync(join(tmpdir(), "eolgate-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Spawned {
  readonly node?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function eolgate(args: readonly string[], { node = process.execPath, flags = [], env = {} }: Spawned = {}) {
  return spawnSync(node, [...flags, bin, ...args], {
    cwd: root,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], EOLGATE_CATALOGUE: catalogue, ...env },
  });
}

describe("reproducible output", () => {
  test.each(["table", "json", "markdown", "html", "sarif"])("%s, in any time zone and locale", (format) => {
    const args = ["check", "examples/web-shop.cdx.json", "--as-of", "2026-11-21", "--format", format];
    const [first, ...others] = ["Pacific/Kiritimati", "America/Adak", "Asia/Kathmandu"].map((TZ) =>
      eolgate(args, { env: { TZ, LC_ALL: TZ.startsWith("Asia") ? "ne_NP.UTF-8" : "C.UTF-8" } }),
    );
    expect(first?.status).toBe(1);
    for (const other of others) expect(other.stdout).toBe(first?.stdout);
  });

  test("on any day", async () => {
    const args = ["check", "examples/web-shop.cdx.json", "--as-of", "2026-11-21", "--format", "json"];
    const days = await Promise.all(
      ["2020-02-29", "2031-12-31"].map((today) =>
        runCommand(args, { cwd: root, today, env: { EOLGATE_CATALOGUE: catalogue } }),
      ),
    );
    // Standard error may contain a note on the age of the catalogue.
    const [first, second] = days.map(({ exit, out }) => ({ exit, out }));
    expect(first).toEqual(second);
  });
});

describe("no network connections", () => {
  const guard = ["--import", join(root, "test/setup/no-socket.mjs")];
  test.each([
    [["check", "examples/web-shop.cdx.json"], 1],
    [["check", "examples/clean.cdx.json", "--format", "json"], 0],
    [["explain", "debian:11"], 0],
    [["score", "nodejs", "18"], 0],
    [["status", "nodejs", "18"], 0],
  ])("%j opens no socket", (args, exit) => {
    // The catalogue is recent on this date; for an old one, a note would be printed.
    const { status, stderr } = eolgate(args, { flags: guard, env: { EOLGATE_AS_OF: "2026-09-01" } });
    expect(stderr).toBe("");
    expect(status).toBe(exit);
  });

  test("the guard detects an opened socket", () => {
    const { signal, stderr } = spawnSync(process.execPath, [...guard, "-e", "fetch('http://127.0.0.1:65000')"], {
      encoding: "utf8",
    });
    expect(stderr).toContain("SOCKET");
    expect(signal).toBe("SIGKILL");
  });
});

describe("launcher", () => {
  const nodes = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((place) => join(place, "node"))
    .filter((node) => existsSync(node));
  const old = nodes.find(
    (node) => Number(spawnSync(node, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" }).stdout) < 22,
  );

  test.skipIf(old === undefined)("an old Node starts the local Node 24 and returns its exit code", () => {
    expect(eolgate(["--version"], { node: old ?? "" }).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(eolgate(["check", "examples/web-shop.cdx.json"], { node: old ?? "" }).status).toBe(1);
    expect(eolgate(["check", "nowhere.json"], { node: old ?? "" }).status).toBe(3);
  });

  test("runs with the current Node", () => {
    expect(eolgate(["check", "examples/clean.cdx.json"]).status).toBe(0);
  });
});

describe("malformed and large input", () => {
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const check = (path: string, ...more: string[]) =>
    runCommand(["check", path, ...more], { cwd: root, env: { EOLGATE_CATALOGUE: catalogue } });
  const sbom = (components: string): string =>
    `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${components}]}`;
  const node18 = '{"type":"platform","name":"nodejs","version":"18.20.4","purl":"pkg:generic/node@18.20.4"}';

  test("handles 20,000 levels of nesting", async () => {
    const depth = 20_000;
    const nested = `${'{"type":"library","name":"a","components":['.repeat(depth)}${node18}${"]}".repeat(depth)}`;
    const outcome = await check(file("deep.json", sbom(nested)));
    expect(outcome.exit).toBe(1);
    expect(outcome.out).toContain("Node.js 18");
  });

  test.each(["json", "ndjson", "csv", "sarif", "markdown", "html", "vex", "xeol", "gitlab"])(
    "thousands of levels that each have a finding, as %s",
    async (format) => {
      const depth = soaked(6_000, 20_000);
      const level = `${node18.slice(0, -1)},"components":[`;
      const outcome = await check(
        file("deep-findings.json", sbom(`${level.repeat(depth)}${node18}${"]}".repeat(depth)}`)),
        "--format",
        format,
      );
      expect(outcome.exit).toBe(1);
      // A pointer of all levels at each finding would be gigabytes.
      expect(outcome.out.length).toBeLessThan(depth * 5000);
    },
  );

  test("20,000 levels of components in XML are refused", async () => {
    const [start = "", end = ""] = ["<component><name>a</name><components>", "</components></component>"].map((tag) =>
      tag.repeat(20_000),
    );
    const xml = `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><components>${start}${end}</components></bom>`;
    const outcome = await check(file("deep.xml", xml));
    expect([outcome.exit, outcome.out]).toEqual([3, ""]);
    expect(outcome.err).toContain("nests deeper than 500 levels");
  });

  describe.each([
    ["20,000 lists", `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}`],
    ["20,000 mappings", `a: ${"{a: ".repeat(20_000)}1${"}".repeat(20_000)}`],
    ["5,000 indented mappings", Array.from({ length: 5000 }, (_, at) => `${" ".repeat(at)}a:\n`).join("")],
  ])("YAML of %s", (_, text) => {
    test.each(["--config", "--own-catalogue"])("%s", async (flag) => {
      const outcome = await check("examples/clean.cdx.json", flag, file("deep.yaml", text));
      expect([outcome.exit, outcome.out]).toEqual([2, ""]);
      expect(outcome.err).toContain("it is nested too deeply");
    });
    test.each(["pnpm-lock.yaml", "docker-compose.yml"])("%s", async (name) => {
      const outcome = await check(file(name, text));
      expect([outcome.exit, outcome.out]).toEqual([3, ""]);
      expect(outcome.err).toContain("it is nested too deeply");
    });
  });

  // Pointers of all levels, or paths of a chain as long, would be gigabytes.
  test.each(["json", "csv", "vex"])(
    "handles 5,000 levels and a dependency chain of the same length, as %s",
    async (format) => {
      const depth = 5000;
      const start = node18.slice(0, -1);
      const level = (at: number): string => `${start},"bom-ref":"r${at}","components":[`;
      const nested = `${Array.from({ length: depth }, (_, at) => level(at)).join("")}${node18}${"]}".repeat(depth)}`;
      const chain = Array.from({ length: depth - 1 }, (_, at) => `{"ref":"r${at}","dependsOn":["r${at + 1}"]}`);
      const text = `${sbom(nested).slice(0, -1)},"dependencies":[${chain.join(",")}]}`;
      const outcome = await check(file("deep-chain.json", text), "--format", format);
      expect(outcome.exit).toBe(1);
      expect(outcome.out.length).toBeLessThan(depth * 5000);
      if (format === "json")
        expect(singleReport(outcome.out).findings.at(-1)).toMatchObject({ pointer: null, line: 1 });
    },
  );

  test("handles a single string of 100 MB", async () => {
    const outcome = await check(
      file("long.json", sbom(`{"type":"library","name":"a","description":"${"x".repeat(100_000_000)}"},${node18}`)),
    );
    expect(outcome.exit).toBe(1);
  });

  test("truncates a name of 100 MB on the terminal", async () => {
    const outcome = await check(
      file("name.json", sbom(`{"type":"library","name":"${"x".repeat(100_000_000)}"},${node18}`)),
    );
    expect(outcome.exit).toBe(1);
    expect(outcome.out.length).toBeLessThan(20_000);
  });

  test("refuses invalid UTF-8 with its position", async () => {
    const outcome = await check(
      file(
        "latin.json",
        Buffer.concat([Buffer.from('{"bomFormat":"CycloneDX",\n"x":"'), Buffer.from([0xe4, 0x22, 0x7d])]),
      ),
    );
    expect(outcome.exit).toBe(3);
    expect(outcome.err).toMatch(/UTF-8.*line 2, column 6/s);
  });

  test("decompresses gzip, and refuses truncated gzip and decompression bombs", async () => {
    const complete = gzipSync(sbom(node18));
    expect((await check(file("complete.json.gz", complete))).exit).toBe(1);
    const truncated = await check(file("truncated.json.gz", complete.subarray(0, 40)));
    expect([truncated.exit, truncated.err]).toEqual([
      3,
      expect.stringContaining("the gzip data is truncated or damaged"),
    ]);
    const bomb = await check(file("bomb.json.gz", gzipSync(Buffer.alloc(80_000_000))));
    expect([bomb.exit, bomb.err]).toEqual([3, expect.stringContaining("the gzip data expands to more than")]);
  });

  test("replaces a report file atomically; a failed write exits with code 2 and keeps the old file", async () => {
    const report = file("report.json", "old");
    const outcome = await check("examples/clean.cdx.json", "--report", `json=${report}`);
    expect(outcome.exit).toBe(0);
    const failed = await check("examples/clean.cdx.json", "--report", `json=${join(folder, "nowhere", "report.json")}`);
    expect([failed.exit, failed.err]).toEqual([2, expect.stringContaining("cannot be written")]);
  });
});
