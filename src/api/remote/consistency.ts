/**
 * Checks that a service's answer agrees with itself, with the clock and with ends that two sources of the local catalogue
 * state. Every field that follows from another part of the answer is computed again and compared. An answer of another
 * day, or one that calls an ended cycle supported, must end a check with exit 5 and never decide a verdict.
 */
import { Check } from "typebox/value";
import { EolgateError } from "../../messages/error.ts";
import type { Assessment, CycleRef, ReleaseCycle } from "../../model/index.ts";
import { assessLater } from "../../lifecycle/assess.ts";
import { addDays, daysBetween } from "../../lifecycle/days.ts";
import { type DoubtedProduct, doubtsOf } from "../../lifecycle/doubts.ts";
import { effectiveEnd } from "../../lifecycle/ends.ts";
import { isSupported } from "../../lifecycle/gate.ts";
import { lastFix } from "../../lifecycle/kev.ts";
import { provenanceOf } from "../../lifecycle/provenance.ts";
import { kevPoints } from "../../lifecycle/score.ts";
import { lifecycleState } from "../../lifecycle/status.ts";
import { asIsoDate, asProductSlug, isIsoDate, type IsoDate } from "../../text/ids.ts";
import { assessmentFromScore, dateFrom } from "../../wire/lifecycle.ts";
import { linksUnder } from "../../wire/links.ts";
import { type ScoreObject, scoreSchema, type StatusObject, statusSchema } from "../../wire/schemas.ts";
import { scoreObject } from "../../wire/score.ts";

/** What an answer is compared with. */
export interface Expectation {
  /** The day of the check. */
  readonly asOf: IsoDate;
  /** The local catalogue's assessment of a cycle; undefined for a cycle that it does not have. */
  readonly known?: ((cycle: CycleRef) => Assessment | undefined) | undefined;
}

/** Throws `unexpected-answer` for the first score or status in `answer`, at any depth, that cannot be true. */
export function validateScores(answer: unknown, expectation: Expectation): void {
  if (Array.isArray(answer)) for (const each of answer) validateScores(each, expectation);
  else if (typeof answer === "object" && answer !== null) {
    const problem = problemOf(answer, expectation);
    if (problem === undefined) for (const each of Object.values(answer)) validateScores(each, expectation);
    else if (problem !== null) throw problem;
  }
}

/** Null for a score or a status that can be true; undefined for what is neither. */
function problemOf(answer: object, expectation: Expectation): EolgateError | null | undefined {
  if (!("eol_date_source" in answer && "as_of" in answer)) return undefined;
  if (Check(scoreSchema, answer)) return refusal(answer, expectation, scoreProblem);
  return Check(statusSchema, answer) ? refusal(answer, expectation, statusProblem) : undefined;
}

type Answered = Pick<StatusObject, "product" | "version" | "as_of" | SupportField>;
type SupportField = "status" | "support_track" | "support_end_date";

function refusal<Answer extends Answered>(
  answer: Answer,
  expectation: Expectation,
  ownProblem: (answer: Answer) => string | undefined,
): EolgateError | null {
  const problem = dayProblem(answer, expectation) ?? ownProblem(answer) ?? dateChange(answer, expectation);
  if (problem === undefined) return null;
  return EolgateError.of("unexpected-answer", {
    problem: `the service's answer for ${answer.product}:${answer.version} cannot be true: ${problem}`,
    advice: "Check the clocks, versions and catalogues of both machines, and the address of the service.",
  });
}

/** A service in another time zone, or one whose day has just begun. */
const MAX_DAYS_APART = 1;

const dayProblem = ({ as_of }: Answered, { asOf }: Expectation): string | undefined =>
  isIsoDate(as_of) && Math.abs(daysBetween(as_of, asOf)) <= MAX_DAYS_APART
    ? undefined
    : `it is of ${as_of}, and today is ${asOf}`;

/** An end on which two independent sources of the local catalogue agree. */
const WITNESSES = 2;

/** A service can know a later end than the local catalogue, except of a cycle whose end two sources state as past. */
function dateChange(answer: Answered, { known }: Expectation): string | undefined {
  const local = known?.({ product: asProductSlug(answer.product), cycle: answer.version });
  if (local?.support.status !== "eol" || local.provenance.agreement < WITNESSES || !runs(answer)) return undefined;
  return `it is supported, and ${local.provenance.agreement} sources of the local catalogue state that it has ended`;
}

/** Whether the support that counts runs on the day of the answer. */
const runs = ({ status, support_track: track, support_end_date: end, as_of }: Answered): boolean =>
  track === null ? isSupported({ status }) : end === null || end >= as_of;

/** The fields of a score that follow from its others. */
const COMPUTED = [
  "eol_date",
  "eol_date_precision",
  "eol_boolean",
  "status",
  "days_until_eol",
  "days_past_eol",
  "support_end_date",
  "support_end_date_precision",
  "support_track",
  "is_supported_by_track",
  "eol_date_source",
  "eol_date_source_url",
  "eol_date_verified_at",
  "eol_date_verified_precision",
  "eol_date_status",
  "eol_date_agreement",
  "eol_date_confidence",
  "data_source",
  "lts",
  "maintenance_only",
  "extended_support_available",
  "extended_support_vendor",
  "extended_support_date",
  "extended_support_date_precision",
  "kev_exposed",
  "kev_fixed_in",
  "factors",
  "score",
  "grade",
  "grade_label",
  "band",
  "score_version",
  "gate",
  "generated_at",
] as const;

function scoreProblem(score: ScoreObject): string | undefined {
  const stated = assessmentFromScore(score);
  const links = { ...linksUnder(""), methodology: score.methodology_url };
  const computed = scoreObject(computedFrom(stated), links);
  return (
    differing(score, Object.fromEntries(COMPUTED.map((field) => [field, computed[field]]))) ??
    doubtProblem(stated) ??
    kevProblem(stated)
  );
}

/** The first field whose value is not the computed one. */
function differing(answer: object, computed: Readonly<Record<string, unknown>>): string | undefined {
  const stated = new Map(Object.entries(answer));
  for (const [field, value] of Object.entries(computed)) {
    const [is, shouldBe] = [JSON.stringify(stated.get(field)), JSON.stringify(value)];
    if (is !== shouldBe)
      return `its ${field} is ${is ?? "absent"}, and its other fields make it ${shouldBe ?? "absent"}`;
  }
  return undefined;
}

/** The assessment that follows from the claims, the tracks and the other stated facts. */
function computedFrom(stated: Assessment): Assessment {
  const { asOf, kevBasis, kevEntries, kevFixedIn } = stated;
  const points = kevPoints(kevBasis);
  const cycle = { ...stated.cycle, eol: effectiveEnd(stated.cycle.claims), ...extendedEnd(stated) };
  const later = assessLater({ ...stated, cycle, factors: { ...stated.factors, cisaKevExposure: points } }, asOf);
  return {
    ...later,
    eolDate: cycle.eol.kind === "dated" ? cycle.eol.date : null,
    eolBoolean: cycle.eol.kind === "dated" || cycle.eol.kind === "unknown" ? null : cycle.eol.kind === "ended",
    kevExposed: points > 0,
    kevFixedIn: kevEntries.length === 0 ? kevFixedIn : lastFix(kevEntries),
    provenance: provenanceOf(cycle.claims, asOf),
  };
}

/** Without tracks, only the answer states whether there is extended support, and until when. */
function extendedEnd({ cycle, extendedSupport: { available, until } }: Assessment): Pick<ReleaseCycle, "eoesFrom"> {
  if (cycle.tracks.length > 0 || !available) return {};
  return { eoesFrom: until === null ? { kind: "open" } : { kind: "dated", date: until } };
}

/** Entries are listed of the states that they give. */
function kevProblem({ kevBasis, kevEntries, kevFixedIn }: Assessment): string | undefined {
  const isListed = kevBasis === "affected" || kevBasis === "depends-on-patch";
  if (isListed !== kevEntries.length > 0)
    return `its kev_basis is ${kevBasis}, and it lists ${kevEntries.length} known exploited vulnerabilities`;
  return kevBasis === null && kevFixedIn !== null
    ? "no known exploited vulnerability names it, and one is fixed"
    : undefined;
}

/** What a product is, as far as every answer about its cycles has the doubts that follow from it. */
const PRODUCT: DoubtedProduct = { record: "upstream", models: false, cycles: [] };

/** A doubt that follows from the answer has to be in it; others follow from what only the service knows. */
function doubtProblem({ cycle, provenance, doubts }: Assessment): string | undefined {
  const missing = doubtsOf(PRODUCT, cycle, provenance).find(
    ({ kind, from }) => !doubts.some((each) => each.kind === kind && each.from === from),
  );
  if (missing) return `its doubts lack ${missing.kind} from ${missing.from ?? "every day"}`;
  const early = doubts.find(
    ({ kind, from, rhythm }) => kind === "probably-superseded" && rhythm && from !== addDays(rhythm.expectedEnd, 1),
  );
  return early && `its doubt ${early.kind} does not begin after the expected end`;
}

/** A status has no claims. What its fields say is compared with each other. */
function statusProblem(answer: StatusObject): string | undefined {
  const { status, eol_date, support_track: track, gate } = answer;
  const isRunning = runs(answer);
  const problem = differing(answer, {
    ...daysOf(answer),
    is_eol: status === "eol",
    eol_approaching: status === "approaching",
    is_supported: isRunning,
    is_supported_by_track: track !== null && isRunning,
    ...(track === null && { support_end_date: eol_date }),
  });
  if (problem !== undefined) return problem;
  const hasEnded = track === null ? status === "eol" : !isRunning;
  if (hasEnded === ENDED.has(gate.condition)) return undefined;
  return `its gate is decided by ${gate.condition}, and its status is ${status}`;
}

function daysOf({ eol_date, as_of }: StatusObject) {
  const date = dateFrom(eol_date, undefined);
  if (date === null) return { days_until_eol: null, days_past_eol: null };
  const { status, daysUntilEol, daysPastEol } = lifecycleState({ kind: "dated", date }, asIsoDate(as_of));
  return { status, days_until_eol: daysUntilEol, days_past_eol: daysPastEol };
}

const ENDED: ReadonlySet<string> = new Set(["eol", "retired", "superseded"]);
