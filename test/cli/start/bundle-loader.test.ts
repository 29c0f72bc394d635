/** The scripts of the bundle run the same with a code cache, without one, and with a damaged one. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { BundleLoader } from "../../../src/cli/start/bundle-loader.ts";
import { scriptFolder } from "../../../src/cli/start/launch.ts";

const home = mkdtempSync(join(tmpdir(), "eolgate-loader-"));
afterAll(() => rmSync(home, { recursive: true }));
const scripts = join(home, "dist");
const cache = join(home, "cache");
mkdirSync(scripts);
writeFileSync(join(scripts, "main.cjs"), 'exports.sum = require("./sum-abcdefgh.cjs").sum;');
writeFileSync(
  join(scripts, "sum-abcdefgh.cjs"),
  'const { sep } = require("node:path"); exports.sum = (a, b) => `${a + b}${sep}`;',
);
const cached = join(cache, "sum-abcdefgh.cjs");

/** Runs the program like a process: loads the scripts, calls the entry point, writes the cache. */
function run(): unknown {
  const loader = new BundleLoader(scriptFolder(scripts, cache));
  const { sum } = loader.load("main.cjs") as { readonly sum: (a: number, b: number) => unknown };
  const result = sum(2, 3);
  loader.keep();
  return result;
}

beforeEach(() => rmSync(cache, { recursive: true, force: true }));

test("caches only scripts with a hash in their names", () => {
  expect(run()).toBe(`5${sep}`);
  expect(readdirSync(cache)).toEqual(["sum-abcdefgh.cjs"]);
});

test("does not overwrite a cache that is in use", () => {
  run();
  utimesSync(cached, 1, 1);
  expect(run()).toBe(`5${sep}`);
  expect(statSync(cached).mtimeMs).toBe(1000);
});

test("runs without a cache folder", () => {
  const loader = new BundleLoader(scriptFolder(scripts, undefined));
  expect(loader.load("main.cjs")).toHaveProperty("sum");
  loader.keep();
  expect(existsSync(cache)).toBe(false);
});

test.each([
  ["a byte in the middle differs", (bytes: Buffer) => bytes.fill(bytes.readUInt8(200) ^ 0xff, 200, 201)],
  ["a byte of the checksum differs", (bytes: Buffer) => bytes.fill(bytes.readUInt8(0) ^ 0xff, 0, 1)],
  ["it is truncated", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ["it is empty", () => Buffer.alloc(0)],
])("replaces a cache when %s", (_, damage) => {
  run();
  const intact = readFileSync(cached);
  const damaged = Buffer.from(damage(Buffer.from(intact)));
  writeFileSync(cached, damaged);
  expect(run()).toBe(`5${sep}`);
  expect(readFileSync(cached).equals(damaged)).toBe(false);
});

test("removes only the caches of scripts that no longer exist", () => {
  mkdirSync(cache);
  for (const name of ["sum-12345678.cjs", "notes.txt"]) writeFileSync(join(cache, name), "");
  expect(run()).toBe(`5${sep}`);
  expect(readdirSync(cache).sort()).toEqual(["notes.txt", "sum-abcdefgh.cjs"]);
});

test("runs when the path of the cache folder is a file", () => {
  writeFileSync(cache, "");
  expect(run()).toBe(`5${sep}`);
});

test("loads a script once", () => {
  const loader = new BundleLoader(scriptFolder(scripts, undefined));
  expect(loader.load("sum-abcdefgh.cjs")).toBe(loader.load("sum-abcdefgh.cjs"));
});
