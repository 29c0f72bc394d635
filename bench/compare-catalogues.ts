/**
 * CPU time of comparing an update with the catalogue in use, for updates of different sizes. Each one is compared in a
 * process of its own: the median of some runs is printed.
 * Run: node bench/compare-catalogues.ts [runs]
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { encodeCatalogue, readContent } from "../src/catalogue/file.ts";
import { parseCatalogue } from "../src/catalogue/load.ts";
import { BUNDLED } from "../src/catalogue/places.ts";
import type { StoredContent, StoredCycle } from "../src/catalogue/schema.ts";
import { checkUpdate } from "../src/catalogue/update/check-update.ts";
import { addDays } from "../src/lifecycle/days.ts";
import { asIsoDate, isIsoDate } from "../src/text/ids.ts";

const bytes = readFileSync(BUNDLED);
const base = readContent(bytes, "bundled");
const { date, newestOn } = base.metadata;
const today = asIsoDate([date, ...Object.values(newestOn)].toSorted().at(-1) ?? date);

type Change = (cycles: readonly StoredCycle[], slug: string) => readonly StoredCycle[];

/** The bundled content with other cycles, which are added at the front only. */
const changed = (change: Change): StoredContent => ({
  ...base,
  products: Object.fromEntries(
    Object.entries(base.products).map(([slug, product]) => {
      const cycles = change(product.cycles, slug);
      const added = cycles.length - product.cycles.length;
      const kevCycles = product.kevCycles?.map((list) => list.map((index) => index + added));
      return [slug, { ...product, cycles, ...(kevCycles && { kevCycles }) }];
    }),
  ),
});

/** A product of which a cycle is supported gets a newer one. */
const withNewest: Change = (cycles) =>
  cycles.some(({ name }) => name === "all") || cycles.every(({ eol }) => eol === true || (eol ?? "9999") < today)
    ? cycles
    : [{ name: "9999", released: today, eol: "2099-12-31" }, ...cycles];
const earlier: Change = (cycles) =>
  cycles.map((cycle) =>
    typeof cycle.eol === "string" && isIsoDate(cycle.eol)
      ? { ...cycle, eol: addDays(asIsoDate(cycle.eol), -5) }
      : cycle,
  );

const UPDATES: Readonly<Record<string, () => StoredContent>> = {
  "nothing differs": () => base,
  "one product has a new cycle": () =>
    changed((cycles, slug) => (slug === "nodejs" ? withNewest(cycles, slug) : cycles)),
  "the dates of all cycles differ": () => changed(earlier),
  "every supported product has a new cycle": () => changed(withNewest),
  "facts differ, so that every row is asked for": () => ({
    ...base,
    alternativeVersions: [...base.alternativeVersions, ["^bench$", "python"]],
  }),
};

/** Seconds of CPU time, with both catalogues read and no product decoded. */
function measured(update: () => StoredContent): number {
  const newer = update();
  const encoded = encodeCatalogue(newer);
  const older = { content: base, catalogue: parseCatalogue(bytes, "older") };
  const offered = { content: newer, catalogue: parseCatalogue(encoded, "newer") };
  const before = process.cpuUsage();
  checkUpdate([older], offered, { origin: "newer", today });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const [given = "5"] = process.argv.slice(2);
const named = UPDATES[given];
if (named !== undefined) process.stdout.write(`${measured(named)}\n`);
else
  for (const name of Object.keys(UPDATES)) {
    const script = fileURLToPath(import.meta.url);
    const run = (): number => Number(spawnSync(process.execPath, [script, name], { encoding: "utf8" }).stdout);
    const times = Array.from({ length: Number(given) }, run).toSorted((a, b) => a - b);
    process.stdout.write(`${name}: ${times[0]?.toFixed(2)} to ${times.at(-1)?.toFixed(2)} s\n`);
  }
