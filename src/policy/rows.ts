/**
 * A value for each component of a document, and findings as such rows. Most components of a large document have equal
 * values, so each distinct value is one object, and a component has a number: a million components take 4 MB.
 */
import type {
  Assessed,
  AssessedComponent,
  Component,
  ComponentList,
  ComponentRows,
  Counted,
  DocumentReport,
  EvaluatedComponent,
  Finding,
} from "../model/index.ts";

export class ComponentRowsBuilder<Value> implements ComponentRows<Value> {
  readonly components: ComponentList;
  /** For each component, the id of its value. */
  readonly ids: Uint32Array;
  private readonly counted: { readonly value: Value; count: number }[] = [];

  constructor(components: ComponentList, ids: Uint32Array = new Uint32Array(components.length)) {
    this.components = components;
    this.ids = ids;
  }

  get length(): number {
    return this.components.length;
  }

  /** Adds a distinct value and returns its id. */
  add(value: Value): number {
    return this.counted.push({ value, count: 0 }) - 1;
  }

  /** Gives a component its value, once. */
  set(index: number, id: number): void {
    this.ids[index] = id;
    const counted = this.counted[id];
    if (counted === undefined) throw new TypeError(`no value ${id}`);
    counted.count += 1;
  }

  at(index: number): Value {
    const counted = this.counted[this.ids[index] ?? 0];
    if (counted === undefined) throw new TypeError(`no value for component ${index}`);
    return counted.value;
  }

  component(index: number): Component {
    const component = this.components.at(index);
    if (component === undefined) throw new TypeError(`no component ${index}`);
    return component;
  }

  /** Each distinct value with the number of its components, by id: in the order of the first components. */
  counts(): readonly Counted<Value>[] {
    return this.counted;
  }

  /** The same components with other values; equal ones stay distinct. */
  map<Other>(convert: (value: Value) => Other): ComponentRows<Other> {
    const rows = new ComponentRowsBuilder<Other>(this.components, this.ids);
    for (const { value, count } of this.counted) rows.counted.push({ value: convert(value), count });
    return rows;
  }
}

/** Fills rows in the order of the components. Values are compared by identity. */
export function toRows<Value>(
  components: ComponentList,
  valueOf: (component: Component, index: number) => Value,
): ComponentRows<Value> {
  const rows = new ComponentRowsBuilder<Value>(components);
  const ids = new Map<Value, number>();
  for (let index = 0; index < components.length; index++) {
    const value = valueOf(rows.component(index), index);
    let id = ids.get(value);
    if (id === undefined) ids.set(value, (id = rows.add(value)));
    rows.set(index, id);
  }
  return rows;
}

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
  { resolution, assessment, distroAssessment, support, requirements, outcome }: EvaluatedComponent,
): Finding => ({ component, resolution, assessment, distroAssessment, support, requirements, outcome });

export const findingAt = (rows: ComponentRows<EvaluatedComponent>, index: number): Finding =>
  toFinding(rows.component(index), rows.at(index));

export const toFindings = (rows: ComponentRows<EvaluatedComponent>): readonly Finding[] =>
  Array.from({ length: rows.length }, (_, index) => findingAt(rows, index));

/** The rows of findings that are at hand, such as those of a caller of the library. */
export const rowsOfFindings = (findings: readonly Finding[]): ComponentRows<EvaluatedComponent> => fromList(findings);

/** What is known and decided of the components of all documents. */
export const evaluatedOf = (reports: readonly Pick<DocumentReport, "rows">[]): readonly Counted<EvaluatedComponent>[] =>
  reports.flatMap(({ rows }) => rows.counts());
