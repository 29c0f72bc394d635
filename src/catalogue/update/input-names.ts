/**
 * Facts by which inputs become components: variables and repositories of images, tools in files with pins. Without its row
 * an ended runtime is not found at all, which no answer about a component shows.
 */
import { isDeepStrictEqual } from "node:util";
import { normalizeName } from "../../resolve/normalize-name.ts";
import { getOwn, isRecord, keysOf } from "../../text/values.ts";
import { foldedNames } from "../format/sections.ts";
import type { StoredContent } from "../schema.ts";

export interface HeldName {
  readonly section: "tools" | "imageVariables";
  readonly row: string;
  readonly version: "";
}

/** `newer` with the rows of `older` that it lacks, or that it leads to another product. */
export function holdInputNames(
  older: StoredContent,
  newer: StoredContent,
): { readonly content: StoredContent; readonly held: readonly HeldName[] } {
  const held: HeldName[] = [];
  const [meaningBefore, meaningAfter] = [createMeaning(older), createMeaning(newer)];
  function keep<Table extends object>(section: HeldName["section"], before: Table, after: Table): Table {
    const rows = new Map<string, unknown>(Object.entries(after));
    const kept = Object.entries(before).filter(
      ([name, row]) => !contains(meaningAfter(rows.get(name)), meaningBefore(row)),
    );
    if (kept.length === 0) return after;
    held.push(...kept.map(([row]) => ({ section, row, version: "" }) as const));
    return { ...after, ...Object.fromEntries(kept) };
  }
  const imageVariables = keep("imageVariables", older.imageVariables, newer.imageVariables);
  const { serviceActions, ...before } = older.tools;
  const tools = { ...newer.tools };
  for (const table of keysOf(before))
    Object.assign(tools, { [table]: keep("tools", before[table], newer.tools[table]) });
  const missing = serviceActions.filter((name) => !newer.tools.serviceActions.includes(name));
  held.push(...missing.map((row) => ({ section: "tools", row, version: "" }) as const));
  if (held.length === 0) return { content: newer, held };
  return {
    content: { ...newer, imageVariables, tools: { ...tools, serviceActions: [...tools.serviceActions, ...missing] } },
    held,
  };
}

/** Whether a row contains what the older one does; lists and tables in it may have grown. */
function contains(after: unknown, before: unknown): boolean {
  if (Array.isArray(before))
    return Array.isArray(after) && before.every((each) => after.some((other) => isDeepStrictEqual(other, each)));
  if (!isRecord(before)) return after === before;
  return isRecord(after) && Object.entries(before).every(([name, value]) => contains(getOwn(after, name), value));
}

/** What a row leads to: the products of a named tool, else the row itself. Where it was read decides nothing. */
function createMeaning({ names, purls }: StoredContent): (row: unknown) => unknown {
  const index = foldedNames(names);
  return (row) => {
    if (!isRecord(row)) return row;
    const { name, purl, page: _, on: _on, ...rest } = row;
    if (typeof name !== "string") return rest;
    const entry = typeof purl === "string" ? getOwn(purls, purl.replace(/^pkg:/, "")) : undefined;
    const product = typeof entry === "object" ? entry.product : entry;
    return { ...rest, product: product ?? getOwn(index, normalizeName(name)) ?? name };
  };
}
