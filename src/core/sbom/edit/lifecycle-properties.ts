/** From findings to the names and values of the properties that enrichment writes. */
import type { IsoDate } from "../../ids.ts";
import type { Assessment, Finding, CycleRef, Resolution, Verdict } from "../../model.ts";
import { statusCounts } from "../../wire/counts.ts";
import { dayOf } from "../../wire/end.ts";
import { MILESTONE_NAME, type Enrichment, type Fact, type FactName, type Facts } from "./names.ts";

/** Which names: ours, those registered for CycloneDX, or both. */
export type PropertyNames = "lifecycle" | "cdx" | "both";

export interface FactsInput {
  /** Every component, in document order. */
  readonly findings: readonly Finding[];
  readonly verdict: Pick<Verdict, "value">;
}

export interface FactsSetting {
  readonly asOf: IsoDate;
  readonly tool: Enrichment["tool"];
  readonly purlMapDate: IsoDate;
  readonly scoreCard: (line: CycleRef) => string;
  readonly properties?: PropertyNames;
  /** The findings that get a score; without it, all that have a line. */
  readonly scored?: ReadonlySet<Finding>;
}

type Resolved = Extract<Resolution, { kind: "resolved" }>;

/** What is written into one document. The same facts are the same list, wherever they apply. */
export function toEnrichment({ findings, verdict }: FactsInput, setting: FactsSetting): Enrichment {
  const kept = new Map<string, Facts>();
  return {
    components: findings.map((finding) => {
      const key = keyOf(finding, setting);
      let facts = kept.get(key);
      if (facts === undefined) kept.set(key, (facts = factsOf(finding, setting)));
      return facts;
    }),
    summary: summaryOf(findings, verdict, setting),
    asOf: setting.asOf,
    tool: setting.tool,
  };
}

const isScored = (finding: Finding, { scored }: FactsSetting): boolean => scored === undefined || scored.has(finding);

/** Findings with the same key have the same facts. */
function keyOf(finding: Finding, setting: FactsSetting): string {
  const { resolution, component } = finding;
  const declared = setting.properties !== undefined && component.declared.length > 0 ? "declared" : "";
  switch (resolution.kind) {
    case "resolved": {
      const { releaseCycle, matchedBy } = resolution;
      const scored = isScored(finding, setting);
      return [
        "resolved",
        releaseCycle.product,
        releaseCycle.cycle,
        matchedBy,
        mappedPurl(resolution),
        scored,
        declared,
      ].join("\n");
    }
    case "covered":
      return ["covered", resolution.by.product, resolution.by.cycle, declared].join("\n");
    case "unmatched":
      return ["unmatched", resolution.reason, resolution.product].join("\n");
    case "not-applicable":
      return "not-applicable";
  }
}

function factsOf(finding: Finding, setting: FactsSetting): Facts {
  const { resolution, assessment } = finding;
  const mode = setting.properties ?? "lifecycle";
  const ours = mode === "cdx" ? [] : lifecycleFacts(finding, setting);
  const isLine = resolution.kind === "resolved" || resolution.kind === "covered";
  const registered = mode === "lifecycle" || !isLine ? [] : milestone(finding, assessment);
  return [...ours, ...registered];
}

function lifecycleFacts(finding: Finding, setting: FactsSetting): Facts {
  const { resolution, assessment } = finding;
  switch (resolution.kind) {
    case "resolved":
      return [
        ...lineFacts(resolution.releaseCycle, assessment),
        ...matchFacts(resolution),
        ...supportFacts(resolution.releaseCycle, assessment, setting),
        ...(isScored(finding, setting) ? scoreFacts(assessment) : []),
      ];
    case "covered":
      return [
        ...lineFacts(resolution.by, assessment),
        ...supportFacts(resolution.by, assessment, setting),
        fact("lifecycle:reason", "covered-by-distribution"),
      ];
    case "unmatched":
      return [
        fact("lifecycle:status", "not-tracked"),
        ...(resolution.product === undefined ? [] : [fact("lifecycle:product", resolution.product)]),
        fact("lifecycle:reason", resolution.reason),
      ];
    case "not-applicable":
      return [fact("lifecycle:status", "not-tracked"), fact("lifecycle:reason", "not-applicable")];
  }
}

const fact = (name: FactName, value: string | number | boolean): Fact => ({ name, value: String(value) });

function lineFacts({ product, cycle }: CycleRef, assessment: Assessment | undefined): Facts {
  const day = dayOf(assessment?.eolDate);
  const { daysUntilEol, daysPastEol } = assessment ?? { daysUntilEol: null, daysPastEol: null };
  return [
    fact("lifecycle:status", assessment?.status ?? "unknown"),
    fact("lifecycle:product", product),
    fact("lifecycle:cycle", cycle),
    ...(day === null ? [] : [fact("lifecycle:eol_date", day)]),
    ...(daysUntilEol === null ? [] : [fact("lifecycle:days_until_eol", daysUntilEol)]),
    ...(daysPastEol === null ? [] : [fact("lifecycle:days_past_eol", daysPastEol)]),
  ];
}

function matchFacts(resolution: Resolved): Facts {
  const purl = mappedPurl(resolution);
  return [
    ...(purl === undefined ? [] : [fact("lifecycle:purl_matched", purl)]),
    fact("lifecycle:matched_by", resolution.matchedBy),
  ];
}

/** The purl as the published map has it: without version, qualifiers and subpath. */
function mappedPurl({ matchedBy, identifier }: Resolved): string | undefined {
  if (matchedBy !== "purl" || identifier === undefined) return undefined;
  const [name = ""] = identifier.split(/[?#]/, 1);
  const version = name.lastIndexOf("@");
  return version > name.lastIndexOf("/") ? name.slice(0, version) : name;
}

function supportFacts(line: CycleRef, assessment: Assessment | undefined, { scoreCard }: FactsSetting): Facts {
  const extended = assessment?.extendedSupport.available;
  return [
    ...(extended === undefined ? [] : [fact("lifecycle:extended_support_available", extended)]),
    fact("lifecycle:score_url", scoreCard(line)),
  ];
}

const scoreFacts = (assessment: Assessment | undefined): Facts =>
  assessment === undefined
    ? []
    : [
        fact("lifecycle:risk_score", assessment.score),
        fact("lifecycle:risk_grade", assessment.grade),
        fact("lifecycle:kev_exposed", assessment.kevExposed),
      ];

/** Where the document declares an end of its own, ours does not stand against it. */
function milestone({ component }: Finding, assessment: Assessment | undefined): Facts {
  const day = dayOf(assessment?.eolDate);
  const declares = component.declared.some((declared) => declared.milestone === "end-of-support");
  return day === null || declares ? [] : [fact(MILESTONE_NAME, day)];
}

function summaryOf(findings: readonly Finding[], verdict: Pick<Verdict, "value">, setting: FactsSetting): Facts {
  const matched = findings.filter(({ resolution }) => resolution.kind === "resolved");
  const { past_eol: pastEol, approaching } = statusCounts(findings);
  const products = new Set(
    matched.flatMap(({ resolution }) => (resolution.kind === "resolved" ? [resolution.releaseCycle.product] : [])),
  );
  const expected = findings.filter(({ resolution }) => resolution.kind !== "not-applicable");
  const scored = matched.filter((finding) => finding.assessment !== undefined && isScored(finding, setting));
  return [
    fact("lifecycle:summary:components", expected.length),
    fact("lifecycle:summary:matched", matched.length),
    fact("lifecycle:summary:scored", scored.length),
    fact("lifecycle:summary:past_eol", pastEol),
    fact("lifecycle:summary:approaching", approaching),
    fact("lifecycle:summary:not_tracked", findings.filter(({ resolution }) => resolution.kind === "unmatched").length),
    fact("lifecycle:summary:unique_products", products.size),
    fact("lifecycle:gate:verdict", verdict.value),
    fact("lifecycle:purl_map_date", setting.purlMapDate),
  ];
}
