/**
 * Documents and reports inside the program: their components are rows, of which objects are made for those that are
 * shown. The library converts them to plain objects (`SbomDocument`, `CheckResult`).
 */
import type { ComponentDocument, Component, ComponentList } from "./document.ts";
import type { Counted, EvaluatedComponent, Verdict } from "./policy.ts";
import type { DocumentSubject, Labels, ReportFields } from "./report.ts";
import type { Contribution } from "./contributions.ts";
import type { StatementParts } from "./statement.ts";

/** Ids of refs, which count from 0. */
export interface RefIds {
  readonly size: number;
  idOf(ref: string): number | undefined;
  refOf(id: number): string;
}

/** Dependencies by the ids of their refs: strings are only made for the refs on a path that is requested. */
export interface DependencyGraph {
  readonly refs: RefIds;
  /** Calls `use` with the ids that `id` depends on, in document order. */
  eachDependency(id: number, use: (to: number) => void): void;
}

/** The dependencies of a document. `nodes` are the ids of the refs with an entry, in order; an id may occur twice. */
export interface Dependencies {
  readonly graph: DependencyGraph;
  readonly nodes: Iterable<number>;
  /** The range in which a ref requires another, as written. Absent where the document states no ranges. */
  readonly rangeOf?: ((from: string, to: string) => string | undefined) | undefined;
}

/** A document as its reader returns it. */
export interface ParsedDocument extends ComponentDocument {
  /** Read on the first call; few reports need them. */
  readonly dependencies: () => Dependencies;
}

/** A value for each component of a document. Components with equal values share one. */
export interface ComponentRows<Value> {
  readonly components: ComponentList;
  /** For each component, the id of its value. */
  readonly ids: Uint32Array;
  readonly length: number;
  at(index: number): Value;
  component(index: number): Component;
  /** Each distinct value with the number of its components, by id: in the order of the first components. */
  counts(): readonly Counted<Value>[];
  /** The same components with other values; equal ones stay distinct. */
  map<Other>(convert: (value: Value) => Other): ComponentRows<Other>;
}

/** One document with its findings and its verdict. */
export interface DocumentReport {
  /** Path as given, or `<stdin>`. */
  readonly file: string;
  /** Computes `sha256:` over the bytes as they were read: few reports show it. */
  readonly digest: () => string;
  /** Whether the file was gzip-compressed. */
  readonly gzipped: boolean;
  readonly document: ParsedDocument;
  /** What is known and decided of each component, in document order. */
  readonly rows: ComponentRows<EvaluatedComponent>;
  readonly verdict: Verdict;
  /** The checked folder that contains this file. The files of a folder are one gate. */
  readonly partOf?: string;
  readonly subject: DocumentSubject;
  readonly labels: Labels;
  /** What files of the checked repository contributed to it. Absent: there are none. */
  readonly contributions?: readonly Contribution[];
}

/** The input of the reporters: step 5. */
export interface Report extends ReportFields {
  readonly documents: readonly DocumentReport[];
  /** For a statement about the verdict. Absent when none was requested. */
  readonly statement?: StatementParts;
}

/** The components of a document with the outcome of the policy. */
export type EvaluatedRows = ComponentRows<EvaluatedComponent>;
