/** PHP: every branch with its ends. Replaces `states.php`, which answers 500 since the file behind it was removed. */
import { asProductSlug } from "../../core/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("php");

export const phpBranches: LifecycleSource = {
  kind: "lifecycle",
  id: "php-branches",
  title: "PHP branches",
  origin: "php",
  products: [product],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://www.php.net/releases/branches.php" }],
  parse(text) {
    const facts = new ClaimList(product);
    for (const branch of FeedLocation.json(text).items()) {
      // The oldest branches have no release day in the table.
      const cycle = branch.get("branch").match(/^\d+\.\d+$/, "a branch N.N");
      facts.date("releaseDate", cycle, branch.nullable("initial_release")?.instant());
      facts.end("eoas", cycle, branch.nullable("active_support_end")?.instant());
      facts.end("eol", cycle, branch.get("security_support_end").instant());
    }
    return facts.reading();
  },
};
