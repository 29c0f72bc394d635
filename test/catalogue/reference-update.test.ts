/** The bundled catalogue updated against the reference data behind a mirror; and compiled again, byte for byte. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compile } from "../../src/catalogue/compile.ts";
import { readReference, RECORD_CONTENT_DAY } from "../../src/catalogue/compile/reference.ts";
import { diffCatalogues } from "../../src/catalogue/diff.ts";
import { encodeCatalogue } from "../../src/catalogue/file.ts";
import { BUNDLED, loadCatalogue, parseCatalogue } from "../../src/catalogue/load.ts";
import { createRefresh } from "../../src/catalogue/refresh.ts";
import { updateCatalogue } from "../../src/catalogue/update.ts";
import { asIsoDate } from "../../src/core/ids.ts";
import { describeWithShared } from "../shared.ts";
import { startMirror } from "./mirror.ts";
import { serveReference } from "./reference-mirror.ts";

describeWithShared("over the reference data", "upstream/", (folder) => {
  const today = asIsoDate("2026-11-21");

  // After a refresh from the network it is newer than the reference data.
  const isReference = loadCatalogue().stamp.date === RECORD_CONTENT_DAY;
  test.skipIf(!isReference)("the bundled catalogue is what compiles from it, in under two seconds", () => {
    const runs = Array.from({ length: 3 }, () => {
      const started = performance.now();
      const bytes = encodeCatalogue(compile(readReference(folder)).content);
      return { bytes, took: performance.now() - started };
    });
    // The best of three: a busy machine must not fail it, a slow compiler must.
    expect(Math.min(...runs.map(({ took }) => took))).toBeLessThan(2_000);
    const [first, ...others] = runs.map(({ bytes }) => bytes);
    if (first === undefined) throw new Error("nothing was compiled");
    for (const other of others) expect(other.equals(first)).toBe(true);
    expect(first.equals(readFileSync(BUNDLED)), "run npm run catalogue:compile").toBe(true);
  });

  test("an update reads what the mirror has, keeps the words of the others, and changes no date", async () => {
    const mirror = await startMirror();
    const cache = mkdtempSync(join(tmpdir(), "eolgate-reference-"));
    try {
      const served = serveReference(mirror, folder);
      expect(served.length).toBeGreaterThanOrEqual(15);
      const current = { bytes: readFileSync(BUNDLED), origin: "bundled" };
      const report = await updateCatalogue({
        folder: cache,
        current,
        today,
        now: Date.parse(today),
        base: mirror.base,
      });
      const failed = new Set(report.sources.filter(({ outcome }) => outcome === "failed").map(({ id }) => id));
      expect(served.filter((id) => failed.has(id))).toEqual([]);
      const { linesAdded, linesRemoved, productsAdded, productsRemoved, dates, kev } = report.changes;
      expect({ linesAdded, linesRemoved, productsAdded, productsRemoved, dates, kev }).toEqual({
        linesAdded: [],
        linesRemoved: [],
        productsAdded: [],
        productsRemoved: [],
        dates: [],
        kev: [],
      });
      const updated = parseCatalogue(report.bytes, "updated");
      const statements = (slug: string, cycle: string) =>
        updated.product(slug)?.cycles.find(({ name }) => name === cycle)?.statements ?? [];
      expect(statements("nodejs", "18").map(({ kind, readOn }) => [kind, readOn])).toEqual([
        ["upstream", today],
        ["vendor-feed", today],
      ]);
      // The record's copies are still known for copies, though its answer does not say so.
      expect(statements("python", "3.11")[0]).toMatchObject({ kind: "upstream", copied: true });
      expect(statements("nodejs", "18")[0]?.copied).toBeUndefined();
      // A vendor that the mirror does not have keeps its words with their day.
      expect(statements("mariadb", "11.8").at(-1)).toMatchObject({ source: "mariadb-rest", readOn: "2026-09-01" });
    } finally {
      await mirror.close();
      rmSync(cache, { recursive: true });
    }
  });

  test("a server refreshes on a thread of its own, and answers meanwhile", async () => {
    const mirror = await startMirror();
    const cache = mkdtempSync(join(tmpdir(), "eolgate-refresh-"));
    try {
      serveReference(mirror, folder);
      const at = join(cache, "catalogue.json");
      copyFileSync(BUNDLED, at);
      let replaced = "";
      const refresh = createRefresh({
        folder: cache,
        origin: () => at,
        replace: ({ catalogue }) => void (replaced = catalogue.stamp.digest),
        clock: () => Date.parse(`${today}T06:00:00Z`),
        random: () => 0.5,
        base: mirror.base,
      });
      expect(refresh.every).toBe(12 * 60 * 60 * 1000);
      let longest = 0;
      let last = performance.now();
      const pulse = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 5);
      const outcome = await refresh.run();
      clearInterval(pulse);
      expect(outcome).toMatchObject({ date: today, dates_moved: 0, quarantined: 0 });
      expect(loadCatalogue({ path: at }).stamp.digest).toBe(replaced);
      // Compiling takes half a second; the loop must not have stood still for it.
      expect(longest).toBeLessThan(300);
    } finally {
      await mirror.close();
      rmSync(cache, { recursive: true });
    }
  });

  test("a failed refresh leaves what serves", async () => {
    const mirror = await startMirror();
    const cache = mkdtempSync(join(tmpdir(), "eolgate-refresh-"));
    const refresh = createRefresh({
      folder: cache,
      origin: () => "bundled",
      replace: () => expect.unreachable("nothing may be replaced"),
      clock: () => Date.parse(`${today}T06:00:00Z`),
      base: mirror.base,
    });
    await expect(refresh.run()).rejects.toMatchObject({ kind: "network", exit: 5 });
    await mirror.close();
    rmSync(cache, { recursive: true });
  });

  test("a catalogue is no different from itself", () => {
    const catalogue = loadCatalogue();
    const changes = diffCatalogues(catalogue, loadCatalogue(), today);
    expect([...changes.dates, ...changes.statuses, ...changes.linesAdded, ...changes.kev]).toEqual([]);
  });
});
