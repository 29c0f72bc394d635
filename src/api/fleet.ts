/**
 * Runs over many documents: the work is done concurrently and its results are taken in order. The journal of `--resume`
 * has one line for each finished document, in the order of the run. An interrupted run continues after the last complete
 * line; an incomplete line is ignored.
 */
import { type FileHandle, open } from "node:fs/promises";
import { EolgateError } from "../messages/error.ts";
import { readTextIfPresent } from "../platform/bounded-file.ts";
import { writeError } from "../platform/write-error.ts";
import type { DocumentSummary } from "../policy/run-summary.ts";

/** Does the work for one subject at a time. */
export type FleetWorker<Subject, Result> = (subject: Subject) => Promise<Result>;

/** Number of results per worker that may wait for an earlier one. It limits the memory while one subject takes long. */
const AHEAD_PER_WORKER = 4;

/**
 * Calls `take` once for each subject, in order, and waits for it before the next call. The first failure of a worker or of
 * `take` ends the run: no further subject is started, and the promise rejects with it.
 */
export async function runInOrder<Subject, Result>(
  subjects: readonly Subject[],
  workers: readonly FleetWorker<Subject, Result>[],
  take: (result: Result, index: number) => Promise<void>,
): Promise<void> {
  const waiting = subjects.values();
  const free = [...workers];
  /** Started, and not yet passed to `take`, in order. */
  const started: Promise<Result>[] = [];
  let hasFailed = false;
  const begin = (): void => {
    while (started.length < workers.length * AHEAD_PER_WORKER) {
      const worker = free.pop();
      if (worker === undefined) return;
      const next = waiting.next();
      if (next.done === true) return;
      const work = worker(next.value);
      started.push(work);
      // The worker is free for another subject; a failure is reported where its result is taken.
      const release = (): void => {
        free.push(worker);
        if (!hasFailed) begin();
      };
      work.then(release, () => undefined);
    }
  };
  begin();
  let index = 0;
  try {
    for (let first = started.shift(); first !== undefined; first = started.shift()) {
      const result = await first;
      begin();
      await take(result, index);
      index += 1;
    }
  } catch (error) {
    hasFailed = true;
    throw error;
  }
}

/** What identifies the state of a document's file: a changed file is checked again. */
export interface FileState {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

export interface JournalEntry extends FileState {
  /** Bytes of output up to and including this document. */
  readonly outputEnd: number;
  readonly summary: DocumentSummary;
}

export interface Journal {
  /** The documents at the start of the list that are finished and unchanged. */
  readonly finished: readonly JournalEntry[];
  append(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}

export interface JournaledRun {
  /** A digest of everything except the documents that the results depend on. */
  readonly settings: string;
  readonly documents: readonly FileState[];
  /** Size of the existing output in bytes: a document whose output is missing is checked again. */
  readonly outputSize: number;
}

/**
 * Opens the journal of a run.
 * Throws `journal-unusable` for a run with other settings or a file of something else, and
 * `not-written`.
 */
export async function openJournal(path: string, run: JournaledRun): Promise<Journal> {
  const { settings } = run;
  const { entries, bytes } = readJournal(path, settings);
  const finished = entries.slice(0, firstDifference(entries, run));
  const kept = bytes.slice(0, finished.length + 1).reduce((sum, size) => sum + size, 0);
  const handle = await openAt(path, kept);
  if (kept === 0) await write(path, handle, header(settings));
  return {
    finished,
    append: (entry) => write(path, handle, toLine(entry)),
    close: () => handle.close(),
  };
}

/** The first position at which the journal does not match the documents or the output. */
function firstDifference(entries: readonly JournalEntry[], { documents, outputSize }: JournaledRun): number {
  const index = entries.findIndex(({ file, size, modified, outputEnd }, at) => {
    const document = documents[at];
    const isSame = document?.file === file && document.size === size && document.modified === modified;
    return !isSame || outputEnd > outputSize;
  });
  return index === -1 ? entries.length : index;
}

interface JournalContent {
  readonly entries: readonly JournalEntry[];
  /** Bytes of each whole line, the header first. */
  readonly bytes: readonly number[];
}

function readJournal(path: string, settings: string): JournalContent {
  const text = journalText(path);
  const [first, ...rest] = text.split("\n").slice(0, -1);
  if (first === undefined) {
    if (text !== "" && !header(settings).startsWith(text))
      throw EolgateError.of("journal-unusable", { isJournal: false }).at(path);
    return { entries: [], bytes: [] };
  }
  requireHeader(path, first, settings);
  const entries = rest.map((line) => parseEntry(path, line));
  return { entries, bytes: [first, ...rest].map((line) => Buffer.byteLength(line) + 1) };
}

/** Empty for a file that does not exist yet. */
const journalText = (path: string): string =>
  readTextIfPresent(path, "record of the earlier run", (cause) =>
    EolgateError.of("journal-unusable", { isJournal: false }, { where: path, cause }),
  );

const HEADER = "eolgate run 1";

const header = (settings: string): string => toLine({ journal: HEADER, settings });

function requireHeader(path: string, line: string, settings: string): void {
  if (`${line}\n` === header(settings)) return;
  const isJournal = line.startsWith(`{"journal":${JSON.stringify(HEADER)},`);
  throw EolgateError.of("journal-unusable", { isJournal }).at(path);
}

function parseEntry(path: string, line: string): JournalEntry {
  try {
    // Lines that eolgate wrote: the header contains its name and a digest of the settings.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape is that of `append`
    return JSON.parse(line) as JournalEntry;
  } catch (cause) {
    throw EolgateError.of("journal-unusable", { isJournal: false }, { where: path, cause });
  }
}

const toLine = (value: object): string => `${JSON.stringify(value)}\n`;

async function openAt(path: string, size: number): Promise<FileHandle> {
  try {
    const handle = await open(path, "a", 0o600);
    await handle.truncate(size);
    return handle;
  } catch (cause) {
    throw writeError(path, cause);
  }
}

const write = (path: string, handle: FileHandle, text: string): Promise<void> =>
  handle.writeFile(text).catch((cause: unknown) => {
    throw writeError(path, cause);
  });
