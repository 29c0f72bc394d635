/**
 * Python: the release cycle of the PEPs. An end is a month until the cycle has ended; on that day the answer prints the
 * source's full date, whose day can be the placeholder 01. So a day 01 is read as its month, always.
 */
import { asProductSlug } from "../../core/ids.ts";
import { asMonth } from "./feed/dates.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("python");

export const pythonReleaseCycle: LifecycleSource = {
  kind: "lifecycle",
  id: "python-release-cycle",
  title: "Python release cycle",
  origin: "python",
  products: [product],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://peps.python.org/api/release-cycle.json" }],
  parse(text) {
    const facts = new ClaimList(product);
    for (const [cycle, line] of FeedLocation.json(text).entries()) {
      const end = line.get("end_of_life").dayOrMonth();
      facts.date("releaseDate", cycle, line.get("first_release").dayOrMonth());
      facts.end("eol", cycle, end.value.endsWith("-01") ? asMonth(end) : end);
    }
    return facts.reading();
  },
};
