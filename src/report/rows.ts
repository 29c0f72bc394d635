/**
 * Groups findings into the rows of reports: components with the same deciding release cycle and the same outcome share
 * a row, so 412 packages of a distribution are one row. Counts are of components, not of rows.
 */
import { cycleKey } from "../text/ids.ts";
import type {
  Assessment,
  Condition,
  Counted,
  Finding,
  EvaluatedComponent,
  Report,
  RuleOutcome,
  DocumentReport,
  UnresolvedReason,
} from "../model/index.ts";
import { byText } from "../text/values.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { findingAt } from "../policy/rows.ts";
import { dependencyPaths, namesOfRefs } from "../sbom/graph/paths.ts";
import { notApplicable } from "../wire/counts.ts";
import { LONGEST_PATH } from "./locations.ts";

/** The state of a row. A waived row would fail or warn without its waiver. */
export type RowState = "fail" | "warn" | "waived" | "pass";

export interface ReportRow {
  readonly state: RowState;
  readonly outcome: RuleOutcome;
  /** The assessment of the release cycle that decided; absent when none is known. */
  readonly assessment?: Assessment;
  /** Why no release cycle is known, when a rule depends on it. */
  readonly reason?: UnresolvedReason;
  /** In document order; never empty. */
  readonly findings: readonly Finding[];
  /** How many of them are packages without a product of their own. */
  readonly distroMaintained: number;
}

interface Unmatched {
  readonly reason: UnresolvedReason;
  readonly count: number;
  readonly examples: readonly Finding[];
}

/** Rows and counts over any set of findings. */
export interface RowSet {
  /** Worst first. */
  readonly rows: readonly ReportRow[];
  /** Components without a release cycle to which no rule applies: by reason, most frequent first. */
  readonly unmatched: readonly Unmatched[];
  /** Components by state; unresolved ones are not counted. */
  readonly counts: Readonly<Record<RowState, number>>;
  readonly outOfScope: number;
  /** The contents of the document, as the JSON report counts them: without components outside the scope. */
  readonly contents: ReportContents;
}

export interface ScanRows extends RowSet {
  readonly scan: DocumentReport;
}

/** The rows of all documents together: components of one release cycle share a row, wherever they are. */
export interface CycleRows extends RowSet {
  readonly documents: readonly DocumentReport[];
  readonly documentOf: (finding: Finding) => DocumentReport | undefined;
}

export interface ReportContents {
  readonly components: number;
  /** Other entries, for which no release cycle is expected. */
  readonly besides: ReturnType<typeof notApplicable>;
}

const EXAMPLES = 3;

/** Conditions with which a component neither fails nor warns, and is not called supported. */
const NOT_SUPPORTED: ReadonlySet<Condition> = new Set(["minimum", "superseded"]);

/** The findings of several documents, made one by one: only those that are listed are kept. */
class ListedFindings {
  private readonly documents = new Map<Finding, DocumentReport>();

  of(document: DocumentReport, index: number): Finding {
    const finding = findingAt(document.rows, index);
    this.documents.set(finding, document);
    return finding;
  }
  readonly documentOf = (finding: Finding): DocumentReport | undefined => this.documents.get(finding);
}

/** `examples` is how many unmatched components of each reason are kept. */
function rowSet(documents: readonly DocumentReport[], examples: number): Omit<CycleRows, "documents"> {
  const builder = new RowSetBuilder(examples);
  for (const document of documents) builder.add(document);
  return builder.result();
}

class RowSetBuilder {
  private readonly findings = new ListedFindings();
  private readonly rows = new Map<string, OpenRow>();
  private readonly unmatched = new Map<UnresolvedReason, { count: number; examples: Finding[] }>();
  private readonly evaluatedComponents: Counted<EvaluatedComponent>[] = [];
  private readonly counts = { fail: 0, warn: 0, waived: 0, pass: 0 };
  private readonly examples: number;

  constructor(examples: number) {
    this.examples = examples;
  }

  add(document: DocumentReport): void {
    const rows = document.rows;
    for (const evaluated of rows.counts()) this.evaluatedComponents.push(evaluated);
    const listing = rows.counts().map(({ value }) => listingOf(value));
    // Equal components share a row, which is looked up once (bench/table.ts).
    const known: OpenRow[] = [];
    for (const [index, id] of rows.ids.entries()) {
      const listed = listing[id];
      if (listed === "row") {
        const finding = this.findings.of(document, index);
        const row = known[id] ?? rowOf(this.rows, finding);
        if (!CONDITIONS[row.outcome.condition].isSingle) known[id] = row;
        row.findings.push(finding);
        if (finding.resolution.kind === "distro-maintained") row.distroMaintained += 1;
        if (row.state !== "pass" || !NOT_SUPPORTED.has(row.outcome.condition)) this.counts[row.state] += 1;
      } else if (listed !== undefined) this.addUnmatched(listed.reason, document, index);
    }
  }

  result(): Omit<CycleRows, "documents"> {
    const outOfScope = countOf(this.evaluatedComponents, ({ outcome }) => outcome.outOfScope === true);
    return {
      rows: [...this.rows.values()].sort(worstFirst),
      unmatched: [...this.unmatched]
        .map(([reason, kept]) => ({ reason, count: kept.count, examples: kept.examples }))
        .sort(mostFirst),
      counts: this.counts,
      outOfScope,
      contents: contentsOf(this.evaluatedComponents, outOfScope),
      documentOf: this.findings.documentOf,
    };
  }

  private addUnmatched(reason: UnresolvedReason, document: DocumentReport, index: number): void {
    const kept = this.unmatched.get(reason) ?? { count: 0, examples: [] };
    this.unmatched.set(reason, kept);
    kept.count += 1;
    if (kept.examples.length < this.examples) kept.examples.push(this.findings.of(document, index));
  }
}

/** In a row, among the unmatched of a reason, or not at all. */
function listingOf({
  resolution,
  outcome,
}: EvaluatedComponent): "row" | { readonly reason: UnresolvedReason } | undefined {
  const hasNoCondition = outcome.condition === "none";
  if (outcome.outOfScope || (resolution.kind === "not-applicable" && hasNoCondition)) return undefined;
  return resolution.kind === "unmatched" && hasNoCondition ? { reason: resolution.reason } : "row";
}

const countOf = (
  evaluatedComponents: readonly Counted<EvaluatedComponent>[],
  applies: (evaluated: EvaluatedComponent) => boolean,
): number => evaluatedComponents.reduce((total, { value, count }) => (applies(value) ? total + count : total), 0);

function contentsOf(evaluatedComponents: readonly Counted<EvaluatedComponent>[], outOfScope: number): ReportContents {
  const besides = notApplicable(evaluatedComponents);
  const all = countOf(evaluatedComponents, () => true);
  return { components: all - outOfScope - besides.root - besides.file - besides.data, besides };
}

export function findingRow(finding: Finding): ReportRow {
  const { resolution, outcome } = finding;
  const assessment = decidingAssessment(finding);
  return {
    state: stateOf(outcome),
    outcome,
    ...(assessment && { assessment }),
    ...(resolution.kind === "unmatched" && { reason: resolution.reason }),
    findings: [finding],
    distroMaintained: resolution.kind === "distro-maintained" ? 1 : 0,
  };
}

interface OpenRow extends ReportRow {
  assessment?: Assessment;
  readonly findings: Finding[];
  distroMaintained: number;
}

/** The row that a finding belongs to, created where it is the first one. */
function rowOf(rows: Map<string, OpenRow>, finding: Finding): OpenRow {
  const { outcome, resolution } = finding;
  const assessment = decidingAssessment(finding);
  const state = stateOf(outcome);
  const reason = resolution.kind === "unmatched" ? resolution.reason : undefined;
  // Every such component has a row of its own, so the number of rows is a unique key.
  const subject = CONDITIONS[outcome.condition].isSingle ? `#${rows.size}` : `${keyOf(assessment)}|${reason ?? ""}`;
  const key = `${state}|${outcomeKey(outcome)}|${subject}`;
  const known = rows.get(key);
  if (known !== undefined) return showing(known, assessment);
  const row = {
    state,
    outcome,
    findings: [],
    distroMaintained: 0,
    ...(assessment && { assessment }),
    ...(reason && { reason }),
  };
  rows.set(key, row);
  return row;
}

/** Versions of one cycle differ by known exploitation; the row shows the riskiest one. */
function showing(row: OpenRow, assessment: Assessment | undefined): OpenRow {
  if (assessment && assessment.score > (row.assessment?.score ?? 0)) row.assessment = assessment;
  return row;
}

const outcomeKey = ({ baselined, condition, waived }: RuleOutcome): string =>
  `${baselined ?? ""}|${condition}|${waived?.target ?? ""}`;

const keyOf = (assessment: Assessment | undefined): string =>
  assessment === undefined ? "" : cycleKey(assessment.releaseCycle);

/** The assessment of the release cycle that decided; of the component's own where none did. */
const decidingAssessment = ({ outcome, assessment }: Finding): Assessment | undefined =>
  outcome.assessment ?? assessment;

function stateOf(ruleOutcome: RuleOutcome): RowState {
  return ruleOutcome.waived === undefined ? ruleOutcome.severity : "waived";
}

const STATE_ORDER: Readonly<Record<RowState, number>> = { fail: 0, warn: 1, waived: 2, pass: 3 };

/** By the worst state, the highest score, the earliest end, then by name and pointer. */
function worstFirst(a: ReportRow, b: ReportRow): number {
  return (
    STATE_ORDER[a.state] - STATE_ORDER[b.state] ||
    (b.assessment?.score ?? -1) - (a.assessment?.score ?? -1) ||
    daysLeft(a.assessment) - daysLeft(b.assessment) ||
    byText(keyOf(a.assessment), keyOf(b.assessment)) ||
    byText(a.outcome.condition, b.outcome.condition) ||
    byText(pointerOf(a), pointerOf(b))
  );
}

/** Days to the end, negative once past; a row without a date sorts last. */
export function daysLeft(assessment: Assessment | undefined): number {
  const { daysPastEol = null, daysUntilEol = null } = assessment?.support ?? {};
  return daysPastEol === null ? (daysUntilEol ?? NO_DAY) : -daysPastEol;
}
const NO_DAY = 1e9;

const pointerOf = (row: ReportRow): string => row.findings[0]?.component.pointer ?? "";

function mostFirst(a: Unmatched, b: Unmatched): number {
  return b.count - a.count || byText(a.reason, b.reason);
}

export function reportRows(report: Report, examples = EXAMPLES): readonly ScanRows[] {
  return report.documents.map((scan) => ({ scan, ...rowSet([scan], examples) }));
}

export function cycleRows({ documents }: Report, examples = EXAMPLES): CycleRows {
  return { ...rowSet(documents, examples), documents };
}

/** Names of the components that introduce a component, from the root on; empty when the document does not state them. */
export function introducedBy(
  scan: DocumentReport,
  findings: readonly Finding[],
): ReadonlyMap<Finding, readonly string[]> {
  const wanted = findings.filter(({ component }) => component.bomRef !== undefined);
  if (wanted.length === 0) return new Map();
  const paths = dependencyPaths(scan.document);
  const refs = new Map(wanted.map((finding) => [finding, paths.from(finding.component.bomRef ?? "", LONGEST_PATH)]));
  const above = new Map([...refs].map(([finding, path]) => [finding, path.slice(0, -1)]));
  const names = namesOfRefs(scan.document, new Set([...above.values()].flat()));
  return new Map([...above].map(([finding, path]) => [finding, path.map((ref) => names.get(ref) ?? ref)]));
}

/** Like `introducedBy`, for findings of several documents. */
export function introducedByAny(
  { documentOf }: CycleRows,
  findings: readonly Finding[],
): ReadonlyMap<Finding, readonly string[]> {
  const byDocument = Map.groupBy(findings, documentOf);
  return new Map([...byDocument].flatMap(([each, own]) => (each === undefined ? [] : [...introducedBy(each, own)])));
}

export function firstFinding({ findings: [finding] }: ReportRow): Finding {
  if (finding === undefined) throw new TypeError("a row without findings");
  return finding;
}

const VERDICT_ORDER = { fail: 0, none: 1, warn: 2, pass: 3 } as const;
export const failuresFirst = (one: ScanRows, other: ScanRows): number =>
  VERDICT_ORDER[one.scan.verdict.value] - VERDICT_ORDER[other.scan.verdict.value];
