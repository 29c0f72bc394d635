/** Prometheus text 0.0.4, or OpenMetrics 1.0 when the scraper asks for it. */
import { dayNumber, lastDay } from "../lifecycle/days.ts";
import type { Assessment } from "../model/index.ts";
import { requestedFields, type Requested } from "./score.ts";

const SECONDS_PER_DAY = 86_400;

/**
 * The result for one `slug:version` pair of a stack. A pair that cannot be resolved gets a series of its own, so that a
 * scrape never fails.
 */
export type MetricsRow =
  | { readonly kind: "answer"; readonly assessment: Assessment; readonly requested?: Requested }
  | { readonly kind: "error"; readonly product: string; readonly version: string; readonly reason: string };

interface Family {
  readonly name: string;
  readonly help: string;
  /** Null: the series is left out, because a gauge has no value for "not known". */
  readonly value: (assessment: Assessment) => number | null;
}

const FAMILIES: readonly Family[] = [
  { name: "eol_risk_score", help: "EOL Risk Score, 0 to 100, higher is riskier", value: (a) => a.score },
  {
    name: "eol_days_until_eol",
    help: "Days until end of life, negative once past",
    value: (a) => a.daysUntilEol ?? (a.daysPastEol === null ? null : -a.daysPastEol),
  },
  { name: "eol_past_eol", help: "1 when past end of life", value: (a) => Number(a.status === "eol") },
  { name: "eol_approaching", help: "1 when end of life is near", value: (a) => Number(a.status === "approaching") },
  {
    name: "eol_kev_exposed",
    help: "1 when the product has known exploited vulnerabilities",
    value: (a) => Number(a.kevExposed),
  },
  {
    name: "eol_date_timestamp_seconds",
    help: "Day of end of life as a Unix timestamp",
    value: (a) => (a.eolDate ? dayNumber(lastDay(a.eolDate)) * SECONDS_PER_DAY : null),
  },
];

export const METRICS_TYPES = {
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
} as const;

/**
 * The identity of a series is what was asked for: results are values, or labels of `eol_cycle_info`, so that a series goes
 * on when they change. Equal pairs are one series, because Prometheus refuses a scrape with duplicates.
 */
export function metrics(rows: readonly MetricsRow[], format: keyof typeof METRICS_TYPES): string {
  const answers = new Map<string, Assessment>();
  const errors = new Set<string>();
  for (const row of rows) {
    if (row.kind === "answer") answers.set(identityOf(row.assessment, row.requested), row.assessment);
    else errors.add(labels({ product: row.product, version: row.version, reason: row.reason }));
  }
  const lines = FAMILIES.flatMap(({ name, help, value: valueOf }) => {
    const series = [...answers].flatMap(([text, answer]) => {
      const value = valueOf(answer);
      return value === null ? [] : [`${name}{${text}} ${value}`];
    });
    return series.length === 0 ? [] : [...head(name, help), ...series];
  });
  if (answers.size > 0) {
    lines.push(...head("eol_cycle_info", "Grade, band and status as labels"));
    for (const [text, { grade, band, status }] of answers)
      lines.push(`eol_cycle_info{${text},${labels({ grade, band, status })}} 1`);
  }
  if (errors.size > 0) {
    lines.push(...head("eol_lookup_error", "1 for each pair that cannot be answered"));
    lines.push(...[...errors].map((text) => `eol_lookup_error{${text}} 1`));
  }
  if (format === "openmetrics") lines.push("# EOF");
  return `${lines.join("\n")}\n`;
}

const head = (name: string, help: string): readonly string[] => [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];

const identityOf = ({ releaseCycle: { product, cycle } }: Assessment, requested: Requested | undefined): string =>
  labels({ product, version: cycle, ...requestedFields(requested) });

function labels(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(",");
}

const escapeLabel = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
