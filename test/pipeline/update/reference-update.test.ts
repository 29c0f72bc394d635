/** The bundled catalogue updated against the reference data behind a mirror; and compiled again, byte for byte. */
import { generateKeyPairSync } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { compile } from "../../../src/pipeline/compile/compile.ts";
import { readReference, RECORD_CONTENT_DAY } from "../../../tools/reference-data.ts";
import { diffCatalogues } from "../../../src/catalogue/info/diff.ts";
import { encodeCatalogue } from "../../../src/catalogue/file.ts";
import { loadCatalogue, parseCatalogue } from "../../../src/catalogue/load.ts";
import { BUNDLED } from "../../../src/catalogue/places.ts";
import { updateCatalogue } from "../../../src/pipeline/update/update.ts";
import { updateInWorker } from "../../../src/pipeline/update/in-worker.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { effectiveClaim } from "../../../src/lifecycle/ends.ts";
import type { Catalogue } from "../../../src/model/index.ts";
import type { CatalogueChanges } from "../../../src/model/changes.ts";
import { describeWithShared } from "../../shared.ts";
import { soaked } from "../../soaked.ts";
import { answers, type Behaviour, serves, startMirror } from "./mirror.ts";
import { publishChannel } from "../../../src/pipeline/publish.ts";
import { findSource } from "../../../src/pipeline/sources/sources.ts";
import { locate } from "../../../src/catalogue/channel/location.ts";
import { updateFrom } from "../../../src/catalogue/channel/pull.ts";
import { resolveAddress } from "../../../src/catalogue/update/fetch.ts";
import { serveReference } from "./reference-mirror.ts";
import { refreshFigures } from "../../../tools/refresh-figures.ts";

// The best compression of the catalogue takes seconds, and what is read from it is the same.
vi.mock(import("node:zlib"), async (original) => {
  const zlib = await original();
  return { ...zlib, constants: { ...zlib.constants, BROTLI_MAX_QUALITY: zlib.constants.BROTLI_MIN_QUALITY } };
});

/** Moved ends that are not the vendor's: a feed that is as recent as the record leads over it. */
const movedOtherwise = (moves: CatalogueChanges["dates"], catalogue: Catalogue) =>
  moves.filter(({ releaseCycle, field }) => {
    const cycle = catalogue.product(releaseCycle.product)?.cycles.find(({ name }) => name === releaseCycle.cycle);
    return field === "eol" && effectiveClaim(cycle?.claims ?? [])?.kind !== "vendor-feed";
  });

describeWithShared("catalogue from the reference data", "upstream/", (folder) => {
  const today = asIsoDate("2026-11-22");

  // After a refresh from the network it is newer than the reference data.
  const isReference = loadCatalogue().metadata.date === RECORD_CONTENT_DAY;
  test.skipIf(!isReference)(
    "the bundled catalogue is compiled from the reference data, with the same bytes each time",
    () => {
      const [first, second = first] = soaked([1], [1, 2]).map(() =>
        encodeCatalogue(compile(readReference(folder)).content),
      );
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
        // The feeds of these are newer than the record.
        cyclesAdded: [
          { product: "moodle", cycle: "5.3" },
          { product: "python", cycle: "3.15" },
          { product: "silverstripe", cycle: "6.3" },
        ],
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
      expect(statements("mariadb", "11.8").at(-1)).toMatchObject({ source: "mariadb-rest", retrievedAt: "2026-09" });
    } finally {
      await mirror.close();
      rmSync(cache, { recursive: true });
    }
  }, 120_000);

  test("the refresh runs unattended 40 days on: sources are read, published, pulled and verified", async () => {
    const later = asIsoDate("2026-12-31");
    const now = Date.parse(later);
    const mirror = await startMirror();
    const cache = mkdtempSync(join(tmpdir(), "eolgate-unattended-"));
    try {
      const served = serveReference(mirror, folder);
      const put = (id: string, page: Behaviour) =>
        mirror.pages.set(
          resolveAddress(findSource(id)?.documents[0]?.url ?? "", mirror.base).href.slice(mirror.base.length),
          page,
        );
      // A newer source with a release that the record does not have, a broken one, one without an answer.
      const ubuntu = readFileSync(new URL("feeds/ubuntu.csv", folder), "utf8");
      put(
        "distro-info-ubuntu",
        serves(`${ubuntu.trimEnd()}\n27.10,Umber Urial,umber,2026-06-01,2026-12-24,2027-09-15\n`, "text/csv"),
      );
      put("distro-info-debian", serves("version,codename\n", "text/csv"));
      put("distro-info-devuan", answers(503));
      const report = await updateCatalogue({
        folder: cache,
        current: { bytes: readFileSync(BUNDLED), origin: "bundled" },
        today: later,
        now,
        base: mirror.base,
      });
      const outcome = (id: string) => report.sources.find((each) => each.id === id)?.outcome;
      expect(report.sources.filter((each) => each.outcome === "read").length).toBeGreaterThanOrEqual(served.length - 2);
      expect([outcome("distro-info-ubuntu"), outcome("distro-info-debian"), outcome("distro-info-devuan")]).toEqual([
        "read",
        "failed",
        "failed",
      ]);
      const figures = `sources read: ${report.sources.length - report.sources.filter((each) => each.outcome === "failed").length} of ${report.sources.length}; `;
      expect(refreshFigures(report, later).startsWith(figures)).toBe(true);
      expect(refreshFigures(report, later)).toMatch(
        new RegExp(`; release cycles added: ${report.changes.cyclesAdded.length}; ends moved: \\d+$`),
      );
      // The others were planned when the feeds were read.
      expect(report.changes.cyclesAdded).toContainEqual({ product: "ubuntu", cycle: "27.10" });
      const { privateKey, publicKey } = generateKeyPairSync("ed25519");
      const served40 = join(cache, "channel");
      const { metadata } = await publishChannel({
        folder: served40,
        catalogue: { bytes: report.bytes, origin: "refreshed" },
        keys: [privateKey],
        now,
        today: later,
        nextHours: 24,
        expiryHours: 336,
        revokedKeys: [],
      });
      // What could not be read for a week is in the metadata, what was read is not.
      const behind = metadata.behind?.map(({ source }) => source) ?? [];
      expect(behind).toEqual(expect.arrayContaining(["distro-info-debian", "distro-info-devuan", "mariadb-rest"]));
      expect(behind).not.toContain("distro-info-ubuntu");
      const origin = await locate(served40, cache, { env: {}, timeout: 10_000 });
      const pulled = await updateFrom({
        folder: join(cache, "pulled"),
        current: { bytes: readFileSync(BUNDLED), origin: "bundled" },
        today: later,
        now,
        origin,
        trust: { keys: [publicKey], allowUnsigned: false },
      });
      expect(pulled.kind).toBe("installed");
      const installed = loadCatalogue({ path: join(cache, "pulled/catalogue.json") });
      expect(installed.product("ubuntu")?.cycles[0]?.name).toBe("27.10");
    } finally {
      await mirror.close();
      rmSync(cache, { recursive: true });
    }
  }, 300_000);

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
  }, 120_000);

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
