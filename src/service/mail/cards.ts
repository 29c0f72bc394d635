/** The texts about release cycles in a mail, shared by its text and HTML parts. */
import type { LifecycleDate } from "../../model/index.ts";
import { SOURCE_LABELS } from "../../messages/provenance.ts";
import type { AlertDetails, CycleDetails } from "./content.ts";
import { type MailBlock, type MailRow, type Tone } from "./message.ts";
import { getOwn } from "../../text/values.ts";

export interface MailLinks {
  readonly scoreCard: (product: string, cycle: string) => string;
}

/** A summary of an alert: the subject of a mail with one alert, and the title of its card. */
export function headline(alert: AlertDetails): string {
  const name = alert.label;
  switch (alert.trigger) {
    case "12-months":
      return `${name} reaches its end of life within 12 months`;
    case "90-days":
    case "60-days":
    case "30-days":
    case "7-days":
      return `${name} reaches its end of life in ${daysLeft(alert)}`;
    case "passed":
      return `${name} has reached its end of life`;
    case "kev":
      return `${alert.cve ?? "A vulnerability"} is exploited, and ${name} has reached its end of life`;
  }
}

export function alertCard(alert: AlertDetails, links: MailLinks): MailBlock {
  const moved = alert.movedFrom === undefined ? [] : [{ name: "The date moved", value: `it was ${alert.movedFrom}` }];
  const cve = alert.cve;
  const exploited: readonly MailRow[] =
    cve === undefined
      ? []
      : [{ name: "Known exploited (CISA KEV)", value: cve, url: `https://nvd.nist.gov/vuln/detail/${cve}` }];
  return card(headline(alert), alert, [...exploited, ...moved, ...upgradeRow(alert)], links);
}

export function cycleCard(releaseCycle: CycleDetails, links: MailLinks): MailBlock {
  const isSupported = releaseCycle.status === "active" || releaseCycle.status === "unknown";
  return card(releaseCycle.label, releaseCycle, isSupported ? [] : upgradeRow(releaseCycle), links);
}

/** `Node.js 24 (until 2028-04-30)`, or the statement that no supported release cycle is recorded. */
function upgradeRow({ upgrade }: CycleDetails): readonly MailRow[] {
  const { targets = [], endsSoon = false, successor = null } = upgrade ?? {};
  const names = targets.map(({ label, end }) => `${label} (${end === null ? "no end announced" : `until ${end}`})`);
  const soon = `, which ${targets.some(({ end }) => end === null) ? "may end" : "end"} within 6 months too`;
  const value = [
    ...(names.length === 0 ? [] : [`${names.join(" or ")}${endsSoon ? soon : ""}`]),
    ...(successor === null ? [] : [`replaced by ${successor}`]),
  ].join(", ");
  return [{ name: "Upgrade to", value: value === "" ? "no supported release cycle is recorded" : value }];
}

function card(title: string, releaseCycle: CycleDetails, first: readonly MailRow[], links: MailLinks): MailBlock {
  return {
    kind: "card",
    title,
    url: links.scoreCard(releaseCycle.product, releaseCycle.cycle),
    tone: TONES[releaseCycle.status],
    rows: [
      ...first,
      { name: "End of life", value: endText(releaseCycle) },
      ...(releaseCycle.doubt === null ? [] : [{ name: "In doubt", value: releaseCycle.doubt }]),
      { name: "Risk score", value: `${releaseCycle.score} of 100` },
      ...(releaseCycle.latest === null ? [] : [{ name: "Latest release", value: releaseCycle.latest }]),
      ...(releaseCycle.support === null ? [] : [{ name: "Extended support", value: releaseCycle.support }]),
      sourceRow(releaseCycle),
    ],
  };
}

/** The source of the date, the day it was checked, and the confidence. */
function sourceRow({ source, sourceUrl, verifiedAt, confidence }: CycleDetails): MailRow {
  const read = verifiedAt === null ? "" : `, checked on ${verifiedAt}`;
  return {
    name: "Source",
    value: `${getOwn(SOURCE_LABELS, source) ?? source}${read}, ${confidence} confidence`,
    ...(sourceUrl === null ? {} : { url: sourceUrl }),
  };
}

const PRECISIONS: Readonly<Record<LifecycleDate["precision"], string>> = {
  day: "",
  month: " (the source states only the month)",
  quarter: " (the source states only the quarter)",
  about: " (the source states this month as approximate)",
};

function endText(releaseCycle: CycleDetails): string {
  if (releaseCycle.eolDate === null)
    return releaseCycle.status === "eol" ? "ended, date not published" : "not announced";
  const track = releaseCycle.track === null ? "" : ` (${releaseCycle.track})`;
  const month = `${track}${PRECISIONS[releaseCycle.precision ?? "day"]}`;
  if (releaseCycle.daysPastEol !== null)
    return `${releaseCycle.eolDate}${month}, ${days(releaseCycle.daysPastEol)} ago`;
  return `${releaseCycle.eolDate}${month}, ${daysLeft(releaseCycle)} left`;
}

const daysLeft = ({ daysUntilEol }: CycleDetails): string => days(daysUntilEol ?? 0);

const days = (count: number): string => (count === 1 ? "1 day" : `${count} days`);

const TONES: Readonly<Record<CycleDetails["status"], Tone>> = {
  eol: "ended",
  approaching: "soon",
  active: "calm",
  unknown: "calm",
};

/** Joins names to texts of at most about 200 characters: longer paragraphs would be truncated. */
export function namesInLines(names: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (const name of names) {
    const last = parts.at(-1);
    if (last === undefined || last.length + name.length > 200) parts.push(name);
    else parts[parts.length - 1] = `${last}, ${name}`;
  }
  return parts;
}
