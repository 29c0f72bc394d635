/**
 * What turns red when: the gate asked again on each day on which its answer for a line can change. Components that
 * change together are asked once, so a forecast costs with the lines and not with the components.
 */
import { judge } from "../gate/judge.ts";
import { earlyEndOf } from "../gate/rules.ts";
import { activeWaivers } from "../gate/waiver.ts";
import type { IsoDate } from "../ids.ts";
import { assessLater } from "../lifecycle/assess.ts";
import { addDays, addMonths, lastDay } from "../lifecycle/days.ts";
import { SCORE_STEPS } from "../lifecycle/score.ts";
import type { Assessment, Candidate, Finding, Forecast, Policy, Ruling, Turn } from "../model.ts";
import { lineText } from "./sighting.ts";

/** `asOf` is the day of the scan that made the findings; `months` by the calendar from there. */
export function forecast(findings: readonly Finding[], policy: Policy, asOf: IsoDate, months: number): Forecast {
  const until = addMonths(asOf, months);
  const turns = groups(findings, policy, asOf).flatMap((group) => turnOf(group, policy, { asOf, until }) ?? []);
  return { from: asOf, until, turns: merged(turns).sort(byDay) };
}

/** Findings that the gate treats alike on every day. Those that fail today, or that no line judges, cannot turn. */
function groups(
  findings: readonly Finding[],
  policy: Policy,
  asOf: IsoDate,
): readonly (readonly [Finding, ...Finding[]])[] {
  const byPurl = activeWaivers(
    policy.waivers.filter(({ target }) => target.startsWith("pkg:")),
    asOf,
  );
  const ids = new Map<unknown, number>();
  const id = (value: unknown): number => {
    if (!ids.has(value)) ids.set(value, ids.size);
    return ids.get(value) ?? -1;
  };
  const grouped = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const { assessment, maintainer, resolution, ruling, component } = finding;
    if (ruling.assessment === undefined || ruling.verdict === "fail" || ruling.known || ruling.leftOut) continue;
    const key = [assessment, maintainer, earlyEndOf(resolution), ruling.condition, byPurl.ofComponent(component)]
      .map(id)
      .join(" ");
    const group = grouped.get(key);
    if (group) group.push(finding);
    else grouped.set(key, [finding]);
  }
  return [...grouped.values()];
}

interface Window {
  readonly asOf: IsoDate;
  readonly until: IsoDate;
}

/** The first day in the window on which the group fails. */
function turnOf(group: readonly [Finding, ...Finding[]], policy: Policy, window: Window): Turn | undefined {
  const [first] = group;
  for (const day of turningDays(first, policy, window)) {
    const ruling = judge([onDay(first, day)], policy, day).findings[0]?.ruling;
    if (ruling?.verdict === "fail") return { day, ruling, cause: causeOf(first.ruling, ruling), findings: group };
  }
  return undefined;
}

function onDay({ component, resolution, assessment, maintainer }: Finding, day: IsoDate): Candidate {
  return {
    component,
    resolution,
    assessment: assessment && assessLater(assessment, day),
    maintainer: maintainer && assessLater(maintainer, day),
  };
}

function causeOf(today: Ruling, then: Ruling): Turn["cause"] {
  if (today.waived) return "waiver";
  if (today.track) return "support";
  return then.condition === "score" ? "score" : "end";
}

/** Every day in the window on which the ruling may change, in order. */
function turningDays(finding: Finding, policy: Policy, { asOf, until }: Window): readonly IsoDate[] {
  const lines = [finding.assessment, finding.maintainer].filter((line) => line !== undefined);
  const days = new Set([...lines.flatMap((line) => lineDays(line, policy)), ...ownDays(finding, policy)]);
  return [...days].filter((day) => day > asOf && day <= until).sort();
}

const dayAfter = (date: IsoDate): IsoDate => addDays(date, 1);

function lineDays({ cycle, eolDate, line }: Assessment, policy: Policy): readonly IsoDate[] {
  const end = eolDate && lastDay(eolDate);
  const steps = end === null ? [] : [1, -policy.warnDays, ...SCORE_STEPS].map((days) => addDays(end, days));
  const extended = cycle.eoesFrom?.kind === "dated" ? [cycle.eoesFrom.date] : [];
  const tracks = [...cycle.tracks.flatMap((track) => track.end ?? []), ...extended].map(lastDay);
  const contracts = policy.contracts
    .filter(({ product }) => product === line.product)
    .map((contract) => contract.until);
  const targets = new Set<string>([line.product, lineText(line)]);
  const waivers = policy.waivers.filter(({ target }) => targets.has(target)).map(({ expires }) => expires);
  return [...steps, ...[...tracks, ...contracts, ...waivers].map(dayAfter)];
}

/** Days of the component itself: its waivers by purl, and the day on which its distribution drops it. */
function ownDays({ component, resolution }: Finding, policy: Policy): readonly IsoDate[] {
  const early = earlyEndOf(resolution)?.from;
  const purls = component.purls.length === 0 ? [] : policy.waivers.filter(({ target }) => target.startsWith("pkg:"));
  return [...purls.map(({ expires }) => dayAfter(expires)), ...(early === undefined ? [] : [early])];
}

/** Groups of one line that turn on one day for one reason are one turn. */
function merged(turns: readonly Turn[]): Turn[] {
  const together = Map.groupBy(turns, (turn) => `${turn.day} ${turn.cause} ${turn.ruling.condition} ${lineOf(turn)}`);
  return [...together.values()].flatMap((same) =>
    same
      .slice(0, 1)
      .map(({ day, ruling, cause }) => ({ day, ruling, cause, findings: same.flatMap((turn) => turn.findings) })),
  );
}

const lineOf = ({ ruling }: Turn): string => (ruling.assessment ? lineText(ruling.assessment.line) : "");
const sortKey = (turn: Turn): string => `${turn.day} ${lineOf(turn)} ${turn.ruling.condition} ${turn.cause}`;
const byDay = (a: Turn, b: Turn): number => (sortKey(a) < sortKey(b) ? -1 : 1);
