/**
 * Components whose texts stay in the document's bytes until somebody asks. Of 100,000 components a report shows a few
 * hundred: making all their strings, and keeping them, cost more than reading the document.
 */
import { asPurl, type Purl } from "../ids.ts";
import type { Component, ComponentKind, ComponentScope, DeclaredLifecycle, Span } from "../model.ts";
import { rawText } from "../../bytes/raw.ts";
import { Scanner } from "../../bytes/scanner.ts";
import { mistyped } from "../../bytes/walk.ts";

/** Where no text stands. */
export const NOWHERE = -1;

/** Makes the texts of a document. A text's place is the byte behind its opening quote. */
export class TextSource {
  readonly bytes: Uint8Array;
  private readonly scanner: Scanner;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.scanner = new Scanner(bytes);
  }

  at(place: number): string {
    this.scanner.at = place - 1;
    this.scanner.string();
    return this.scanner.text();
  }

  /** An empty text names nothing. */
  stated(place: number): readonly string[] {
    if (place < 0) return NONE;
    const text = this.at(place);
    return isBlank(text) ? NONE : [text];
  }
}

const NONE: readonly never[] = [];
/** Most texts begin with a letter: those are not trimmed to find out. */
const isBlank = (text: string): boolean => !(text.charCodeAt(0) > 0x20) && text.trim() === "";

/** What a reader knows of any component's place. */
export interface PlacedComponent extends Component {
  /** Where the value of `properties` or `annotations` begins, or -1: enrichment writes there. */
  readonly entriesAt: number;
}

/** What is read in the same way in each format. Every field is there from the start: all components have one layout. */
export abstract class LazyComponent implements PlacedComponent {
  /** Hidden from whoever prints a component: all of the document stands behind it. */
  readonly #texts: TextSource;
  readonly start: number;
  end: number;
  kind: ComponentKind = "other";
  scope: ComponentScope | undefined = undefined;
  declared: readonly DeclaredLifecycle[] = NONE;
  entriesAt = NOWHERE;
  refAt = NOWHERE;
  nameAt = NOWHERE;
  versionAt = NOWHERE;

  constructor(texts: TextSource, start: number) {
    this.#texts = texts;
    this.start = start;
    this.end = start;
  }

  abstract get pointer(): string;
  abstract get parent(): string | undefined;
  abstract get group(): string | undefined;
  abstract get purls(): readonly Purl[];
  abstract get cpes(): readonly string[];
  abstract get licenses(): readonly string[];
  abstract get supplier(): string | undefined;
  abstract get publisher(): string | undefined;

  get span(): Span {
    return { start: this.start, end: this.end };
  }
  get bomRef(): string | undefined {
    return this.text(this.refAt);
  }
  get name(): string {
    return this.text(this.nameAt) ?? "";
  }
  get version(): string | undefined {
    return this.text(this.versionAt);
  }

  /** All of it as plain values: what is printed, and what can be spread or sent. */
  toJSON(): Component {
    const { pointer, span, kind, bomRef, name, group, version, purls, cpes, licenses } = this;
    const { supplier, publisher, scope, declared, parent } = this;
    return {
      pointer,
      span,
      kind,
      bomRef,
      name,
      group,
      version,
      purls,
      cpes,
      licenses,
      supplier,
      publisher,
      scope,
      declared,
      parent,
    };
  }
  [Symbol.for("nodejs.util.inspect.custom")](): Component {
    return this.toJSON();
  }

  protected get bytes(): Uint8Array {
    return this.#texts.bytes;
  }
  protected text(place: number): string | undefined {
    return place < 0 ? undefined : this.#texts.at(place);
  }
  /** A text, or the JSON of what stands in its place. */
  protected written(place: number): string | undefined {
    return place < NOWHERE ? rawText(this.bytes, mistyped(place)) : this.text(place);
  }
  protected stated(place: number): readonly string[] {
    return this.#texts.stated(place);
  }
  protected purlsAt(place: number): readonly Purl[] {
    const text = this.written(place) ?? "";
    return isBlank(text) ? NONE : [asPurl(text)];
  }
}
