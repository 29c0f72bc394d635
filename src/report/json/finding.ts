/** One finding, one unmatched component, one way out, as the JSON report states them. */
import { hasCycle } from "../../resolve/unresolved.ts";
import { targetObject } from "../../wire/advice.ts";
import { dayOf } from "../../wire/lifecycle.ts";
import { supportFields, unmatchedComponent } from "../../wire/sbom.ts";
import type { Advice, Component, Finding, Report, RequiredBy, Resolution, DocumentReport } from "../../model/index.ts";
import type { DependencyPaths } from "../../sbom/graph/paths.ts";
import { pathTo, pointerOf } from "../locations.ts";
import { findingRow } from "../rows.ts";
import { formatOutcome, formatTrack } from "../labels.ts";
import { waiverObject } from "./frame.ts";

/** Resolved, distro-maintained, or with an end that the document declares; every other component that counts is unmatched. */
export function isFinding(component: Component, { resolution }: Pick<Finding, "resolution">): boolean {
  return hasCycle(resolution) || (resolution.kind === "unmatched" && component.declared.length > 0);
}

export function findingObject(report: Report, scan: DocumentReport, finding: Finding, paths: DependencyPaths) {
  const { component, outcome } = finding;
  const { line, column } = scan.document.position(component.span.start);
  return {
    bom_ref: component.bomRef ?? null,
    pointer: pointerOf(component),
    line,
    column,
    name: component.name,
    ...(component.group === undefined ? {} : { group: component.group }),
    version: component.version ?? null,
    purl: component.purls[0] ?? null,
    licenses: component.licenses,
    scope: component.scope ?? null,
    introduced_by: pathTo(component, paths),
    ...requirementFields(finding.requirements?.of(finding.component)),
    ...resolutionFields(finding.resolution),
    ...(component.declared.length === 0 ? {} : { declared: component.declared }),
    outcome: outcomeObject(report, finding),
    waiver: outcome.waived ? waiverObject(outcome.waived) : null,
    ...supportFields(finding.support),
    ...(report.comparison ? { baseline_state: report.comparison.stateOf(finding) } : {}),
  };
}

function requirementFields(requirement: RequiredBy | undefined) {
  if (requirement === undefined) return {};
  return {
    ...(requirement.isDirect === undefined ? {} : { direct: requirement.isDirect }),
    required_by: requirement.requirers.map(({ name, version, range, admitsSupported }) => ({
      name,
      version: version ?? null,
      range: range ?? null,
      admits_supported: admitsSupported ?? null,
    })),
  };
}

export function resolutionFields(resolution: Resolution) {
  const none = { product: null, cycle: null, matched_by: null, distro_maintained: false, maintained_by: null };
  switch (resolution.kind) {
    case "resolved": {
      const { releaseCycle, matchedBy, versionMatchedBy, maintainedBy } = resolution;
      return {
        product: releaseCycle.product,
        cycle: releaseCycle.cycle,
        matched_by: matchedBy,
        ...(versionMatchedBy === undefined ? {} : { version_matched_by: versionMatchedBy }),
        distro_maintained: false,
        maintained_by: maintainedBy ? { product: maintainedBy.product, cycle: maintainedBy.cycle } : null,
      };
    }
    case "distro-maintained": {
      const by = { product: resolution.by.product, cycle: resolution.by.cycle };
      return { ...by, matched_by: null, distro_maintained: true, maintained_by: by };
    }
    case "unmatched":
      return { ...none, reason: resolution.reason };
    case "not-applicable":
      return none;
  }
}

function outcomeObject({ policy }: Report, finding: Finding) {
  const { severity, condition, baselined } = finding.outcome;
  const message = formatOutcome(findingRow(finding), policy.warnDays);
  return {
    severity,
    condition,
    message,
    ...trackFields(finding.outcome),
    ...(baselined ? { baselined } : {}),
  };
}

/** The support track that decided instead of standard support. */
export function trackFields({ assessment }: Finding["outcome"]) {
  const support = assessment?.support;
  return support?.track ? { track: formatTrack(support.track), support_end_date: dayOf(support.date) } : {};
}

/** Null for what is not an unmatched component. */
export function unmatchedObject(report: Report, finding: Finding) {
  const { outcome, resolution } = finding;
  if (resolution.kind !== "unmatched") return null;
  return {
    ...unmatchedFields(finding),
    ...(outcome.condition === "none" ? {} : { outcome: outcomeObject(report, finding) }),
    ...(outcome.waived ? { waiver: waiverObject(outcome.waived) } : {}),
  };
}

/** The texts of a component, and nothing else of it. */
export type ComponentTexts = Pick<Component, "name" | "bomRef" | "version" | "purls" | "pointer">;

/** What does not depend on the outcome. */
export function unmatchedFields(
  finding: Pick<Finding, "resolution" | "support"> & { readonly component: ComponentTexts },
) {
  const [wire] = unmatchedComponent(finding);
  if (wire === undefined) throw new TypeError("a component that is not unmatched");
  return { ...wire, pointer: pointerOf(finding.component) };
}

export function upgradeObject({ links }: Report, { longest, nearest, endsSoon, orNewer, successor }: Advice) {
  return {
    ...(longest && { longest: targetObject(longest, links) }),
    ...(nearest && { nearest: targetObject(nearest, links) }),
    ...(endsSoon && { ends_soon: endsSoon }),
    ...(orNewer && { or_newer: orNewer.cycle }),
    ...(successor === undefined ? {} : { successor }),
  };
}
