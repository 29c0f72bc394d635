/** The pages of the bundled catalogue read the same as the file that they were made of. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { PagedFile } from "../../src/platform/package-files.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "eolgate-pages-"));
mkdirSync(join(folder, "dist"));
const target = join(folder, "dist/catalogue.pages");
execFileSync(process.execPath, [join(root, "tools/bundle-catalogue.ts"), target]);
const original = readFileSync(join(root, "src/data/catalogue.json"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("reads every range with the content of the file", () => {
  const pages = new PagedFile(target);
  expect(pages.size).toBe(original.length);
  expect(original.equals(pages.read(0, pages.size))).toBe(true);
  const position = fc.nat(original.length + 10);
  fc.assert(
    fc.property(position, fc.nat(40_000), (start, length) => {
      expect(original.subarray(start, start + length).equals(pages.read(start, start + length))).toBe(true);
    }),
  );
});

test("finds products in the pages and refuses a damaged page as a corrupt catalogue", () => {
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
  rmSync(join(folder, "src/data/catalogue.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const address = JSON.stringify(pathToFileURL(join(folder, "src/catalogue/load.ts")).href);
  const code = `const { loadCatalogue } = await import(${address});
    try { console.log(loadCatalogue({ env: {} }).product("nodejs").name); } catch (error) { console.log(error.code); }`;
  const run = (): string =>
    execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }).trim();
  expect(run()).toBe("Node.js");
  const damaged = readFileSync(target);
  damaged.fill(0xff, damaged.indexOf("\n") + 1);
  writeFileSync(target, damaged);
  expect(run()).toBe("catalogue-corrupt");
  writeFileSync(target, "no pages\n");
  expect(run()).toBe("catalogue-corrupt");
  rmSync(target);
  expect(run()).toBe("catalogue-unreadable");
});
