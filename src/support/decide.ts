/**
 * Determines the support level from the evidence: the strongest statement decides. Without one, the level is `unknown`
 * with a reason.
 */
import type { IsoDate } from "../text/ids.ts";
import { addDays } from "../lifecycle/days.ts";
import type {
  CycleLevel,
  Evidence,
  LifecycleDate,
  NewestVersion,
  PackageSignals,
  Support,
  SupportCondition,
  SupportLevel,
  UnknownReason,
} from "../model/index.ts";
import { compact } from "../text/values.ts";
import type { DeclaredSupport } from "./declared.ts";
import { statementRow } from "./evidence.ts";
import { type Periods, UNASKED } from "./levels.ts";

/** The result of the release cycle; `level` is undefined when nothing is known about it. */
export interface CycleSupport {
  readonly level?: CycleLevel;
  readonly evidence: readonly Evidence[];
  readonly endOfSupport?: LifecycleDate;
  readonly replacement?: string;
  /** What the document itself states. */
  readonly declared?: DeclaredSupport;
  /** The replacement that the maintainers of the package name. */
  readonly move?: Evidence;
}

/** The result for a component without a release cycle. */
export const NO_CYCLE: CycleSupport = { evidence: [] };

/**
 * Determine the support level of a component.
 * @param signals What the sources state, or why no source was asked.
 */
export function decideSupport(cycle: CycleSupport, signals: PackageSignals | UnknownReason, context: Periods): Support {
  const answers = typeof signals === "string" ? NOTHING : signals;
  const { level, deciding } = strongest(cycle, answers.evidence, context);
  const evidence = decidingFirst([...statedBy(cycle), ...answers.evidence, ...moveOf(cycle)], deciding);
  const lastRelease = latest(evidence.filter(({ statement }) => isRelease(statement)));
  const replacement = replacementOf(cycle, evidence);
  return {
    level,
    evidence,
    ...(level === "unknown" && { reason: typeof signals === "string" ? signals : unknownReason(signals) }),
    ...compact({ endOfSupport: cycle.endOfSupport ?? cycle.declared?.end }),
    ...(lastRelease !== undefined && { lastRelease }),
    ...(replacement !== undefined && { replacement }),
    ...(answers.unanswered.length > 0 && { unanswered: answers.unanswered }),
  };
}

/** By the catalogue, and then by the document. */
const statedBy = ({ evidence, declared }: CycleSupport): readonly Evidence[] =>
  declared === undefined ? evidence : [...evidence, declared.evidence];

const moveOf = ({ move }: CycleSupport): readonly Evidence[] => (move === undefined ? [] : [move]);

/** From the registry where the package is retired, else from the catalogue, else from the maintainers' own pages. */
function replacementOf({ replacement, move }: CycleSupport, evidence: readonly Evidence[]): string | undefined {
  const retired = evidence.find(
    (each) => statementRow(each.statement).weight === "retired" && each.replacement !== undefined,
  );
  return retired?.replacement ?? replacement ?? move?.replacement;
}

const NOTHING: PackageSignals = { evidence: [], unanswered: [], found: false };

interface Decision {
  readonly level: SupportLevel;
  readonly deciding: readonly Evidence[];
}

function strongest(cycle: CycleSupport, evidence: readonly Evidence[], context: Periods): Decision {
  const { activeSince } = context;
  if (cycle.level !== undefined) return { level: cycle.level, deciding: cycle.evidence };
  const retired = evidence.filter((each) => isRetired(each, evidence));
  if (retired.length > 0) return { level: "no-longer-maintained", deciding: retired };
  const blocked = evidence.filter(({ statement }) => statementRow(statement).weight === "blocked");
  if (blocked.length > 0) return { level: "unknown", deciding: blocked };
  if (cycle.declared !== undefined) return { level: cycle.declared.level, deciding: [cycle.declared.evidence] };
  const active = evidence.filter((each) => (activityDay(each) ?? "") >= activeSince);
  if (active.length > 0) return { level: "maintained", deciding: active };
  const last = evidence.filter(({ statement, date }) => statementRow(statement).lastRelease && date !== undefined);
  return last.length > 0 ? { level: "inactive", deciding: last } : byNewest(evidence, context);
}

/**
 * A version of an older major is outdated. On the newest one, the month of its release decides; where it is not known, a
 * list that is not too old shows only that no newer major exists.
 */
function byNewest(evidence: readonly Evidence[], { activeSince, listedSince }: Periods): Decision {
  const deciding = evidence.filter(({ newest }) => newest !== undefined);
  const [first] = deciding;
  if (first?.newest === undefined) return { level: "unknown", deciding: [] };
  const { released } = first.newest;
  if (isBehind(first.newest)) return { level: "outdated", deciding };
  if (released !== undefined && released < activeSince.slice(0, 7)) return { level: "inactive", deciding };
  if (first.retrievedAt < listedSince) return { level: "unknown", deciding };
  return { level: released === undefined ? "current" : "maintained", deciding };
}

/** Minor versions of 0.x that are no majors: fewer than these behind the newest one. */
const FEWEST_MINORS = 3;

/** Whether a version is of an older major. While the newest major is 0, minors are released monthly, so one is none. */
export const isBehind = ({ version, behind }: Pick<NewestVersion, "version" | "behind">): boolean =>
  behind >= (version.startsWith("0.") ? FEWEST_MINORS : 1);

function isRetired({ statement, date }: Evidence, all: readonly Evidence[]): boolean {
  const { weight } = statementRow(statement);
  if (weight !== "archived") return weight === "retired";
  const released = latest(all.filter((each) => isRelease(each.statement)));
  return date === undefined || released === undefined || released <= date;
}

/** The day of the activity; of an observed window its first day, because the activity may have taken place then. */
function activityDay({ statement, date }: Evidence): IsoDate | undefined {
  const { weight, windowDays = 0 } = statementRow(statement);
  return weight === "activity" && date !== undefined ? addDays(date, -windowDays) : undefined;
}

const RELEASES: ReadonlySet<Evidence["statement"]> = new Set([
  "version-released",
  "default-version-released",
  "last-release",
]);
const isRelease = (statement: Evidence["statement"]): boolean => RELEASES.has(statement);

function latest(evidence: readonly Evidence[]): IsoDate | undefined {
  return evidence.reduce<IsoDate | undefined>(
    (day, { date }) => (date !== undefined && (day === undefined || date > day) ? date : day),
    undefined,
  );
}

function decidingFirst(evidence: readonly Evidence[], deciding: readonly Evidence[]): readonly Evidence[] {
  return deciding.length === 0 ? evidence : [...deciding, ...evidence.filter((each) => !deciding.includes(each))];
}

function unknownReason({ evidence, unanswered, found }: PackageSignals): UnknownReason {
  if (evidence.some(({ statement }) => statementRow(statement).weight === "blocked")) return "quarantined";
  const [missing] = unanswered;
  if (missing !== undefined) return missing.reason;
  return found ? "no-activity-date" : "not-found";
}

export function supportCondition(level: SupportLevel): SupportCondition | undefined {
  if (level === "no-longer-maintained") return "unmaintained";
  return level === "inactive" || level === "outdated" ? level : undefined;
}

/**
 * Whether a missing answer could have given the component a level that meets the condition. A level from the catalogue
 * is final; proven activity is outweighed only by a statement of the maintainers.
 */
export function couldMeet({ level, unanswered, reason }: Support, condition: SupportCondition): boolean {
  const missing = unanswered !== undefined || (reason !== undefined && UNASKED.has(reason));
  if (!missing) return false;
  return (
    level === "unknown" ||
    level === "current" ||
    (condition === "unmaintained" && (level === "maintained" || level === "inactive"))
  );
}
