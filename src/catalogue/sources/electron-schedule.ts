/** Electron: the schedule of majors. An end is the stable day of the third major after it, with exceptions that are stated. */
import { asProductSlug } from "../../core/ids.ts";
import { csvTables } from "./feed/csv.ts";
import { englishDate } from "./feed/dates.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import { cycleName, tablesWith } from "./feed/table.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("electron");
const MAJOR = /^(\d+)\.0\.0$/;

export const electronSchedule: LifecycleSource = {
  kind: "lifecycle",
  id: "electron-schedule",
  title: "Electron release schedule",
  origin: "electron",
  products: [product],
  format: "json",
  verification: "unverified-format",
  independentOfUpstream: true,
  documents: [{ url: "https://releases.electronjs.org/schedule.json" }],
  parse(text) {
    const facts = new ClaimList(product);
    for (const row of FeedLocation.json(text).items()) {
      const cycle = row.get("version").match(MAJOR, "a version N.0.0");
      facts.date("releaseDate", cycle, row.get("stableDate").day());
      facts.end("eol", cycle, row.get("eolDate").day());
    }
    return facts.reading();
  },
  parseRows(csv) {
    const facts = new ClaimList(product);
    for (const { rows } of tablesWith(csvTables(csv), "Electron", "Stable", "EOL")) {
      for (const row of rows) {
        const cycle = cycleName(row, MAJOR, "Electron");
        facts.date("releaseDate", cycle, row.date(englishDate, "Stable"));
        facts.end("eol", cycle, row.date(englishDate, "EOL"));
      }
    }
    return facts.reading();
  },
};
