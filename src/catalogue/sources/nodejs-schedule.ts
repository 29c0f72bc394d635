/** Node.js: the schedule that the release team keeps. From v27 on a line has `alpha` and no `maintenance`. */
import { asProductSlug } from "../../core/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("nodejs");

export const nodejsSchedule: LifecycleSource = {
  kind: "lifecycle",
  id: "nodejs-schedule",
  title: "Node.js release schedule",
  origin: "nodejs",
  products: [product],
  format: "json",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://raw.githubusercontent.com/nodejs/Release/main/schedule.json" }],
  parse(text) {
    const facts = new ClaimList(product);
    for (const [name, line] of FeedLocation.json(text).entries()) {
      line.only("start", "lts", "maintenance", "end", "codename", "alpha");
      const cycle = name.replace(/^v(?=\d)/, "");
      facts.date("releaseDate", cycle, line.get("start").day());
      facts.date("ltsFrom", cycle, line.maybe("lts")?.day());
      // Maintenance begins where active support ends.
      facts.end("eoas", cycle, line.maybe("maintenance")?.day());
      facts.end("eol", cycle, line.get("end").day());
    }
    return facts.reading();
  },
};
