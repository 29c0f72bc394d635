/** Kuma: the versions file of the project. The row of the coming release has no dates. */
import { asProductSlug } from "../../core/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { completeLines } from "./feed/feed-changed.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("kuma");

export const kumaVersions: LifecycleSource = {
  kind: "lifecycle",
  id: "kuma-versions",
  title: "Kuma versions",
  origin: "kuma",
  products: [product],
  format: "yaml",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://raw.githubusercontent.com/kumahq/kuma/master/versions.yml" }],
  parse(text) {
    completeLines(text);
    const facts = new ClaimList(product);
    for (const row of FeedLocation.yaml(text).items()) {
      const cycle = row.get("release").match(/^(\d+\.\d+)\.x$/, "a release N.N.x");
      const version = row.get("version").text();
      if (version === "preview") {
        facts.note("not-a-line", row.where, version);
        continue;
      }
      facts.date("releaseDate", cycle, row.get("releaseDate").day());
      facts.end("eol", cycle, row.get("endOfLifeDate").day());
      facts.latest(cycle, version);
      if (row.maybe("lts")?.text() === "true") facts.mark("lts", cycle);
    }
    return facts.reading();
  },
};
