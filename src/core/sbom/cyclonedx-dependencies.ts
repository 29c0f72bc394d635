/**
 * Reads who depends on whom when somebody asks. The bytes were checked when the document was read. Not along a shape, but
 * by loops of its own: nothing else in a document is as long and as plain.
 */
import { Words } from "../../bytes/members.ts";
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, QUOTE, Scanner } from "../../bytes/scanner.ts";
import { NOWHERE } from "./placed.ts";
import { PlacedRefs, type DependencyGraph } from "./ref-graph.ts";

const KEYS = new Words<"ref" | "dependsOn">({ ref: "ref", dependsOn: "dependsOn" });

/** Takes an entry: where the content of its ref begins, and where the list of what it depends on. */
type TakeEntry = (refAt: number, onAt: number) => void;

/** What is no list of objects says nothing. The scanner stops behind it. */
function readEntries(scanner: Scanner, take: TakeEntry): void {
  if (!opens(scanner, OPEN_LIST)) return;
  do readEntry(scanner, take);
  while (scanner.more(CLOSE_LIST));
}

/** Of a key that stands twice, the last value counts. */
function readEntry(scanner: Scanner, take: TakeEntry): void {
  if (!opens(scanner, OPEN_OBJECT)) return;
  let refAt = NOWHERE;
  let onAt = NOWHERE;
  do {
    scanner.key();
    const key = KEYS.find(scanner);
    if (key === "ref") refAt = scanner.peek() === QUOTE ? scanner.at + 1 : NOWHERE;
    else if (key === "dependsOn") onAt = scanner.peek() === OPEN_LIST ? scanner.at : NOWHERE;
    scanner.skip();
  } while (scanner.more(CLOSE_OBJECT));
  if (refAt !== NOWHERE) take(refAt, onAt);
}

/** Stops at each string of a list. */
function readRefs(scanner: Scanner, onAt: number, take: () => void): void {
  if (onAt === NOWHERE) return;
  scanner.at = onAt;
  if (!opens(scanner, OPEN_LIST)) return;
  do {
    const isText = scanner.peek() === QUOTE;
    scanner.skip();
    if (isText) take();
  } while (scanner.more(CLOSE_LIST));
}

/** Whether a container with something in it begins here; its bracket is taken. Passes over anything else. */
function opens(scanner: Scanner, bracket: typeof OPEN_LIST | typeof OPEN_OBJECT): boolean {
  if (scanner.peek() !== bracket) {
    scanner.skip();
    return false;
  }
  scanner.at++;
  return !scanner.take(bracket === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT);
}

/** What a ref that stands several times depends on is put together. */
export function readCycloneDxDependencies(bytes: Uint8Array, at: number | undefined): ReadonlyMap<string, string[]> {
  const map = new Map<string, string[]>();
  if (at === undefined) return map;
  const refs = new Scanner(bytes);
  readEntries(new Scanner(bytes, at), (refAt, onAt) => {
    const ref = refs.textFrom(refAt);
    const on = map.get(ref) ?? [];
    map.set(ref, on);
    readRefs(refs, onAt, () => void on.push(refs.text()));
  });
  return map;
}

/** Of each entry only its place is kept: to reach what a report shows, few of the lists have to be read. */
class EntryGraph implements DependencyGraph {
  readonly refs: PlacedRefs;
  private readonly scanner: Scanner;
  /** By id: where its lists begin. */
  private readonly lists: (number | readonly number[] | undefined)[] = [];

  constructor(bytes: Uint8Array) {
    this.refs = new PlacedRefs(bytes);
    this.scanner = new Scanner(bytes);
  }

  entry(refAt: number, onAt: number): void {
    const { refs, lists, scanner } = this;
    scanner.at = onAt;
    if (onAt === NOWHERE || !opens(scanner, OPEN_LIST)) return;
    const id = refs.idAt(refAt);
    const known = lists[id];
    lists[id] = known === undefined ? onAt : [known, onAt].flat();
  }

  on(id: number): readonly number[] {
    const { refs, scanner } = this;
    const on: number[] = [];
    for (const at of [this.lists[id] ?? NOWHERE].flat()) readRefs(scanner, at, () => void on.push(refs.idIn(scanner)));
    return on;
  }
}

/** Undefined where anything is written with escapes: equal refs may then differ in bytes. */
export function cycloneDxGraph(bytes: Uint8Array, at: number | undefined): DependencyGraph | undefined {
  const graph = new EntryGraph(bytes);
  if (at === undefined) return graph;
  const scanner = new Scanner(bytes, at);
  readEntries(scanner, (refAt, onAt) => graph.entry(refAt, onAt));
  return bytes.subarray(at, scanner.at).includes(BACKSLASH) ? undefined : graph;
}
