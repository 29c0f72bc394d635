/** Alpine Linux: its branches, whose release day depends on several values of an entry. */
import { vendorFeed } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";

/** The day a branch was cut is not the day of its release; that is listed with the first release. */
export const alpineReleases = vendorFeed(
  {
    id: "alpine-releases",
    title: "Alpine Linux releases",
    product: "alpine-linux",
    origin: "alpine",
    format: "json",
    verification: "excerpt",
    documents: [{ url: "https://alpinelinux.org/releases.json" }],
  },
  (claims, text) => {
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
  },
);
