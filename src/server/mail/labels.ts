/** The words of facts: one place, so that text and HTML say the same. */
import type { AlertDetails, CycleDetails } from "./content.ts";
import type { Block, MailRow, Tone } from "./message.ts";

export interface MailLinks {
  readonly scoreCard: (product: string, cycle: string) => string;
}

export const cycleLabel = ({ productName, cycle }: CycleDetails): string => `${productName} ${cycle}`;

/** What happened, in a few words: the subject of a mail with one alert, the title of its card. */
export function headline(alert: AlertDetails): string {
  const name = cycleLabel(alert);
  switch (alert.trigger) {
    case "12-months":
      return `${name} reaches its end of life within 12 months`;
    case "90-days":
    case "60-days":
    case "30-days":
    case "7-days":
      return `${name} reaches its end of life in ${daysLeft(alert)}`;
    case "passed":
      return `${name} is past its end of life`;
    case "kev":
      return `${alert.cve ?? "A vulnerability"} is exploited, and ${name} is past its end of life`;
  }
}

export function alertCard(alert: AlertDetails, links: MailLinks): Block {
  const moved = alert.movedFrom === undefined ? [] : [{ name: "The date moved", value: `it was ${alert.movedFrom}` }];
  const cve = alert.cve;
  const exploited: readonly MailRow[] =
    cve === undefined
      ? []
      : [{ name: "Known exploited (CISA KEV)", value: cve, url: `https://nvd.nist.gov/vuln/detail/${cve}` }];
  return card(headline(alert), alert, [...exploited, ...moved], links);
}

export function cycleCard(line: CycleDetails, links: MailLinks): Block {
  return card(cycleLabel(line), line, [], links);
}

function card(title: string, line: CycleDetails, first: readonly MailRow[], links: MailLinks): Block {
  return {
    kind: "card",
    title,
    url: links.scoreCard(line.product, line.cycle),
    tone: TONES[line.status],
    rows: [
      ...first,
      { name: "End of life", value: endWords(line) },
      { name: "Risk score", value: `${line.score} of 100` },
      ...(line.latest === null ? [] : [{ name: "Latest release of the line", value: line.latest }]),
      ...(line.support === null ? [] : [{ name: "Extended support", value: line.support }]),
      sourceRow(line),
    ],
  };
}

/** Source, day and confidence: a date without them would be a rumour. */
function sourceRow({ source, sourceUrl, verifiedAt, confidence }: CycleDetails): MailRow {
  const read = verifiedAt === null ? "" : `, read on ${verifiedAt}`;
  return {
    name: "Source",
    value: `${source}${read}, confidence ${confidence}`,
    ...(sourceUrl === null ? {} : { url: sourceUrl }),
  };
}

function endWords(line: CycleDetails): string {
  if (line.eolDate === null) return line.status === "eol" ? "past, the day is not stated" : "not announced";
  const month = line.precision === "month" ? " (the source states the month)" : "";
  if (line.daysPastEol !== null) return `${line.eolDate}${month}, ${days(line.daysPastEol)} ago`;
  return `${line.eolDate}${month}, ${daysLeft(line)} left`;
}

const daysLeft = ({ daysUntilEol }: CycleDetails): string => days(daysUntilEol ?? 0);

const days = (count: number): string => (count === 1 ? "1 day" : `${count} days`);

const TONES: Readonly<Record<CycleDetails["status"], Tone>> = {
  eol: "ended",
  approaching: "soon",
  active: "calm",
  unknown: "calm",
};
