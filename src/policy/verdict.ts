/** The verdict over all components: the reasons, the coverage, and the merged verdict of several documents. */
import type {
  Assessment,
  Component,
  ComponentKind,
  EvaluatedRows,
  Coverage,
  CoverageShare,
  EvaluatedComponent,
  ParsedDocument,
  Policy,
  Severity,
  Verdict,
  Waiver,
} from "../model/index.ts";
import { backportingDistribution } from "../lifecycle/assess.ts";
import { daysBetween, firstDay } from "../lifecycle/days.ts";
import { allowedIn, mergeAllowed } from "./allowed.ts";
import { CONDITION_ORDER } from "./conditions.ts";
import { isMinimum } from "./deciding.ts";

const SEVERITY: Readonly<Record<Severity, number>> = { pass: 0, warn: 1, fail: 2 };
/** Negative when `a` is the worse severity. */
export const bySeverity = (a: Severity, b: Severity): number => SEVERITY[b] - SEVERITY[a];

/** The verdict on the components of a document. `waivers` are those of the policy, by use. */
export function verdictOf(rows: EvaluatedRows, policy: Policy, waivers: Verdict["waivers"]): Verdict {
  const reasons = countReasons(rows);
  const coverage = coverageOf(rows, policy);
  const value = rows.length > 0 ? verdictValue(reasons, coverage, policy) : worstOf(reasons);
  const allowed = allowedIn(rows, policy);
  return { value, reasons, coverage, ...(allowed.length > 0 && { allowed }), ...oldestIn(rows), waivers };
}

/** A document has no verdict if too little of it was assessed, unless the assessed part fails. */
function verdictValue(reasons: Verdict["reasons"], coverage: Coverage, policy: Policy): Verdict["value"] {
  const worst = worstOf(reasons);
  return worst !== "fail" && coverageShortfall(coverage, policy) !== undefined ? "none" : worst;
}

/**
 * Completes the verdict by what the document tells: elements that it names and does not contain count as not assessed, and
 * the version pins of a project, which are the entries without an id, have a coverage of their own.
 */
export function withDocument(
  verdict: Verdict,
  rows: EvaluatedRows,
  { format, absentElements = [] }: Pick<ParsedDocument, "format" | "absentElements">,
  policy: Policy,
): Verdict {
  const isProject = format === "pins" || format === "lockfile";
  const pins = isProject ? coverageOf(rows, policy, ({ bomRef }) => bomRef === undefined) : NONE;
  if (sizeOf(pins) + absentElements.length === 0) return verdict;
  const counted = coverage(sumOf([verdict.coverage, share(0, absentElements.length)]), pins);
  return { ...verdict, coverage: counted, value: verdictValue(verdict.reasons, counted, policy) };
}

/** The oldest statement that a component relies on that does not fail; a waiver needs none. */
function oldestIn(rows: EvaluatedRows): Pick<Verdict, "oldestStatement"> {
  let oldest: Assessment | undefined;
  for (const { value } of rows.counts()) {
    const { assessment, severity, waived } = value.outcome;
    if (assessment && severity !== "fail" && waived === undefined && isOlder(assessment, oldest)) oldest = assessment;
  }
  const day = oldest?.provenance.verifiedAt;
  if (!oldest || !day) return {};
  const { asOf, releaseCycle } = oldest;
  return { oldestStatement: { day, ageDays: daysBetween(firstDay(day), asOf), releaseCycle } };
}

function isOlder({ provenance: { verifiedAt } }: Assessment, than: Assessment | undefined): boolean {
  const other = than?.provenance.verifiedAt ?? null;
  return verifiedAt !== null && (other === null || verifiedAt < other);
}

function countReasons(rows: EvaluatedRows): Verdict["reasons"] {
  const open = rows.counts().filter(({ value: { outcome } }) => outcome.severity !== "pass");
  return sumReasons(
    open.map(({ value: { outcome }, count }) => ({ verdict: outcome.severity, condition: outcome.condition, count })),
  );
}

/** One entry for each verdict and condition, worst first. */
function sumReasons(parts: Verdict["reasons"]): Verdict["reasons"] {
  const sums = new Map<string, Verdict["reasons"][number]>();
  for (const { verdict, condition, count } of parts) {
    const key = `${verdict} ${condition}`;
    sums.set(key, { verdict, condition, count: count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()].toSorted(
    (a, b) =>
      bySeverity(a.verdict, b.verdict) || CONDITION_ORDER.indexOf(a.condition) - CONDITION_ORDER.indexOf(b.condition),
  );
}

const worstOf = (reasons: Verdict["reasons"]): Severity => reasons[0]?.verdict ?? "pass";

/**
 * Merges the verdicts of several documents: the worst severity, the sums of the counts. A waiver is unused only if it
 * is unused in all of them.
 */
export function mergeVerdicts(verdicts: readonly Verdict[]): Verdict {
  const reasons = sumReasons(verdicts.flatMap((verdict) => verdict.reasons));
  const all = (list: keyof Verdict["waivers"]) => distinct(verdicts.flatMap(({ waivers }) => waivers[list]));
  const used = all("used");
  const allowed = mergeAllowed(verdicts.flatMap((verdict) => verdict.allowed ?? []));
  const isUsed = new Set(used.map(waiverKey));
  return {
    value: worstOf(reasons),
    reasons,
    coverage: coverage(
      sumOf(verdicts.map((verdict) => verdict.coverage)),
      sumOf(verdicts.flatMap((verdict) => verdict.coverage.pins ?? [])),
    ),
    ...(allowed.length > 0 && { allowed }),
    ...oldestOf(verdicts),
    waivers: {
      used,
      unused: all("unused").filter((waiver) => !isUsed.has(waiverKey(waiver))),
      expired: all("expired"),
    },
  };
}

function oldestOf(verdicts: readonly Verdict[]): Pick<Verdict, "oldestStatement"> {
  const statements = verdicts.flatMap(({ oldestStatement }) => oldestStatement ?? []);
  const [first] = statements.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  return first === undefined ? {} : { oldestStatement: first };
}

/** Waivers are compared by content, because verdicts from another thread or a file have their own copies. */
const waiverKey = ({ target, reason, expires, approvedBy }: Waiver): string =>
  JSON.stringify([target, reason, expires, approvedBy]);

const distinct = (waivers: readonly Waiver[]): readonly Waiver[] => [
  ...new Map(waivers.map((waiver) => [waiverKey(waiver), waiver])).values(),
];

/**
 * The assessed share of the assessable components, or of some. Files, data, the root, minimums and components out of scope
 * are not counted; a distro-maintained package counts as assessed only if the distribution's cycle has an end.
 */
function coverageOf(rows: EvaluatedRows, policy: Policy, isPart?: (component: Component) => boolean): CoverageShare {
  const states = rows.counts().map(({ value }) => stateOf(value, policy));
  const counts = { assessed: 0, notAssessed: 0, unmatched: 0 };
  for (let index = 0; index < rows.length; index++) {
    const state = states[rows.ids[index] ?? 0];
    if (state === undefined || isPart?.(rows.component(index)) === false) continue;
    if (state !== "unmatched" || !NOT_EXPECTED.has(rows.component(index).kind)) counts[state] += 1;
  }
  return share(counts.assessed, counts.notAssessed + counts.unmatched);
}

/** Undefined for what is not counted; unmatched components are counted by their kind. */
function stateOf(value: EvaluatedComponent, policy: Policy): "assessed" | "notAssessed" | "unmatched" | undefined {
  const { resolution, outcome } = value;
  // A lower bound does not state which version is in use.
  if (resolution.kind === "not-applicable" || outcome.outOfScope === true || isMinimum(resolution)) return undefined;
  if (resolution.kind === "unmatched") return "unmatched";
  return isAssessed(value, policy) ? "assessed" : "notAssessed";
}

const NOT_EXPECTED: ReadonlySet<ComponentKind> = new Set(["root", "file", "data"]);

function isAssessed({ resolution, assessment, distroAssessment }: EvaluatedComponent, policy: Policy): boolean {
  if (resolution.kind === "distro-maintained") return hasEnd(assessment);
  const isKnown = assessment !== undefined && assessment.cycle.eol.kind !== "unknown";
  return isKnown || backportingDistribution(distroAssessment, policy) !== undefined;
}

const hasEnd = (assessment: Assessment | undefined): boolean =>
  assessment?.cycle.eol.kind === "dated" || assessment?.cycle.eol.kind === "ended";

/** Rounds down: 99.96 % must not be shown as 100 %. */
function share(assessed: number, notAssessed: number): CoverageShare {
  const total = assessed + notAssessed;
  return { assessed, notAssessed, percent: total === 0 ? 0 : Math.floor((assessed * 1000) / total) / 10 };
}

const NONE = share(0, 0);
const sizeOf = ({ assessed, notAssessed }: CoverageShare): number => assessed + notAssessed;
const sumOf = (parts: readonly CoverageShare[]): CoverageShare =>
  parts.reduce((sum, part) => share(sum.assessed + part.assessed, sum.notAssessed + part.notAssessed), NONE);

/** The coverage of all components, and of pins and packages where there are both. */
function coverage(all: CoverageShare, pins: CoverageShare): Coverage {
  const packages = share(all.assessed - pins.assessed, all.notAssessed - pins.notAssessed);
  return { ...all, ...(sizeOf(pins) > 0 && { pins, ...(sizeOf(packages) > 0 && { packages }) }) };
}

/** The figures that count: version pins and packages apart where there are both, so that many of one do not hide the other. */
export const coverageParts = (all: Coverage): readonly (readonly [name: string, CoverageShare])[] =>
  all.pins && all.packages
    ? [
        ["version pin", all.pins],
        ["package", all.packages],
      ]
    : [["component", all]];

/**
 * Why a document with components has no verdict: `nothing` was assessed, or of a part less than the policy requires (`below`).
 */
export function coverageShortfall(all: Coverage, policy: Policy) {
  if (all.assessed === 0 && !policy.allowUnassessed) return { kind: "nothing", name: "component", part: all } as const;
  const short = coverageParts(all).find(([, part]) => part.assessed * 100 < policy.minCoverage * sizeOf(part));
  return short && ({ kind: "below", name: short[0], part: short[1] } as const);
}
