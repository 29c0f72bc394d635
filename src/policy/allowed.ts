/** What the policy lets pass although another condition would fail on it: known exploitation, and paid support. */
import type {
  AllowedKind,
  AllowedRelease,
  AllowedRisk,
  Assessment,
  Component,
  EvaluatedComponent,
  EvaluatedRows,
  Policy,
} from "../model/index.ts";
import { cycleKey } from "../text/ids.ts";
import { exploitedBy } from "./deciding.ts";

/** The releases that an entry lists. */
const MOST_RELEASES = 5;

const RISKS: Readonly<Record<AllowedKind, (value: EvaluatedComponent, policy: Policy) => boolean>> = {
  exploited: (value, policy) => exploitedBy(value, policy).length > 0,
  // Beyond the end of all support that is free: the assessment counts only that.
  "paid-support": ({ assessment, distroAssessment, outcome }) =>
    outcome.assessment?.support.track?.cost === "paid" &&
    [assessment, distroAssessment].some(
      (each) => each?.support.status === "eol" && isSameCycle(each, outcome.assessment),
    ),
};
const isSameCycle = (one: Assessment, other: Assessment | undefined): boolean =>
  other !== undefined && cycleKey(one.releaseCycle) === cycleKey(other.releaseCycle);
const KINDS = ["exploited", "paid-support"] as const satisfies readonly AllowedKind[];

/** One entry for each kind that components which do not fail have; components out of scope do not count. */
export function allowedIn(rows: EvaluatedRows, policy: Policy): readonly AllowedRisk[] {
  const open = rows
    .counts()
    .map(({ value, count }, id) => ({ value, count, id }))
    .filter(({ value: { outcome } }) => outcome.severity !== "fail" && outcome.outOfScope !== true);
  return KINDS.flatMap((kind) => {
    const found = open.filter(({ value }) => RISKS[kind](value, policy));
    const releases = found.map(({ value, count, id }) => releaseOf(value, rows.component(rows.ids.indexOf(id)), count));
    return found.length === 0 ? [] : limited(kind, releases);
  });
}

function releaseOf({ assessment, outcome }: EvaluatedComponent, component: Component, count: number): AllowedRelease {
  const { name, version } = component;
  return {
    subject: version === undefined ? name : `${name} ${version}`,
    components: count,
    kevEntries: assessment?.kevBasis === "affected" ? assessment.kevEntries : [],
    track: outcome.assessment?.support.track ?? null,
  };
}

/** The sums of several documents. Releases beyond the limit of a document are counted and not listed. */
export const mergeAllowed = (all: readonly AllowedRisk[]): readonly AllowedRisk[] =>
  [...Map.groupBy(all, ({ kind }) => kind)].map(([kind, same]) => ({
    ...limited(
      kind,
      same.flatMap(({ releases }) => releases),
    ),
    components: sumOf(same),
  }));

function limited(kind: AllowedKind, all: readonly AllowedRelease[]): AllowedRisk {
  const releases = [...Map.groupBy(all, ({ subject }) => subject).values()].flatMap((same) =>
    same.slice(0, 1).map((first) => ({ ...first, components: sumOf(same) })),
  );
  return { kind, components: sumOf(all), releases: releases.slice(0, MOST_RELEASES) };
}

const sumOf = (all: readonly { readonly components: number }[]): number =>
  all.reduce((sum, { components }) => sum + components, 0);
