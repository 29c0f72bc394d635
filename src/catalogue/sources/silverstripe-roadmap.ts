/** Silverstripe CMS: the roadmap's data. Where `supportEndsExtra` closes a range, the earlier end is the certain one. */
import { asProductSlug } from "../../core/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("silverstripe");

export const silverstripeRoadmap: LifecycleSource = {
  kind: "lifecycle",
  id: "silverstripe-roadmap",
  title: "Silverstripe CMS roadmap",
  origin: "silverstripe",
  products: [product],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://raw.githubusercontent.com/silverstripe/roadmap/main/data.json" }],
  parse(text) {
    const facts = new ClaimList(product);
    for (const release of FeedLocation.json(text).get("data").items()) {
      const cycle = release.get("version").match(/^\d+\.\d+$/, "a version N.N");
      for (const key of ["releaseDateExtra", "partialSupportExtra", "supportEndsExtra"]) {
        const until = release.nullable(key);
        if (until) facts.note("range", until.where, until.text());
      }
      facts.date("releaseDate", cycle, release.get("releaseDate").dayOrMonth());
      facts.end("eoas", cycle, release.get("partialSupport").dayOrMonth());
      facts.end("eol", cycle, release.get("supportEnds").dayOrMonth());
    }
    return facts.reading();
  },
};
