/**
 * A component in one scan: its identity, its cycle and its outcome. Two scans are compared by these records, which come
 * from findings or from a JSON report.
 */
import type { AssessedComponent, Condition, Finding, CycleRef, RuleOutcome, Severity } from "../model/index.ts";
import { purlKey } from "../resolve/purl/key.ts";
import { dayOf } from "../wire/end.ts";

/** What a comparison needs of one component in a scan. */
export interface FindingRecord {
  /** Its identity without version and location: the purl without its version, else group and name. */
  readonly component: string;
  /** With its group: `@angular/core`. */
  readonly name: string;
  readonly version: string | null;
  readonly purl: string | null;
  /** `nodejs:16`: the cycle that decided. */
  readonly cycle: string | null;
  /** The end of the support of that cycle that counts, YYYY-MM-DD. */
  readonly end: string | null;
  /** Decided by the release of its distribution and not by a cycle of its own. */
  readonly byDistro: boolean;
  readonly verdict: Severity;
  readonly condition: Condition;
  /** Fails or warns without a waiver. */
  readonly active: boolean;
}

/** The findings of one scan. */
export interface FindingsSnapshot {
  /** The document or report, as given. */
  readonly file: string;
  readonly records: readonly FindingRecord[];
}

/** Components that are not expected to have a cycle are left out of a comparison. */
export function toFindingsSnapshot(file: string, findings: readonly Finding[]): FindingsSnapshot {
  const counted = findings.filter(
    ({ resolution, outcome }) => resolution.kind !== "not-applicable" && outcome.outOfScope !== true,
  );
  return { file, records: counted.map((finding) => toFindingRecord(finding, finding.outcome)) };
}

export function toFindingRecord({ component, resolution }: AssessedComponent, ruleOutcome: RuleOutcome): FindingRecord {
  const { assessment, severity, condition, baselined } = ruleOutcome;
  return {
    component: componentKey(component),
    name: fullName(component),
    version: component.version ?? null,
    purl: component.purls[0] ?? null,
    ...cyclesOf(resolution, assessment),
    end: dayOf(assessment?.support.date),
    verdict: baselined ? "fail" : severity,
    condition,
    active: isActive(ruleOutcome),
  };
}

const isActive = ({ severity, waived }: RuleOutcome): boolean => severity !== "pass" && waived === undefined;

/** The cycle that decides, and whether it is that of the distribution instead of the component's own. */
function cyclesOf(
  resolution: AssessedComponent["resolution"],
  assessment: RuleOutcome["assessment"],
): Pick<FindingRecord, "cycle" | "byDistro"> {
  const own = resolution.kind === "resolved" ? resolution.releaseCycle : undefined;
  const releaseCycle = assessment?.releaseCycle ?? (resolution.kind === "distro-maintained" ? resolution.by : own);
  if (releaseCycle === undefined) return { cycle: null, byDistro: false };
  return { cycle: cycleKey(releaseCycle), byDistro: own === undefined || cycleKey(own) !== cycleKey(releaseCycle) };
}

export const fullName = ({ group, name }: Pick<ComponentIdentity, "group" | "name">): string =>
  group === undefined || group === "" ? name : `${group}/${name}`;

export const cycleKey = ({ product, cycle }: CycleRef): string => `${product}:${cycle}`;

/** The identity of a component. Names are empty in some real documents; then only the location is left. */
export interface ComponentIdentity {
  readonly name: string;
  readonly group?: string | undefined;
  readonly purls: readonly string[];
  readonly pointer: string;
}

export function componentKey(component: ComponentIdentity): string {
  const { name, purls, pointer } = component;
  for (const text of purls) {
    const purl = purlKey(text);
    if (purl.kind === "purl") return `pkg:${purl.key}`;
  }
  if (name === "") return `at ${pointer}`;
  return `name ${fullName(component)}`;
}
