/** The answer to POST /v1/sbom. The JSON report of `check` contains the same answer without a limit. */
import { cycleKey } from "../text/ids.ts";
import { byText, compact, rememberedOf } from "../text/values.ts";
import type {
  Assessment,
  CatalogueMetadata,
  Component,
  DocumentFields,
  Evidence,
  Finding,
  Policy,
  Resolution,
  Support,
  Verdict,
} from "../model/index.ts";
import { whoMaintains } from "../lifecycle/gate.ts";
import { countedOnce, isInformational, notApplicable, summarize } from "./counts.ts";
import type { Links } from "./links.ts";
import type { DecisionObject, SbomComponent, SbomResponse, SbomScore, UnmatchedComponent } from "./schemas.ts";
import { scoreObject } from "./score.ts";
import { supportCounts } from "../support/levels.ts";
import type { SupportEvidence, SupportFields } from "./schemas/sbom.ts";

export interface SbomInput {
  readonly document: Pick<DocumentFields, "format" | "specVersion">;
  /** Every component, in document order. */
  readonly findings: readonly Finding[];
  readonly verdict: Verdict;
  readonly policy: Pick<Policy, "warnDays" | "distroPackages">;
  readonly catalogue: Pick<CatalogueMetadata, "purlMapDate">;
  /** How many components get a score; without it, all. Counts, summary and verdict always cover all components. */
  readonly cap?: { readonly components: number; readonly tier: string };
}

interface Matched extends Pick<Finding, "component"> {
  readonly finding: Finding;
  readonly resolution: Extract<Resolution, { kind: "resolved" }>;
  readonly assessment: Assessment;
}

export function sbomResponse(input: SbomInput, links: Links): SbomResponse {
  const { document, findings, verdict, policy, cap } = input;
  const matched = findings.flatMap(asMatched);
  const isInfo = ({ finding }: Matched): boolean => isInformational(finding, policy);
  const counted = matched.filter((each) => !isInfo(each));
  const scored = riskiest(counted, cap?.components);
  const unmatched = findings.flatMap(unmatchedComponent);
  const distroMaintained = findings.filter((finding) => finding.resolution.kind === "distro-maintained").length;
  const left = counted.length - scored.length;
  const evaluatedComponents = countedOnce(findings);
  const support = supportCounts(evaluatedComponents);
  return {
    format: document.format,
    spec_version: document.specVersion,
    components: matched.length + distroMaintained + unmatched.length,
    matched: matched.length,
    matched_by: matchedBy(matched),
    distro_maintained: distroMaintained,
    scored: scored.length,
    not_scored_count: left,
    ...(cap && left > 0 ? { limit_note: limitNote(cap, left) } : {}),
    not_applicable: notApplicable(evaluatedComponents),
    summary: summarize(evaluatedComponents, policy),
    gate: { verdict: verdict.value, warn_days: policy.warnDays, reasons: verdict.reasons },
    results: byCycle(scored, links),
    informational: byCycle(riskiest(matched.filter(isInfo), cap?.components), links),
    unmatched,
    unmatched_count: unmatched.length,
    ...(support && { support }),
    purl_map_date: input.catalogue.purlMapDate,
    docs: links.docs,
  };
}

function asMatched(finding: Finding): Matched[] {
  const { component, resolution, assessment } = finding;
  return resolution.kind === "resolved" && assessment ? [{ finding, component, resolution, assessment }] : [];
}

/** The findings that get a score within the limit of a tier, in answers and in enriched documents. */
export function scoredFindings(findings: readonly Finding[], limit: number): ReadonlySet<Finding> {
  return new Set(riskiest(findings.flatMap(asMatched), limit).map(({ finding }) => finding));
}

/** Highest score first, then by cycle, then in document order, so that the order is deterministic. */
export function riskiest<T extends { readonly assessment: Assessment }>(matched: readonly T[], limit?: number): T[] {
  const sorted = matched.toSorted((a, b) => b.assessment.score - a.assessment.score || compareCycles(a, b));
  return limit === undefined ? sorted : sorted.slice(0, limit);
}

function compareCycles(a: { readonly assessment: Assessment }, b: { readonly assessment: Assessment }): number {
  if (a.assessment === b.assessment) return 0;
  const [left, right] = [a.assessment.releaseCycle, b.assessment.releaseCycle];
  return byText(left.product, right.product) || byText(left.cycle, right.cycle);
}

const limitNote = (cap: { components: number; tier: string }, left: number): string =>
  `Tier ${cap.tier} scores ${cap.components} components of a document: the riskiest are scored, ${left} more are resolved and assessed without a score`;

function matchedBy(matched: readonly Matched[]): SbomResponse["matched_by"] {
  const counts = { purl: 0, name: 0, model: 0, cpe: 0 };
  for (const { resolution } of matched) counts[resolution.matchedBy] += 1;
  return counts;
}

/** Kept for each assessment, which many components share (bench/table.ts). */
const scoreKey = rememberedOf(
  ({ releaseCycle, kevBasis, kevEntries }: Assessment) =>
    `${cycleKey(releaseCycle)} ${kevBasis ?? ""} ${kevEntries.map(({ cve }) => cve).join()}`,
);

/**
 * One score object per cycle, with the components that belong to it; more where known exploitation differs between the
 * versions of a cycle, because it is part of the score.
 */
function byCycle(scored: readonly Matched[], links: Links): SbomScore[] {
  const cycles = Map.groupBy(scored, ({ assessment }) => scoreKey(assessment));
  return [...cycles.values()].flatMap((group) => {
    const [first] = group;
    const components = group.map(sbomComponent);
    return first ? [{ ...scoreObject(first.assessment, links), gate: worstGate(components), components }] : [];
  });
}

function sbomComponent({ component, resolution, finding }: Matched): SbomComponent {
  const { support, outcome } = finding;
  return {
    bom_ref: component.bomRef ?? null,
    name: component.name,
    version: component.version ?? null,
    purl: component.purls[0] ?? null,
    matched_by: resolution.matchedBy,
    ...compact({ version_matched_by: resolution.versionMatchedBy }),
    gate: {
      outcome: outcome.waived === undefined ? outcome.severity : "waived",
      condition: outcome.condition,
      maintained_by: whoMaintains(finding),
    },
    ...supportFields(support),
  };
}

const OUTCOMES: readonly DecisionObject["outcome"][] = ["pass", "waived", "warn", "fail"];

/** The worst outcome of the components of a release cycle, which can differ: a distribution maintains some of them. */
function worstGate(components: readonly SbomComponent[]): DecisionObject {
  const [first, ...others] = components.map(({ gate }) => gate);
  if (first === undefined) throw new TypeError("a release cycle without components");
  return others.reduce((a, b) => (OUTCOMES.indexOf(b.outcome) > OUTCOMES.indexOf(a.outcome) ? b : a), first);
}

/** Components without a known release cycle, with the reason. */
export function unmatchedComponent({
  component,
  resolution,
  support,
}: Pick<Finding, "resolution" | "support"> & {
  readonly component: Pick<Component, "name" | "bomRef" | "version" | "purls">;
}): UnmatchedComponent[] {
  if (resolution.kind !== "unmatched") return [];
  const { reason, product, candidates, evidence } = resolution;
  return [
    {
      component: component.name,
      bom_ref: component.bomRef ?? null,
      version: component.version ?? null,
      purl: component.purls[0] ?? null,
      reason,
      ...compact({ product, candidates, evidence }),
      ...supportFields(support),
    },
  ];
}

export function supportFields(support: Support | undefined): SupportFields {
  if (support === undefined) return {};
  const { level, reason, evidence, endOfSupport, lastRelease, replacement } = support;
  return {
    support_level: level,
    ...compact({ support_reason: reason, end_of_support: endOfSupport?.value, last_release: lastRelease, replacement }),
    support_evidence: evidence.map(evidenceObject),
  };
}

function evidenceObject({ source, statement, url, retrievedAt, aged, newest, ...more }: Evidence): SupportEvidence {
  const { date, replacement, message } = more;
  return {
    source,
    statement,
    url,
    retrieved_at: retrievedAt,
    ...compact({ date, replacement, message }),
    ...(aged === true && { aged }),
    ...(newest && { newest_version: newest.version, majors_behind: newest.behind }),
    ...compact({ newest_released: newest?.released }),
  };
}
