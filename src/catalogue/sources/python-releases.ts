/** Python: the file that the release cycle is made from. It alone states where bug fixes end; the rest is read there. */
import { asProductSlug } from "../../core/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { completeLines } from "./feed/feed-changed.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("python");

export const pythonReleases: LifecycleSource = {
  kind: "lifecycle",
  id: "python-releases",
  title: "Python release management, history of releases",
  origin: "python",
  products: [product],
  format: "toml",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://raw.githubusercontent.com/python/peps/main/release_management/python-releases.toml" }],
  parse(text) {
    completeLines(text);
    const facts = new ClaimList(product);
    for (const [cycle, line] of FeedLocation.toml(text).get("metadata").entries()) {
      facts.end("eoas", cycle, line.get("end-of-bugfix").day());
    }
    return facts.reading();
  },
};
