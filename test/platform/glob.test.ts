import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFiles } from "../../src/platform/glob.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "eolgate-glob-")));
beforeAll(() => {
  for (const path of ["a/b", ".hidden", "node_modules/x", ".git", "empty", "c"])
    mkdirSync(join(folder, path), { recursive: true });
  for (const file of [
    "x.json",
    "a/x.json",
    "a/b/y.json",
    ".hidden/x.json",
    ".x.json",
    "node_modules/x/x.json",
    ".git/x.json",
    "c/x.xml",
  ])
    writeFileSync(join(folder, file), "{}");
  symlinkSync(join(folder, "a"), join(folder, "link"));
  symlinkSync(join(folder, "x.json"), join(folder, "linked.json"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("findFiles", () => {
  test.each([
    ["*.json", ["linked.json", "x.json"]],
    ["**/*.json", ["a/b/y.json", "a/x.json", "linked.json", "x.json"]],
    ["*/*.json", ["a/x.json"]],
    ["a/**/*.json", ["a/b/y.json", "a/x.json"]],
    ["{a,c}/x.*", ["a/x.json", "c/x.xml"]],
    ["[ac]/?.json", ["a/x.json"]],
    [".hidden/*.json", [".hidden/x.json"]],
    [".*/*.json", [".hidden/x.json"]],
    ["link/**/*.json", ["link/b/y.json", "link/x.json"]],
    ["./a/*.json", ["a/x.json"]],
    ["nowhere/*.json", []],
    ["x.json/*.json", []],
    ["*", ["linked.json", "x.json"]],
  ])("%s", async (pattern, files) => {
    expect(await findFiles(pattern, folder)).toEqual({ files, unreadable: [] });
  });

  test("returns absolute paths for an absolute pattern", async () => {
    expect((await findFiles(`${folder}/a/*.json`, "/")).files).toEqual([join(folder, "a/x.json")]);
  });

  test("finds files above the working directory", async () => {
    expect((await findFiles("../*.json", join(folder, "a"))).files).toEqual(["../linked.json", "../x.json"]);
  });
});

/** Root reads everything, so as root this is tested in a process of another user (see `test/cli/exit-codes.test.ts`). */
describe.skipIf(process.getuid?.() === 0 || process.platform === "win32")("folder without read permission", () => {
  beforeAll(() => chmodSync(join(folder, "c"), 0));
  afterAll(() => chmodSync(join(folder, "c"), 0o755));

  test("is reported when the pattern enters it", async () => {
    expect((await findFiles("*/x.*", folder)).unreadable).toEqual(["c"]);
  });
  test("is not reported when the pattern does not enter it", async () => {
    expect((await findFiles("a/*.json", folder)).unreadable).toEqual([]);
  });
});
