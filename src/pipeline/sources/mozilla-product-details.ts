/**
 * Firefox: which versions are current. A release cycle is supported until the next one; the extended one is marked as
 * such.
 */
import { asProductSlug } from "../../text/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("firefox");
const VERSION = /^(\d+(?:\.\d+)+)(?:esr)?$/;

export const mozillaProductDetails: LifecycleSource = {
  kind: "lifecycle",
  id: "mozilla-product-details",
  title: "Mozilla product details, Firefox versions",
  origin: "mozilla",
  products: [product],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://product-details.mozilla.org/1.0/firefox_versions.json" }],
  parse(text) {
    const claims = new ClaimList(product);
    const versions = FeedLocation.json(text);
    const add = (place: FeedLocation | undefined, longTerm: boolean): void => {
      if (!place) return;
      const version = place.match(VERSION, "a version N.N");
      const [cycle = version] = version.split(".");
      claims.latest(cycle, version);
      claims.mark("supported", cycle);
      if (longTerm) claims.mark("lts", cycle);
    };
    add(versions.get("LATEST_FIREFOX_VERSION"), false);
    add(versions.get("FIREFOX_ESR"), true);
    add(versions.maybe("FIREFOX_ESR_NEXT"), true);
    return claims.reading();
  },
};
