/** Ends that a page states in lists. */
import { englishDate } from "./feed/dates.ts";
import { type ClaimList, vendorFeed } from "./feed/claim-list.ts";
import { feedChanged } from "./feed/location.ts";
import { htmlLists } from "./feed/markup.ts";

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
);
