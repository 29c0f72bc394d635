import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readInput } from "../../src/api/input.ts";
import { EolgateError } from "../../src/messages/error.ts";
import { readSbom } from "../../src/sbom/read.ts";
import { FileSource } from "../../src/platform/file-source.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-source-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "bom.json");
const component = (name: string): string => JSON.stringify({ name, description: "x".repeat(1000) });
const bom = (names: readonly string[]): string =>
  `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${names.map(component).join(",")}]}`;
const many = Array.from({ length: 5000 }, (_, index) => `component-${index}`);
beforeEach(() => writeFileSync(path, bom(many)));
const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof EolgateError ? error.code : String(error);
  }
};

test("reads a document in chunks and decodes its strings on demand", () => {
  const document = readSbom(new FileSource(path));
  expect(document.components.map(({ name }) => name)).toEqual(many);
  expect(document.components.toReversed().map(({ name }) => name)).toEqual(many.toReversed());
});

test("refuses a file that becomes shorter while it is read", () => {
  const source = new FileSource(path);
  truncateSync(path, 1_000_000);
  expect(codeOf(() => readSbom(source))).toBe("unreadable");
});

test("detects a file that was modified after it was opened", () => {
  const source = new FileSource(path);
  expect(codeOf(() => source.requireUnchanged())).toBeUndefined();
  appendFileSync(path, " ");
  expect(codeOf(() => source.requireUnchanged())).toBe("unreadable");
});

test("keeps reading the opened file after another one replaces it", () => {
  const document = readSbom(new FileSource(path));
  writeFileSync(join(folder, "other.json"), bom(["other"]));
  renameSync(join(folder, "other.json"), path);
  expect(document.components.at(-1)?.name).toBe("component-4999");
});

test("keeps few files open and reopens them on demand", () => {
  const sources = Array.from({ length: 200 }, () => new FileSource(path));
  const first = new Uint8Array(1);
  for (const source of sources) expect([source.read(first, 0), first[0]]).toEqual([1, 0x7b]);
  writeFileSync(path, bom(["other"]));
  expect(codeOf(() => sources[0]?.read(first, 0))).toBe("unreadable");
});

test("an input has the same digest and bytes as the file", async () => {
  const input = await readInput(path, folder, () => Promise.reject(new TypeError("standard input")));
  expect(input.source?.bytes).toBeUndefined();
  expect(Buffer.from(input.bytes()).toString()).toBe(bom(many));
  const { createHash } = await import("node:crypto");
  expect(input.digest()).toBe(`sha256:${createHash("sha256").update(bom(many)).digest("hex")}`);
});
