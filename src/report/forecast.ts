/** Upcoming failures as text, and as a section of the table, of Markdown and of HTML. */
import { daysBetween } from "../lifecycle/days.ts";
import type { Forecast, Report, RuleOutcome, UpcomingFailure } from "../model/index.ts";
import { CONDITIONS } from "../policy/conditions.ts";
import { formatCount, formatSpan } from "../messages/format.ts";
import { formatComponentName, formatCycle, formatTrack } from "./labels.ts";
import { escapeHtml, escapeMarkdown, escapeMarkdownCode, escapeTerminal, truncate } from "./escape.ts";
import type { Paint } from "./terminal/paint.ts";
import { wrap } from "./terminal/text.ts";
import { link, scrolling } from "./html/style.ts";

/** `Node.js 20`; an upcoming failure always has a release cycle. */
export function failureSubject({ outcome }: UpcomingFailure): string {
  return outcome.assessment ? formatCycle(outcome.assessment) : CONDITIONS[outcome.condition].title;
}

/** Why it fails from that day on. */
export function failureReason({ cause, outcome, findings: [first] }: UpcomingFailure): string {
  const track = outcome.assessment?.support.track;
  switch (cause) {
    case "waiver":
      return `its waiver expires${formatTarget(first?.outcome)}`;
    case "support":
      return `${track ? formatTrack(track) : "its support"} ends`;
    case "score":
      return `its risk score reaches ${outcome.assessment?.score ?? 0}`;
    case "end":
      return CONDITIONS[outcome.condition].title;
  }
}

const formatTarget = (outcome: RuleOutcome | undefined): string =>
  outcome?.waived ? ` (${outcome.waived.target})` : "";

/** `app@1.0, tool@2 and 3 more`. */
export function failureComponents({ findings }: UpcomingFailure, most = 3): string {
  const names = [...new Set(findings.map(({ component }) => formatComponentName(component)))];
  const rest = names.length - most;
  return `${names.slice(0, most).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** The parts of a row, not escaped: `in 45 days`, the subject, the reason. */
const factsOf = ({ from }: Forecast, failure: UpcomingFailure): readonly [string, string, string] => [
  `in ${formatSpan(daysBetween(from, failure.day))}`,
  failureSubject(failure),
  failureReason(failure),
];

/** The heading of the forecast. */
export function forecastTitle({ failures, until }: Forecast): string {
  if (failures.length === 0) return `no upcoming failures until ${until}`;
  return `${formatCount(failures.length, "upcoming failure")} until ${until}`;
}

const DAY_WIDTH = 12;
const DISTANCE_WIDTH = 14;

export function forecastRows(forecast: Forecast, width: number, paint: Paint): string {
  const title = `  ${paint.bold("Forecast")}  ${paint.dim(forecastTitle(forecast))}`;
  const rows = forecast.failures.flatMap((failure) => {
    const [distance, subject, reason] = factsOf(forecast, failure);
    const facts = escapeTerminal(`${reason}: ${failureComponents(failure)}`);
    const text = `${escapeTerminal(truncate(subject, 40))}  ${facts}`;
    const [first = "", ...more] = wrap(text, Math.max(width - DAY_WIDTH - DISTANCE_WIDTH - 4, 30));
    const head = `  ${paint.state("fail", failure.day.padEnd(DAY_WIDTH))}${paint.dim(distance.padEnd(DISTANCE_WIDTH))}`;
    return [`${head}${first}`, ...more.map((rest) => `${" ".repeat(DAY_WIDTH + DISTANCE_WIDTH + 2)}${rest}`)];
  });
  return [title, ...(rows.length > 0 ? ["", ...rows] : [])].join("\n");
}

export function forecastSection(forecast: Forecast): string {
  const title = `### Forecast: ${escapeMarkdown(forecastTitle(forecast))}`;
  if (forecast.failures.length === 0) return title;
  const rows = forecast.failures.map((failure) => {
    const [distance, subject, reason] = factsOf(forecast, failure).map(escapeMarkdown);
    const components = escapeMarkdownCode(truncate(failureComponents(failure), 120));
    return `| ${failure.day} | ${distance} | **${subject}** | ${reason} | ${components} |`;
  });
  return [title, "", "| Fails from | | Release cycle | Reason | Components |", "|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}

/** Number of components that are named for each cycle. */
const MAX_NAMES = 5;

export function forecastPart({ forecast, links }: Report): string {
  if (forecast === undefined) return "";
  const head = `<section><h2>Forecast</h2><p>${escapeHtml(forecastTitle(forecast))}</p>`;
  if (forecast.failures.length === 0) return `${head}</section>`;
  const rows = forecast.failures.map((failure) => {
    const releaseCycle = failure.outcome.assessment?.releaseCycle;
    const [distance, subject, reason] = factsOf(forecast, failure);
    const name = link(subject, releaseCycle ? links.scoreCard(releaseCycle) : null);
    const components = `<code>${escapeHtml(failureComponents(failure, MAX_NAMES))}</code>`;
    return `<tr><td><time datetime="${failure.day}">${failure.day}</time></td><td>${escapeHtml(distance)}</td><td>${name}</td><td>${escapeHtml(reason)}</td><td>${components}</td></tr>`;
  });
  const table = `<table><thead><tr><th>Fails from</th><th>From now</th><th>Release cycle</th><th>Reason</th><th>Components</th></tr></thead><tbody>\n${rows.join("\n")}\n</tbody></table>`;
  return `${head}${scrolling("Forecast", table)}</section>`;
}
