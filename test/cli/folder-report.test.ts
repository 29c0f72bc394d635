/** The table over a folder: rows by release cycle with their locations, and the flags that choose what it lists. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";

const catalogue = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
let folder = "";

const FILES: Readonly<Record<string, string>> = {
  ".nvmrc": "16\n",
  "a/Dockerfile": "FROM node:16\nFROM python:3.9\n",
  "b/Dockerfile": "FROM node:16\n",
  "c/Dockerfile": "FROM node:16\n",
  "d/.nvmrc": "16.1\n",
  "d/package.json": '{"dependencies":{"x":"1"}}',
  "ios/Podfile.lock": "PODS:\n",
  "node_modules/x/.nvmrc": "8\n",
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "eolgate-report-"));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await symlink("a", join(folder, "link"));
});
afterAll(async () => rm(folder, { recursive: true }));

const check = (...args: readonly string[]) =>
  runCommand(["check", ...args, "--catalogue", catalogue, "--as-of", "2026-08-22"], {
    cwd: folder,
    env: { COLUMNS: "110" },
  });
/** Lines that start with the risk of a row. */
const rowsOf = (out: string): readonly string[] =>
  out.split("\n").flatMap((line) => (/^ {2,5}\d{1,3} {2}\S/.test(line) ? [line.trim()] : []));
const namesOf = (out: string): readonly string[] => rowsOf(out).map((row) => /^\d+ +(\S+ \S+)/.exec(row)?.[1] ?? row);

describe("table for a folder", () => {
  test("has one row for each release cycle, with the first locations", async () => {
    const { exit, out } = await check();
    expect([exit, namesOf(out).toSorted()]).toEqual([1, ["Node.js 16", "Python 3.9"]]);
    expect(out).toMatch(/Node\.js 16 \(5 components\) +\.nvmrc:1 \+4 +\S/);
    expect(out).toMatch(/Python 3\.9 +a\/Dockerfile:2 +\S/);
  });

  test("states which files were read and which were not", async () => {
    const { out } = await check();
    expect(out).toContain("Dockerfile: 3 files, 4 of 4 components assessed");
    expect(out).toContain("package.json: 1 file, no component");
    expect(out).toContain("package.json without a lockfile, so its dependencies are unknown: d/package.json");
    expect(out).toContain("Podfile.lock not supported: ios/Podfile.lock");
    expect(out).toContain("skipped: node_modules ×1, 1 symbolic link");
  });

  test("names every location with --verbose", async () => {
    const { out } = await check("--verbose");
    for (const location of [".nvmrc:1", "a/Dockerfile:1", "b/Dockerfile:1", "c/Dockerfile:1", "d/.nvmrc:1"])
      expect(out).toContain(` in ${location}`);
  });

  test("has one table per file with --group-by file", async () => {
    const { out } = await check("--group-by", "file");
    expect(rowsOf(out)).toHaveLength(6);
    expect(out).toMatch(/Node\.js 16 +a\/Dockerfile:1 +\S/);
    expect(out).toMatch(/Python 3\.9 +a\/Dockerfile:2 +\S/);
  });

  test("has a title in HTML that names the folder", async () => {
    expect((await check("--format", "html")).out).toMatch(/<title>FAIL: working directory: \d+ release cycles? /);
    expect((await check("c", "--format", "html")).out).toMatch(/<title>[A-Z ]+: c: /);
  });

  test("has the line of each finding in a single file", async () => {
    const { out } = await check("a/Dockerfile");
    expect(out).toMatch(/Node\.js 16 +a\/Dockerfile:1 +\S/);
    expect(out).toMatch(/Python 3\.9 +a\/Dockerfile:2 +\S/);
  });

  test("leaves files without rows out with --only, and names them without it", async () => {
    const [only, all] = [await check("--group-by", "file", "--only", "warn"), await check("--group-by", "file")];
    expect([only.out.includes("  a/Dockerfile  "), all.out.includes("  a/Dockerfile  ")]).toEqual([false, true]);
  });

  test("names equal components that were not assessed once", async () => {
    await writeFile(join(folder, "c/compose.yml"), "services:\n  a: { image: nobody:1 }\n  b: { image: nobody:1 }\n");
    const { out } = await check("--verbose");
    const short = (await check()).out;
    await rm(join(folder, "c/compose.yml"));
    expect(out).toMatch(/nobody 1 .* ×2\n/);
    expect(short).toMatch(/not assessed: nobody 1 \(package not in the catalogue\)\n/);
  });

  test("lists at most --top rows and counts the rest", async () => {
    const { exit, out } = await check("--top", "1", "--sort", "name");
    expect([exit, namesOf(out)]).toEqual([1, ["Node.js 16"]]);
    expect(out).toContain("... 1 more: --top 0");
  });

  test.each([
    ["name", ["Node.js 16", "Python 3.9"]],
    ["count", ["Node.js 16", "Python 3.9"]],
    ["end", ["Node.js 16", "Python 3.9"]],
  ])("orders the rows by %s", async (order, expected) => {
    expect(namesOf((await check("--sort", order)).out)).toEqual(expected);
  });

  test("lists only what --only names", async () => {
    const { exit, out } = await check("--only", "warn");
    expect([exit, rowsOf(out)]).toEqual([1, []]);
  });

  test("prints the verdict alone with --quiet", async () => {
    const { exit, out } = await check("--quiet");
    expect([exit, out.trim().split("\n")]).toEqual([
      1,
      [
        expect.stringMatching(
          /^FAIL +2 release cycles \(6 components\) have reached end of life\. 2 upgrades clear the gate\.$/,
        ),
      ],
    ]);
  });

  test("lists all rows with --top 0", async () => {
    const { exit, out } = await check("--top", "0");
    expect([exit, rowsOf(out).length]).toEqual([1, 2]);
  });

  test.each(["-1", "x", "1.5"])("refuses --top %s", async (top) => {
    const { exit, err } = await check("--top", top);
    expect([exit, err.includes("is not a number of rows")]).toEqual([2, true]);
  });
});

test("the JSON report lists which files of a folder were read and which were not", async () => {
  const { out } = await check("--format", "json");
  const { folders } = JSON.parse(out) as { folders: unknown };
  expect(folders).toEqual([
    {
      folder: ".",
      read: [
        { kind: "nvmrc", files: 2 },
        { kind: "Dockerfile", files: 3 },
        { kind: "package.json", files: 1 },
      ],
      not_read: [
        { kind: "package.json", reason: "no-lockfile", count: 1, examples: ["d/package.json"] },
        { kind: "Podfile.lock", reason: "not-supported", count: 1, examples: ["ios/Podfile.lock"] },
      ],
      skipped: { directories: [{ name: "node_modules", count: 1 }], git_ignored: 0, excluded: 0, links: 1 },
    },
  ]);
});

test("reports locations relative to the working directory, also for an absolute folder", async () => {
  const { out } = await check(folder, "--format", "json");
  const { documents } = JSON.parse(out) as { documents: { document: { file: string } }[] };
  expect(documents.map(({ document }) => document.file)).toContain("a/Dockerfile");
});

test("the SBOM of a folder has what was found beside a file that cannot be read, which ends with exit code 3", async () => {
  const broken = join(folder, "node_modules", "broken");
  await mkdir(broken, { recursive: true });
  await writeFile(join(broken, ".nvmrc"), "18\n");
  await writeFile(join(broken, "package-lock.json"), '{"lockfileVersion": 3, "packages": {');
  const { exit, out, err } = await check(broken, "--format", "cyclonedx", "--fail-on", "kev");
  const { bomFormat, components } = JSON.parse(out) as { bomFormat: string; components: { name: string }[] };
  expect([exit, bomFormat, components.map(({ name }) => name)]).toEqual([3, "CycloneDX", ["node"]]);
  expect(err).toContain("package-lock.json");
});
