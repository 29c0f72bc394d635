/** PHP: the newest release of each major and which branches are supported. Without dates of any end. */
import { asProductSlug } from "../../text/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("php");

export const phpReleases: LifecycleSource = {
  kind: "lifecycle",
  id: "php-releases",
  title: "PHP releases",
  origin: "php",
  products: [product],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://www.php.net/releases/?json" }],
  parse(text) {
    const claims = new ClaimList(product);
    for (const [, major] of FeedLocation.json(text).entries()) {
      const version = major.get("version").text();
      claims.latest(version.split(".").slice(0, 2).join("."), version);
      for (const branch of major.get("supported_versions").items()) claims.mark("supported", branch.text());
    }
    return claims.reading();
  },
};
