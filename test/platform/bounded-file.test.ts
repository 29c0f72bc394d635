/** Files that are held in memory as a whole are refused above a limit, before they are read. */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { BOUNDED_FILES, readBoundedFile, readUpTo, type BoundedFileKind } from "../../src/platform/bounded-file.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-bounded-"));
afterAll(() => rmSync(folder, { recursive: true }));

const sparse = (name: string, bytes: number): string => {
  const path = join(folder, name);
  writeFileSync(path, "");
  truncateSync(path, bytes);
  return path;
};
const unreadable = (cause: unknown) =>
  EolgateError.of("config-unreadable", { problem: "the file cannot be read" }, { cause });

describe("a regular file", () => {
  test.each([0, 1, 99_999, 100_000])("of %d bytes is read up to a limit of 100,000", (size) => {
    expect(readUpTo(sparse("below", size), 100_000)?.length).toBe(size);
  });

  test("of 100,001 bytes is refused", () => {
    expect(readUpTo(sparse("above", 100_001), 100_000)).toBeUndefined();
  });

  test("has all its bytes in order", () => {
    const path = join(folder, "content");
    const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251));
    writeFileSync(path, content);
    expect(readUpTo(path, 200_000)?.equals(content)).toBe(true);
  });

  test("without a size, such as a file of /proc, is read", () => {
    const environment = "/proc/self/status";
    if (process.platform === "linux") expect(readUpTo(environment, 1_000_000)?.toString()).toContain("Name:");
  });
});

describe.skipIf(process.platform === "win32")("a pipe", () => {
  const pipeOf = (name: string, bytes: number): string => {
    const path = join(folder, name);
    execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
    spawn("sh", ["-c", `head -c ${bytes} /dev/zero > "$0"`, path], { stdio: "ignore" });
    return path;
  };
  /** Reads the pipe through a descriptor that the caller has opened, as for `<(command)`. */
  const readOpened = (path: string, limit: number): Buffer | undefined => {
    const descriptor = openSync(path, "r");
    try {
      return readUpTo(`/dev/fd/${descriptor}`, limit);
    } finally {
      closeSync(descriptor);
    }
  };

  test("is read up to the limit", () => {
    expect(readOpened(pipeOf("short", 300_000), 300_000)?.length).toBe(300_000);
  });

  test("of 10 GB is refused above the limit", () => {
    expect(readOpened(pipeOf("long", 10_000_000_000), 300_000)).toBeUndefined();
  });

  test("that the caller has not opened is refused before it is opened", () => {
    const path = join(folder, "closed");
    execFileSync("sh", ["-c", 'mkfifo "$0"', path]);
    expect(() => readUpTo(path, 300_000)).toThrow("a pipe or a device");
  });
});

describe.each(Object.keys(BOUNDED_FILES) as BoundedFileKind[])("a file of the kind %s", (kind) => {
  const { limit, code } = BOUNDED_FILES[kind];

  test("is refused above its limit, with the limit and the path", () => {
    const path = sparse("kind", limit + 1);
    let error: unknown;
    try {
      readBoundedFile(path, kind, unreadable);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code, where: path, message: `the ${kind} is larger than ${limit} bytes` });
  });
});

test("a file that is missing has the error of its kind", () => {
  expect(() => readBoundedFile(join(folder, "missing"), "configuration file", unreadable)).toThrow(
    "the file cannot be read",
  );
});
