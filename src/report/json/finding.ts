/** One finding, one unmatched component, one way out, as the JSON report states them. */
import { unmatchedComponent } from "../../core/wire/sbom.ts";
import type { Advice, Destination, Finding, Report, Resolution, Scan } from "../../core/model.ts";
import type { DependencyPaths } from "../../core/sbom/paths.ts";
import { pathTo, pointerOf } from "../places.ts";
import { findingRow } from "../rows.ts";
import { rulingWords } from "../ruling-words.ts";
import { trackWords } from "../words.ts";
import { waiverObject } from "./frame.ts";
import type { DestinationObject, FindingObject, ReportUnmatched, RulingObject, UpgradeObject } from "./schema.ts";

/** Resolved, covered, or with an end that the document declares; every other component that counts is unmatched. */
export function isFinding({ resolution, component }: Finding): boolean {
  return (
    resolution.kind === "resolved" ||
    resolution.kind === "covered" ||
    (resolution.kind === "unmatched" && component.declared.length > 0)
  );
}

export function findingObject(report: Report, scan: Scan, finding: Finding, paths: DependencyPaths): FindingObject {
  const { component, ruling } = finding;
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
    ...resolutionFields(finding.resolution),
    ...(component.declared.length === 0 ? {} : { declared: component.declared }),
    ruling: rulingObject(report, finding),
    waiver: ruling.waived ? waiverObject(ruling.waived) : null,
    ...(report.comparison ? { baseline_state: report.comparison.stateOf(finding) } : {}),
  };
}

export function resolutionFields(resolution: Resolution) {
  const none = { product: null, cycle: null, matched_by: null, covered: false, maintained_by: null };
  switch (resolution.kind) {
    case "resolved": {
      const { line, matchedBy, versionMatchedBy, maintainedBy } = resolution;
      return {
        product: line.product,
        cycle: line.cycle,
        matched_by: matchedBy,
        ...(versionMatchedBy === undefined ? {} : { version_matched_by: versionMatchedBy }),
        covered: false,
        maintained_by: maintainedBy ? { product: maintainedBy.product, cycle: maintainedBy.cycle } : null,
      };
    }
    case "covered": {
      const by = { product: resolution.by.product, cycle: resolution.by.cycle };
      return { ...by, matched_by: null, covered: true, maintained_by: by };
    }
    case "unmatched":
      return { ...none, reason: resolution.reason };
    case "not-applicable":
      return none;
  }
}

function rulingObject({ policy }: Report, finding: Finding): RulingObject {
  const { verdict, condition, track, known } = finding.ruling;
  const message = rulingWords(findingRow(finding), policy.warnDays);
  return { verdict, condition, message, ...(track ? { track: trackWords(track) } : {}), ...(known ? { known } : {}) };
}

/** Null for what is no unmatched component. */
export function unmatchedObject(report: Report, finding: Finding): ReportUnmatched | null {
  const [wire] = unmatchedComponent(finding);
  if (wire === undefined) return null;
  const { ruling, component } = finding;
  return {
    ...wire,
    pointer: pointerOf(component),
    ...(ruling.condition === "none" ? {} : { ruling: rulingObject(report, finding) }),
    ...(ruling.waived ? { waiver: waiverObject(ruling.waived) } : {}),
  };
}

export function upgradeObject({ links }: Report, { nearest, longTerm, successor }: Advice): UpgradeObject {
  const destination = ({ line, eol, days, lts }: Destination): DestinationObject => ({
    version: line.cycle,
    eol_date: eol.kind === "dated" ? eol.date.value : null,
    days_until_eol: days,
    lts,
    score_card_url: links.scoreCard(line),
  });
  return {
    ...(nearest && { nearest: destination(nearest) }),
    ...(longTerm && { long_term: destination(longTerm) }),
    ...(successor === undefined ? {} : { successor }),
  };
}
