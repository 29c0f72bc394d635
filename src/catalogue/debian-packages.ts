/**
 * Names of the binary packages that Debian 12 ships (main, updates, security), read on 2026-11-22 from its package index.
 * One name a line, sorted by bytes, compressed: unpacking takes some 10 ms, so it waits for the first question. A lookup
 * is a binary search over the bytes, which needs no table of 63,666 strings.
 */
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { DEBIAN_PACKAGES } from "./places.ts";

const NEWLINE = 0x0a;

let names: Buffer | undefined;

/** Whether Debian 12 ships a binary package of exactly this name. */
export function inDebian12(name: string): boolean {
  names ??= brotliDecompressSync(readFileSync(DEBIAN_PACKAGES));
  return hasLine(names, Buffer.from(name, "utf8"));
}

/** Whether sorted lines, each with its line end, hold `line`. */
export function hasLine(lines: Buffer, line: Buffer): boolean {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = middle === 0 ? 0 : lines.lastIndexOf(NEWLINE, middle - 1) + 1;
    const end = lines.indexOf(NEWLINE, middle);
    const order = Buffer.compare(lines.subarray(start, end), line);
    if (order === 0) return true;
    if (order < 0) low = end + 1;
    else high = start;
  }
  return false;
}
