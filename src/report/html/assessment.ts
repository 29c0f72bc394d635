/**
 * The details of a release cycle in an expanded row of the HTML report: the factors of the score and the sources of the
 * date.
 */
import { MOST_POINTS } from "../../lifecycle/score.ts";
import { formatDate } from "../../messages/format.ts";
import type { Assessment, Claim, Report, ScoreFactors } from "../../model/index.ts";
import { escapeHtml as text } from "../escape.ts";
import { formatCycle, formatProvenance } from "../labels.ts";
import { link } from "./parts.ts";

export function assessmentPart({ links }: Report, assessment: Assessment): string {
  const cycle = link(formatCycle(assessment), links.scoreCard(assessment.releaseCycle));
  return [`<p>Release cycle: ${cycle}</p>`, factors(assessment), sources(assessment)].join("\n");
}

const FACTORS: readonly (readonly [keyof ScoreFactors, string])[] = [
  ["eolRecency", "recency of the end"],
  ["attackSurface", "attack surface"],
  ["cisaKevExposure", "known exploitation"],
  ["extendedSupport", "no extended support"],
];

/** The parts of the score, each with its maximum. */
function factors({ factors: points, score, grade, gradeLabel }: Assessment): string {
  const parts = FACTORS.map(([key, words]) => `${words} <b>${points[key]}</b> of ${MOST_POINTS[key]}`);
  return `<p>Risk score <b>${score}</b> of 100, grade <b>${grade}</b> (${text(gradeLabel)}): ${parts.join(", ")}</p>`;
}

function sources({ provenance }: Assessment): string {
  const items = provenance.claims.map(
    (claim) =>
      `<li>${link(claim.source, claim.url)}: ${text(formatClaim(claim))}, checked on ${claim.retrievedAt}</li>`,
  );
  return `<p class="soft">Date: ${text(formatProvenance(provenance))}</p><ul class="soft">${items.join("")}</ul>`;
}

function formatClaim({ end, basis, reason }: Claim): string {
  const endText =
    end.kind === "dated"
      ? formatDate(end.date)
      : end.kind === "ended"
        ? "ended, date not published"
        : end.kind === "open"
          ? "no end announced"
          : "unknown";
  return [endText, ...(basis === undefined ? [] : [basis]), ...(reason === undefined ? [] : [reason])].join(", ");
}
