/** One update of the catalogue in a folder, for `soak.ts` to kill: node tools/soak-update.ts FOLDER MIRROR DAY. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { updateCatalogue } from "../src/pipeline/update/update.ts";
import { asIsoDate } from "../src/text/ids.ts";

const [folder = "", base = "", day = ""] = process.argv.slice(2);
const path = join(folder, "catalogue.json");
process.stdout.write("started\n");
await updateCatalogue({
  folder,
  base,
  current: { bytes: readFileSync(path), origin: path },
  today: asIsoDate(day),
  now: Date.now(),
});
