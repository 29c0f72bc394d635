import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toStoreError } from "../../../src/service/store/driver-errors.ts";
import { openStore } from "../../../src/service/store/open.ts";

const sqlite = (errcode: number) => Object.assign(new Error("x"), { code: "ERR_SQLITE_ERROR", errcode });
const postgres = (code: string) => Object.assign(new Error("x"), { code });
describe("unavailable database", () => {
  test.each([
    ["SQLite: full", sqlite(13), true],
    ["SQLite: read-only", sqlite(8), true],
    ["SQLite: I/O error", sqlite(10), true],
    ["SQLite: extended code of an I/O error", sqlite(778), true],
    ["SQLite: corrupt", sqlite(11), true],
    ["SQLite: constraint violation (internal error)", sqlite(19), false],
    ["SQLite: invalid SQL (internal error)", sqlite(1), false],
    ["PostgreSQL: disk full", postgres("53100"), true],
    ["PostgreSQL: too many connections", postgres("53300"), true],
    ["PostgreSQL: read-only", postgres("25006"), true],
    ["PostgreSQL: shutting down", postgres("57P01"), true],
    ["PostgreSQL: statement cancelled", postgres("57014"), true],
    ["PostgreSQL: wrong password", postgres("28P01"), true],
    ["PostgreSQL: unique violation (internal error)", postgres("23505"), false],
    ["PostgreSQL: unknown column (internal error)", postgres("42703"), false],
    ["connection refused", postgres("ECONNREFUSED"), true],
    ["unknown host", postgres("ENOTFOUND"), true],
    ["connection terminated", new Error("Connection terminated unexpectedly"), true],
    ["connection timeout", new Error("timeout exceeded when trying to connect"), true],
    ["other error", new TypeError("x is not a function"), false],
  ])("%s", (_, error, down) => {
    const thrown = toStoreError(error);
    if (down) expect(thrown).toMatchObject({ kind: "unavailable", code: "store-unavailable", cause: error });
    else expect(thrown).toBe(error);
  });
});

/** Mounts a file system of 1 MB; undefined if this machine does not allow it. */
function mountSmallDisk(): { readonly folder: string; unmount(): void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    unmount() {
      execFileSync("umount", [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
test("a full disk causes an EolgateError, and no acknowledged write is lost (skipped where no disk can be mounted)", async ({
  skip,
}) => {
  const disk = mountSmallDisk() ?? skip("this machine does not allow mounting a small file system");
  const { folder } = disk;
  try {
    const store = await openStore({ kind: "embedded", folder }, 0);
    const acknowledged: string[] = [];
    const thrown = await (async () => {
      for (let index = 0; ; index += 1) {
        await store.settings.set(`s${index}`, "x".repeat(2000));
        acknowledged.push(`s${index}`);
      }
    })().catch((error: unknown) => error);
    expect(thrown).toMatchObject({ kind: "unavailable", code: "store-unavailable" });
    expect(acknowledged.length).toBeGreaterThan(10);
    await store.close();
    const reopened = await openStore({ kind: "embedded", folder }, 0);
    for (const name of acknowledged) expect(await reopened.settings.get(name)).toHaveLength(2000);
    await reopened.close();
  } finally {
    disk.unmount();
  }
});
