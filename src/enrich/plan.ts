/** Plans edits: what is inserted into objects and lists of a document, and what is removed from them. */
import type { Span } from "../model/index.ts";
import {
  type Container,
  type Entries,
  type Entry,
  type Renderer,
  type Styles,
  afterSpace,
  beforeSpace,
} from "./render.ts";
import { OPEN_OBJECT, type Scanner } from "../json-rows/scanner.ts";
import type { Edit } from "./edits.ts";
import type { LifecycleProperties, LifecycleProperty } from "./names.ts";
import { type IsGeneratedEntry, type ListPlace, readList } from "./read.ts";
import { isMarked } from "../sbom/json-bytes.ts";
import type { DocumentComponent } from "../sbom/component.ts";

const COMMA = 0x2c;
const QUOTE = 0x22;

/** A member from the quote of its key, which enrichment writes and which has no escapes, to the end of its value. */
export function memberSpan(bytes: Uint8Array, valueAt: number, valueEnd: number): Span {
  const keyEnd = beforeSpace(bytes, beforeSpace(bytes, valueAt) - 1);
  let start = keyEnd - 1;
  while (start > 0 && bytes[start - 1] !== QUOTE) start--;
  return { start: start - 1, end: valueEnd };
}

/** What to cut for these members: neighbours go together, with the comma before them, or behind them at the beginning. */
export function memberCuts(bytes: Uint8Array, members: readonly Span[]): readonly Span[] {
  const runs: Span[] = [];
  for (const member of members.toSorted((a, b) => a.start - b.start)) {
    const last = runs.at(-1);
    const comma = last === undefined ? -1 : afterSpace(bytes, last.end);
    const follows = last !== undefined && bytes[comma] === COMMA && afterSpace(bytes, comma + 1) === member.start;
    if (follows) runs[runs.length - 1] = { start: last.start, end: member.end };
    else runs.push(member);
  }
  return runs.map((run) => {
    const before = beforeSpace(bytes, run.start);
    if (bytes[before - 1] === COMMA) return { start: before - 1, end: run.end };
    const next = afterSpace(bytes, run.end);
    return bytes[next] === COMMA ? { start: run.start, end: afterSpace(bytes, next + 1) } : run;
  });
}

/** The tools of a plan. */
export interface Writer {
  readonly scanner: Scanner;
  readonly styles: Styles;
  readonly renderer: Renderer;
}

/** A member that an object is to have: `at` is where its value begins, or -1. */
export type MemberRequest = ListRequest | ObjectRequest;
export interface ListRequest {
  readonly kind: "list";
  readonly key: string;
  readonly at: number;
  readonly entries: Entries;
  readonly isGeneratedEntry: IsGeneratedEntry;
}
export interface ObjectRequest {
  readonly kind: "object";
  readonly key: string;
  readonly at: number;
  /** The members that it is to have; undefined if the object does not exist yet. */
  readonly members: (object: Span | undefined) => readonly MemberRequest[];
}

export interface Plan {
  readonly edits: readonly Edit[];
  /** Members that could not be used because they are neither list nor object. */
  readonly unusable: readonly string[];
  /** Enrichment inserted the object, and it contains nothing else. */
  readonly isGenerated: boolean;
}

const NOTHING = new Uint8Array(0);
const NO_CUTS: readonly Span[] = [];

/** New members go to `insertAt`; without it, behind the last one. */
export function planObject(writer: Writer, object: Span, requests: readonly MemberRequest[], insertAt?: number): Plan {
  const { bytes } = writer.scanner;
  const { edits, unusable, generated, inserted } = planMembers(writer, object, requests);
  const cuts = generated.length === 0 ? NO_CUTS : memberCuts(bytes, generated);
  const place = insertion(bytes, object, cuts, insertAt);
  const text =
    inserted.length === 0 ? NOTHING : writer.renderer.members(inserted, writer.styles.of(object), place.first);
  edits.push(...merged(place.at, cuts, text));
  const isGenerated = generated.length > 0 && place.first && isMarked(bytes, object.start);
  return { edits, unusable, isGenerated };
}

interface MemberPlans {
  readonly edits: Edit[];
  readonly unusable: string[];
  /** Members that enrichment inserted and that contain nothing else. */
  readonly generated: Span[];
  /** Members to insert. */
  readonly inserted: Container[];
}

function planMembers(writer: Writer, object: Span, requests: readonly MemberRequest[]): MemberPlans {
  const plans: MemberPlans = { edits: [], unusable: [], generated: [], inserted: [] };
  for (const member of requests) {
    const inner = member.at < 0 ? undefined : planValue(writer, object, member);
    const isGenerated = inner?.isGenerated === true;
    if (isGenerated) plans.generated.push(memberSpan(writer.scanner.bytes, member.at, inner.end));
    if (member.at < 0 || isGenerated) plans.inserted.push(...containersOf(member));
    else if (inner === undefined) plans.unusable.push(member.key);
    else {
      plans.edits.push(...inner.edits);
      plans.unusable.push(...inner.unusable);
    }
  }
  return plans;
}

/** The containers to insert for a member that does not exist: none, if it would be empty. */
function containersOf(request: MemberRequest): readonly Container[] {
  const { key } = request;
  if (request.kind === "list")
    return request.entries.length === 0 ? [] : [{ kind: "list", key, entries: request.entries }];
  const members = request.members(undefined).flatMap(containersOf);
  return members.length === 0 ? [] : [{ kind: "object", key, members }];
}

interface InnerPlan extends Plan {
  readonly end: number;
}

function planValue(writer: Writer, object: Span, request: MemberRequest): InnerPlan | undefined {
  const { scanner } = writer;
  if (request.kind === "list") {
    const list = readList(scanner, request.at, request.isGeneratedEntry);
    if (list === undefined) return undefined;
    const { isGenerated } = list;
    const edits = isGenerated ? [] : planList(writer, object, list, request.entries);
    return { edits, unusable: [], isGenerated, end: list.span.end };
  }
  scanner.at = request.at;
  if (scanner.peek() !== OPEN_OBJECT) return undefined;
  scanner.skip();
  const inner: Span = { start: request.at, end: scanner.at };
  return { ...planObject(writer, inner, request.members(inner)), end: inner.end };
}

/** A list in an object that does not have it yet. */
export function addedList(writer: Writer, object: Span, { key, entries }: ListRequest): Edit {
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
interface InsertionPoint {
  readonly at: number;
  readonly first: boolean;
}

/** Behind the last member that stays. */
function insertion(
  bytes: Uint8Array,
  object: Span,
  cuts: readonly Span[],
  insertAt: number | undefined,
): InsertionPoint {
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

/** A place that could not be written to, and why. */
export interface Skipped {
  /** JSON pointer. */
  readonly pointer: string;
  readonly reason: "not-a-list" | "no-id" | "no-document";
}

export interface DocumentPlan {
  readonly edits: Edit[];
  readonly skipped: Skipped[];
}

export type ToEntry = (lifecycleProperty: LifecycleProperty) => Entry;

/** Entries of properties. The same properties become the same entries, so that their text is rendered once. */
export function entriesOf(toEntry: ToEntry): (properties: LifecycleProperties | undefined) => Entries {
  const kept = new Map<LifecycleProperties, Entries>();
  return (properties) => {
    if (properties === undefined) return [];
    let entries = kept.get(properties);
    if (entries === undefined) kept.set(properties, (entries = properties.map(toEntry)));
    return entries;
  };
}

/** One container for each component, in its own object. */
export function planComponents(
  writer: Writer,
  components: Iterable<DocumentComponent>,
  requestFor: (component: DocumentComponent, index: number) => ListRequest,
): DocumentPlan {
  const plan: DocumentPlan = { edits: [], skipped: [] };
  let index = 0;
  for (const component of components) {
    const request = requestFor(component, index++);
    if (request.at >= 0) planExisting(writer, component, request, plan);
    else if (request.entries.length > 0) plan.edits.push(addedList(writer, component.span, request));
  }
  return plan;
}

/** Writes to the list that exists. A list that enrichment inserted is replaced as a member of its object. */
function planExisting(writer: Writer, component: DocumentComponent, request: ListRequest, plan: DocumentPlan): void {
  const list = readList(writer.scanner, request.at, request.isGeneratedEntry);
  if (list === undefined) plan.skipped.push({ pointer: `${component.pointer}/${request.key}`, reason: "not-a-list" });
  else if (list.isGenerated) plan.edits.push(...planObject(writer, component.span, [request]).edits);
  else plan.edits.push(...planList(writer, component.span, list, request.entries));
}
