/** Eclipse Temurin: which releases are to be had and which of them are long-term. No dates. */
import { asProductSlug } from "../../text/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("eclipse-temurin");

export const adoptiumAvailableReleases: LifecycleSource = {
  kind: "lifecycle",
  id: "adoptium-available-releases",
  title: "Adoptium available releases",
  origin: "adoptium",
  products: [product],
  format: "json",
  verification: "excerpt",
  independentOfUpstream: true,
  documents: [{ url: "https://api.adoptium.net/v3/info/available_releases" }],
  parse(text) {
    const claims = new ClaimList(product);
    for (const release of FeedLocation.json(text).get("available_lts_releases").items())
      claims.mark("lts", String(release.number()));
    return claims.reading();
  },
};
