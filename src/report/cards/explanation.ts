/** The words of `explain`: each step on the way, what was refused and why, the line with its sources, the ruling. */
import type { Finding } from "../../core/model.ts";
import { terminal } from "../escape.ts";
import type { TerminalOptions } from "../reporters.ts";
import { paint } from "../terminal/paint.ts";
import { CONDITION_TITLES, REASON_WORDS, waiverWords } from "../words.ts";
import { scoreCard } from "./score-card.ts";

export interface ExplanationFacts {
  readonly subject: string;
  readonly steps: readonly { readonly step: string; readonly detail: string }[];
  readonly finding: Finding;
}

export function explanationCard({ subject, steps, finding }: ExplanationFacts, options: TerminalOptions): string {
  const palette = paint(options);
  const told = steps.map(({ step, detail }) => `  ${palette.dim(step.padEnd(18))} ${terminal(detail)}`);
  return [
    `\n  ${palette.bold(terminal(subject))}\n`,
    ...told,
    outcome(finding, options),
    ruling(finding, options),
    "",
  ].join("\n");
}

function outcome({ resolution, assessment, maintainer }: Finding, options: TerminalOptions): string {
  const palette = paint(options);
  switch (resolution.kind) {
    case "resolved": {
      const own =
        assessment === undefined
          ? ""
          : scoreCard(
              assessment,
              options,
              resolution.versionMatchedBy === undefined ? undefined : resolution.requestedVersion,
            );
      const by =
        maintainer === undefined
          ? ""
          : `  ${palette.bold("maintained by the distribution, whose line decides by default")}\n${scoreCard(maintainer, options)}`;
      return own + by;
    }
    case "covered":
      return `\n  ${palette.bold("covered by its distribution")}\n${assessment === undefined ? "" : scoreCard(assessment, options)}`;
    case "unmatched": {
      const candidates =
        resolution.candidates === undefined ? [] : [`  candidates: ${resolution.candidates.map(terminal).join(", ")}`];
      return [
        `\n  ${palette.glyph("waived")} not judged: ${resolution.reason}, ${REASON_WORDS[resolution.reason]}`,
        ...candidates,
        "",
      ].join("\n");
    }
    case "not-applicable":
      return `\n  not judged: ${resolution.why}\n`;
  }
}

function ruling({ ruling: { verdict, condition, waived } }: Finding, options: TerminalOptions): string {
  const palette = paint(options);
  const waiver = waived === undefined ? "" : `  ${terminal(waiverWords(waived))}`;
  return `  ${palette.badge(verdict)}  ${condition === "none" ? "nothing in the policy speaks against it" : CONDITION_TITLES[condition]}${waiver}\n`;
}
