/** The loop of a run over many documents: each one is checked, written and released, in the order of the list. */
import { createHash } from "node:crypto";
import { statusOf } from "../../platform/file-status.ts";
import { resolve } from "node:path";
import { type FileState, type FleetWorker, type Journal, openJournal, runInOrder } from "../../api/fleet.ts";
import { type DocumentSummary, type RunResult, createRunSummary } from "../../policy/run-summary.ts";
import { reportSupplements } from "../../api/check.ts";
import { daysBetween } from "../../lifecycle/days.ts";
import type { FailedDocument, Report } from "../../model/index.ts";
import { VERSION } from "../../platform/version.ts";
import { fleetTable, verdictOfRun } from "../../report/terminal/fleet.ts";
import { failedLine, summaryLine } from "../../report/ndjson.ts";
import type { Invocation } from "../../shell/command.ts";
import type { Settings } from "../../shell/settings.ts";
import { noteVerdict, reportOptions } from "../../shell/output.ts";
import type { ProcessContext } from "../../shell/process-context.ts";
import type { PlannedOutputs } from "../planned-outputs.ts";
import type { CheckedFile, Checker } from "./checker.ts";
import { type FileHandle, open } from "node:fs/promises";
import { writeError } from "../../platform/write-error.ts";

/** The plan of a run: the files or repositories to check, and the outputs. */
export interface RunPlan {
  readonly subjects: readonly FileState[];
  /** Failures known before the run: folders of a pattern that cannot be read. */
  readonly failed: readonly FailedDocument[];
  readonly format: "ndjson" | "table";
  readonly outputs: PlannedOutputs;
  readonly journal: string | undefined;
  /** The failure of a run without any component. */
  readonly whenEmpty?: FailedDocument;
}

export interface FleetWork {
  readonly checker: Checker;
  readonly workers: readonly FleetWorker<string, CheckedFile>[];
}

/** Checks all subjects, writes the output while it runs, and resolves to the result of the whole run. */
export async function checkAll(
  { io }: Invocation,
  settings: Settings,
  plan: RunPlan,
  { checker: { context }, workers }: FleetWork,
): Promise<RunResult> {
  const { outputs, subjects } = plan;
  const journal = await openRunJournal(io.cwd, plan, context);
  const finished = journal?.finished ?? [];
  const sink = await openSink(io, outputs.file, finished.at(-1)?.outputEnd ?? 0);
  const summary = createRunSummary(settings.policy, plan.whenEmpty);
  const documents: DocumentSummary[] = [...plan.failed, ...finished.map((entry) => entry.summary)];
  for (const known of documents) summary.add(known);
  const isTable = plan.format === "table";
  const options = await reportOptions(io, settings, outputs.file !== undefined);
  const progress = progressOn(io, outputs.file === undefined && !isTable, subjects.length);
  try {
    const remaining = subjects.slice(finished.length);
    await runInOrder(
      remaining.map(({ file }) => file),
      workers,
      async (checked, index) => {
        const outputEnd = await sink.write(isTable ? "" : checked.lines);
        for (const state of remaining.slice(index, index + 1))
          await journal?.append({ ...state, outputEnd, summary: checked.summary });
        summary.add(checked.summary);
        if (isTable) documents.push(checked.summary);
        progress(finished.length + index + 1);
      },
    );
    const result = summary.result();
    const report = endReport(context, settings, result);
    const lines = [...result.failed.map(failedLine), summaryLine(report, result.totals)].join("");
    noteVerdict(io, settings, { file: outputs.file, report }, verdictOfRun(report, result));
    await sink.write(isTable ? fleetTable(report, documents, result, options) : lines);
    return result;
  } finally {
    await sink.close();
    await journal?.close();
  }
}

/** The report of the whole run without its documents. */
function endReport(context: Checker["context"], { inForce }: Settings, { verdict, exit, failed }: RunResult): Report {
  const { tool, asOf, policy, links, catalogue } = context;
  const ageDays = daysBetween(catalogue.metadata.date, asOf);
  const frame = { tool, asOf, policy, links, settings: inForce, catalogue: { ...catalogue.metadata, ageDays } };
  const { advice } = reportSupplements([], { catalogue, policy, asOf });
  return { ...frame, ...(advice && { advice }), documents: [], failed, verdict, exit };
}

async function openRunJournal(
  cwd: string,
  { subjects, journal, format, outputs }: RunPlan,
  { catalogue: { metadata }, policy, asOf }: Checker["context"],
): Promise<Journal | undefined> {
  if (journal === undefined) return undefined;
  const settings = JSON.stringify([VERSION, metadata, policy, asOf, format, outputs.file, outputs.documentReports]);
  return openJournal(resolve(cwd, journal), {
    settings: createHash("sha256").update(settings).digest("hex"),
    documents: subjects,
    outputSize: outputSize(cwd, outputs.file),
  });
}

/** The size of the output file. Standard output and devices have no size and count as complete. */
function outputSize(cwd: string, file: string | undefined): number {
  if (file === undefined) return Number.MAX_SAFE_INTEGER;
  const found = statusOf(resolve(cwd, file));
  return found === undefined || found.isFile() ? (found?.size ?? 0) : Number.MAX_SAFE_INTEGER;
}

/** A progress line on the terminal, which is overwritten; none if the results are written to the terminal. */
function progressOn(
  { terminal, err }: Invocation["io"],
  toStandardOutput: boolean,
  total: number,
): (done: number) => void {
  if (!terminal.err || (toStandardOutput && terminal.out)) return () => undefined;
  return (done) => {
    const line = `${String(done)} of ${String(total)} documents`;
    err(done < total ? `\r${line}` : `\r${" ".repeat(line.length)}\r`);
  };
}

export interface Sink {
  /** Resolves to the number of bytes written so far, including those of a resumed run. */
  write(text: string | Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens the output. `keep`: the number of bytes at the start of the file to keep from an earlier run; the rest is
 * removed.
 * @throws EolgateError `not-written`
 */
export async function openSink(io: ProcessContext, file: string | undefined, keep: number): Promise<Sink> {
  if (file === undefined) return standardOutput(io, keep);
  const path = resolve(io.cwd, file);
  const handle = await openFile(path, keep);
  let size = keep;
  return {
    async write(text) {
      const bytes = bytesOf(text);
      await handle.writeFile(bytes).catch((cause: unknown) => {
        throw writeError(path, cause);
      });
      size += bytes.length;
      return size;
    },
    close: () => handle.close(),
  };
}

function standardOutput(io: ProcessContext, keep: number): Sink {
  let size = keep;
  return {
    async write(text) {
      const bytes = bytesOf(text);
      if (bytes.length > 0) await io.out(bytes);
      size += bytes.length;
      return size;
    },
    close: () => Promise.resolve(),
  };
}

const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? Buffer.from(text) : text);

async function openFile(path: string, keep: number): Promise<FileHandle> {
  try {
    const handle = await open(path, keep === 0 ? "w" : "a");
    const found = await handle.stat();
    if (found.isFile()) await handle.truncate(keep);
    return handle;
  } catch (cause) {
    throw writeError(path, cause);
  }
}
