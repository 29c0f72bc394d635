/**
 * `npm run soak:catalogue`: kills updates at random moments until a hundred were killed (or as many as the first argument
 * states), and checks each time that the catalogue is complete: either the old one or the new one.
 */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadCatalogue } from "../src/catalogue/load.ts";
import { BUNDLED } from "../src/catalogue/places.ts";
import { addDays } from "../src/lifecycle/days.ts";
import { asIsoDate } from "../src/text/ids.ts";
import { startMirror } from "../test/pipeline/update/mirror.ts";
import { serveReference } from "../test/pipeline/update/reference-mirror.ts";

const times = Number(process.argv[2] ?? 100);
const MOST_ROUNDS = 3;
const reference = new URL("../../shared/upstream/", import.meta.url);
if (!existsSync(reference)) throw new Error("the soak needs the reference data beside the checkout");
const worker = fileURLToPath(new URL("soak-update.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "eolgate-soak-"));
const path = join(folder, "catalogue.json");
copyFileSync(BUNDLED, path);
const mirror = await startMirror();
serveReference(mirror, reference);

/** Runs one update and kills it after this many milliseconds; undefined lets it finish. Resolves to its duration. */
async function updateFor(
  day: string,
  life: number | undefined,
): Promise<{ readonly killed: boolean; readonly ran: number }> {
  const child = spawn(process.execPath, [worker, folder, mirror.base, day], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const started = performance.now();
  const timer = life === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), life);
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => child.once("exit", (_, sent) => resolve(sent)));
  clearTimeout(timer);
  return { killed: signal === "SIGKILL", ran: performance.now() - started };
}

try {
  // Each round has a day of its own, so that each completed update changes the bytes.
  let day = addDays(asIsoDate("2026-11-21"), 0);
  let whole = (await updateFor(day, undefined)).ran;
  let [killed, replaced, leftovers] = [0, 0, 0];
  let digest = loadCatalogue({ path }).metadata.digest;
  let round = 0;
  // A run that ends before its kill does not count.
  for (; killed < times; round += 1) {
    if (round === MOST_ROUNDS * times) throw new Error(`only ${killed} of ${round} updates were killed`);
    day = addDays(day, 1);
    // Half of the kills are at any time, half late in the run, when the file is replaced.
    const late = round % 2 === 0;
    const life = late ? whole * (0.8 + 0.4 * Math.random()) : whole * Math.random();
    const outcome = await updateFor(day, life);
    if (outcome.killed) killed += 1;
    // The machine is busier or less busy than before.
    else whole = outcome.ran;
    // Throws, which fails the soak, if the catalogue is not complete.
    const catalogue = loadCatalogue({ path });
    if (catalogue.slugs().some((slug) => catalogue.product(slug) === undefined))
      throw new Error(`round ${round}: a product is gone`);
    if (catalogue.metadata.digest !== digest) replaced += 1;
    digest = catalogue.metadata.digest;
    leftovers = readdirSync(folder).filter((name) => name.startsWith(".catalogue.json.eolgate-")).length;
  }
  await updateFor(addDays(day, 1), undefined);
  const left = readdirSync(folder).filter((name) => name !== "catalogue.json" && name !== "sources");
  if (left.length > 0) throw new Error(`not removed: ${left.join(", ")}`);
  loadCatalogue({ path });
  console.log(
    `${round} updates of about ${Math.round(whole)} ms: ${killed} killed, ${replaced} had replaced the catalogue, 0 broken; ` +
      `${leftovers} leftovers, all removed by an update after that (${readFileSync(path).length} bytes)`,
  );
} finally {
  await mirror.close();
  rmSync(folder, { recursive: true });
}
