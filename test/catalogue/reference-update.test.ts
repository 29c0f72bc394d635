/** The bundled catalogue updated against the reference data behind a mirror; and compiled again, byte for byte. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { readReference, RECORD_CONTENT_DAY } from "../../tools/reference-data.ts";
import { diffCatalogues } from "../../src/catalogue/info/diff.ts";
import { encodeCatalogue } from "../../src/catalogue/file.ts";
import { loadCatalogue, parseCatalogue } from "../../src/catalogue/load.ts";
import { BUNDLED } from "../../src/catalogue/places.ts";
import { updateCatalogue } from "../../src/pipeline/update/update.ts";
import { updateInWorker } from "../../src/pipeline/update/in-worker.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { effectiveClaim } from "../../src/lifecycle/ends.ts";
import type { Catalogue } from "../../src/model/index.ts";
import type { CatalogueChanges } from "../../src/model/changes.ts";
import { describeWithShared } from "../shared.ts";
import { startMirror } from "./mirror.ts";
import { serveReference } from "./reference-mirror.ts";

/** Moved ends that are not the vendor's: a feed that is as recent as the record leads over it. */
const movedOtherwise = (moves: CatalogueChanges["dates"], catalogue: Catalogue) =>
  moves.filter(({ releaseCycle, field }) => {
    const cycle = catalogue.product(releaseCycle.product)?.cycles.find(({ name }) => name === releaseCycle.cycle);
    return field === "eol" && effectiveClaim(cycle?.claims ?? [])?.kind !== "vendor-feed";
  });

describeWithShared("catalogue from the reference data", "upstream/", (folder) => {
  const today = asIsoDate("2026-11-21");

  // After a refresh from the network it is newer than the reference data.
  const isReference = loadCatalogue().metadata.date === RECORD_CONTENT_DAY;
  test.skipIf(!isReference)(
    "the bundled catalogue is compiled from the reference data, with the same bytes each time",
    () => {
      const [first, second] = [1, 2].map(() => encodeCatalogue(compile(readReference(folder)).content));
      if (first === undefined) throw new Error("nothing was compiled");
      expect(second?.equals(first)).toBe(true);
      expect(first.equals(readFileSync(BUNDLED)), "run npm run catalogue:compile").toBe(true);
    },
  );

  test("an update reads what the mirror has, keeps the claims of other sources, and moves an end only to the vendor's", async () => {
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
      const { cyclesAdded, cyclesRemoved, productsAdded, productsRemoved, dates, kev } = report.changes;
      expect({ cyclesAdded, cyclesRemoved, productsAdded, productsRemoved, kev }).toEqual({
        cyclesAdded: [],
        cyclesRemoved: [],
        productsAdded: [],
        productsRemoved: [],
        kev: [],
      });
      const updated = parseCatalogue(report.bytes, "updated");
      expect(movedOtherwise(dates, updated)).toEqual([]);
      const statements = (slug: string, cycle: string) =>
        updated.product(slug)?.cycles.find(({ name }) => name === cycle)?.claims ?? [];
      expect(statements("nodejs", "18").map(({ kind, retrievedAt }) => [kind, retrievedAt])).toEqual([
        ["upstream", today],
        ["vendor-feed", today],
      ]);
      // The record's copies are still known for copies, though its answer does not say so.
      expect(statements("python", "3.11")[0]).toMatchObject({ kind: "upstream", copied: true });
      expect(statements("nodejs", "18")[0]?.copied).toBeUndefined();
      // A vendor that the mirror does not have keeps its words with their day.
      expect(statements("mariadb", "11.8").at(-1)).toMatchObject({ source: "mariadb-rest", retrievedAt: "2026-09-01" });
    } finally {
      await mirror.close();
      rmSync(cache, { recursive: true });
    }
  });

  test("a server updates in a separate thread and responds meanwhile", async () => {
    const mirror = await startMirror();
    const cache = mkdtempSync(join(tmpdir(), "eolgate-refresh-"));
    try {
      serveReference(mirror, folder);
      const path = join(cache, "catalogue.json");
      copyFileSync(BUNDLED, path);
      const started = once(process, "worker");
      const ended = started.then(([worker]: Worker[]) => worker && once(worker, "exit"));
      const task = { folder: cache, path, today, now: Date.parse(today), base: mirror.base, env: {} };
      const report = await updateInWorker(task);
      // The thread that compiled the catalogue is not this one.
      await ended;
      expect(movedOtherwise(report.changes.dates, loadCatalogue({ path }))).toEqual([]);
      expect(loadCatalogue({ path }).metadata).toMatchObject({
        date: loadCatalogue().metadata.date,
        digest: report.changes.to.digest,
      });
    } finally {
      await mirror.close();
      rmSync(cache, { recursive: true });
    }
  });

  test("a failed or cancelled update keeps the catalogue in use and reports why", async () => {
    const mirror = await startMirror();
    const cache = mkdtempSync(join(tmpdir(), "eolgate-refresh-"));
    const path = join(cache, "catalogue.json");
    copyFileSync(BUNDLED, path);
    const task = { folder: cache, path, today, now: Date.parse(today), base: mirror.base, env: {} };
    await expect(updateInWorker(task)).rejects.toMatchObject({ kind: "network", code: "source-unread", exit: 5 });
    const stop = new AbortController();
    mirror.pages.set("/endoflife.date/api/v1/products/full", () => stop.abort());
    await expect(updateInWorker(task, stop.signal)).rejects.toMatchObject({ kind: "network", code: "update-stopped" });
    expect(readFileSync(path).equals(readFileSync(BUNDLED))).toBe(true);
    await mirror.close();
    rmSync(cache, { recursive: true });
  });

  test("a catalogue has no differences from itself", () => {
    const catalogue = loadCatalogue();
    const changes = diffCatalogues(catalogue, loadCatalogue(), today);
    expect([...changes.dates, ...changes.statuses, ...changes.cyclesAdded, ...changes.kev]).toEqual([]);
  });
});
