/** What the policy lets pass although another condition would fail on it: known exploitation, and paid support. */
import type {
  AllowedKind,
  AllowedRelease,
  AllowedRisk,
  Component,
  EvaluatedComponent,
  EvaluatedRows,
  Policy,
} from "../model/index.ts";
import { exploitedBy } from "./deciding.ts";

/** The releases that an entry lists. */
const MOST_RELEASES = 5;

const RISKS: Readonly<Record<AllowedKind, (value: EvaluatedComponent, policy: Policy) => boolean>> = {
  exploited: (value, policy) => exploitedBy(value, policy).length > 0,
  // Beyond the end of all support that is free: the assessment counts only that.
  "paid-support": ({ assessment, distroAssessment, outcome }) =>
    outcome.assessment?.support.track?.cost === "paid" &&
    [assessment, distroAssessment].some(
      (each) => each?.support.status === "eol" && each.releaseCycle === outcome.assessment?.releaseCycle,
    ),
};
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

/** The sums of several documents. */
export const mergeAllowed = (all: readonly AllowedRisk[]): readonly AllowedRisk[] =>
  KINDS.flatMap((kind) => {
    const same = all.filter((each) => each.kind === kind);
    if (same.length === 0) return [];
    const [merged] = limited(
      kind,
      same.flatMap(({ releases }) => releases),
    );
    return merged ? { ...merged, components: same.reduce((sum, { components }) => sum + components, 0) } : [];
  });

function limited(kind: AllowedKind, releases: readonly AllowedRelease[]): readonly [AllowedRisk] {
  const groups = [...Map.groupBy(releases, ({ subject }) => subject).values()].flatMap(([first, ...others]) =>
    first ? { ...first, components: others.reduce((sum, each) => sum + each.components, first.components) } : [],
  );
  const components = releases.reduce((sum, each) => sum + each.components, 0);
  return [{ kind, components, releases: groups.slice(0, MOST_RELEASES) }];
}
