/** An installation has the curated files of the catalogue in one archive. It reads the same as the files of a checkout. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCurated } from "../../src/pipeline/compile/curated.ts";
import { readFeeds } from "../../src/pipeline/sources/declared/read-feeds.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "eolgate-files-"));

beforeAll(() => {
  for (const name of ["package.json", "src"])
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith(".json") || !path.includes(join("catalogue", "curated")),
    });
  rmSync(join(folder, "src/pipeline/curated"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  mkdirSync(join(folder, "dist"));
  execFileSync(process.execPath, [join(root, "tools/bundle-curated.ts"), join(folder, "dist/curated.json.br")]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs in the installation. @returns what `code` prints. */
const run = (code: string): string =>
  execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8", maxBuffer: 1 << 28 });
const addressOf = (path: string): string => JSON.stringify(pathToFileURL(join(folder, path)).href);

test("reads every curated file from the archive", () => {
  const read = run(
    `const { readCurated } = await import(${addressOf("src/pipeline/compile/curated.ts")}); console.log(JSON.stringify(readCurated()));`,
  );
  expect(JSON.parse(read)).toEqual(JSON.parse(JSON.stringify(readCurated())));
});

test("lists the feeds with a description from the archive", () => {
  const read = run(
    `const { readFeeds } = await import(${addressOf("src/pipeline/sources/declared/read-feeds.ts")}); console.log(JSON.stringify(readFeeds().map(({ id }) => id)));`,
  );
  expect(JSON.parse(read)).toEqual(readFeeds().map(({ id }) => id));
});

test("reports a file that is also missing from the archive", () => {
  const file = addressOf("src/pipeline/curated/absent.json");
  const read = run(
    `const { readPackageFile } = await import(${addressOf("src/platform/package-files.ts")}); try { readPackageFile(new URL(${file})); } catch (error) { console.log(error.code, error.path); }`,
  );
  expect(read).toMatch(/^ENOENT .*absent\.json/);
});
