/** Istio: support status of each minor. Ends written with `~` or `(Expected)` are no dates. */
import { asProductSlug } from "../../core/ids.ts";
import { englishDate } from "./feed/dates.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { completeLines } from "./feed/feed-changed.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("istio");

export const istioSupport: LifecycleSource = {
  kind: "lifecycle",
  id: "istio-support",
  title: "Istio support status",
  origin: "istio",
  products: [product],
  format: "yaml",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://raw.githubusercontent.com/istio/istio.io/master/data/compatibility/supportStatus.yml" }],
  parse(text) {
    completeLines(text);
    const facts = new ClaimList(product);
    for (const row of FeedLocation.yaml(text).items()) {
      row.only("version", "supported", "releaseDate", "eolDate", "k8sVersions", "testedK8sVersions");
      const cycle = row.get("version").text();
      if (cycle === "master") continue;
      const end = row.get("eolDate");
      facts.date("releaseDate", cycle, row.get("releaseDate").date(englishDate, "an English date"));
      if (/~|expected/i.test(end.text())) facts.note("approximate", end.where, end.text());
      else facts.end("eol", cycle, end.date(englishDate, "an English date"));
    }
    return facts.reading();
  },
};
