/** Branches of a project in JSON or YAML whose dates depend on several values of an entry. */
import { vendorFeed } from "./feed/claim-list.ts";
import { completeLines, FeedLocation } from "./feed/location.ts";

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

/** States of each version with their days. Only ended versions have a row `EOL`. */
export const opensuseLeap = vendorFeed(
  {
    id: "opensuse-leap",
    title: "openSUSE Leap versions",
    product: "opensuse",
    format: "yaml",
    documents: [{ url: "https://raw.githubusercontent.com/openSUSE/get-o-o/main/_data/leap.yml" }],
  },
  (claims, text) => {
    completeLines(text);
    for (const version of FeedLocation.yaml(text).items()) {
      const cycle = version.get("version").match(/^\d+\.\d+$/, "a version N.N");
      for (const release of version.get("releases").items()) {
        const date = release.get("date").instant();
        const state = release.get("state").oneOf("preAlpha", "Alpha", "Beta", "RC", "Stable", "EOL");
        if (state === "Stable") claims.date("releaseDate", cycle, date);
        if (state === "EOL") claims.end("eol", cycle, date);
      }
    }
  },
);
