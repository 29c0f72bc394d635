/** Prometheus text 0.0.4, or OpenMetrics 1.0 when the scraper asks for it. */
import { dayNumber, lastDay } from "../lifecycle/days.ts";
import type { Assessment } from "../model/index.ts";

const SECONDS_PER_DAY = 86_400;

/**
 * The result for one `slug:version` pair of a stack. A pair that cannot be resolved gets a series of its own, so that a
 * scrape never fails.
 */
export type MetricsRow =
  | { readonly kind: "answer"; readonly assessment: Assessment }
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

export function metrics(rows: readonly MetricsRow[], format: keyof typeof METRICS_TYPES): string {
  const answers = distinct(
    rows.flatMap((row) => (row.kind === "answer" ? [row.assessment] : [])),
    answerLabels,
  );
  const errors = distinct(
    rows.flatMap((row) => (row.kind === "error" ? [row] : [])),
    errorLabels,
  );
  const lines = FAMILIES.flatMap((family) => {
    const series = answers.flatMap((answer) => {
      const value = family.value(answer);
      return value === null ? [] : [`${family.name}{${answerLabels(answer)}} ${value}`];
    });
    return series.length === 0 ? [] : head(family.name, family.help).concat(series);
  });
  if (errors.length > 0) {
    lines.push(...head("eol_lookup_error", "1 for each pair that cannot be answered"));
    lines.push(...errors.map((row) => `eol_lookup_error{${errorLabels(row)}} 1`));
  }
  if (format === "openmetrics") lines.push("# EOF");
  return `${lines.join("\n")}\n`;
}

const head = (name: string, help: string): string[] => [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];

/** Two patch versions of one release cycle are one series, because Prometheus refuses a scrape with duplicates. */
function distinct<T>(rows: readonly T[], key: (row: T) => string): T[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()];
}

function answerLabels(a: Assessment): string {
  return labels({
    product: a.releaseCycle.product,
    version: a.releaseCycle.cycle,
    grade: a.grade,
    band: a.band,
    status: a.status,
  });
}

function errorLabels(row: Extract<MetricsRow, { kind: "error" }>): string {
  return labels({ product: row.product, version: row.version, reason: row.reason });
}

function labels(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(",");
}

const escapeLabel = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
