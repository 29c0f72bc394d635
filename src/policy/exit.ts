/**
 * Determines the exit code of a run from its verdict and errors, with a name and a reason. See
 * docs/decisions/0002-exit-codes.md.
 */
import { ERROR_KINDS } from "../messages/error.ts";
import { formatCount, formatNumber } from "../messages/format.ts";
import { couldMeet } from "../support/decide.ts";
import { CONDITIONS } from "./conditions.ts";
import { coverageShortfall, mergeVerdicts } from "./verdict.ts";
import type {
  Counted,
  DocumentReport,
  FailedDocument,
  EvaluatedComponent,
  Policy,
  Report,
  Severity,
  SupportCondition,
  Verdict,
} from "../model/index.ts";
import { isKeyOf } from "../text/values.ts";

export type Exit = Report["exit"];

/** Every exit code with its name and meaning. The documentation is generated from it. */
export const EXITS: Readonly<Record<number, { readonly name: string; readonly meaning: string }>> = {
  0: { name: "pass", meaning: "pass, possibly with warnings" },
  1: { name: "fail", meaning: "the gate failed; nothing else has this code" },
  2: { name: "usage", meaning: "usage or configuration error, or a Node version that is too old" },
  3: { name: "input", meaning: "the input cannot be read, or has no components" },
  4: { name: "catalogue", meaning: "the catalogue is missing, corrupt or too old" },
  5: { name: "network", meaning: "the network or a remote service failed" },
  6: { name: "unassessed", meaning: "nothing, or too little, could be assessed (`--min-coverage`)" },
  70: { name: "internal", meaning: "a bug in eolgate" },
};
/** With several documents or causes, the first that applies. */
const PRECEDENCE: readonly number[] = [70, 2, 4, 3, 5, 1, 6, 0];

/** The exit code that takes precedence: 0 for an empty list, 70 if a code is unknown. */
export function worstExit(codes: readonly number[]): number {
  if (codes.some((code) => !PRECEDENCE.includes(code))) return ERROR_KINDS.internal.exit;
  return PRECEDENCE.find((code) => codes.includes(code)) ?? 0;
}

/** The part of an evaluated document that decides the exit code. */
export type EvaluatedDocument = Pick<DocumentReport, "file" | "rows" | "verdict" | "partOf">;

/**
 * The data of one or more documents that the exit code depends on. Plain data, so that it can be kept without the
 * documents.
 */
export interface GateResult {
  /** Why they have no verdict; empty when they pass, warn or fail by their findings. */
  readonly causes: readonly Cause[];
  readonly hasComponents: boolean;
  /** Findings that the baseline accepts. */
  readonly baselined: number;
}

/**
 * Evaluates each document as a gate of its own, and the files of a checked folder as one gate, because a single file
 * with a version pin rarely covers the project.
 */
export function gateResult(scans: readonly EvaluatedDocument[], policy: Policy): GateResult {
  const baselined = scans
    .flatMap((scan) => scan.rows.counts())
    .map(({ value: { outcome }, count }) => (outcome.baselined ? count : 0));
  return {
    causes: [
      ...gates(scans).flatMap((scan) => coverageCause(scan, policy) ?? []),
      ...scans.flatMap((scan) => missingSignalCauses(scan, policy)),
    ],
    hasComponents: scans.some((scan) => scan.rows.length > 0),
    baselined: baselined.reduce((sum, count) => sum + count, 0),
  };
}

/**
 * Returns the exit of a whole run. `failed` lists documents that could not be read, `verdict` is the merged one. A gate
 * with nothing assessed does not pass because another one was assessed.
 */
export function exitFor(
  scans: readonly EvaluatedDocument[],
  failed: readonly Pick<FailedDocument, "file" | "error">[],
  verdict: Verdict,
  policy: Policy,
): Exit {
  return exitOfGates([gateResult(scans, policy)], failed, verdict, policy);
}

/** Like `exitFor`, for documents that are no longer in memory. */
export function exitOfGates(
  gates: readonly GateResult[],
  failed: readonly Pick<FailedDocument, "file" | "error">[],
  verdict: Verdict,
  policy: Policy,
): Exit {
  const failing = verdict.value === "fail" ? [{ code: 1, why: sentence(verdict, "fail") }] : [];
  const causes = [...failed.map(causeOfFailure), ...failing, ...gates.flatMap((gate) => gate.causes)];
  const code = worstExit(causes.map((each) => each.code));
  const cause = causes.find((each) => each.code === code) ?? passing(verdict, gates);
  if (cause.code === 0) return { ...named(cause), name: verdict.value };
  if (!policy.exitZero || (cause.code !== 1 && cause.code !== 6)) return named(cause);
  // The name keeps the original outcome: a failure must not look like a pass.
  return { ...named(cause), code: 0, why: `${cause.why}; not failing, because --exit-zero is set` };
}

const VERDICT_NAMES: readonly string[] = ["pass", "warn", "fail"] satisfies Severity[];

/** The verdict to publish; undefined when the exit code is not based on one. */
export function reportableVerdict(verdict: Verdict, exit: Exit): Verdict {
  return VERDICT_NAMES.includes(exit.name) ? verdict : { ...verdict, value: "none" };
}

/** A reason for an exit code. */
export interface Cause {
  readonly code: number;
  readonly why: string;
}

function named({ code, why }: Cause): Exit {
  return { code, name: EXITS[code]?.name ?? "internal", why };
}

/** The reason for an exit code that a failed document gives. */
export function causeOfFailure({ file, error }: Pick<FailedDocument, "file" | "error">): Cause {
  // A remote service may send an error kind that this version does not know: it counts as an internal error.
  const code = isKeyOf(ERROR_KINDS, error.kind) ? ERROR_KINDS[error.kind].exit : ERROR_KINDS.internal.exit;
  return { code, why: `${file}: ${error.message}` };
}

/** A source that did not answer must not look like one that found nothing. */
function missingSignalCauses(scan: EvaluatedDocument, policy: Policy): readonly Cause[] {
  const missing = missingSignals(scan.rows.counts(), policy);
  if (missing === undefined) return [];
  const detail = missing.detail === "" ? "" : ` (${missing.detail})`;
  const why = `${scan.file}: the support level of ${formatCount(missing.count, "component")} could not be determined${detail}`;
  return [{ code: 5, why }];
}

interface MissingSignals {
  readonly count: number;
  /** Why the first of them has no answer, such as `HTTP 503`; empty when nothing more is known. */
  readonly detail: string;
}

/** Returns the missing answers that could make the gate fail; undefined when there are none. */
function missingSignals(
  evaluated: readonly Counted<EvaluatedComponent>[],
  { failOn }: Policy,
): MissingSignals | undefined {
  const conditions = failOn.flatMap(({ kind }) => (isSupportCondition(kind) ? [kind] : []));
  if (conditions.length === 0) return undefined;
  const missing = evaluated.filter(
    ({ value: { support, outcome } }) =>
      support !== undefined && outcome.outOfScope !== true && conditions.some((each) => couldMeet(support, each)),
  );
  const [first] = missing;
  if (first === undefined) return undefined;
  const count = missing.reduce((sum, each) => sum + each.count, 0);
  return { count, detail: first.value.support?.unanswered?.[0]?.detail ?? "" };
}

const isSupportCondition = (kind: string): kind is SupportCondition =>
  kind === "unmaintained" || kind === "outdated" || kind === "inactive";

interface Gate {
  readonly file: string;
  readonly components: number;
  readonly verdict: Verdict;
}

function gates(scans: readonly EvaluatedDocument[]): readonly Gate[] {
  const folders = Map.groupBy(
    scans.filter(({ partOf }) => partOf !== undefined),
    ({ partOf }) => partOf ?? "",
  );
  const joined = [...folders].map(([file, parts]) => ({
    file,
    components: parts.reduce((sum, part) => sum + part.rows.length, 0),
    verdict: mergeVerdicts(parts.map(({ verdict }) => verdict)),
  }));
  const alone = scans
    .filter(({ partOf }) => partOf === undefined)
    .map((scan) => ({ file: scan.file, components: scan.rows.length, verdict: scan.verdict }));
  return [...alone, ...joined];
}

function coverageCause({ file, components, verdict: { coverage } }: Gate, policy: Policy): Cause | undefined {
  if (components === 0) return undefined;
  const short = coverageShortfall(coverage, policy);
  if (short === undefined) return undefined;
  const { assessed, notAssessed, percent } = short.part;
  if (short.kind === "below")
    return {
      code: 6,
      why: `${file}: ${formatNumber(assessed)} of ${formatCount(assessed + notAssessed, short.name)} could be assessed (${percent} %), below the ${policy.minCoverage} % that the policy requires`,
    };
  const because =
    notAssessed === 0
      ? "because it contains only files, the described software itself, or components out of scope"
      : `because none of ${formatCount(notAssessed, "component")} could be matched to a release cycle`;
  return { code: 6, why: `${file}: nothing could be assessed, ${because}` };
}

function passing(verdict: Verdict, gates: readonly GateResult[]): Cause {
  const known = gates.reduce((sum, { baselined }) => sum + baselined, 0);
  const sinceBaseline = known === 0 ? "" : `; ${formatNumber(known)} in the baseline, no new failures`;
  if (verdict.value === "warn") return { code: 0, why: `${sentence(verdict, "warn")}${sinceBaseline}` };
  const { assessed, notAssessed } = verdict.coverage;
  if (gates.every(({ hasComponents }) => !hasComponents))
    return { code: 0, why: "there are no components, and --allow-empty is set" };
  if (assessed === 0) return { code: 0, why: "nothing could be assessed, and --allow-unassessed is set" };
  return {
    code: 0,
    why: `${formatCount(assessed, "component")} assessed, no policy violations${notAssessed === 0 ? "" : `; ${formatNumber(notAssessed)} could not be assessed`}`,
  };
}

/** `3 components have reached end of life, and 1 has a denied licence`. */
function sentence({ reasons }: Verdict, severity: "fail" | "warn"): string {
  const parts = reasons
    .filter(({ verdict }) => verdict === severity)
    .map(({ condition, count }) => {
      const row = CONDITIONS[condition];
      return { count, labels: (severity === "warn" ? row.warning : undefined) ?? row };
    });
  return parts
    .map(
      ({ count, labels }, index) =>
        `${index === 0 ? formatCount(count, "component") : formatNumber(count)} ${count === 1 ? labels.one : labels.many}`,
    )
    .join(", ")
    .replace(/, ([^,]*)$/, ", and $1");
}
