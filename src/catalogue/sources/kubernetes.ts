/**
 * Kubernetes: the schedule of the supported lines and, once a line has ended, the day of its last patch in another file.
 * The schedule's end is the plan; the other file's is what happened.
 */
import { asProductSlug } from "../../core/ids.ts";
import { FactList } from "./feed/fact-list.ts";
import { wholeLines } from "./feed/feed-changed.ts";
import { Place } from "./feed/place.ts";
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
    wholeLines(text);
    const facts = new FactList(product);
    for (const line of Place.yaml(text).get("schedules").items()) {
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
    wholeLines(text);
    const facts = new FactList(product);
    for (const branch of Place.yaml(text).get("branches").items()) {
      const cycle = branch.get("release").match(/^\d+\.\d+$/, "a release N.N");
      facts.end("eol", cycle, branch.get("endOfLifeDate").day());
    }
    return facts.reading();
  },
};
