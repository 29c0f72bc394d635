/** The first two rows of a catalogue file: what it is, and where its blocks are. */
import { crc32 } from "node:zlib";
import { fstatSync, openSync, readSync } from "node:fs";
import { EolgateError } from "../../messages/error.ts";
import { isRecord } from "../../text/values.ts";
import { parseOwnJson } from "../../platform/package-files.ts";
import { FORMAT, type StoredHead } from "../schema.ts";
import type { Directory } from "./layout.ts";

export interface OpenedHead {
  readonly head: StoredHead;
  readonly directory: Directory;
  /** First byte that the digest covers: the directory's row. */
  readonly signedFrom: number;
  /** First byte after the directory's row. */
  readonly bodyFrom: number;
}

/** Enough for both rows of a catalogue of 3 MB. */
const FIRST_READ = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads both rows and compares the directory with its checksum and the file's size.
 * @throws EolgateError `catalogue`, code `catalogue-corrupt` or `catalogue-format`.
 */
export function openHead(source: CatalogueByteSource, origin: string): OpenedHead {
  let bytes = source.read(0, Math.min(source.size, FIRST_READ));
  const firstEnd = bytes.indexOf(NEWLINE);
  const head = firstEnd < 0 ? undefined : readHead(textOf(bytes.subarray(0, firstEnd)));
  if (head === undefined) throw corrupt(origin, "the first row is not that of a catalogue");
  if (head.format !== FORMAT) throw otherFormat(head.format, origin);
  let secondEnd = bytes.indexOf(NEWLINE, firstEnd + 1);
  if (secondEnd < 0) {
    bytes = source.read(0, source.size);
    secondEnd = bytes.indexOf(NEWLINE, firstEnd + 1);
  }
  const row = bytes.subarray(firstEnd + 1, secondEnd < 0 ? 0 : secondEnd);
  if (crc32(row) !== head.checksum) throw corrupt(origin, "the checksum of its directory does not match");
  const directory = readDirectory(textOf(row), origin);
  const bodyFrom = secondEnd + 1;
  if (source.size !== bodyFrom + directory.size)
    throw corrupt(origin, `it has ${source.size} bytes instead of ${bodyFrom + directory.size}`);
  return { head, directory, signedFrom: firstEnd + 1, bodyFrom };
}

/** The checksum matched, but others than `layOut` can have written both. */
function readDirectory(row: string, origin: string): Directory {
  let directory: unknown;
  try {
    ({ directory } = parseOwnJson<{ readonly directory: unknown }>(`{${row.replace(/,$/, "")}}`));
  } catch (cause) {
    throw corrupt(origin, "its directory is not JSON", cause);
  }
  if (isDirectory(directory)) return directory;
  throw corrupt(origin, "its directory does not have the shape of one");
}

const isDirectory = (value: unknown): value is Directory =>
  isRecord(value) && isRecord(value["sections"]) && Object.values(value["sections"]).every(isSection);

const isSection = (section: unknown): boolean =>
  isRecord(section) && ["keys", "starts", "checksums"].every((list) => Array.isArray(section[list]));

function readHead(row: string): StoredHead | undefined {
  try {
    const head: unknown = JSON.parse(`${row.replace(/,$/, "")}}`);
    return isHead(head) ? head : undefined;
  } catch {
    return undefined;
  }
}

function isHead(head: unknown): head is StoredHead {
  return (
    typeof head === "object" &&
    head !== null &&
    "format" in head &&
    typeof head.format === "string" &&
    "digest" in head &&
    typeof head.digest === "string" &&
    "signature" in head &&
    (head.signature === null || isSignature(head.signature))
  );
}

const isSignature = (signature: unknown): boolean =>
  isRecord(signature) && ["algorithm", "key", "value"].every((field) => typeof signature[field] === "string");

function otherFormat(found: string, origin: string): EolgateError {
  return EolgateError.of("catalogue-format", { found: found.slice(0, 60), expected: FORMAT }).at(origin);
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();

// Where the reader gets the bytes of a catalogue from: memory, or ranges of an open file.

export interface CatalogueByteSource {
  readonly size: number;
  /** Bytes from `start` up to `end`; fewer where the source ends before. */
  read(start: number, end: number): Uint8Array;
}

export function sourceOfBytes(bytes: Uint8Array): CatalogueByteSource {
  return { size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** Keeps the file open for the life of the process: a file that is replaced meanwhile is read to the end as it was. */
export function sourceOfFile(path: string): CatalogueByteSource {
  const file = openSync(path, "r");
  return {
    size: fstatSync(file).size,
    read(start, end) {
      const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
      let length = 0;
      while (length < bytes.length) {
        const count = readSync(file, bytes, length, bytes.length - length, start + length);
        if (count === 0) break;
        length += count;
      }
      return bytes.subarray(0, length);
    },
  };
}

/** The file is damaged: cut, edited, or mixed from two. */
export function corrupt(origin: string, why: string, cause?: unknown): EolgateError {
  return EolgateError.of("catalogue-corrupt", { why }, { where: origin, cause });
}
