/**
 * Reads a file of compressed pages, so that a part of it can be read without decompressing the rest.
 * `tools/bundle-catalogue.ts` writes it: one line of JSON (`PagedHead`), then the pages, each compressed separately
 * with raw DEFLATE (RFC 1951).
 */
import { openSync, readSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { parseOwnJson } from "./own-json.ts";

/** The first line. */
export interface PagedHead {
  /** Size of the uncompressed file in bytes. */
  readonly size: number;
  /** Size of an uncompressed page in bytes; the last page may be smaller. */
  readonly page: number;
  /** Size of each compressed page in bytes. */
  readonly lengths: readonly number[];
}

/** Bytes of the first read: enough for the first line of a file of 10 MB. */
const FIRST_READ = 8192;
const NEWLINE = 0x0a;

export class PagedFile {
  readonly size: number;
  readonly #file: number;
  readonly #page: number;
  /** Position of each page in the file, and the end of the last one. */
  readonly #starts: number[];
  readonly #pages = new Map<number, Uint8Array>();

  /** Keeps the file open for the life of the process. @throws Error of `node:fs`; SyntaxError for another first line. */
  constructor(path: string) {
    this.#file = openSync(path, "r");
    const first = this.#bytes(0, FIRST_READ);
    const end = first.indexOf(NEWLINE);
    const { size, page, lengths } = parseOwnJson<PagedHead>(first.toString("latin1", 0, Math.max(end, 0)));
    this.size = size;
    this.#page = page;
    this.#starts = [end + 1];
    for (const length of lengths) this.#starts.push((this.#starts.at(-1) ?? 0) + length);
  }

  /** Bytes from `start` up to `end`; fewer where the file ends before. @throws Error of `node:zlib` for a damaged page. */
  read(start: number, end: number): Uint8Array {
    const last = Math.min(end, this.size);
    const bytes = Buffer.alloc(Math.max(0, last - start));
    for (let at = start; at < last;) {
      const number = Math.floor(at / this.#page);
      const from = at - number * this.#page;
      const part = this.#inflated(number).subarray(from, from + last - at);
      if (part.length === 0) return bytes.subarray(0, at - start);
      bytes.set(part, at - start);
      at += part.length;
    }
    return bytes;
  }

  #inflated(number: number): Uint8Array {
    let page = this.#pages.get(number);
    if (page === undefined) {
      const [start = 0, end = start] = this.#starts.slice(number, number + 2);
      page = inflateRawSync(this.#bytes(start, end), { maxOutputLength: this.#page });
      this.#pages.set(number, page);
    }
    return page;
  }

  #bytes(start: number, end: number): Buffer {
    const bytes = Buffer.alloc(end - start);
    return bytes.subarray(0, readSync(this.#file, bytes, 0, bytes.length, start));
  }
}
