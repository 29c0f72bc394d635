/** Selects and sorts the rows of a report for people, and formats the locations of their components. */
import type { DocumentReport, Finding, Report } from "../model/index.ts";
import { filePath } from "./locations.ts";
import type { ReportOptions, ReportView } from "./reporter.ts";
import { byText } from "../text/values.ts";
import { type CycleRows, daysLeft, type ReportRow } from "./rows.ts";

/** Folders are grouped by cycle by default: 200 files with the same old runtime are one row. */
export const isGroupedByCycle = (report: Report, { view }: ReportOptions): boolean =>
  (view?.groupBy ?? (report.folders === undefined ? "file" : "cycle")) === "cycle";

export interface ListedRows {
  readonly rows: readonly ReportRow[];
  /** Rows that `top` leaves out. */
  readonly rest: readonly ReportRow[];
}

/** The rows that the view selects, in its order; without `only`, all rows that do not pass. */
export function listedRows(rows: readonly ReportRow[], view: ReportView = {}): ListedRows {
  const { only, top = rows.length, sort = "risk" } = view;
  const shown = rows.filter(({ state }) => (only ? isOneOf(only, state) : state !== "pass"));
  const compare = ORDERS[sort];
  const sorted = compare ? shown.toSorted(compare) : shown;
  return { rows: sorted.slice(0, top), rest: sorted.slice(top) };
}

const isOneOf = (states: readonly string[], state: string): boolean => states.includes(state);

type Order = (one: ReportRow, other: ReportRow) => number;

/** The orders of rows; `risk` keeps the given order. */
const ORDERS: Readonly<Record<NonNullable<ReportView["sort"]>, Order | undefined>> = {
  risk: undefined,
  end: (one, other) => daysLeft(one.assessment) - daysLeft(other.assessment),
  name: (one, other) => byText(nameOf(one), nameOf(other)),
  count: (one, other) => other.findings.length - one.findings.length,
};

const nameOf = ({ assessment, findings }: ReportRow): string =>
  (assessment?.productName ?? findings[0]?.component.name ?? "").toLowerCase();

const FIRST_LOCATIONS = 3;

/** `app/Dockerfile:3`, the first ones of a row, each once, and how many more there are. */
export function rowLocations(
  row: ReportRow,
  { documentOf }: Pick<CycleRows, "documentOf">,
  view: ReportView = {},
): { readonly shown: readonly string[]; readonly more: number } {
  const all = new Set(row.findings.map((finding) => locationOf(finding, documentOf(finding))));
  const shown = [...all].slice(0, view.verbose === true ? all.size : FIRST_LOCATIONS);
  return { shown, more: all.size - shown.length };
}

/** `app/Dockerfile:3`. A component of a wrapped document has no line in a file, and one of an image a path in it. */
export function locationOf({ component }: Finding, document: DocumentReport | undefined): string {
  if (document === undefined) return "";
  const file = filePath(document.file);
  if (document.document.format === "image") return `${file}:${component.pointer.replace(/\/\d+$/, "")}`;
  return document.document.wrappers.length > 0
    ? file
    : `${file}:${String(document.document.position(component.span.start).line)}`;
}
