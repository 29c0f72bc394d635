/** Drupal: the update service's supported branches. No dates. */
import { asProductSlug } from "../../text/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { feedChanged } from "./feed/location.ts";
import { xmlChildren, xmlRoot } from "./feed/markup.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("drupal");

export const drupalUpdates: LifecycleSource = {
  kind: "lifecycle",
  id: "drupal-updates",
  title: "Drupal core update status",
  origin: "drupal",
  products: [product],
  format: "xml",
  verification: "excerpt",
  independentOfUpstream: true,
  documents: [{ url: "https://updates.drupal.org/release-history/drupal/current" }],
  parse(text) {
    const claims = new ClaimList(product);
    const [branches, ...further] = xmlChildren(xmlRoot(text, "project"), "supported_branches");
    if (!branches || further.length > 0) throw feedChanged("/project", "one element supported_branches");
    for (const branch of branches.text.split(",")) {
      const cycle = /^(\d+(?:\.\d+)?)\.$/.exec(branch.trim())?.[1];
      if (cycle === undefined) throw feedChanged("/project/supported_branches", "branches such as 11.3.");
      claims.mark("supported", cycle);
    }
    return claims.reading();
  },
};
