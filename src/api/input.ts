/** Reads and decompresses files, patterns and standard input: the first step of the main path. */
import { readFileSync } from "node:fs";
import { NOT_A_FILE, NOT_A_FILE_REASON, requireFile, statusOf } from "../platform/file-status.ts";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { EolgateError } from "../messages/error.ts";
import type { DocumentSubject, FailedDocument, FolderCoverage, Labels, ParsedDocument } from "../model/index.ts";
import { lazy } from "../text/values.ts";
import { type ByteSource, MemorySource, allBytes, readFully } from "../json-rows/source.ts";
import { DigestedSource, FileSource, digestOfPieces } from "../platform/file-source.ts";
import { errorCode } from "../platform/write-error.ts";

/** What the place of an input tells of it. */
interface InputOrigin {
  /** The file that contains it, where `file` names a part. */
  readonly path?: string;
  /** Of an image: its name and digest. */
  readonly subject?: DocumentSubject;
  readonly labels?: Labels;
}

/** One document, before it is read. */
export interface Input extends InputOrigin {
  /** Path as given, `<stdin>` for standard input. */
  readonly file: string;
  /** `sha256:` over the bytes of the file, before decompression. */
  readonly digest: () => string;
  readonly gzipped: boolean;
  /** The bytes of the decompressed document. For a large file, they are read on demand. */
  readonly bytes: () => Uint8Array;
  /** The same bytes as a source that is read in pieces; present for large files, which are not held in memory. */
  readonly source?: ByteSource;
}

/** A file of a project, or the value of `--stack`. */
export interface InventoryInput extends InputOrigin {
  /** Path as given, or `--stack`. */
  readonly file: string;
  /** `sha256:` over the bytes. */
  readonly digest: () => string;
  readonly document: ParsedDocument;
  /** The checked folder that contains the file; the folder has one verdict. */
  readonly partOf?: string;
  /** Reads other bytes as the same file: of the same kind, with the same files beside it. */
  readonly reread?: (bytes: Uint8Array) => Promise<ParsedDocument>;
}

export type FolderInput = InventoryInput | (Input & { readonly partOf: string }) | FailedDocument;

export interface FolderContents {
  readonly inputs: readonly FolderInput[];
  readonly coverage: FolderCoverage;
}

/** Reads standard input, for the name `-`. */
export type ReadStdin = () => Promise<Uint8Array>;

export interface ReadOptions {
  /** The digest will be requested, so it is computed while the document is read, and not from a second pass. */
  readonly needsDigest?: boolean;
}

const GLOB_CHARACTERS = /[*?{[]/;

/** The result of expanding the arguments of a command. */
export interface ExpandedFiles {
  /** The files in order, each once, under the first name given for it. */
  readonly files: readonly string[];
  /** Folders of a pattern that cannot be read, so that documents in them may be missing. */
  readonly failed: readonly FailedDocument[];
}

/**
 * Expands the arguments: an argument is a file if one of that name exists, else a pattern. A file that two arguments
 * name is listed once.
 * @throws EolgateError `no-file` for a pattern that matches nothing, `invalid-value` for one that names too much
 */
export async function expandFiles(patterns: readonly string[], cwd: string): Promise<ExpandedFiles> {
  const files = new Map<string, string>();
  const failed = new Map<string, FailedDocument>();
  const add = (name: string): void => {
    const path = name === "-" ? name : resolve(cwd, name);
    if (!files.has(path)) files.set(path, name);
  };
  for (const pattern of patterns) {
    if (pattern === "-" || !GLOB_CHARACTERS.test(pattern) || statusOf(resolve(cwd, pattern)) !== undefined) {
      add(pattern);
      continue;
    }
    const named = alternatives(pattern);
    const { findFiles } = await import("../platform/glob.ts");
    const found = await findFiles(pattern, cwd);
    if (found.files.length === 0 && found.unreadable.length === 0)
      throw EolgateError.of("no-file", { pattern }).at(cwd);
    // `{a,b}.json` names two files: one that does not exist is reported like any other file that is named.
    for (const file of [...found.files, ...named]) add(file);
    for (const folder of found.unreadable) failed.set(resolve(cwd, folder), unreadableFolder(folder, pattern));
  }
  return { files: [...files.values()], failed: [...failed.values()] };
}

/** Characters of a pattern; the search accepts no longer ones. */
const MAX_PATTERN = 65_536;
/** Characters of all names that the braces of one pattern may stand for: several groups multiply them. */
const MAX_NAMED = 1_000_000;

/** The files that a pattern names by braces and without other wildcards. */
function alternatives(pattern: string): readonly string[] {
  const names: string[] = [];
  const open = [pattern];
  let characters = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    characters += next.length;
    if (pattern.length > MAX_PATTERN || characters > MAX_NAMED)
      throw EolgateError.of("invalid-value", {
        problem: "the braces stand for too many names",
        advice: "Use wildcards (*), or name the files in several arguments.",
      }).at(`${pattern.slice(0, 60)}…`);
    const { before, inner, after } = innermostBraces(next) ?? {};
    if (inner !== undefined)
      open.push(
        ...inner
          .split(",")
          .map((each) => `${before}${each}${after}`)
          .reverse(),
      );
    else if (!GLOB_CHARACTERS.test(next)) names.push(next);
  }
  return names;
}

/** The first pair of braces without others in it, and with a comma. */
function innermostBraces(pattern: string) {
  for (let end = pattern.indexOf("}"); end !== -1; end = pattern.indexOf("}", end + 1)) {
    const start = pattern.lastIndexOf("{", end);
    const inner = pattern.slice(start + 1, end);
    if (start !== -1 && inner.includes(",") && !inner.includes("}"))
      return { before: pattern.slice(0, start), inner, after: pattern.slice(end + 1) };
  }
  return undefined;
}

const unreadableFolder = (folder: string, pattern: string): FailedDocument =>
  failedDocument(
    folder,
    EolgateError.of("unreadable", {
      problem: `the folder cannot be read, so documents that match ${pattern} may be missing`,
      advice: "Check its permissions, or name the documents one by one.",
    }).at(folder),
  );

/** Opens one input, and decompresses it. Throws `unreadable`, `too-large`. */
export async function readInput(file: string, cwd: string, stdin: ReadStdin, options?: ReadOptions): Promise<Input> {
  const raw = file === "-" ? new MemorySource(await stdin()) : openFile(file, resolve(cwd, file), options);
  return inputFrom(file === "-" ? "<stdin>" : file, raw);
}

/**
 * Creates an input from bytes.
 * @throws EolgateError `unreadable`, `too-large`
 */
export const inputOf = (name: string, bytes: Uint8Array): Promise<Input> => inputFrom(name, new MemorySource(bytes));

async function inputFrom(name: string, raw: ByteSource): Promise<Input> {
  const gzipped = isGzip(raw);
  const source = gzipped ? new MemorySource(await gunzip(allBytes(raw), name)) : raw;
  const digest = lazy(() => (raw instanceof DigestedSource ? raw.digest() : digestOfPieces(piecesOf(raw))));
  const bytes = lazy(() => allBytes(source));
  return {
    file: name,
    // Computed on demand: few reports show it, and 70 MB take 40 ms.
    digest,
    gzipped,
    source,
    bytes,
  };
}

/** Smaller files, in bytes, are read at once and closed. */
const IN_PIECES = 4 * 1024 * 1024;

/** Opens a file. A pipe or device has no size, so it is read completely. */
function openFile(file: string, path: string, { needsDigest = false }: ReadOptions = {}): ByteSource {
  try {
    const status = requireFile(path);
    if (!status.isFile() || status.size < IN_PIECES) return new MemorySource(readFileSync(path));
    const source = new FileSource(path);
    return needsDigest ? new DigestedSource(source) : source;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function isGzip(source: ByteSource): boolean {
  const first = new Uint8Array(2);
  return readFully(source, first, 0) === 2 && first[0] === 0x1f && first[1] === 0x8b;
}

function* piecesOf(source: ByteSource): Iterable<Uint8Array> {
  const piece = new Uint8Array(Math.min(source.length, 256 * 1024));
  for (let position = 0; position < source.length;) {
    const count = readFully(source, piece, position);
    yield piece.subarray(0, count);
    position += count;
  }
}

/** The error for a file or folder that cannot be read. */
export function unreadable(file: string, cause: unknown): EolgateError {
  const code = errorCode(cause);
  const known: Readonly<Record<string, readonly [message: string, hint: string]>> = {
    ENOENT: ["no such file", "Check the path; it is taken from the working directory."],
    EACCES: ["the file may not be read", "Check its permissions."],
    EPERM: ["the file may not be read", "Check its permissions."],
    EISDIR: ["this is a folder, not a document", "Name a file; only check reads folders."],
    ENAMETOOLONG: ["the path is too long", "Check the path."],
    ELOOP: ["the link leads to itself", "Check the path."],
    [NOT_A_FILE]: [NOT_A_FILE_REASON, "To read standard input, name - as the document."],
    ERR_FS_FILE_TOO_LARGE: [
      "the file is larger than 2 GiB, the most that Node reads at once",
      "Split the document, or leave files out when it is generated.",
    ],
  };
  const [message, hint] = known[code] ?? [
    `the file cannot be read (${code || String(cause)})`,
    "Check the path and the disk.",
  ];
  return EolgateError.of("unreadable", { problem: message, advice: hint }, { where: file, cause });
}

/** Up to this output size in bytes, any ratio is accepted: small repetitive documents compress a thousandfold. */
const FREE_BYTES = 64 * 1024 * 1024;
/** Maximum ratio of decompression. Real SBOMs have ratios of 10 to 30; the limit of gzip is about 1030. */
const MAX_RATIO = 200;

async function gunzip(raw: Uint8Array, file: string): Promise<Uint8Array> {
  const { gunzip: inflate } = await import("node:zlib");
  const limit = Math.max(FREE_BYTES, raw.length * MAX_RATIO);
  try {
    return await promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate)(raw, { maxOutputLength: limit });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE") {
      throw EolgateError.of(
        "too-large",
        {
          problem: `the gzip data expands to more than ${limit} bytes and ${MAX_RATIO} times its size`,
          advice: "If the file is genuine, decompress it and check the plain document.",
        },
        { where: file, cause },
      );
    }
    throw EolgateError.of(
      "unreadable",
      { problem: "the gzip data is truncated or damaged", advice: "Create or download the file again." },
      { where: file, cause },
    );
  }
}

/** Converts the error of one document to its entry in a report. */
export function failedDocument(file: string, error: EolgateError): FailedDocument {
  const { kind, code, message, where, hint } = error;
  return {
    file,
    error: { kind, code, message, ...(where !== undefined && { where }), ...(hint !== undefined && { hint }) },
  };
}

/**
 * Runs `step` and converts its failure to an entry of the report, so that an error in one document does not stop the
 * others. This applies only to errors of the document itself: a missing catalogue or network ends the run.
 */
export async function collectFailure<Outcome>(
  file: string,
  step: () => Promise<Outcome>,
): Promise<Outcome | FailedDocument> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof EolgateError) || error.exit !== 3) throw error;
    return failedDocument(file, error);
  }
}
