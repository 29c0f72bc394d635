/** Details of the command line: duplicate inputs, lost reports, relative paths and helpful messages. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { configured, runCommand } from "./fake-io.ts";
import { singleReport } from "../single-report.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const EOLGATE_CATALOGUE = join(root, "test/fixtures/catalogue.json");
const folder = mkdtempSync(join(tmpdir(), "eolgate-small-"));
afterAll(() => rmSync(folder, { recursive: true }));

const eolgate = (cwd: string, ...argv: string[]) => runCommand(argv, { cwd, env: { EOLGATE_CATALOGUE } });
const put = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};
const node18 = { type: "platform", name: "nodejs", version: "18.20.4", purl: "pkg:generic/node@18.20.4" };
const sbom = (...components: unknown[]) => ({ bomFormat: "CycloneDX", specVersion: "1.6", components });
put("bom.json", sbom(node18));

describe("documents", () => {
  test("reads a file once when several paths refer to it", async () => {
    const { out } = await eolgate(folder, "check", "bom.json", "./bom.json", "*.json", "--format", "json");
    expect(singleReport(out)).toMatchObject({ document: { file: "bom.json" }, components: 1 });
  });

  test.each([
    ["reports", ["--report", "json=out.json", "--report", "markdown=./out.json"]],
    ["a report and the output", ["-o", "out.json", "--report", "markdown=out.json"]],
  ])("refuses %s that write to the same file before it reads anything", async (_, flags) => {
    const { exit, err } = await eolgate(folder, "check", "bom.json", ...flags);
    expect([exit, err]).toEqual([2, expect.stringContaining("two reports have the same output file (out.json)")]);
    expect(existsSync(join(folder, "out.json"))).toBe(false);
  });

  test("reports why a file cannot be written, without internal paths", async () => {
    const { exit, err } = await eolgate(folder, "check", "bom.json", "-o", "nowhere/out.json");
    expect(exit).toBe(2);
    expect(err).toContain("the file cannot be written: its folder does not exist");
    expect(err).not.toContain(String(process.pid));
  });

  test.each([
    ["components", { ...sbom(), components: {} }],
    ["nested components", sbom({ name: "a", components: "b" })],
    ["packages", { spdxVersion: "SPDX-2.3", packages: "none" }],
  ])("refuses %s of another type instead of reading an empty document", async (_, document) => {
    put("odd.json", document);
    const { exit, out, err } = await eolgate(folder, "check", "odd.json", "--allow-empty");
    expect([exit, out]).toEqual([3, ""]);
    expect(err).toMatch(/must be a list, found .* \(odd\.json, line 1, column \d+\)/);
  });

  test.each([
    ["a number", 42],
    ["a list", [node18.purl]],
    ["an object", { purl: node18.purl }],
  ])("reports a purl that is %s as invalid and does not fall back to the name", async (_, purl) => {
    put("odd.json", sbom({ ...node18, purl }));
    const { exit, out } = await eolgate(folder, "check", "odd.json", "--format", "json");
    expect(exit).toBe(6);
    expect(singleReport(out)).toMatchObject({ unmatched: [{ component: "nodejs", reason: "purl-invalid" }] });
  });

  test.each([
    ["is missing", {}],
    ["is an object", { name: { a: 1 } }],
    ["is blank", { name: " " }],
  ])("lists a component whose name %s with its reason, and not as a gap", async (_, named) => {
    put("odd.json", sbom({ type: "library", version: "1", ...named }));
    const { exit, out } = await eolgate(folder, "check", "odd.json", "--verbose");
    expect([exit, out]).toEqual([6, expect.stringMatching(/name not recognised.*\n +\(no name\) 1/)]);
  });

  test("denies a licence given as a single value", async () => {
    put("odd.json", sbom({ name: "a", version: "1", licenses: "AGPL-3.0-only" }));
    const { exit, out } = await eolgate(folder, "check", "odd.json", ...configured({ denyLicense: ["AGPL-3.0-only"] }));
    expect([exit, out]).toEqual([1, expect.stringContaining("AGPL-3.0-only")]);
  });
});

describe("configuration", () => {
  test("resolves paths relative to the configuration file", async () => {
    const project = join(folder, "project");
    mkdirSync(join(project, "deep"), { recursive: true });
    mkdirSync(join(project, ".git"), { recursive: true });
    const node = { type: "platform", name: "nodejs", version: "16.1.0", purl: "pkg:generic/node@16.1.0" };
    writeFileSync(join(project, "old.json"), JSON.stringify(sbom(node)));
    writeFileSync(join(project, "eolgate.config.yaml"), "baseline: old.json\n");
    writeFileSync(join(project, "deep", "bom.json"), JSON.stringify(sbom(node)));
    const { exit, out } = await eolgate(join(project, "deep"), "check", "bom.json");
    expect([exit, out]).toEqual([0, expect.stringContaining("compared with ../old.json, 0 resolved")]);
  });

  test("names a missing own catalogue as such", async () => {
    const { exit, err } = await eolgate(folder, "check", "bom.json", "--own-catalogue", "none.json");
    expect([exit, err]).toEqual([2, expect.stringContaining("the own catalogue cannot be read")]);
  });
});

describe("output", () => {
  test("lists the release cycles that match an incomplete version", async () => {
    const { exit, err } = await eolgate(folder, "score", "python", "3");
    expect([exit, err]).toEqual([2, expect.stringMatching(/is ambiguous: ask for 3\.\d+, /)]);
  });

  test("fails a batch with an unanswered entry and lists the candidates", async () => {
    const none = await eolgate(folder, "batch", "python:3", "nothing-such:1");
    expect(none.exit).toBe(6);
    expect(none.out).toMatch(/is ambiguous: ask for 3\.\d+, /);
    expect((await eolgate(folder, "batch", "nodejs:18", "nothing-such:1")).exit).toBe(0);
  });

  test.each([
    ["12", "2026-11-22", "supported until 2028-06-30 by Debian LTS"],
    ["11", "2026-08-31", "supported until 2026-08-31 by Debian LTS"],
    ["11", "2026-09-01", "ended on 2026-08-31 (Debian LTS)"],
  ])("status names the support that decides, also after its end: Debian %s on %s", async (version, day, track) => {
    expect((await eolgate(folder, "status", "debian", version, "--as-of", day)).out).toContain(track);
  });

  test("explain never shows an unassessed component as a pass, and names the deciding rule", async () => {
    const refused = await eolgate(folder, "explain", "nothing-such@1");
    expect(refused.out).toContain("NO VERDICT");
    expect(refused.out).not.toContain("PASS");
    const free = await eolgate(folder, "explain", "debian:12", "--as-of", "2026-08-22");
    expect(free.out).toMatch(/PASS {2}Debian 12 .* is supported .*\n +free Debian LTS until 2028-06-30/);
    const log4j = await eolgate(folder, "explain", "pkg:maven/org.apache.logging.log4j/log4j-core@2.3");
    expect(log4j.out).toMatch(/version scheme +log4j: cycle 2/);
  });

  test("explain prints the values of the report schema in JSON", async () => {
    const explained = JSON.parse((await eolgate(folder, "explain", "python@3", "--format", "json")).out);
    expect(explained).toMatchObject({
      subject: "python@3",
      read_as: "name",
      product: "python",
      reason: "version-ambiguous",
      candidates: expect.arrayContaining(["3.12"]),
      score: null,
      outcome: { severity: "none" },
    });
    const past = JSON.parse((await eolgate(folder, "explain", "nodejs:18", "--format", "json")).out);
    expect(past).toMatchObject({ score: { product: "nodejs", version: "18" }, outcome: { severity: "fail" } });
  });

  test.runIf(existsSync("/dev/full"))("reports a full disk as a write error, not as an internal error", () => {
    const bin = join(root, "bin/eolgate.js");
    const { status, stderr } = spawnSync("sh", ["-c", `"$0" "${bin}" check bom.json > /dev/full`, process.execPath], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], EOLGATE_CATALOGUE },
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining("no space is left on the disk (<stdout>)")]);
  });

  test("keeps a symbolic link when it writes a report through it", async () => {
    put("real.json", "old");
    symlinkSync("real.json", join(folder, "link.json"));
    await eolgate(folder, "check", "bom.json", "--format", "json", "-o", "link.json");
    expect(lstatSync(join(folder, "link.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "real.json"), "utf8")).toContain('"schema_version"');
  });
});

describe("package folder", () => {
  const home = mkdtempSync(join(tmpdir(), "eolgate-home-"));
  afterAll(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, "bin"));
  cpSync(join(root, "bin/eolgate.js"), join(home, "bin/eolgate.js"));
  symlinkSync(join(root, "dist"), join(home, "dist"));
  writeFileSync(join(home, "package.json"), '{"type":"module"}');
  const version = (env: Record<string, string>) =>
    spawnSync(process.execPath, [join(home, "bin/eolgate.js"), "--version"], {
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: undefined, ...env },
      encoding: "utf8",
    });
  const done = { status: 0, stderr: "", stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) };

  test("stays unchanged when caching is disabled", () => {
    expect(version({ NODE_DISABLE_COMPILE_CACHE: "1" })).toMatchObject(done);
    expect(existsSync(join(home, ".cache"))).toBe(false);
  });
  test("contains the compile cache, and no other folder does", () => {
    expect(version({})).toMatchObject(done);
    expect(readdirSync(home).sort()).toEqual([".cache", "bin", "dist", "package.json"]);
  });
  test("an unwritable cache is not an error", () => {
    rmSync(join(home, ".cache"), { recursive: true });
    writeFileSync(join(home, ".cache"), "");
    expect(version({})).toMatchObject(done);
  });
});
