/** Findings as rows, and rows as findings. */
import type {
  Assessed,
  AssessedComponent,
  Component,
  Counted,
  DocumentReport,
  Finding,
  Judgement,
} from "../model/index.ts";
import { ComponentRows } from "./component-rows.ts";

/** Components that were assessed one by one. */
export function rowsOfComponents(candidates: readonly AssessedComponent[]): ComponentRows<Assessed> {
  return fromList(candidates);
}

function fromList<Value extends Assessed>(values: readonly (Value & AssessedComponent)[]): ComponentRows<Value> {
  const rows = new ComponentRows<Value>(values.map(({ component }) => component));
  for (const [index, value] of values.entries()) rows.set(index, rows.add(value));
  return rows;
}

export const toComponents = (rows: ComponentRows<Assessed>): readonly AssessedComponent[] =>
  Array.from({ length: rows.length }, (_, index) => ({ ...rows.at(index), component: rows.component(index) }));

/** The finding of one component. All have the same shape, because 100,000 of them are made for some reports. */
const toFinding = (
  component: Component,
  { resolution, assessment, maintainer, support, outcome }: Judgement,
): Finding => ({ component, resolution, assessment, maintainer, support, outcome });

export const findingAt = (rows: ComponentRows<Judgement>, index: number): Finding =>
  toFinding(rows.component(index), rows.at(index));

/** The findings of all components, with the objects in `components` if it is given, such as those of the document. */
export const toFindings = (rows: ComponentRows<Judgement>, components?: readonly Component[]): readonly Finding[] =>
  Array.from({ length: rows.length }, (_, index) =>
    toFinding(components?.[index] ?? rows.component(index), rows.at(index)),
  );

const known = new WeakMap<Pick<DocumentReport, "findings">, ComponentRows<Judgement>>();

/** Keeps the rows of a report, from which its findings are made on demand. */
export function keepRows(report: DocumentReport, rows: ComponentRows<Judgement>): DocumentReport {
  known.set(report, rows);
  return report;
}

/** The rows of a report; made from its findings for one that has none. */
export function rowsOf(report: Pick<DocumentReport, "findings">): ComponentRows<Judgement> {
  const rows = known.get(report) ?? fromList<Finding>(report.findings);
  known.set(report, rows);
  return rows;
}

/** What is known and decided of the components of all documents. */
export const judgementsOf = (reports: readonly Pick<DocumentReport, "findings">[]): readonly Counted<Judgement>[] =>
  reports.flatMap((report) => rowsOf(report).counts());
