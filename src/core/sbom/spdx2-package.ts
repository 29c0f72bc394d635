/** A package of an SPDX 2 document, by its places in the bytes. */
import type { Purl } from "../ids.ts";
import { Words } from "../../bytes/members.ts";
import { members, mustBeObject, placeOrMistyped, Walk, type Shape } from "../../bytes/walk.ts";
import { LazyComponent, NOWHERE, type TextSource } from "./placed.ts";
import { agentName, isStated } from "./spdx-roles.ts";
import { SPDX2_REFERENCES } from "./spdx2-words.ts";

type ReferenceKind = "purl" | "cpe";
const REFERENCES = new Words<ReferenceKind>(SPDX2_REFERENCES);

export class Spdx2Package extends LazyComponent {
  /** Pointer of the list, and the place in it. */
  private readonly base: string;
  private readonly index: number;
  supplierAt = NOWHERE;
  originatorAt = NOWHERE;
  concludedAt = NOWHERE;
  licenceAt = NOWHERE;
  /** Nearly every package has one purl and no other. */
  purlAt = NOWHERE;
  private morePurlsAt: number[] | undefined = undefined;
  referencesAt = NOWHERE;

  constructor(texts: TextSource, start: number, base: string, index: number) {
    super(texts, start);
    this.base = base;
    this.index = index;
  }

  get pointer(): string {
    return `${this.base}/${this.index}`;
  }
  get parent(): undefined {
    return undefined;
  }
  get group(): undefined {
    return undefined;
  }

  get purls(): readonly Purl[] {
    const first = this.purlsAt(this.purlAt);
    return this.morePurlsAt === undefined ? first : [...first, ...this.morePurlsAt.flatMap((at) => this.purlsAt(at))];
  }
  get cpes(): readonly string[] {
    const places: number[] = [];
    const note = (kind: ReferenceKind, at: number): void => void (kind === "cpe" && places.push(at));
    if (this.referencesAt >= 0) new Walk(this.bytes, this.referencesAt, new References(note)).value(REFERENCE_LIST);
    return places.flatMap((at) => this.stated(at));
  }
  /** What the document's author concluded stands above what the package declares. */
  get licenses(): readonly string[] {
    const concluded = this.written(this.concludedAt);
    const licence = isStated(concluded) ? concluded : this.written(this.licenceAt);
    return isStated(licence) ? [licence] : [];
  }
  get supplier(): string | undefined {
    return agentName(this.text(this.supplierAt));
  }
  get publisher(): string | undefined {
    return agentName(this.text(this.originatorAt));
  }

  addPurlAt(at: number): void {
    if (this.purlAt === NOWHERE) this.purlAt = at;
    else (this.morePurlsAt ??= []).push(at);
  }
  clearPurls(): void {
    this.purlAt = NOWHERE;
    this.morePurlsAt = undefined;
  }
}

/** The external reference that is being read. */
export interface ReferenceReading {
  kind: ReferenceKind | undefined;
  locatorAt: number;
  note(kind: ReferenceKind, locatorAt: number): void;
}

class References implements ReferenceReading {
  kind: ReferenceKind | undefined = undefined;
  locatorAt = NOWHERE;
  readonly note: ReferenceReading["note"];

  constructor(note: ReferenceReading["note"]) {
    this.note = note;
  }
}

export const externalReference = <C extends ReferenceReading>(): Shape<C> => ({
  open: (into) => {
    into.kind = undefined;
    into.locatorAt = NOWHERE;
  },
  members: members(() => ({
    referenceType: {
      met: (into) => {
        into.kind = undefined;
      },
      text: (into, walk) => {
        into.kind = REFERENCES.find(walk.scanner);
      },
    },
    referenceLocator: placeOrMistyped((into, at) => {
      into.locatorAt = at;
    }),
  })),
  close: (into) => {
    if (into.kind !== undefined && into.locatorAt !== NOWHERE) into.note(into.kind, into.locatorAt);
  },
  must: mustBeObject("an external reference"),
});
const REFERENCE_LIST: Shape<References> = { elements: externalReference() };
