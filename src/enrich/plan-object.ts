/**
 * Plans the edits that put containers of ours into an object, or take them out. The plan is always made for the object
 * as it was before us: what is ours is cut out and what is new is put where it would have gone, in one edit. So
 * enriching twice gives what enriching once gives, and enriching with nothing gives back what was there.
 */
import type { Span } from "../model/index.ts";
import { OPEN_OBJECT, type Scanner } from "../json-rows/scanner.ts";
import { memberCuts, memberSpan } from "./member-cuts.ts";
import type { Edit } from "./edits.ts";
import { readList, type IsOurs, type ListPlace } from "./read-list.ts";
import { isMarked } from "../sbom/mark.ts";
import type { Container, Entries, Renderer } from "./render.ts";
import { beforeSpace, type Styles } from "./style.ts";

/** What a plan is made with. */
export interface Writer {
  readonly scanner: Scanner;
  readonly styles: Styles;
  readonly renderer: Renderer;
}

/** A member that is wanted in an object: `at` is where its value begins, or -1. */
export type Wanted = WantedList | WantedObject;
export interface WantedList {
  readonly kind: "list";
  readonly key: string;
  readonly at: number;
  readonly entries: Entries;
  readonly isOurs: IsOurs;
}
export interface WantedObject {
  readonly kind: "object";
  readonly key: string;
  readonly at: number;
  /** What is wanted in it; undefined asks for an object that is not there yet. */
  readonly members: (object: Span | undefined) => readonly Wanted[];
}

export interface Plan {
  readonly edits: readonly Edit[];
  /** Members that could not be used because they are neither list nor object. */
  readonly unusable: readonly string[];
  /** Enrichment made the object, and it contains nothing else. */
  readonly whollyOurs: boolean;
}

const NOTHING = new Uint8Array(0);
const NO_CUTS: readonly Span[] = [];

/** New members go to `insertAt`; without it, behind the last one. */
export function planObject(writer: Writer, object: Span, wanted: readonly Wanted[], insertAt?: number): Plan {
  const { bytes } = writer.scanner;
  const { edits, unusable, ours, made } = planMembers(writer, object, wanted);
  const cuts = ours.length === 0 ? NO_CUTS : memberCuts(bytes, ours);
  const place = insertion(bytes, object, cuts, insertAt);
  const text = made.length === 0 ? NOTHING : writer.renderer.members(made, writer.styles.of(object), place.first);
  edits.push(...merged(place.at, cuts, text));
  const whollyOurs = ours.length > 0 && place.first && isMarked(bytes, object.start);
  return { edits, unusable, whollyOurs };
}

interface MemberPlans {
  readonly edits: Edit[];
  readonly unusable: string[];
  /** Members that enrichment made and that hold nothing else. */
  readonly ours: Span[];
  /** Members to make. */
  readonly made: Container[];
}

function planMembers(writer: Writer, object: Span, wanted: readonly Wanted[]): MemberPlans {
  const plans: MemberPlans = { edits: [], unusable: [], ours: [], made: [] };
  for (const member of wanted) {
    const inner = member.at < 0 ? undefined : planValue(writer, object, member);
    const isOurs = inner?.whollyOurs === true;
    if (isOurs) plans.ours.push(memberSpan(writer.scanner.bytes, member.at, inner.end));
    if (member.at < 0 || isOurs) plans.made.push(...containersOf(member));
    else if (inner === undefined) plans.unusable.push(member.key);
    else {
      plans.edits.push(...inner.edits);
      plans.unusable.push(...inner.unusable);
    }
  }
  return plans;
}

/** What is to be made for a member that is not there: nothing, when it would be empty. */
function containersOf(wanted: Wanted): readonly Container[] {
  const { key } = wanted;
  if (wanted.kind === "list")
    return wanted.entries.length === 0 ? [] : [{ kind: "list", key, entries: wanted.entries }];
  const members = wanted.members(undefined).flatMap(containersOf);
  return members.length === 0 ? [] : [{ kind: "object", key, members }];
}

interface InnerPlan extends Plan {
  readonly end: number;
}

function planValue(writer: Writer, object: Span, wanted: Wanted): InnerPlan | undefined {
  const { scanner } = writer;
  if (wanted.kind === "list") {
    const list = readList(scanner, wanted.at, wanted.isOurs);
    if (list === undefined) return undefined;
    const { whollyOurs } = list;
    const edits = whollyOurs ? [] : planList(writer, object, list, wanted.entries);
    return { edits, unusable: [], whollyOurs, end: list.span.end };
  }
  scanner.at = wanted.at;
  if (scanner.peek() !== OPEN_OBJECT) return undefined;
  scanner.skip();
  const inner: Span = { start: wanted.at, end: scanner.at };
  return { ...planObject(writer, inner, wanted.members(inner)), end: inner.end };
}

/** A list in an object that does not have it yet. */
export function addedList(writer: Writer, object: Span, { key, entries }: WantedList): Edit {
  const { at, first } = insertion(writer.scanner.bytes, object, NO_CUTS, undefined);
  return { start: at, end: at, text: writer.renderer.list(key, entries, writer.styles.of(object), first) };
}

/** Entries go behind the last one that is there; into an empty list, right behind its bracket. */
export function planList(writer: Writer, object: Span, list: ListPlace, entries: Entries): readonly Edit[] {
  const first = list.lastEnd === undefined;
  const at = list.lastEnd ?? list.span.start + 1;
  if (entries.length === 0) return merged(at, list.cuts, NOTHING);
  const around = writer.styles.of(object);
  const spaced = list.separator === "" && around.colon.endsWith(" ") ? " " : list.separator;
  return merged(at, list.cuts, writer.renderer.entries(entries, writer.styles.with(around, spaced), first));
}

/** Where something is inserted, and whether it is the first thing there. */
interface Place {
  readonly at: number;
  readonly first: boolean;
}

/** Behind the last member that stays. */
function insertion(bytes: Uint8Array, object: Span, cuts: readonly Span[], insertAt: number | undefined): Place {
  if (insertAt !== undefined) return { at: insertAt, first: false };
  const end = beforeSpace(bytes, object.end - 1);
  const at = cuts.find((cut) => cut.end === end)?.start ?? end;
  return { at, first: beforeSpace(bytes, at) === object.start + 1 };
}

/** The text at its place, and the cuts: one that begins there becomes one edit with it. */
function merged(at: number, cuts: readonly Span[], text: Uint8Array): readonly Edit[] {
  if (cuts.length === 0) return text.length === 0 ? [] : [{ start: at, end: at, text }];
  const touching = cuts.find((cut) => cut.start === at);
  const others = cuts.filter((cut) => cut !== touching);
  const apart = others.map(({ start, end }): Edit => ({ start, end, text: NOTHING }));
  if (touching === undefined && text.length === 0) return apart;
  return [...apart, { start: at, end: touching?.end ?? at, text }];
}
