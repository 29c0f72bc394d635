/** Moodle: the versions file of the developer pages. It holds lines that are not released yet. */
import { asProductSlug } from "../../core/ids.ts";
import { englishDate } from "./feed/dates.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("moodle");

const date = (place: FeedLocation) => place.date(englishDate, "a date D Month YYYY");

export const moodleVersions: LifecycleSource = {
  kind: "lifecycle",
  id: "moodle-versions",
  title: "Moodle versions",
  origin: "moodle",
  products: [product],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://raw.githubusercontent.com/moodle/devdocs/main/data/versions.json" }],
  parse(text) {
    const facts = new ClaimList(product);
    for (const version of FeedLocation.json(text).get("versions").items()) {
      const cycle = version.get("name").text();
      facts.date("releaseDate", cycle, date(version.get("releaseDate")));
      facts.end("eoas", cycle, date(version.get("generalEndDate")));
      facts.end("eol", cycle, date(version.get("securityEndDate")));
      if (version.get("isLTS").flag()) facts.mark("lts", cycle);
    }
    return facts.reading();
  },
};
