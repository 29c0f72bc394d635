/** A component of a CycloneDX document, by its places in the bytes. */
import type { Purl } from "../ids.ts";
import { licencesIn } from "./cyclonedx-licence.ts";
import { LazyComponent, NOWHERE, type TextSource } from "./placed.ts";

export class CycloneDxComponent extends LazyComponent {
  /** The component it is nested in; while the document is read, the one that stays open around it. */
  readonly outer: CycloneDxComponent | undefined;
  /** How many components it is nested in. */
  readonly depth: number;
  /** How many of its list stand before it, and so where its nested ones go. */
  readonly place: number;
  /** Pointer of `/metadata/component`, or of the list that it stands in when it is not nested. */
  readonly base: string;
  /** In its list; -1 for the root, which stands in none. */
  readonly index: number;
  groupAt = NOWHERE;
  publisherAt = NOWHERE;
  supplierAt = NOWHERE;
  purlAt = NOWHERE;
  cpeAt = NOWHERE;
  licencesAt = NOWHERE;
  /** Marked as needed for development, and as needed for something else as well. */
  development = false;
  otherGroup = false;

  constructor(
    texts: TextSource,
    start: number,
    outer: CycloneDxComponent | undefined,
    place: number,
    base: string,
    index: number,
  ) {
    super(texts, start);
    this.outer = outer;
    this.depth = outer === undefined ? 0 : outer.depth + 1;
    this.place = place;
    this.base = base;
    this.index = index;
  }

  get isRoot(): boolean {
    return this.index < 0;
  }

  get pointer(): string {
    return pointerOf(this);
  }
  get parent(): string | undefined {
    return this.outer?.pointer;
  }
  get group(): string | undefined {
    return this.text(this.groupAt);
  }
  get publisher(): string | undefined {
    return this.text(this.publisherAt);
  }
  get supplier(): string | undefined {
    return this.text(this.supplierAt);
  }
  get purls(): readonly Purl[] {
    return this.purlsAt(this.purlAt);
  }
  purlBytes(test: (bytes: Uint8Array, at: number) => boolean): boolean {
    return this.purlAt >= 0 && test(this.bytes, this.purlAt);
  }
  get cpes(): readonly string[] {
    return this.stated(this.cpeAt);
  }
  get licenses(): readonly string[] {
    return licencesIn(this.bytes, this.licencesAt);
  }
}

/** From the inside out, in a loop: components nest deeper than calls may. */
function pointerOf(component: CycloneDxComponent): string {
  const steps: string[] = [];
  let at = component;
  for (; at.outer !== undefined; at = at.outer) steps.push(`/components/${at.index}`);
  steps.push(at.isRoot ? at.base : `${at.base}/${at.index}`);
  return steps.reverse().join("");
}
