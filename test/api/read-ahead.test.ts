import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readInput } from "../../src/api/input.ts";
import { readAhead } from "../../src/platform/read-ahead.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-ahead-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const large = Buffer.alloc(3 * 1024 * 1024, "0123456789");
writeFileSync(at("large.json"), large);
writeFileSync(at("small.json"), "{}");
mkdirSync(at("folder"));
symlinkSync(at("large.json"), at("link.json"));
const noInput = (): Promise<never> => Promise.reject(new Error("standard input was read"));

test.each([["large.json"], ["link.json"]])("%s is read ahead, byte for byte", async (name) => {
  const bytes = await readAhead([name], folder).take(at(name));
  expect(bytes?.length).toBe(large.length);
  expect(large.equals(bytes ?? new Uint8Array())).toBe(true);
});

test.each([["small.json"], ["missing.json"], ["folder"], ["folder/below/none.json"], ["*.json"], ["-"]])(
  "%s is left to the reading proper",
  async (name) => {
    expect(await readAhead([name], folder).take(at(name))).toBeUndefined();
  },
);

test("only the first is begun with, and no other path gets its bytes", async () => {
  expect(await readAhead([], folder).take(at("large.json"))).toBeUndefined();
  const ahead = readAhead(["large.json", "link.json"], folder);
  expect(await ahead.take(at("link.json"))).toBeUndefined();
  expect((await ahead.take(at("large.json")))?.length).toBe(large.length);
});

test.skipIf(process.platform === "win32")(
  "a pipe is not opened: whoever opens one takes what is written to it",
  async () => {
    execFileSync("mkfifo", [at("pipe")]);
    expect(await readAhead(["pipe"], folder).take(at("pipe"))).toBeUndefined();
  },
);

test("what was taken and what was read are the same input", async () => {
  const [ahead, plain] = await Promise.all([
    readInput("large.json", folder, noInput, readAhead(["large.json"], folder)),
    readInput("large.json", folder, noInput),
  ]);
  expect(ahead.digest).toBe(plain.digest);
  expect({ file: ahead.file, gzipped: ahead.gzipped }).toEqual({ file: plain.file, gzipped: plain.gzipped });
});
