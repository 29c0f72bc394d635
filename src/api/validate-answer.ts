/**
 * Checks that a service's answer agrees with itself and with the clock. An answer of another day, or one that calls an
 * ended cycle supported, must end a check with exit 5 and never decide a verdict.
 */
import { EolgateError } from "../messages/error.ts";
import type { IsoDate } from "../text/ids.ts";
import { isIsoDate } from "../text/ids.ts";
import { daysBetween } from "../lifecycle/days.ts";
import { scoreOf } from "../lifecycle/score.ts";
import { lifecycleState } from "../lifecycle/status.ts";
import { assessmentFromScore } from "../wire/assessment.ts";
import { scoreSchema, type ScoreObject } from "../wire/schemas.ts";
import { Check } from "typebox/value";

/** A service in another time zone, or one whose day has just begun. */
const MAX_DAYS_APART = 1;

/** Throws `unexpected-answer` for the first score object in `answer`, at any depth, that cannot be true on `asOf`. */
export function validateScores(answer: unknown, asOf: IsoDate): void {
  if (Array.isArray(answer)) for (const each of answer) validateScores(each, asOf);
  else if (typeof answer === "object" && answer !== null) {
    if (isScore(answer)) validateScore(answer, asOf);
    else for (const each of Object.values(answer)) validateScores(each, asOf);
  }
}

/** Score objects in a batch or product are members of larger answers, whose own schema was checked before. */
function isScore(value: object): value is ScoreObject {
  return "eol_date_source" in value && "as_of" in value && Check(scoreSchema, value);
}

function validateScore(score: ScoreObject, asOf: IsoDate): void {
  const reject = (why: string): EolgateError =>
    EolgateError.of("unexpected-answer", {
      problem: `the service's answer for ${score.product}:${score.version} cannot be true: ${why}`,
      advice: "Check the clocks of both machines and the address of the service.",
    });
  if (!isIsoDate(score.as_of) || Math.abs(daysBetween(score.as_of, asOf)) > MAX_DAYS_APART)
    throw reject(`it is of ${score.as_of}, and today is ${asOf}`);
  const assessment = assessmentFromScore(score);
  const expected = lifecycleState(assessment.cycle.eol, assessment.asOf);
  if (assessment.status !== expected.status)
    throw reject(`its status is ${assessment.status}, and its end makes it ${expected.status}`);
  const { daysUntilEol, daysPastEol } = expected;
  if (assessment.daysUntilEol !== daysUntilEol || assessment.daysPastEol !== daysPastEol)
    throw reject("its days until or past the end do not follow from its date");
  if (assessment.score !== scoreOf(assessment.factors)) throw reject("its score is not the sum of its factors");
  if (assessment.kevExposed !== assessment.factors.cisaKevExposure > 0)
    throw reject("its known exploitation and the factor for it differ");
}
