/** TYPO3: majors with the ends of regular, priority and paid extended support. */
import { asProductSlug } from "../../text/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("typo3");

/** The number may be a JSON number or a text. */
function majorName(version: FeedLocation): string {
  return typeof version.value === "number" ? String(version.value) : version.text();
}

export const typo3Get: LifecycleSource = {
  kind: "lifecycle",
  id: "typo3-get",
  title: "TYPO3 major versions",
  origin: "typo3",
  products: [product],
  format: "json",
  verification: "unverified-format",
  independentOfUpstream: true,
  documents: [{ url: "https://get.typo3.org/api/v1/major/" }],
  parse(text) {
    const claims = new ClaimList(product);
    for (const major of FeedLocation.json(text).items()) {
      major.only(
        "version",
        "title",
        "subtitle",
        "description",
        "release_date",
        "regular_maintenance_until",
        "maintained_until",
        "elts_until",
        "lts",
        "active",
      );
      const cycle = majorName(major.get("version"));
      const paidEnd = major.maybe("elts_until")?.instant();
      claims.date("releaseDate", cycle, major.maybe("release_date")?.instant());
      claims.end("eoas", cycle, major.maybe("regular_maintenance_until")?.instant());
      claims.end("eol", cycle, major.maybe("maintained_until")?.instant());
      claims.end("eoes", cycle, paidEnd);
      claims.track(cycle, { name: "Extended LTS", vendor: "TYPO3 GmbH", cost: "paid" }, paidEnd);
    }
    return claims.reading();
  },
};
