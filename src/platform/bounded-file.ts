/**
 * Reads files that are held in memory as a whole, up to a limit for each kind. Documents are not among them: they are
 * read in pieces.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { NOT_A_FILE, NOT_A_FILE_REASON, requireFile } from "./file-status.ts";
import { EolgateError } from "../messages/error.ts";
import { errorCode } from "./write-error.ts";

const MIB = 1024 * 1024;

interface BoundedFile {
  /** Bytes. */
  readonly limit: number;
  readonly advice?: string;
  readonly code: "config-unreadable" | "catalogue-unreadable" | "too-large";
}

const SMALLER = "Check the path: real files of this kind are far smaller.";

const config = (mebibytes: number): BoundedFile => ({
  limit: mebibytes * MIB,
  code: "config-unreadable",
  advice: SMALLER,
});
const list = (mebibytes: number): BoundedFile => ({
  limit: mebibytes * MIB,
  code: "too-large",
  advice: "Check the path, or split the file.",
});

/** The kinds of files by their name in messages. The limits are far above real files. */
export const BOUNDED_FILES = {
  "configuration file": config(16),
  "own catalogue": config(16),
  "configuration of the registries": config(16),
  "event file": config(64),
  "key file": config(1),
  "tiers file": config(1),
  "secret file": config(1),
  "file with the address of the database": config(1),
  catalogue: { limit: 64 * MIB, code: "catalogue-unreadable" },
  baseline: list(256),
  "list of products": list(64),
  "exported cache": list(256),
} as const satisfies Readonly<Record<string, BoundedFile>>;

export type BoundedFileKind = keyof typeof BOUNDED_FILES;

/**
 * Reads a file of a kind that {@link BOUNDED_FILES} lists. `unreadable` creates the error for a file that cannot be read.
 * @throws EolgateError `config-unreadable`, `catalogue-unreadable`, `too-large` with the limit
 */
export function readBoundedFile(
  path: string,
  kind: BoundedFileKind,
  unreadable: (cause: unknown) => EolgateError,
): Buffer {
  const { limit, code }: BoundedFile = BOUNDED_FILES[kind];
  let bytes: Buffer | undefined;
  try {
    bytes = readUpTo(path, limit);
  } catch (cause) {
    if (errorCode(cause) !== NOT_A_FILE) throw unreadable(cause);
    throw EolgateError.of(
      code,
      { problem: `the ${kind} cannot be read: ${NOT_A_FILE_REASON}` },
      { where: path, cause },
    );
  }
  if (bytes === undefined) throw tooLarge(path, kind);
  return bytes;
}

/** @throws EolgateError as {@link readBoundedFile} for a file of `size` bytes, which is read elsewhere. */
export function requireBelowLimit(size: number, path: string, kind: BoundedFileKind): void {
  if (size > BOUNDED_FILES[kind].limit) throw tooLarge(path, kind);
}

function tooLarge(path: string, kind: BoundedFileKind): EolgateError {
  const { limit, code, advice }: BoundedFile = BOUNDED_FILES[kind];
  return EolgateError.of(code, { problem: `the ${kind} is larger than ${limit} bytes`, advice }).at(path);
}

/** The same as text; empty for a file that does not exist. */
export function readTextIfPresent(
  path: string,
  kind: BoundedFileKind,
  unreadable: (cause: unknown) => EolgateError,
): string {
  try {
    return readBoundedFile(path, kind, unreadable).toString("utf8");
  } catch (error) {
    if (error instanceof EolgateError && errorCode(error.cause) === "ENOENT") return "";
    throw error;
  }
}

/**
 * Reads a file of at most `limit` bytes; undefined for a larger one. Of a regular file that is larger, nothing is read;
 * of a pipe, which has no size, no more than one byte above the limit. Throws the errors of the file system.
 */
export function readUpTo(path: string, limit: number): Buffer | undefined {
  requireFile(path);
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    return size > limit ? undefined : readToEnd(file, size, limit);
  } finally {
    closeSync(file);
  }
}

const PIECE = 64 * 1024;
/** Bytes that {@link readBeginning} reads at most. */
export const BEGINNING = 16 * 1024;
let beginning: Buffer | undefined;

/** Reads the beginning of a file, in one buffer that the next call overwrites. Does not wait for a pipe. */
export function readBeginning(path: string): Buffer {
  beginning ??= Buffer.allocUnsafeSlow(BEGINNING);
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return beginning.subarray(0, readSync(file, beginning, 0, BEGINNING, 0));
  } finally {
    closeSync(file);
  }
}

function readToEnd(file: number, size: number, limit: number): Buffer | undefined {
  const pieces: Buffer[] = [];
  for (let length = 0; length <= limit;) {
    const wanted = Math.min(Math.max(PIECE, size + 1 - length), limit + 1 - length);
    // Not from the pool of Node, because keys and passwords are read too.
    const piece = Buffer.allocUnsafeSlow(wanted);
    const count = readSync(file, piece);
    if (count === 0) return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    pieces.push(piece.subarray(0, count));
    length += count;
  }
  return undefined;
}
