/** Ends that a page states in sentences and lists. */
import { csvTables, cycleName, tablesWith } from "./feed/table.ts";
import { englishDate } from "./feed/dates.ts";
import { type ClaimList, vendorFeed } from "./feed/claim-list.ts";
import { feedChanged, completeLines } from "./feed/location.ts";
import { htmlLists } from "./feed/markup.ts";

const SENTENCE = /^Version (\d+) will have active support until ([^,]+), and security support until ([^.]+)\./;

function endsIn(line: string, where: string) {
  const [, cycle, active = "", security = ""] = SENTENCE.exec(line) ?? [];
  if (cycle === undefined) return undefined;
  const ends = { cycle, active: englishDate(active), security: englishDate(security) };
  if (!ends.active || !ends.security) throw feedChanged(where, `the two ends of AlmaLinux ${cycle}`);
  return ends;
}

/** The ends of a major version are in a sentence of the release notes. */
export const almalinuxWiki = vendorFeed(
  {
    id: "almalinux-wiki",
    title: "AlmaLinux release notes",
    product: "almalinux",
    format: "markdown",
    documents: [{ url: "https://raw.githubusercontent.com/AlmaLinux/wiki/master/docs/release-notes/README.md" }],
  },
  (claims, text) => {
    let major: string | undefined;
    for (const [index, line] of completeLines(text).entries()) {
      const where = `line ${String(index + 1)}`;
      const heading = /^### AlmaLinux (?:OS )?(\d+)$/.exec(line)?.[1];
      // A heading without its sentence is a major whose ends would silently be missing.
      if (heading !== undefined && major !== undefined) throw feedChanged(where, `the ends of AlmaLinux ${major}`);
      major = heading ?? major;
      const ends = endsIn(line, where);
      if (ends === undefined) continue;
      if (ends.cycle !== major) throw feedChanged(where, `the two ends of AlmaLinux ${String(major)}`);
      claims.end("eoas", ends.cycle, ends.active);
      claims.end("eol", ends.cycle, ends.security);
      major = undefined;
    }
    if (major !== undefined) throw feedChanged("the last line", `the ends of AlmaLinux ${major}`);
  },
  (claims, csv) => {
    for (const { rows } of tablesWith(csvTables(csv), "Version", "Active support until", "Security support until")) {
      for (const row of rows) {
        const cycle = cycleName(row, /^(\d+(?:\.\d+)?)$/, "Version");
        claims.end("eoas", cycle, row.date(englishDate, "Active support until"));
        claims.end("eol", cycle, row.date(englishDate, "Security support until"));
      }
    }
  },
);

const RAILS_LISTS = [
  { field: "eoas", heading: "Bug Fixes" },
  { field: "eol", heading: "Security Issues" },
] as const;

function addEntry(claims: ClaimList, field: "eoas" | "eol", entry: string): void {
  const found = /^(\d+\.\d+)\.x - Supported until (.+)$/.exec(entry);
  const date = found?.[2] === undefined ? undefined : englishDate(found[2]);
  if (found?.[1] === undefined || !date) throw feedChanged(entry.slice(0, 60), "N.N.x - Supported until Month D, YYYY");
  claims.end(field, found[1], date);
}

/** Two lists of the maintenance page, `8.0.x - Supported until November 7, 2026`. */
export const railsMaintenance = vendorFeed(
  {
    id: "rails-maintenance",
    title: "Ruby on Rails maintenance policy",
    product: "rails",
    format: "html",
    documents: [{ url: "https://raw.githubusercontent.com/rails/website/main/_pages/maintenance.html" }],
  },
  (claims, text) => {
    const lists = htmlLists(text);
    for (const { field, heading } of RAILS_LISTS) {
      const list = lists.find((candidate) => candidate.heading === heading);
      if (!list) throw feedChanged(heading, "a list under this heading");
      for (const entry of list.entries) addEntry(claims, field, entry);
    }
  },
  (claims, csv) => {
    for (const { rows } of tablesWith(csvTables(csv), "List", "Series", "Supported until")) {
      for (const row of rows) {
        const field = cycleName(row, /^(Bug|Security) fixes$/, "List") === "Bug" ? "eoas" : "eol";
        claims.end(field, row.cell("Series"), row.date(englishDate, "Supported until"));
      }
    }
  },
);
