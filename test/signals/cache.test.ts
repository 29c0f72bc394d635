import type { Evidence } from "../../src/model/index.ts";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asIsoDate } from "../../src/text/ids.ts";
import { type CacheEntry, openCache } from "../../src/signals/cache.ts";
import { exportLines, importLines } from "../../src/signals/exchange.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-signals-"));
  path = join(folder, "deep", "signals.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function entry(key: string, day: string, more: Partial<Evidence> = {}, source = "npm"): CacheEntry {
  const retrievedAt = asIsoDate(day);
  const name = source === "npm" ? "npm" : "deps.dev";
  const evidence: Evidence = {
    source: name,
    statement: "last-release",
    url: "https://example.com/a",
    retrievedAt,
    ...more,
  };
  return { source, key, answer: { retrievedAt, found: true, evidence: [evidence], repository: "github.com/a/b" } };
}
const NOT_FOUND: CacheEntry = {
  source: "npm",
  key: "pkg:npm/absent@1",
  answer: { retrievedAt: asIsoDate("2026-11-01"), found: false, evidence: [] },
};

describe("signal cache", () => {
  test("returns what was written, by source and key", () => {
    const cache = openCache(path);
    const one = entry("pkg:npm/a@1", "2026-11-20", { message: 'it\'s "gone"\u0000\n', date: asIsoDate("2020-02-29") });
    const other = entry("pkg:npm/a@1", "2026-11-21", {}, "deps.dev/projects");
    cache.write([one, other, NOT_FOUND]);
    cache.close();
    const again = openCache(path);
    expect(again.read("npm", ["pkg:npm/a@1", "pkg:npm/absent@1", "pkg:npm/b@1"])).toEqual(
      new Map([
        ["pkg:npm/a@1", one.answer],
        ["pkg:npm/absent@1", NOT_FOUND.answer],
      ]),
    );
    expect(again.read("deps.dev/projects", ["pkg:npm/a@1"]).get("pkg:npm/a@1")).toEqual(other.answer);
    expect(again.info()).toEqual({
      path,
      entries: 3,
      oldest: "2026-11-01",
      newest: "2026-11-21",
      sources: [
        { source: "deps.dev/projects", entries: 1 },
        { source: "npm", entries: 2 },
      ],
      unused: 0,
    });
    again.close();
  });

  test("replaces an answer with a newer one, never with an older one", () => {
    const cache = openCache(path);
    cache.write([entry("k", "2026-11-10"), entry("k", "2026-11-12"), entry("k", "2026-11-11")]);
    expect(cache.read("npm", ["k"]).get("k")?.retrievedAt).toBe("2026-11-12");
    cache.close();
  });

  test("removes the oldest answers beyond its size limit", () => {
    const cache = openCache(path, { maxEntries: 3 });
    cache.write(["05", "01", "03", "02", "04"].map((day) => entry(`k${day}`, `2026-11-${day}`)));
    cache.close();
    const again = openCache(path, { maxEntries: 3 });
    expect([...again.entries()].map(({ key }) => key)).toEqual(["k03", "k04", "k05"]);
    again.close();
  });

  test("writes a batch completely or not at all", () => {
    const cache = openCache(path);
    function* failing(): Generator<CacheEntry> {
      yield entry("a", "2026-11-20");
      throw new Error("the source broke");
    }
    expect(() => cache.write(failing())).toThrow("the source broke");
    expect(cache.info().entries).toBe(0);
    cache.write([entry("b", "2026-11-20")]);
    expect(cache.info().entries).toBe(1);
    cache.close();
  });

  test.each([
    [
      "a file that is not a database",
      () => writeFileSync(join(folder, "signals.db"), "not a database, but long enough to be read as one".repeat(50)),
    ],
    [
      "a cache of a newer version",
      () => {
        const database = new DatabaseSync(join(folder, "signals.db"));
        database.exec("pragma user_version = 99");
        database.close();
      },
    ],
  ])("is refused with its path for %s", (_name, prepare) => {
    prepare();
    const file = join(folder, "signals.db");
    expect(() => openCache(file)).toThrow(
      expect.objectContaining({ code: "signals-cache-unreadable", where: file, kind: "unavailable" }),
    );
  });

  // bench/signals-kills.ts repeats this 100 times.
  test("is intact after the process is killed while writing", async () => {
    const writer = fileURLToPath(new URL("cache-writer.ts", import.meta.url));
    for (let round = 0; round < 16; round += 4)
      await Promise.all(
        [0, 1, 2, 3].map((each) => killWhileWriting(writer, `w${each}`, 1 + ((round + each * 3) % 11))),
      );
    const database = new DatabaseSync(path);
    expect(database.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    database.close();
    const cache = openCache(path);
    const { entries } = cache.info();
    expect(entries).toBeGreaterThan(0);
    // Each transaction writes 50 entries.
    expect(entries % 50).toBe(0);
    cache.close();
  }, 60_000);

  /** Starts a writer and kills it once it has begun the given number of writes. */
  async function killWhileWriting(writer: string, name: string, writes: number): Promise<void> {
    const child = spawn(process.execPath, [writer, path, name], { stdio: ["ignore", "pipe", "ignore"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    let lines = 0;
    child.stdout.on("data", (data) => {
      lines += String(data).split("\n").length - 1;
      if (lines >= writes) child.kill("SIGKILL");
    });
    // Resolves too if the writer failed to start.
    await ended;
  }

  test("is shared by two processes that write at the same time", async () => {
    const writer = fileURLToPath(new URL("cache-writer.ts", import.meta.url));
    const codes = await Promise.all(
      ["a", "b"].map(
        (name) =>
          new Promise((resolve) => {
            spawn(process.execPath, [writer, path, name, "40"], { stdio: "ignore" }).once("exit", resolve);
          }),
      ),
    );
    expect(codes).toEqual([0, 0]);
    const cache = openCache(path);
    expect(cache.info().entries).toBe(2 * 40 * 50);
    cache.close();
  });
});

describe("exported cache", () => {
  const fill = (): string[] => {
    const cache = openCache(path);
    cache.write([
      entry("pkg:npm/b@1", "2026-11-20"),
      entry("pkg:npm/a@1", "2026-11-19", { message: "old" }),
      NOT_FOUND,
    ]);
    const lines = [...exportLines(cache)];
    cache.close();
    return lines;
  };

  test("leaves out answers of sources that this version does not have, and counts them", () => {
    const lines = fill();
    const database = new DatabaseSync(path);
    const add = database.prepare("insert into answers values (?, 'pkg:npm/a@1', '2026-11-20', 1, '[]', null)");
    for (const source of ["gitlab", "gitlab/projects", "npmx", "deps.dev/other"]) add.run(source);
    database.close();
    const cache = openCache(path);
    expect(["gitlab", "gitlab/projects", "npmx"].map((source) => cache.read(source, ["pkg:npm/a@1"]).size)).toEqual([
      0, 0, 0,
    ]);
    expect(cache.read("deps.dev/other", ["pkg:npm/a@1"]).size).toBe(1);
    expect([...exportLines(cache)]).toHaveLength(lines.length + 1);
    expect(cache.info()).toMatchObject({ entries: lines.length - 1 + 4, unused: 3 });
    cache.close();
  });

  test("is imported into another cache with the same answers", () => {
    const lines = fill();
    const other = openCache(join(folder, "other.db"));
    expect(
      importLines(
        other,
        lines.map((line) => line.trimEnd()),
        "signals.ndjson",
      ),
    ).toBe(3);
    expect([...exportLines(other)]).toEqual(lines);
    other.close();
  });

  test("does not replace newer answers", () => {
    const lines = fill().map((line) => line.trimEnd());
    const other = openCache(join(folder, "other.db"));
    other.write([entry("pkg:npm/a@1", "2026-11-21")]);
    importLines(other, lines, "signals.ndjson");
    expect(other.read("npm", ["pkg:npm/a@1"]).get("pkg:npm/a@1")?.retrievedAt).toBe("2026-11-21");
    other.close();
  });

  const line = (change: object): string =>
    JSON.stringify({
      source: "npm",
      key: "pkg:npm/a@1",
      retrieved_at: "2026-11-20",
      found: true,
      evidence: [],
      ...change,
    });
  const header = JSON.stringify({ format: "eolgate-signals", version: 1 });
  const evidence = (change: object) =>
    line({ evidence: [{ statement: "last-release", url: "https://a.example/", ...change }] });
  test.each([
    ["another file", [JSON.stringify({ bomFormat: "CycloneDX" })], "x:1"],
    ["invalid JSON", ["PK"], "x:1"],
    ["an empty file", [], "x:1"],
    ["a newer version", [JSON.stringify({ format: "eolgate-signals", version: 2 })], "x:1"],
    ["a truncated line", [header, line({}), line({}).slice(0, 40)], "x:3"],
    ["a date that does not exist", [header, line({ retrieved_at: "2026-02-30" })], "x:2"],
    ["an unknown source", [header, line({ source: "elsewhere" })], "x:2"],
    ["an unknown statement", [header, evidence({ statement: "supported" })], "x:2"],
    ["a statement of the catalogue", [header, evidence({ statement: "cycle-supported" })], "x:2"],
    ["a javascript: address", [header, evidence({ url: "javascript:alert(1)" })], "x:2"],
    ["a message beyond the limit", [header, evidence({ message: "m".repeat(501) })], "x:2"],
    ["a line beyond the limit", [header, line({ key: "k".repeat(70_000) })], "x:2"],
    ["unknown fields", [header, line({ level: "supported" })], "x:2"],
  ])("is refused with the line for %s, and nothing is imported", (_name, lines, where) => {
    const cache = openCache(path);
    const good = line({ key: "pkg:npm/good@1" });
    const file = lines.length > 1 ? [...lines, good] : lines;
    expect(() => importLines(cache, file, "x")).toThrow(
      expect.objectContaining({ code: "invalid-import", where, kind: "input" }),
    );
    expect(cache.info().entries).toBe(0);
    cache.close();
  });
});
