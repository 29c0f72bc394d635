/** `eolgate score`: the risk score of a release cycle. */
import { assessmentFromScore } from "../../wire/assessment.ts";
import { scoreCard } from "../../report/cards/score-card.ts";
import type { Invocation } from "../command.ts";
import { lookUp } from "../lookup.ts";

export const run = (invocation: Invocation): Promise<number> => {
  const [slug = "", version] = invocation.args;
  return lookUp(
    invocation,
    ({ operations }) =>
      version === undefined ? operations.highestScore({ slug }) : operations.score({ slug, version }),
    (score, options) => scoreCard(assessmentFromScore(score), options, score.requested_version),
  );
};
