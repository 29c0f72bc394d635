/** The digest that is computed while a document is read is that of all bytes, however these were read. */
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readInput } from "../../src/api/input.ts";
import { MemorySource, type ByteSource } from "../../src/json-rows/source.ts";
import { readSbom } from "../../src/sbom/read.ts";
import { DigestedSource } from "../../src/platform/file-source.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-digest-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "bom.json");
const component = { name: "acme", description: "x".repeat(1000) };
const bom = JSON.stringify({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: Array.from({ length: 5000 }, () => component),
});
beforeEach(() => writeFileSync(path, bom));
const digestOf = (content: string | Uint8Array): string =>
  `sha256:${createHash("sha256").update(content).digest("hex")}`;
const noStandardInput = (): Promise<Uint8Array> => Promise.reject(new TypeError("not standard input"));
const read = (needsDigest: boolean) => readInput(path, folder, noStandardInput, { needsDigest });

/** Counts the bytes that are read. */
class CountingSource implements ByteSource {
  count = 0;
  private readonly source: ByteSource;
  readonly length: number;
  constructor(bytes: Uint8Array) {
    this.source = new MemorySource(bytes);
    this.length = bytes.length;
  }
  read(target: Uint8Array, position: number): number {
    const count = this.source.read(target, position);
    this.count += count;
    return count;
  }
}

test("is that of all bytes after any reads", () => {
  const reads = fc.array(fc.tuple(fc.nat(120), fc.nat(60)), { maxLength: 20 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), reads, (bytes, parts) => {
      const source = new DigestedSource(new MemorySource(bytes));
      for (const [position, length] of parts) {
        const target = new Uint8Array(length);
        const count = source.read(target, position);
        expect(target.subarray(0, count)).toEqual(bytes.slice(position, position + length));
      }
      expect(source.digest()).toBe(digestOf(bytes));
      expect(source.digest()).toBe(digestOf(bytes));
    }),
  );
});

test("needs no bytes that were read before", () => {
  const source = new CountingSource(new TextEncoder().encode(bom));
  const digested = new DigestedSource(source);
  readSbom(digested);
  const read = source.count;
  expect(digested.digest()).toBe(digestOf(bom));
  expect(source.count).toBe(read);
});

test.each([true, false])("is the digest of an input, requested early: %j", async (needsDigest) => {
  const input = await read(needsDigest);
  expect(readSbom(input.source ?? input.bytes()).components).toHaveLength(5000);
  expect(input.digest()).toBe(digestOf(bom));
});

test("is that of the bytes that were checked when the file changes afterwards", async () => {
  const input = await read(true);
  readSbom(input.source ?? input.bytes());
  input.source?.requireUnchanged?.();
  writeFileSync(path, bom.replaceAll("acme", "evil"));
  expect(input.digest()).toBe(digestOf(bom));
});

test("refuses a file that changes while it is read", async () => {
  const appended = await read(true);
  appendFileSync(path, " ");
  expect(() => appended.source?.requireUnchanged?.()).toThrow(/changed/);
  const truncated = await read(true);
  truncateSync(path, 1_000_000);
  expect(() => truncated.digest()).toThrow(/changed/);
});
