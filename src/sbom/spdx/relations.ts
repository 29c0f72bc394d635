/**
 * Relationships of an SPDX document by the ids of its elements: described packages, dependencies and absent elements.
 */
import type { ByteSource } from "../../json-rows/source.ts";
import { lineAndColumn } from "../../json-rows/position.ts";
import { EolgateError } from "../../messages/error.ts";
import { TableComponents, orderWithFirst } from "../component.ts";
import { type ComponentTable, FIELD } from "../component-table.ts";
import { EdgeGraph, RefTable } from "../graph/dependency-graph.ts";

/** What is known of an element. */
const DEFINED = 1;
const DESCRIBED = 2;
/** Something needs it for development or tests; something needs it to run. */
const DEVELOPMENT = 4;
const RUNTIME = 8;

/** A dependency, and whether it is needed for development only. What is needed to build may well be shipped. */
export interface EdgeKind {
  readonly development?: boolean;
  /** A dependency, and not merely a part. */
  readonly dependency?: boolean;
}

export class SpdxRelations {
  readonly refs = new RefTable();
  readonly graph = new EdgeGraph(this.refs);
  /** Ids of the elements that depend on others, in document order, once for each edge. */
  readonly nodes: number[] = [];
  /** Returns the id of a ref in these bytes, which have this hash. */
  readonly addRef = (bytes: Uint8Array, start: number, end: number, hash: number): number =>
    this.refs.add(bytes, start, end, hash);
  private flags = new Uint8Array(1024);
  /** Elements that were named before they were defined, with the position of the first name. */
  private readonly named = new Map<number, number>();
  /** Relationships of a part to its container, of which one was named before it was defined. */
  private readonly partsNamed: Containment[] = [];

  /** An element is in the document. */
  define(id: number): void {
    this.mark(id, DEFINED);
  }

  /** A relationship at `position` names the element. */
  name(id: number, position: number): void {
    if (!this.has(id, DEFINED) && !this.named.has(id)) this.named.set(id, position);
  }

  /** A relationship at `position` names the element as a part of another one. */
  namePart(container: number, part: number, position: number): void {
    if (!this.has(container, DEFINED) || !this.has(part, DEFINED)) this.partsNamed.push({ container, part, position });
  }

  describe(id: number): void {
    this.mark(id, DESCRIBED);
  }

  addEdge(from: number, to: number, { development, dependency }: EdgeKind): void {
    this.nodes.push(from);
    this.graph.addEdge(from, to);
    if (development === true) this.mark(to, DEVELOPMENT);
    else if (dependency === true) this.mark(to, RUNTIME);
  }

  isDescribed(id: number): boolean {
    return this.has(id, DESCRIBED);
  }
  /** What is needed to run anywhere is not for development only. */
  isForDevelopment(id: number): boolean {
    return this.has(id, DEVELOPMENT) && !this.has(id, RUNTIME);
  }

  /**
   * Refuses a document with a relationship to an element that is missing, unless `isExternal`.
   *
   * @throws EolgateError `missing-element`
   */
  requireAll(source: ByteSource, isExternal: (ref: string) => boolean): void {
    for (const [id, position] of this.named) {
      const ref = this.has(id, DEFINED) ? undefined : this.refs.refOf(id);
      if (ref === undefined || isExternal(ref)) continue;
      throw missingElement(ref, source, position);
    }
  }

  /**
   * The elements that only relationships of parts name: what a package contains, or what contains a package. A generator
   * that leaves out files leaves such relationships behind (docs/decisions/0009-absent-elements.md).
   *
   * @throws EolgateError `missing-element` for a part of the document or of what it describes
   */
  absentParts(source: ByteSource, isExternal: (ref: string) => boolean): readonly string[] {
    const absent = new Set<string>();
    for (const { container, part, position } of this.partsNamed)
      for (const id of [container, part]) {
        const ref = this.has(id, DEFINED) ? undefined : this.refs.refOf(id);
        if (ref === undefined || isExternal(ref)) continue;
        if (id === part && this.isWhole(container)) throw missingElement(ref, source, position);
        absent.add(ref);
      }
    return [...absent];
  }

  /** The described software, or the document itself: what it contains are its components. */
  private isWhole(container: number): boolean {
    return this.isDescribed(container) || this.refs.refOf(container) === DOCUMENT_ID;
  }

  private has(id: number, flag: number): boolean {
    return ((this.flags[id] ?? 0) & flag) !== 0;
  }
  private mark(id: number, flag: number): void {
    if (id >= this.flags.length) {
      const larger = new Uint8Array(Math.max(id + 1, this.flags.length * 2));
      larger.set(this.flags);
      this.flags = larger;
    }
    this.flags[id] = (this.flags[id] ?? 0) | flag;
  }
}

/** Of every SPDX 2 document: https://spdx.github.io/spdx-spec/v2.3/document-creation-information/ */
const DOCUMENT_ID = "SPDXRef-DOCUMENT";

interface Containment {
  readonly container: number;
  readonly part: number;
  readonly position: number;
}

const missingElement = (ref: string, source: ByteSource, position: number): EolgateError =>
  EolgateError.of("missing-element", { id: ref.slice(0, 100) }).at(lineAndColumn(source, position));

export interface RelatedComponents {
  /** The described packages first, the others in document order. */
  readonly components: TableComponents;
  /** Refs of the described packages. */
  readonly roots: readonly string[];
}

/**
 * Applies the relations to the components. With several described packages, each of them is a component; only a single
 * one is the described software itself.
 */
export function relateComponents(table: ComponentTable, relations: SpdxRelations): RelatedComponents {
  const roots = describedRows(table, relations);
  const [root = 0] = roots;
  if (roots.length === 1 && table.length > 1 && table.kind(root) === "other") table.setKind(root, "root");
  return {
    components: rootsFirst(table, roots),
    roots: roots.map((index) => relations.refs.refOf(table.number(index, FIELD.refId) - 1)),
  };
}

/** Rows of the described packages, each ref once. Marks on the way what is needed for development only. */
function describedRows(table: ComponentTable, relations: SpdxRelations): readonly number[] {
  const rows = new Map<number, number>();
  for (let index = 0; index < table.length; index++) {
    const id = table.number(index, FIELD.refId) - 1;
    if (id < 0) continue;
    if (relations.isForDevelopment(id)) table.setScope(index, "development");
    if (relations.isDescribed(id) && !rows.has(id)) rows.set(id, index);
  }
  return [...rows.values()];
}

function rootsFirst(table: ComponentTable, roots: readonly number[]): TableComponents {
  const first = new Set(roots);
  const isOrdered = roots.every((row, index) => row === index);
  return new TableComponents(table, isOrdered ? undefined : orderWithFirst(table, (index) => first.has(index)));
}

/** Notes the ref of a component that was read as a string, and that the element is defined. */
export function setRef(table: ComponentTable, index: number, relations: SpdxRelations, id: number): void {
  table.setNumber(index, FIELD.refId, id + 1);
  table.setNumber(index, FIELD.refHash, relations.refs.hash(id));
  relations.define(id);
}

/** Whether a text states something: SPDX writes NOASSERTION and NONE where other formats leave a field out. */
export const isStated = (value: string | undefined): value is string =>
  value !== undefined && value.trim() !== "" && value !== "NOASSERTION" && value !== "NONE";

/** `Organization: Example (mail@example.org)` → `Example`. */
export const agentName = (value: string | undefined): string | undefined =>
  isStated(value) ? value.replace(/^(?:Organization|Person|Tool): */, "").replace(/ *\([^()]*\)$/, "") : undefined;
