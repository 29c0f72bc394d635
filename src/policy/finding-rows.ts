/** Findings as rows, and rows as findings. */
import type {
  Assessed,
  AssessedComponent,
  Component,
  ComponentRows,
  Counted,
  DocumentReport,
  Finding,
  EvaluatedComponent,
} from "../model/index.ts";
import { ComponentRowsBuilder } from "./component-rows.ts";

/** Components that were assessed one by one. */
export function rowsOfComponents(candidates: readonly AssessedComponent[]): ComponentRows<Assessed> {
  return fromList(candidates);
}

function fromList<Value extends Assessed>(values: readonly (Value & AssessedComponent)[]): ComponentRows<Value> {
  const rows = new ComponentRowsBuilder<Value>(values.map(({ component }) => component));
  for (const [index, value] of values.entries()) rows.set(index, rows.add(value));
  return rows;
}

export const toComponents = (rows: ComponentRows<Assessed>): readonly AssessedComponent[] =>
  Array.from({ length: rows.length }, (_, index) => ({ ...rows.at(index), component: rows.component(index) }));

/** The finding of one component. All have the same shape, because 100,000 of them are made for some reports. */
const toFinding = (
  component: Component,
  { resolution, assessment, distroAssessment, support, outcome }: EvaluatedComponent,
): Finding => ({ component, resolution, assessment, distroAssessment, support, outcome });

export const findingAt = (rows: ComponentRows<EvaluatedComponent>, index: number): Finding =>
  toFinding(rows.component(index), rows.at(index));

/** The findings of all components. */
export const toFindings = (rows: ComponentRows<EvaluatedComponent>): readonly Finding[] =>
  Array.from({ length: rows.length }, (_, index) => findingAt(rows, index));

/** The rows of findings that are at hand, such as those of a caller of the library. */
export const rowsOfFindings = (findings: readonly Finding[]): ComponentRows<EvaluatedComponent> => fromList(findings);

/** What is known and decided of the components of all documents. */
export const evaluatedOf = (reports: readonly Pick<DocumentReport, "rows">[]): readonly Counted<EvaluatedComponent>[] =>
  reports.flatMap(({ rows }) => rows.counts());
