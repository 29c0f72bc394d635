/** Inputs that must not end the run with an internal error: lone surrogates, long paths, pipes and devices. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { percentEncode } from "../../src/text/values.ts";
import { sourceFiles } from "../repository/sources.ts";
import { runCommand } from "./fake-io.ts";

const EOLGATE_CATALOGUE = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "eolgate-hostile-"));
afterAll(() => rmSync(folder, { recursive: true }));
const BOM = JSON.stringify({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [{ type: "platform", name: "nodejs", version: "16.1.0", purl: "pkg:generic/node@16.1.0" }],
});
function project(files: Readonly<Record<string, string>> = {}): string {
  const cwd = mkdtempSync(join(folder, "project-"));
  for (const [name, text] of Object.entries({ "bom.json": BOM, ...files })) writeFileSync(join(cwd, name), text);
  return cwd;
}
const run = (cwd: string, ...argv: readonly string[]) =>
  runCommand(argv, { cwd, today: "2026-12-01", env: { EOLGATE_CATALOGUE, HOME: cwd } });

describe("a lone surrogate", () => {
  const LONE = "\\ud800";
  const npm = (name: string, version: string): string =>
    `{"lockfileVersion":3,"packages":{"":{},"node_modules/${name}":{"version":"${version}"}}}`;
  test.each([
    ["package-lock.json", npm(`a${LONE}`, "1.0.0")],
    ["package-lock.json", npm("a", `1.0${LONE}`)],
    ["package-lock.json", npm(`@a${LONE}/b`, "1.0.0")],
    ["package-lock.json", npm("a", `1.0\\udc00${LONE}`)],
    ["composer.lock", `{"packages":[{"name":"a/b${LONE}","version":"1${LONE}"}],"packages-dev":[]}`],
    ["Pipfile.lock", `{"_meta":{"pipfile-spec":6},"default":{"a${LONE}":{"version":"==1${LONE}"}},"develop":{}}`],
    [
      "packages.lock.json",
      `{"version":1,"dependencies":{"net8.0":{"A${LONE}":{"type":"Direct","resolved":"1${LONE}"}}}}`,
    ],
    [
      "Package.resolved",
      `{"version":2,"pins":[{"identity":"a${LONE}","location":"https://h/a${LONE}","state":{"version":"1"}}]}`,
    ],
    ["pubspec.lock", `packages:\n  a:\n    source: hosted\n    version: "1${LONE}"\n`],
    ["pnpm-lock.yaml", `lockfileVersion: "9.0"\npackages:\n  "a${LONE}@1.0.0": {}\n`],
    [".tool-versions", "nodejs 1\u{ff}\n"],
  ])("in %s does not end the run: %s", async (name, text) => {
    const cwd = project({ [name]: text });
    const { exit, out } = await run(cwd, "check", ".", "--format", "json");
    expect([0, 1, 3]).toContain(exit);
    const report = JSON.parse(out) as {
      documents: readonly { document: { file: string } }[];
      failed: readonly { file: string }[];
    };
    const files = [...report.documents.map(({ document }) => document), ...report.failed].map(({ file }) => file);
    expect(files).toEqual(expect.arrayContaining([expect.stringContaining("bom.json"), expect.stringContaining(name)]));
  });

  test("in an SBOM is read with every report", async () => {
    const text = BOM.replaceAll("16.1.0", `16.1.0${LONE}`).replace('"nodejs"', `"nodejs${LONE}"`);
    for (const format of ["json", "vex", "sarif", "html", "csv", "markdown", "junit", "gitlab"])
      expect([0, 1, 6]).toContain(
        (await run(project({ "bom.json": text }), "check", "bom.json", "--format", format)).exit,
      );
  });

  test("is encoded as the replacement character", () => {
    expect(percentEncode("a\ud800b")).toBe("a%EF%BF%BDb");
    expect(percentEncode("\u{1f600}")).toBe("%F0%9F%98%80");
  });
});

describe("a path that is too long", () => {
  const LONG = "a".repeat(5000);
  test.each([
    ["check", LONG],
    ["check", `${LONG}/`],
    ["check", `${LONG}/*.json`],
    ["check", "bom.json", "-o", LONG],
    ["check", "bom.json", "--report", `json=${LONG}`],
    ["check", "bom.json", "--report", `html=${LONG}/{document}.html`],
    ["check", "bom.json", "--baseline", LONG],
    ["check", "bom.json", "--config", LONG],
    ["check", "bom.json", "--catalogue", LONG],
    ["check", "bom.json", "--own-catalogue", LONG],
    ["check", "--image", `oci:${LONG}`],
    ["check", "--image", `docker-archive:${LONG}`],
    ["enrich", LONG, "--in-place"],
    ["enrich", "bom.json", "-o", LONG],
    ["diff", LONG, "bom.json"],
    ["catalogue", "verify", LONG],
  ])("is an error of its own kind: %s %s %s", async (...argv) => {
    const { exit, err } = await run(project({ "other.json": BOM }), ...argv);
    expect([2, 3, 4]).toContain(exit);
    expect(err).not.toContain("internal error");
  });

  test("in the configuration file is outside of its folder", async () => {
    const cwd = project({ "eolgate.config.json": JSON.stringify({ report: [`json=${LONG}`] }) });
    expect((await run(cwd, "check", "bom.json")).exit).toBe(2);
  });
});

describe("a pipe or a device is refused before it is opened", () => {
  test.each([
    ["check", "pipe"],
    ["check", "bom.json", "pipe"],
    ["check", "package-lock.json"],
    ["check", "/dev/zero"],
    ["check", "bom.json", "--baseline", "pipe"],
    ["check", "bom.json", "--config", "pipe"],
    ["check", "bom.json", "--catalogue", "pipe"],
    ["check", "bom.json", "--own-catalogue", "pipe"],
    ["check", "--image", "docker-archive:pipe"],
    ["enrich", "pipe"],
    ["diff", "pipe", "bom.json"],
  ])("%s %s %s %s", async (...argv) => {
    const cwd = project();
    for (const name of ["pipe", "package-lock.json", ".trivyignore"])
      execFileSync("sh", ["-c", 'mkfifo "$0"', join(cwd, name)]);
    const { exit, err } = await run(cwd, ...argv);
    expect([2, 3, 4]).toContain(exit);
    expect(err).toMatch(/pipe or a device|not a file/);
  });

  test("in a folder it is not read", async () => {
    const cwd = project();
    mkdirSync(join(cwd, "inner"));
    for (const name of ["package-lock.json", "inner/bom.json", ".gitignore", "Dockerfile", "package.json"])
      execFileSync("sh", ["-c", 'mkfifo "$0"', join(cwd, name)]);
    writeFileSync(join(cwd, "yarn.lock"), "# yarn lockfile v1\n");
    expect((await run(cwd, "check", ".")).exit).toBe(1);
  });

  test("except the empty device and what the caller opened", async () => {
    expect((await run(project(), "check", "bom.json", "--config", "/dev/null")).exit).toBe(1);
    const program = fileURLToPath(new URL("../../src/platform/file-status.ts", import.meta.url));
    const code = `import(${JSON.stringify(program)}).then(({ requireFile }) => { requireFile("/dev/stdin"); console.log("ok"); })`;
    expect(
      execFileSync("bash", ["-c", `cat | "$0" -e '${code}'`, process.execPath], { input: "x" }).toString(),
    ).toContain("ok");
  });
});

describe("the sources", () => {
  const without = (pattern: RegExp, allowed: readonly string[]) =>
    sourceFiles("src")
      .filter(({ path }) => !allowed.includes(path) && pattern.test(readFileSync(path, "utf8")))
      .map(({ path }) => path);

  test("encode text only by percentEncode, which accepts a lone surrogate", () => {
    expect(without(/\bencodeURI(?:Component)?\b/, ["src/text/values.ts"])).toEqual([]);
  });

  test("ask for the status of a path only by functions that accept a long one", () => {
    expect(without(/throwIfNoEntry/, ["src/platform/inside.ts"])).toEqual([]);
  });
});
