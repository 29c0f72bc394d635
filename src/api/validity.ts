/**
 * Until when a verdict holds without a new check. There is no second set of rules for it: the same check is repeated for
 * later days. The outcome of a component only moves forward with the days and never returns to an earlier one, so where
 * all outcomes of two days are equal, those between them are, too.
 */
import { addDays, daysBetween, lastDay } from "../lifecycle/days.ts";
import type {
  Assessment,
  DocumentReport,
  EvaluatedComponent,
  Report,
  Validity,
  ValidityLimit,
  VerdictChange,
} from "../model/index.ts";
import { DEFAULT_CATALOGUE_AGE } from "../policy/fields.ts";
import { bySeverity } from "../policy/verdict.ts";
import { type IsoDate, cycleKey } from "../text/ids.ts";
import { byText, remembered } from "../text/values.ts";
import { assessLocally } from "./assess.ts";
import { checkDocuments, type CheckContext } from "./check.ts";

export interface ValidityContext extends Pick<CheckContext, "catalogue" | "baseline"> {
  /** A service assesses the components, on its own day. */
  readonly isRemote: boolean;
}

/** Determines until when the verdict of a report holds. */
export async function validityOf(report: Report, context: ValidityContext): Promise<Validity> {
  const limit = limitOf(report, context);
  if (limit !== undefined) return { validUntil: report.asOf, exitCodeUntil: report.asOf, limit };
  const days = laterDays(report, context);
  const { catalogue } = context;
  const last = addDays(catalogue.metadata.date, report.policy.maxCatalogueAge ?? DEFAULT_CATALOGUE_AGE);
  const horizon = Math.max(0, daysBetween(report.asOf, last));
  const dayOf = (offset: number): IsoDate => addDays(report.asOf, offset);
  const changed = await days.firstChange(
    0,
    horizon,
    (now, then) => now.verdict.value !== then.verdict.value || now.exit.code !== then.exit.code,
  );
  if (changed === undefined)
    return { validUntil: dayOf(horizon), exitCodeUntil: dayOf(horizon), limit: "catalogue-age" };
  const exits = await days.firstChange(changed - 1, horizon, (now, then) => now.exit.code !== then.exit.code);
  const [before, after] = [await days.on(changed - 1), await days.on(changed)];
  return {
    validUntil: dayOf(changed - 1),
    exitCodeUntil: dayOf(exits === undefined ? horizon : exits - 1),
    next: { verdict: after.verdict.value, exitCode: after.exit.code, changes: changesBetween(before, after) },
  };
}

function limitOf({ verdict, policy }: Report, { isRemote }: ValidityContext): ValidityLimit | undefined {
  if (verdict.value === "none") return "no-verdict";
  if (isRemote) return "service";
  return policy.signals === "off" || policy.signals === "bundled" ? undefined : "support-levels";
}

/** Whether a report of another day differs from the report of the check. */
type Differs = (now: Report, then: Report) => boolean;

/** Finds changes between the reports of days, which are named by their distance from the day of the check. */
function laterDays(report: Report, context: ValidityContext) {
  const on = remembered(async (offset: number) => (offset === 0 ? report : checkOn(report, context, offset)));
  /** The first day after `from` and up to `to` on which the check differs from that of its own day. */
  async function firstChange(from: number, to: number, differs: Differs): Promise<number | undefined> {
    if (from === to) return undefined;
    const [before, after] = [await on(from), await on(to)];
    if (sameOutcomes(before, after) || failsThroughout(before, after)) return undefined;
    if (to - from === 1) return differs(report, after) ? to : undefined;
    const middle = Math.floor((from + to) / 2);
    return (await firstChange(from, middle, differs)) ?? firstChange(middle, to, differs);
  }
  return { on, firstChange };
}

async function checkOn(report: Report, { catalogue, baseline }: ValidityContext, offset: number): Promise<Report> {
  const { documents, failed, policy, tool, links } = report;
  const asOf = addDays(report.asOf, offset);
  const { facts, newest: list } = catalogue;
  const determineSupport =
    policy.signals === "off"
      ? undefined
      : (await import("../support/listed.ts")).determineListed({ policy, facts, asOf, list });
  const assess = assessLocally(catalogue, asOf);
  const context = { catalogue, baseline, policy, tool, links, asOf, assess, determineSupport };
  return checkDocuments([...documents, ...failed], context);
}

/** Everything that the verdict and the exit code depend on. */
function outcomeKey({ outcome, resolution, assessment }: EvaluatedComponent): string {
  const { severity, condition, waived, baselined } = outcome;
  const known = assessment && `${assessment.cycle.eol.kind} ${assessment.support.status}`;
  return `${severity} ${condition} ${waived?.target} ${baselined} ${resolution.kind} ${known} ${cycleOf(outcome)}`;
}

const cycleOf = ({ assessment }: EvaluatedComponent["outcome"]): string =>
  assessment === undefined ? "" : cycleKey(assessment.releaseCycle);

interface ComponentDay {
  readonly value: EvaluatedComponent;
  readonly key: string;
}

/** Calls `use` with what is known of each component on both days, until it answers true. */
const somePair = (
  before: Report,
  after: Report,
  use: (before: ComponentDay, after: ComponentDay) => boolean,
): boolean =>
  before.documents.some(({ rows }, at) => {
    const later = after.documents[at]?.rows;
    if (later === undefined) return true;
    const [one, other] = [componentDays(rows), componentDays(later)];
    return rows.ids.some((_id, index) => use(one(index), other(index)));
  });

function componentDays(rows: DocumentReport["rows"]): (index: number) => ComponentDay {
  const keys = rows.counts().map(({ value }) => outcomeKey(value));
  return (index) => ({ value: rows.at(index), key: keys[rows.ids[index] ?? 0] ?? "" });
}

const sameOutcomes = (before: Report, after: Report): boolean =>
  !somePair(before, after, (one, other) => one.key !== other.key);

/** A component fails for the same reason on both days, so the gate fails on every day between them. */
const failsThroughout = (before: Report, after: Report): boolean =>
  before.verdict.value === "fail" &&
  somePair(before, after, ({ value, key }, other) => value.outcome.severity === "fail" && key === other.key);

/** What changes from one day to the next, worst first. */
function changesBetween(before: Report, after: Report): readonly VerdictChange[] {
  const changes = new Map<string, VerdictChange>();
  somePair(before, after, (one, other) => {
    if (one.key === other.key) return false;
    const change = changeOf(one.value, other.value);
    const group = JSON.stringify({ ...change, components: 0 });
    changes.set(group, { ...change, components: (changes.get(group)?.components ?? 0) + 1 });
    return false;
  });
  return [...changes]
    .toSorted(([a, one], [b, other]) => bySeverity(one.severity, other.severity) || byText(a, b))
    .map(([, change]) => change);
}

function changeOf({ outcome: before }: EvaluatedComponent, { outcome }: EvaluatedComponent): VerdictChange {
  const { severity, condition, assessment } = outcome;
  const { product = null, cycle = null } = assessment?.releaseCycle ?? {};
  const waiver = outcome.waived === undefined ? (before.waived?.target ?? null) : null;
  return { severity, condition, product, cycle, end: endOf(assessment), waiver, components: 1 };
}

function endOf(assessment: Assessment | undefined): IsoDate | null {
  const date = assessment?.support.date ?? null;
  return date === null ? null : lastDay(date);
}
