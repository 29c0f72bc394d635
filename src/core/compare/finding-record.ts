/**
 * A component as one scan saw it: who it is, its line, and what the gate made of it. Two scans are compared by their
 * sightings, whether they were just made or read back from a JSON report.
 */
import type { AssessedComponent, Condition, Finding, CycleRef, RuleOutcome, Severity } from "../model.ts";
import { purlKey } from "../resolve/purl/key.ts";

export interface FindingRecord {
  /** Who it is, whatever its version and place: the purl without its version, else group and name. */
  readonly component: string;
  /** With its group: `@angular/core`. */
  readonly name: string;
  readonly version: string | null;
  readonly purl: string | null;
  /** `nodejs:16`: the line that judged it. */
  readonly line: string | null;
  /** That line's end, YYYY-MM-DD. */
  readonly end: string | null;
  /** Judged by the line of its distribution and not by one of its own. */
  readonly byDistro: boolean;
  readonly verdict: Severity;
  readonly condition: Condition;
  /** Fails or warns with nothing to excuse it: no waiver, no support track. */
  readonly stands: boolean;
}

/** What one scan saw. */
export interface FindingsSnapshot {
  /** The document or report, as given. */
  readonly file: string;
  readonly sightings: readonly FindingRecord[];
}

/** Components that nobody expects a line of are no part of a comparison. */
export function toFindingsSnapshot(file: string, findings: readonly Finding[]): FindingsSnapshot {
  const counted = findings.filter(
    ({ resolution, outcome }) => resolution.kind !== "not-applicable" && outcome.outOfScope !== true,
  );
  return { file, sightings: counted.map((finding) => toFindingRecord(finding, finding.outcome)) };
}

export function toFindingRecord({ component, resolution }: AssessedComponent, ruling: RuleOutcome): FindingRecord {
  const { assessment, severity, condition, waived, track, baselined } = ruling;
  const own = resolution.kind === "resolved" ? resolution.releaseCycle : undefined;
  const line = assessment?.releaseCycle ?? (resolution.kind === "covered" ? resolution.by : own);
  return {
    component: componentKey(component),
    name: fullName(component),
    version: component.version ?? null,
    purl: component.purls[0] ?? null,
    line: line === undefined ? null : cycleKey(line),
    end: assessment?.eolDate?.value ?? null,
    byDistro: line !== undefined && (own === undefined || cycleKey(own) !== cycleKey(line)),
    verdict: baselined ? "fail" : severity,
    condition,
    stands: severity !== "pass" && waived === undefined && track === undefined,
  };
}

export const fullName = ({ group, name }: Pick<ComponentIdentity, "group" | "name">): string =>
  group === undefined || group === "" ? name : `${group}/${name}`;

export const cycleKey = ({ product, cycle }: CycleRef): string => `${product}:${cycle}`;

/** What says who a component is. Empty names happen in real documents; then only the place is left. */
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
