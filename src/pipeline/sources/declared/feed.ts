/** A described feed as a source: the same strict reader for every description. */
import { asProductSlug } from "../../../text/ids.ts";
import { ClaimList } from "../feed/claim-list.ts";
import { feedChanged } from "../feed/location.ts";
import type { LifecycleSource, SourceNote, SourceReading } from "../source.ts";
import { type FeedCell, type FeedRow, feedRows } from "./rows.ts";
import type { DeclaredFeed } from "./schema.ts";
import { addValue, matches, templated } from "./values.ts";

export function declaredSource(feed: DeclaredFeed): LifecycleSource {
  const { id, title, format, verification, documents } = feed;
  const slugs = feed.products ? [...new Set(Object.values(feed.products.names))] : [feed.product ?? ""];
  return {
    kind: "lifecycle",
    id,
    title,
    origin: feed.origin ?? slugs[0] ?? id,
    products: slugs.map(asProductSlug),
    format,
    verification,
    independentOfUpstream: true,
    isDeclared: true,
    documents,
    ...(feed.samePages && { samePages: feed.samePages }),
    ...(feed.seen !== undefined && { seen: feed.seen }),
    parse: (text, { format: form = format, part }) =>
      feed.link !== undefined && form !== format ? linked(feed.link, text) : parsed(feed, text, part),
  };
}

function parsed(feed: DeclaredFeed, text: string, part: string | undefined): SourceReading {
  const added: SourceNote[] = [];
  const onNewKey = (key: string) => added.push({ code: "new-key", where: "/", text: key });
  const { notes, ...reading } = readRows(feed, feedRows(text, feed, { part, onNewKey }));
  return { ...reading, notes: [...added, ...notes] };
}

/** A page states nothing itself: it leads to the data. */
function linked(pattern: string, page: string): SourceReading {
  const addresses = new Set(Array.from(page.matchAll(new RegExp(pattern, "g")), ([address]) => address));
  if (addresses.size === 0) throw feedChanged("/", `an address ${pattern}`);
  return { claims: [], notes: [], next: [...addresses].map((url) => ({ url })) };
}

export function readRows(feed: DeclaredFeed, rows: readonly FeedRow[]): SourceReading {
  const claims = new Map<string, ClaimList>();
  for (const row of rows) {
    const product = productOf(feed, row);
    if (product === undefined) continue;
    const known = claims.get(product) ?? new ClaimList(asProductSlug(product));
    claims.set(product, known);
    readRow(feed, row, known);
  }
  if (claims.size === 0) throw feedChanged("/", "a row of a known product");
  const readings = [...claims.values()].map((list) => list.reading());
  return {
    claims: readings.flatMap(({ claims }) => claims),
    notes: readings.flatMap(({ notes }) => notes),
    next: [],
  };
}

/** Undefined for products of the vendor that the catalogue does not track. */
function productOf({ product, products }: DeclaredFeed, row: FeedRow): string | undefined {
  if (products === undefined) return product;
  const name = templated(row.cell(products.column), products.pattern ?? "^(.+)$");
  return name !== undefined && Object.hasOwn(products.names, name) ? products.names[name] : undefined;
}

function readRow(feed: DeclaredFeed, row: FeedRow, claims: ClaimList): void {
  if (isSkipped(feed, row, claims)) return;
  const cell = row.cell(feed.cycle.column);
  const { between } = feed.cycle;
  const names = cell && between !== undefined ? cell.text.split(new RegExp(between)) : [cell?.text];
  for (const name of names) {
    const cycle = cycleOf(feed, row, claims, cell && { ...cell, text: name ?? "" });
    if (cycle !== undefined) for (const value of feed.values) addValue(value, row, cycle, claims);
  }
}

function isSkipped({ skip = [] }: DeclaredFeed, row: FeedRow, claims: ClaimList): boolean {
  const rule = skip.find(({ column, pattern }) => matches(pattern, row.cell(column, true)));
  if (rule === undefined) return false;
  const { where, text } = row.cell(rule.column, true) ?? { where: row.where, text: "" };
  if (rule.note) claims.note(rule.note, where, text);
  return true;
}

function cycleOf(
  { cycle }: DeclaredFeed,
  row: FeedRow,
  claims: ClaimList,
  cell: FeedCell | undefined,
): string | undefined {
  const name = templated(cell, cycle.pattern, cycle.template);
  if (name === undefined) {
    const { where, text } = cell ?? { where: row.where, text: "" };
    if (cycle.others !== "skip") throw feedChanged(where, `a release cycle, ${cycle.pattern}`);
    claims.note("not-a-cycle", where, text);
    return undefined;
  }
  const whole = name.replaceAll(/\{([^}]+)\}/g, (_, column: string) => row.cell(column)?.text ?? "");
  return cycle.names?.[whole] ?? (cycle.lower ? whole.toLowerCase() : whole);
}
