/**
 * What the refs of a dependency path are called. Components are looked through by the bytes of their refs: a path names
 * three of them, and to find out that nobody bears a ref the strings of 100,000 would be made (40 ms).
 */
import type { SbomDocument } from "../model.ts";
import { BACKSLASH, QUOTE } from "../../bytes/scanner.ts";
import { LazyComponent } from "./placed.ts";
import { knownSourceOf } from "./source.ts";

/** The first component that bears a ref gives it its name; a ref that nobody bears has none. */
export function namesOfRefs(document: SbomDocument, refs: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const bytes = knownSourceOf(document)?.opened.bytes;
  const encoder = new TextEncoder();
  const hashes = new Set([...refs].map((ref) => hashTo(encoder.encode(`${ref}"`), 0)));
  for (const component of document.components) {
    if (names.size === refs.size) break;
    if (bytes !== undefined && component instanceof LazyComponent && !mayBear(component, bytes, hashes)) continue;
    const { bomRef } = component;
    if (bomRef !== undefined && refs.has(bomRef) && !names.has(bomRef)) names.set(bomRef, component.name);
  }
  return names;
}

/** A ref written with escapes differs from its text in bytes: only the string can tell. */
function mayBear({ refAt }: LazyComponent, bytes: Uint8Array, hashes: ReadonlySet<number>): boolean {
  if (refAt < 0) return false;
  const hash = hashTo(bytes, refAt);
  return hash === ESCAPED || hashes.has(hash);
}

const ESCAPED = -1;

/** Of the text from `at` to its closing quote; never negative but for ESCAPED. */
function hashTo(bytes: Uint8Array, at: number): number {
  let value = 0x811c9dc5;
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next] ?? QUOTE;
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) return ESCAPED;
    value = Math.imul(value ^ byte, 0x01000193);
  }
  return value >>> 0;
}
