import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { replaceFile, writeFileWhole } from "../../src/platform/replace-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-replace-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string): readonly Uint8Array[] => [new TextEncoder().encode(text)];
const fileWith = (name: string, text: string, mode = 0o644): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};
function* broken(): Generator<Uint8Array, void, undefined> {
  yield* bytes("half");
  throw new RangeError("no more");
}
const errorOf = async (work: Promise<unknown>): Promise<EolgateError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof EolgateError) return error;
  throw new Error("no fault", { cause: error });
};

describe("replaceFile", () => {
  test("refuses a file with another hard link, which would keep the old content", async () => {
    const path = fileWith("bom.json", "old");
    linkSync(path, `${path}.link`);
    await expect(replaceFile(path, bytes("new"))).rejects.toMatchObject({ code: "not-written" });
    expect([readFileSync(path, "utf8"), readFileSync(`${path}.link`, "utf8")]).toEqual(["old", "old"]);
  });

  test.each([0o644, 0o600, 0o664, 0o755])("keeps the mode %o", async (mode) => {
    const path = fileWith("bom.json", "old", mode);
    await replaceFile(path, [...bytes("new "), ...bytes("text")]);
    expect(readFileSync(path, "utf8")).toBe("new text");
    expect(statSync(path).mode & 0o7777).toBe(mode);
    expect(readdirSync(folder)).toEqual(["bom.json"]);
  });

  test("creates a new file instead of writing to the existing one", async () => {
    const path = fileWith("bom.json", "old");
    const before = statSync(path).ino;
    await replaceFile(path, bytes("new"));
    expect(statSync(path).ino).not.toBe(before);
  });

  test("replaces the target of a symbolic link and keeps the link", async () => {
    mkdirSync(join(folder, "real"));
    const target = fileWith("real/bom.json", "old", 0o640);
    const link = join(folder, "link.json");
    symlinkSync("real/bom.json", link);
    await replaceFile(link, bytes("new"));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readlinkSync(link)).toBe("real/bom.json");
    expect(readFileSync(target, "utf8")).toBe("new");
    expect(statSync(target).mode & 0o7777).toBe(0o640);
  });

  test("keeps the original and removes temporary files after a failure", async () => {
    const path = fileWith("bom.json", "old");
    expect(await errorOf(replaceFile(path, broken()))).toMatchObject({ kind: "output", code: "not-written" });
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["bom.json"]);
  });

  test("does not follow or overwrite an existing file at the path of the temporary file", async () => {
    const path = fileWith("bom.json", "old");
    const victim = fileWith("victim", "precious");
    symlinkSync(victim, join(folder, `.bom.json.eolgate-${hostname()}-${process.ppid}-00000000`));
    symlinkSync(victim, join(folder, ".bom.json.eolgate-x"));
    await replaceFile(path, bytes("new"));
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readFileSync(path, "utf8")).toBe("new");
  });

  test.each([
    ["a folder", () => folder, "not-written"],
    ["a missing file", () => join(folder, "nowhere.json"), "not-written"],
    ["a device", () => "/dev/null", "not-written"],
  ])("refuses %s", async (_, path, code) => {
    expect(await errorOf(replaceFile(path(), bytes("new")))).toMatchObject({ kind: "output", code });
  });
});

describe("temporary files of other processes", () => {
  const dead = 4_194_303;
  test.each<readonly [string, string, number, boolean]>([
    ["of a dead process are removed", `${hostname()}-${dead}-00000000`, 0, true],
    ["of a running process are kept", `${hostname()}-${process.ppid}-00000000`, 0, false],
    ["of this process are kept", `${hostname()}-${process.pid}-00000000`, 0, false],
    ["of another host are kept for an hour", `pod-1-${dead}-00000000`, 59, false],
    ["of another host are removed after an hour", `pod-1-${process.pid}-00000000`, 61, true],
    ["of other programs are kept", "x", 61, false],
  ])("%s", async (_, name, minutes, isRemoved) => {
    const path = fileWith("bom.json", "old");
    const other = fileWith(`.bom.json.eolgate-${name}`, "half");
    const modified = Date.now() / 1000 - minutes * 60;
    utimesSync(other, modified, modified);
    await replaceFile(path, bytes("new"));
    expect(existsSync(other)).toBe(!isRemoved);
  });
});

describe("writeFileWhole", () => {
  test("creates or replaces a file, or writes to a device", async () => {
    const path = join(folder, "out.json");
    await writeFileWhole(path, bytes("one"));
    expect(readFileSync(path, "utf8")).toBe("one");
    await writeFileWhole(path, bytes("two"));
    expect(readFileSync(path, "utf8")).toBe("two");
    await writeFileWhole("/dev/null", bytes("three"));
    expect(await errorOf(writeFileWhole(join(folder, "no", "out.json"), bytes("x")))).toMatchObject({
      code: "not-written",
    });
    expect(readdirSync(folder)).toEqual(["out.json"]);
  });
});

describe("process killed at any time", () => {
  test("leaves the old or the new file, and the next run removes temporary files", async () => {
    const size = 4 * 1024 * 1024;
    const path = fileWith("bom.json", "a".repeat(size));
    const worker = new URL("replace-worker.ts", import.meta.url).pathname;
    for (const replacements of [1, 2, 3, 5, 8]) {
      const child = spawn(process.execPath, [worker, path, String(size)], { stdio: ["ignore", "pipe", "inherit"] });
      // The line before a replacement, so that the signal arrives while the file is written.
      for (let lines = 0; lines < replacements;) {
        const [data]: unknown[] = await once(child.stdout, "data");
        lines += String(data).split("\n").length - 1;
      }
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGKILL");
      await ended;
      const text = readFileSync(path, "utf8");
      expect(text.length).toBe(size);
      expect(["a", "b"]).toContain(text[0]);
      expect(text === text.charAt(0).repeat(size)).toBe(true);
    }
    await replaceFile(path, bytes("end"));
    expect(readdirSync(folder)).toEqual(["bom.json"]);
  });
});
