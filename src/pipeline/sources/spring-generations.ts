/** Spring: the generations of each project. Its source keeps months, the answer prints their last day: they are months. */
import { asProductSlug } from "../../text/ids.ts";
import { asMonth } from "./feed/dates.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { feedChanged, FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const PROJECTS = ["spring-boot", "spring-framework", "spring-security", "spring-cloud"];

export const springGenerations: LifecycleSource = {
  kind: "lifecycle",
  id: "spring-generations",
  title: "Spring project generations",
  origin: "spring",
  products: PROJECTS.map(asProductSlug),
  format: "json",
  verification: "unverified-format",
  independentOfUpstream: true,
  documents: PROJECTS.map((part) => ({ url: `https://api.spring.io/projects/${part}/generations`, part })),
  parse(text, { part }) {
    if (part === undefined) throw feedChanged("/", "a document of one project");
    const claims = new ClaimList(asProductSlug(part));
    for (const generation of FeedLocation.json(text).get("_embedded").get("generations").items()) {
      generation.only(
        "name",
        "initialReleaseDate",
        "support",
        "ossSupportEndDate",
        "commercialSupportEndDate",
        "latestPatch",
        "linkedGenerations",
        "_links",
      );
      const cycle = generation.get("name").match(/^(\d+\.\d+)\.x$/, "a generation N.N.x");
      const paidEnd = generation.maybe("commercialSupportEndDate")?.day();
      const end = generation.maybe("ossSupportEndDate")?.day();
      claims.date("releaseDate", cycle, asMonth(generation.get("initialReleaseDate").day()));
      claims.end("eol", cycle, end && asMonth(end));
      if (!paidEnd) continue;
      claims.end("eoes", cycle, asMonth(paidEnd));
      claims.track(cycle, { name: "Spring Enterprise", vendor: "Broadcom", cost: "paid" }, asMonth(paidEnd));
    }
    return claims.reading();
  },
};
