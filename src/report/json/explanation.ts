/** What `explain` answers as JSON: the words of the wire, as in every other answer. */
import { earlyEndOf } from "../../core/gate/rules.ts";
import type { Assessment, Finding } from "../../core/model.ts";
import type { Links } from "../../core/wire/links.ts";
import { scoreObject } from "../../core/wire/score.ts";
import { json as escaped } from "../escape.ts";
import { findingRow } from "../rows.ts";
import { rulingWords } from "../ruling-words.ts";
import { trackWords } from "../words.ts";
import type { ExplanationFacts } from "../cards/explanation.ts";
import { resolutionFields } from "./finding.ts";
import { waiverObject } from "./frame.ts";

interface Told extends ExplanationFacts {
  readonly readAs: string;
  readonly asOf: string;
}

export function explanationJson({ subject, readAs, asOf, steps, finding, warnDays }: Told, links: Links): string {
  const { resolution, assessment, maintainer, ruling } = finding;
  const score = (of: Assessment | undefined) => (of === undefined ? null : scoreObject(of, links));
  const dropped = earlyEndOf(resolution);
  const told = {
    subject,
    read_as: readAs,
    as_of: asOf,
    steps,
    ...resolutionFields(resolution),
    ...(resolution.kind === "unmatched" && resolution.product !== undefined && { product: resolution.product }),
    ...(resolution.kind === "unmatched" && resolution.candidates && { candidates: resolution.candidates }),
    ...(dropped && {
      early_end: { kind: dropped.kind, from: dropped.from ?? null, url: dropped.url, read_on: dropped.readOn },
    }),
    score: score(assessment),
    distribution_score: score(maintainer),
    ruling: {
      verdict: isJudged(finding) ? ruling.verdict : "none",
      condition: ruling.condition,
      message: rulingWords(findingRow(finding), warnDays),
      ...(ruling.track && { track: trackWords(ruling.track) }),
    },
    waiver: ruling.waived ? waiverObject(ruling.waived) : null,
  };
  return escaped(`${JSON.stringify(told, null, 2)}\n`);
}

const isJudged = ({ resolution, ruling }: Finding): boolean =>
  resolution.kind !== "unmatched" || ruling.condition !== "none";
