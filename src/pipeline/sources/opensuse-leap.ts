/** openSUSE Leap: states of each version with their days. Only ended versions have a row `EOL`. */
import { asProductSlug } from "../../text/ids.ts";
import { isoInstant } from "./feed/dates.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { completeLines, FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("opensuse");

export const opensuseLeap: LifecycleSource = {
  kind: "lifecycle",
  id: "opensuse-leap",
  title: "openSUSE Leap versions",
  origin: "opensuse",
  products: [product],
  format: "yaml",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://raw.githubusercontent.com/openSUSE/get-o-o/main/_data/leap.yml" }],
  parse(text) {
    completeLines(text);
    const claims = new ClaimList(product);
    for (const version of FeedLocation.yaml(text).items()) {
      const cycle = version.get("version").match(/^\d+\.\d+$/, "a version N.N");
      for (const release of version.get("releases").items()) {
        const date = release.get("date").date(isoInstant, "a date-time");
        const state = release.get("state").word("preAlpha", "Alpha", "Beta", "RC", "Stable", "EOL");
        if (state === "Stable") claims.date("releaseDate", cycle, date);
        if (state === "EOL") claims.end("eol", cycle, date);
      }
    }
    return claims.reading();
  },
};
