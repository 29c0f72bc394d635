/**
 * Kubernetes: the schedule of the supported lines and, once a line has ended, the day of its last patch in another file.
 * The schedule's end is the plan; the other file's is what happened.
 */
import { asProductSlug } from "../../core/ids.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { completeLines } from "./feed/feed-changed.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("kubernetes");
const RAW = "https://raw.githubusercontent.com/kubernetes/website/main/data/releases";

const head = {
  kind: "lifecycle",
  origin: "kubernetes",
  products: [product],
  format: "yaml",
  verification: "read",
  independentOfUpstream: true,
} as const;

export const kubernetesSchedule: LifecycleSource = {
  ...head,
  id: "kubernetes-schedule",
  title: "Kubernetes release schedule",
  documents: [{ url: `${RAW}/schedule.yaml` }],
  parse(text) {
    completeLines(text);
    const facts = new ClaimList(product);
    for (const line of FeedLocation.yaml(text).get("schedules").items()) {
      const cycle = line.get("release").match(/^\d+\.\d+$/, "a release N.N");
      facts.date("releaseDate", cycle, line.get("releaseDate").day());
      facts.end("eoas", cycle, line.get("maintenanceModeStartDate").day());
      facts.end("eol", cycle, line.get("endOfLifeDate").day());
    }
    return facts.reading();
  },
};

export const kubernetesEol: LifecycleSource = {
  ...head,
  id: "kubernetes-eol",
  title: "Kubernetes releases past their end",
  documents: [{ url: `${RAW}/eol.yaml` }],
  parse(text) {
    completeLines(text);
    const facts = new ClaimList(product);
    for (const branch of FeedLocation.yaml(text).get("branches").items()) {
      const cycle = branch.get("release").match(/^\d+\.\d+$/, "a release N.N");
      facts.end("eol", cycle, branch.get("endOfLifeDate").day());
    }
    return facts.reading();
  },
};
