/** Ruby: the branches page's data. `expected_eol_date` is the plan while `eol_date` is empty. */
import { asProductSlug } from "../../text/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { completeLines, FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("ruby");

export const rubyBranches: LifecycleSource = {
  kind: "lifecycle",
  id: "ruby-branches",
  title: "Ruby maintenance branches",
  origin: "ruby",
  products: [product],
  format: "yaml",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://raw.githubusercontent.com/ruby/www.ruby-lang.org/master/_data/branches.yml" }],
  parse(text) {
    completeLines(text);
    const claims = new ClaimList(product);
    for (const branch of FeedLocation.yaml(text).items()) {
      branch.only("name", "status", "date", "security_maintenance_date", "eol_date", "expected_eol_date");
      const cycle = branch.get("name").text();
      const status = branch.get("status").word("normal maintenance", "security maintenance", "eol", "preview");
      claims.date("releaseDate", cycle, branch.maybe("date")?.day());
      // Normal maintenance ends where security maintenance begins.
      claims.end("eoas", cycle, branch.maybe("security_maintenance_date")?.day());
      const end = branch.maybe("eol_date") ?? branch.maybe("expected_eol_date");
      if (status === "eol") claims.end("eol", cycle, branch.get("eol_date").day());
      else if (end) claims.end("eol", cycle, end.day());
      else if (status !== "preview") claims.open("eol", cycle);
    }
    return claims.reading();
  },
};
