/**
 * The data that a run over many documents keeps of each one: enough for the summary of the run, and small enough for
 * ten thousand documents.
 */
import { byText } from "../text/values.ts";
import { cycleKey } from "../text/ids.ts";
import { causeOfFailure, exitOfGates, gateResult, reportableVerdict, type GateResult } from "./exit.ts";
import { mergeVerdicts } from "./verdict.ts";
import { evaluatedOf } from "./rows.ts";
import { mergeContributions } from "./contributions.ts";
import type {
  Contribution,
  Counted,
  FailedDocument,
  EvaluatedComponent,
  Policy,
  Report,
  Severity,
  Verdict,
} from "../model/index.ts";
import { cycleNameParts } from "../messages/cycle-names.ts";
import { ERROR_KINDS } from "../messages/error.ts";
import { addTotals, NO_TOTALS, totalsOf, type RunTotals } from "../wire/counts.ts";

/** One document of a run, as plain data: it crosses threads and is stored between runs. */
export type DocumentSummary = AssessedDocument | FailedDocument;

export interface AssessedDocument {
  readonly file: string;
  readonly verdict: Verdict;
  readonly totals: RunTotals;
  readonly gate: GateResult;
  /** What fails or warns, by release cycle. */
  readonly open: readonly OpenCycle[];
  /** What files of the checked repository contributed to it. */
  readonly contributions: readonly Contribution[];
}

/** A release cycle that components of a document fail or warn for. */
export interface OpenCycle {
  readonly product: string;
  readonly cycle: string;
  /** The full name in two parts: `Alpine Linux` and ` 3.18`. */
  readonly names: ReturnType<typeof cycleNameParts>;
  readonly severity: Severity;
  readonly components: number;
}

/** The same over all documents of a run. */
export interface FleetCycle extends OpenCycle {
  readonly documents: number;
}

/**
 * Summarizes a report of one document, or of all files of a repository, under one name. It counts as failed if none of
 * its files could be read. If some could not be read, it has no verdict.
 */
export function summarizeReport(file: string, report: Report): DocumentSummary {
  const { documents, failed, policy, verdict, contributions = [] } = report;
  const [first] = failed;
  if (documents.length === 0 && first !== undefined) return first;
  const evaluated = evaluatedOf(documents);
  const gate = gateResult(documents, policy);
  return {
    file,
    verdict,
    totals: totalsOf(evaluated, policy),
    gate: { ...gate, causes: [...failed.map(causeOfFailure), ...gate.causes] },
    open: openCycles(evaluated),
    contributions,
  };
}

function openCycles(evaluated: readonly Counted<EvaluatedComponent>[]): readonly OpenCycle[] {
  const cycles = new Map<string, OpenCycle>();
  for (const { value, count } of evaluated) {
    const { outcome, assessment } = value;
    const assessed = outcome.assessment ?? assessment;
    if (outcome.severity === "pass" || assessed === undefined) continue;
    const { product, cycle } = assessed.releaseCycle;
    const key = `${outcome.severity} ${cycleKey(assessed.releaseCycle)}`;
    const components = (cycles.get(key)?.components ?? 0) + count;
    const names = cycleNameParts(assessed.productName, assessed.cycle);
    cycles.set(key, { product, cycle, names, severity: outcome.severity, components });
  }
  return [...cycles.values()];
}

export interface RunSummary {
  add(document: DocumentSummary): void;
  /** The part of the report about the whole run. */
  result(): RunResult;
}

export interface RunResult {
  readonly verdict: Verdict;
  readonly exit: Report["exit"];
  readonly totals: RunTotals;
  readonly failed: readonly FailedDocument[];
  /** The number of documents in each state; `unassessed`: without a verdict, `empty`: without a component. */
  readonly documents: Readonly<Record<DocumentState, number>>;
  /** Failing cycles before warning ones, then by the number of documents, the highest first. */
  readonly cycles: readonly FleetCycle[];
  readonly contributions: readonly Contribution[];
}

export type DocumentState = Severity | "unassessed" | "failed" | "empty";

export function documentState(document: DocumentSummary): DocumentState {
  if ("error" in document) return "failed";
  const { gate, verdict, totals } = document;
  if (gate.causes.some(({ code }) => code === ERROR_KINDS.input.exit)) return "failed";
  if (gate.causes.length > 0) return "unassessed";
  if (totals.components === 0) return "empty";
  return verdict.value === "none" ? "unassessed" : verdict.value;
}

/**
 * Creates an empty summary. `whenEmpty` is the failure of a run without any component; without it, such a run does not
 * fail.
 */
export function createRunSummary(policy: Policy, whenEmpty?: FailedDocument): RunSummary {
  let verdict: Verdict = mergeVerdicts([]);
  let totals = NO_TOTALS;
  const gates: GateResult[] = [];
  const failed: FailedDocument[] = [];
  const documents = { pass: 0, warn: 0, fail: 0, unassessed: 0, failed: 0, empty: 0 };
  const cycles = new Map<string, FleetCycle>();
  const contributions: Contribution[] = [];
  return {
    add(document) {
      documents[documentState(document)] += 1;
      if ("error" in document) {
        failed.push(document);
        return;
      }
      verdict = mergeVerdicts([verdict, document.verdict]);
      totals = addTotals(totals, document.totals);
      gates.push(document.gate);
      contributions.push(...document.contributions);
      for (const open of document.open) addCycle(cycles, open);
    },
    result() {
      const failures = whenEmpty && totals.components === 0 && failed.length === 0 ? [whenEmpty] : failed;
      const exit = exitOfGates(gates, failures, verdict, policy);
      const sorted = [...cycles.values()].toSorted(mostDocumentsFirst);
      const reported = reportableVerdict(verdict, exit);
      const merged = mergeContributions(contributions);
      return { verdict: reported, exit, totals, failed: failures, documents, cycles: sorted, contributions: merged };
    },
  };
}

function addCycle(cycles: Map<string, FleetCycle>, open: OpenCycle): void {
  const key = `${open.severity} ${cycleKey(open)}`;
  const known = cycles.get(key);
  cycles.set(key, {
    ...open,
    components: open.components + (known?.components ?? 0),
    documents: 1 + (known?.documents ?? 0),
  });
}

function mostDocumentsFirst(one: FleetCycle, other: FleetCycle): number {
  if (one.severity !== other.severity) return one.severity === "fail" ? -1 : 1;
  return other.documents - one.documents || other.components - one.components || byText(cycleKey(one), cycleKey(other));
}
