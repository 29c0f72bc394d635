/** CISA's catalogue of known exploited vulnerabilities: facts alone, none of its sentences. */
import { feedChanged, FeedLocation } from "./feed/location.ts";
import type { KevReading, KevSource } from "./source.ts";

function parse(text: string): KevReading {
  const feed = FeedLocation.json(text);
  const entries = feed
    .get("vulnerabilities")
    .items()
    .map((entry) => ({
      cve: entry.get("cveID").match(/^CVE-\d{4}-\d{4,}$/, "a CVE id"),
      vendor: entry.get("vendorProject").text(),
      product: entry.get("product").text(),
      added: entry.get("dateAdded").day().value,
      ransomware: entry.get("knownRansomwareCampaignUse").oneOf("Known", "Unknown") === "Known",
    }));
  // The feed counts itself: a list that was cut is seen here.
  if (feed.get("count").number() !== entries.length || entries.length === 0) {
    throw feedChanged("/count", `the number of entries, ${String(entries.length)}`);
  }
  return {
    version: feed.get("catalogVersion").match(/^\d{4}\.\d{2}\.\d{2}(?:\.\d+)?$/, "a version YYYY.MM.DD"),
    released: feed.get("dateReleased").instant().value,
    entries,
  };
}

export const cisaKev: KevSource = {
  kind: "kev",
  id: "cisa-kev",
  title: "CISA known exploited vulnerabilities",
  origin: "cisa",
  products: [],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json" }],
  parse,
};
