/** From findings to the names and values of the properties that enrichment writes. */
import { addDays } from "../lifecycle/days.ts";
import { whoMaintains } from "../lifecycle/gate.ts";
import { hasCycle } from "../resolve/unresolved.ts";
import type { IsoDate } from "../text/ids.ts";
import type { Assessment, Finding, CycleRef, Resolution, Verdict } from "../model/index.ts";
import { countedOnce, statusCounts } from "../wire/counts.ts";
import { dayOf } from "../wire/lifecycle.ts";
import {
  MILESTONE_NAME,
  type Enrichment,
  type LifecycleProperty,
  type LifecyclePropertyName,
  type LifecycleProperties,
} from "./names.ts";

/** Which names: `lifecycle:*`, those registered for CycloneDX, or both. */
export type PropertyNames = "lifecycle" | "cdx" | "both";

export interface EnrichmentInput {
  /** Every component, in document order. */
  readonly findings: readonly Finding[];
  readonly verdict: Pick<Verdict, "value">;
}

export interface EnrichmentContext {
  readonly asOf: IsoDate;
  readonly tool: Enrichment["tool"];
  readonly purlMapDate: IsoDate;
  readonly scoreCard: (releaseCycle: CycleRef) => string;
  readonly properties?: PropertyNames;
  /** The findings that get a score; by default, all with a release cycle. */
  readonly scored?: ReadonlySet<Finding>;
}

type CycleMatch = Extract<Resolution, { kind: "resolved" }>;

/** What is written into one document. Equal properties are the same list wherever they apply. */
export function toEnrichment({ findings, verdict }: EnrichmentInput, setting: EnrichmentContext): Enrichment {
  const kept = new Map<string, LifecycleProperties>();
  return {
    components: findings.map((finding) => {
      const key = [keyOf(finding, setting), gateKey(finding), levelKey(finding)].join("\n");
      let properties = kept.get(key);
      if (properties === undefined) kept.set(key, (properties = propertiesOf(finding, setting)));
      return properties;
    }),
    summary: summaryOf(findings, verdict, setting),
    asOf: setting.asOf,
    tool: setting.tool,
  };
}

const isScored = (finding: Finding, { scored }: EnrichmentContext): boolean =>
  scored === undefined || scored.has(finding);

/** Findings with the same key have the same properties. */
function keyOf(finding: Finding, setting: EnrichmentContext): string {
  const { resolution, component, assessment } = finding;
  const declared = setting.properties !== undefined && component.declared.length > 0 ? "declared" : "";
  switch (resolution.kind) {
    case "resolved": {
      const { releaseCycle, matchedBy } = resolution;
      const scored = isScored(finding, setting);
      const { product, cycle } = releaseCycle;
      // Versions of one cycle differ by known exploitation, which is part of the score.
      const risk = `${assessment?.score} ${assessment?.kevExposed}`;
      return ["resolved", product, cycle, matchedBy, mappedPurl(resolution), scored, risk, declared].join("\n");
    }
    case "distro-maintained":
      return ["distro-maintained", resolution.by.product, resolution.by.cycle, declared].join("\n");
    case "unmatched":
      return ["unmatched", resolution.reason, resolution.product].join("\n");
    case "not-applicable":
      return "not-applicable";
  }
}

function propertiesOf(finding: Finding, setting: EnrichmentContext): LifecycleProperties {
  const { resolution, assessment } = finding;
  const mode = setting.properties ?? "lifecycle";
  const lifecycle = mode === "cdx" ? [] : [...lifecycleProperties(finding, setting), ...levelProperties(finding)];
  const registered = mode === "lifecycle" || !hasCycle(resolution) ? [] : milestone(finding, assessment);
  return [...lifecycle, ...registered];
}

/** What the properties of the gate depend on: components of one cycle can have different outcomes. */
function gateKey({ resolution, outcome: { severity, condition, waived, outOfScope, assessment } }: Finding): string {
  const { product, cycle } = assessment?.releaseCycle ?? { product: "", cycle: "" };
  const end = hasCycle(resolution) ? resolution.packageEnd?.from : undefined;
  return [severity, condition, waived !== undefined, outOfScope, product, cycle, end].join("\n");
}

const levelKey = ({ support }: Finding): string =>
  support === undefined ? "" : [support.level, support.lastRelease, support.evidence[0]?.url].join("\n");

/** The support level with the address of the statement that decided, when signals were requested. */
function levelProperties({ support }: Finding): LifecycleProperties {
  if (support === undefined || support.reason === "not-a-package") return [];
  const url = support.evidence[0]?.url;
  return [
    property("lifecycle:support_level", support.level),
    ...given("lifecycle:last_release", support.lastRelease),
    ...given("lifecycle:support_evidence_url", url),
  ];
}

function lifecycleProperties(finding: Finding, setting: EnrichmentContext): LifecycleProperties {
  const { resolution, assessment } = finding;
  switch (resolution.kind) {
    case "resolved":
      return [
        ...cycleProperties(resolution.releaseCycle, assessment),
        ...matchProperties(resolution),
        ...gateProperties(finding),
        ...supportProperties(resolution.releaseCycle, assessment, setting),
        ...(isScored(finding, setting) ? scoreProperties(assessment) : []),
      ];
    case "distro-maintained":
      return [
        ...cycleProperties(resolution.by, assessment),
        ...gateProperties(finding),
        ...supportProperties(resolution.by, assessment, setting),
        property("lifecycle:reason", "distro-maintained"),
      ];
    case "unmatched":
      return [
        property("lifecycle:status", "not-tracked"),
        ...given("lifecycle:product", resolution.product),
        ...gateProperties(finding),
        property("lifecycle:reason", resolution.reason),
      ];
    case "not-applicable":
      return [property("lifecycle:status", "not-tracked"), property("lifecycle:reason", "not-applicable")];
  }
}

const property = (name: LifecyclePropertyName, value: string | number | boolean): LifecycleProperty => ({
  name,
  value: String(value),
});

/** The property, unless its value is not known. */
const given = (name: LifecyclePropertyName, value: string | number | boolean | null | undefined): LifecycleProperties =>
  value === undefined || value === null ? [] : [property(name, value)];

function cycleProperties({ product, cycle }: CycleRef, assessment: Assessment | undefined): LifecycleProperties {
  const day = dayOf(assessment?.eolDate);
  const { daysUntilEol, daysPastEol } = assessment ?? { daysUntilEol: null, daysPastEol: null };
  return [
    property("lifecycle:status", assessment?.status ?? "unknown"),
    property("lifecycle:product", product),
    property("lifecycle:cycle", cycle),
    ...given("lifecycle:eol_date", day),
    ...given("lifecycle:days_until_eol", daysUntilEol),
    ...given("lifecycle:days_past_eol", daysPastEol),
  ];
}

/**
 * The outcome of the policy with its condition, and the support that decided it: that of the distribution for a package that
 * it maintains. `lifecycle:status` keeps the standard end of the cycle.
 */
function gateProperties(finding: Finding): LifecycleProperties {
  const { severity, condition, waived, outOfScope } = finding.outcome;
  if (outOfScope === true) return [];
  const isOpen = finding.resolution.kind === "unmatched" && condition === "none";
  const gate = waived === undefined ? severity : "waived";
  const word = condition === "none" ? gate : `${gate}:${condition}`;
  return [property("lifecycle:gate", isOpen ? "not-assessed" : word), ...maintenanceProperties(finding)];
}

function maintenanceProperties(finding: Finding): LifecycleProperties {
  const { condition, assessment } = finding.outcome;
  const { resolution } = finding;
  const own = condition === "package-eol" && hasCycle(resolution) ? resolution.packageEnd : undefined;
  // A package that its distribution dropped has a first day without support.
  const dropped = own?.kind === "ended" && own.from !== undefined ? addDays(own.from, -1) : undefined;
  return [
    ...given("lifecycle:support_end_date", own?.kind === "ended" ? dropped : dayOf(assessment?.support.date)),
    ...given("lifecycle:maintained_by", whoMaintains(finding)),
  ];
}

function matchProperties(resolution: CycleMatch): LifecycleProperties {
  const purl = mappedPurl(resolution);
  return [...given("lifecycle:purl_matched", purl), property("lifecycle:matched_by", resolution.matchedBy)];
}

/** The purl as the published map has it: without version, qualifiers and subpath. */
function mappedPurl({ matchedBy, identifier }: CycleMatch): string | undefined {
  if (matchedBy !== "purl" || identifier === undefined) return undefined;
  const [name = ""] = identifier.split(/[?#]/, 1);
  const version = name.lastIndexOf("@");
  return version > name.lastIndexOf("/") ? name.slice(0, version) : name;
}

function supportProperties(
  releaseCycle: CycleRef,
  assessment: Assessment | undefined,
  { scoreCard }: EnrichmentContext,
): LifecycleProperties {
  const extended = assessment?.extendedSupport.available;
  return [
    ...given("lifecycle:extended_support_available", extended),
    property("lifecycle:score_url", scoreCard(releaseCycle)),
  ];
}

const scoreProperties = (assessment: Assessment | undefined): LifecycleProperties =>
  assessment === undefined
    ? []
    : [
        property("lifecycle:risk_score", assessment.score),
        property("lifecycle:risk_grade", assessment.grade),
        property("lifecycle:kev_exposed", assessment.kevExposed),
      ];

/** A document that declares an end itself keeps it: no second one is written. */
function milestone({ component }: Finding, assessment: Assessment | undefined): LifecycleProperties {
  const day = dayOf(assessment?.eolDate);
  const declares = component.declared.some((declared) => declared.milestone === "end-of-support");
  return day === null || declares ? [] : [property(MILESTONE_NAME, day)];
}

function summaryOf(
  findings: readonly Finding[],
  verdict: Pick<Verdict, "value">,
  setting: EnrichmentContext,
): LifecycleProperties {
  const matched = findings.filter(({ resolution }) => resolution.kind === "resolved");
  const { past_eol: pastEol, approaching } = statusCounts(countedOnce(findings));
  const products = new Set(
    matched.flatMap(({ resolution }) => (resolution.kind === "resolved" ? [resolution.releaseCycle.product] : [])),
  );
  const expected = findings.filter(({ resolution }) => resolution.kind !== "not-applicable");
  const scored = matched.filter((finding) => finding.assessment !== undefined && isScored(finding, setting));
  return [
    property("lifecycle:summary:components", expected.length),
    property("lifecycle:summary:matched", matched.length),
    property("lifecycle:summary:scored", scored.length),
    property("lifecycle:summary:past_eol", pastEol),
    property("lifecycle:summary:approaching", approaching),
    property(
      "lifecycle:summary:not_tracked",
      findings.filter(({ resolution }) => resolution.kind === "unmatched").length,
    ),
    property("lifecycle:summary:unique_products", products.size),
    property("lifecycle:gate:verdict", verdict.value),
    property("lifecycle:purl_map_date", setting.purlMapDate),
  ];
}
