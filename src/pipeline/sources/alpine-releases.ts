/**
 * Alpine Linux: branches. The day a branch was cut is not the day of its release; that is listed with the first
 * release.
 */
import { asProductSlug } from "../../text/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("alpine-linux");

export const alpineReleases: LifecycleSource = {
  kind: "lifecycle",
  id: "alpine-releases",
  title: "Alpine Linux releases",
  origin: "alpine",
  products: [product],
  format: "json",
  verification: "excerpt",
  independentOfUpstream: true,
  documents: [{ url: "https://alpinelinux.org/releases.json" }],
  parse(text) {
    const claims = new ClaimList(product);
    for (const branch of FeedLocation.json(text).get("release_branches").items()) {
      const name = branch.get("rel_branch").text();
      if (name === "edge") continue;
      const cycle = branch.get("rel_branch").match(/^v(\d+\.\d+)$/, "a branch vN.N");
      const first = branch
        .maybe("releases")
        ?.items()
        .find((release) => release.get("version").text() === `${cycle}.0`);
      claims.date("releaseDate", cycle, first?.get("date").day());
      claims.end("eol", cycle, branch.get("eol_date").day());
    }
    return claims.reading();
  },
};
