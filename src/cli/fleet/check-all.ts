/** The loop of a run over many documents: each one is checked, written and released, in the order of the list. */
import { resolve } from "node:path";
import { type FleetWorker, runInOrder } from "../../api/fleet.ts";
import { type DocumentSummary, type RunResult, createRunSummary } from "../../policy/run-summary.ts";
import { reportSupplements } from "../../api/check.ts";
import { daysBetween } from "../../lifecycle/days.ts";
import type { FailedDocument, Report } from "../../model/index.ts";
import { fleetTable, verdictOfRun } from "../../report/terminal/fleet.ts";
import { failedLine, summaryLine } from "../../report/ndjson.ts";
import type { Invocation } from "../../shell/command.ts";
import type { Settings } from "../../shell/settings.ts";
import { noteVerdict, reportOptions } from "../../shell/output.ts";
import type { ProcessContext } from "../../shell/process-context.ts";
import type { PlannedOutputs } from "../planned-outputs.ts";
import type { CheckedFile, Checker } from "./checker.ts";
import { open } from "node:fs/promises";
import { writeError } from "../../platform/write-error.ts";

/** The plan of a run: the files or repositories to check, and the outputs. */
export interface RunPlan {
  readonly subjects: readonly string[];
  /** Failures known before the run: folders of a pattern that cannot be read. */
  readonly failed: readonly FailedDocument[];
  readonly format: "ndjson" | "table";
  readonly outputs: PlannedOutputs;
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
  const sink = await openSink(io, outputs.file);
  const summary = createRunSummary(settings.policy, plan.whenEmpty);
  const documents: DocumentSummary[] = [...plan.failed];
  for (const known of documents) summary.add(known);
  const isTable = plan.format === "table";
  const options = await reportOptions(io, settings, outputs.file !== undefined);
  const progress = progressOn(io, outputs.file === undefined && !isTable, subjects.length);
  try {
    await runInOrder(subjects, workers, async (checked, index) => {
      await sink.write(isTable ? "" : checked.lines);
      summary.add(checked.summary);
      if (isTable) documents.push(checked.summary);
      progress(index + 1);
    });
    const result = summary.result();
    const report = endReport(context, settings, result);
    const lines = [...result.failed.map(failedLine), summaryLine(report, result.totals)].join("");
    await noteVerdict(io, settings, { file: outputs.file, report }, verdictOfRun(report, result));
    await sink.write(isTable ? fleetTable(report, documents, result, options) : lines);
    return result;
  } finally {
    await sink.close();
  }
}

/** The report of the whole run without its documents. */
function endReport(context: Checker["context"], { inForce }: Settings, result: RunResult): Report {
  const { verdict, exit, failed, contributions } = result;
  const { tool, asOf, policy, links, catalogue } = context;
  const ageDays = daysBetween(catalogue.metadata.date, asOf);
  const frame = { tool, asOf, policy, links, settings: inForce, catalogue: { ...catalogue.metadata, ageDays } };
  const { advice } = reportSupplements([], { catalogue, policy, asOf });
  const rest = { documents: [], failed, verdict, exit, ...(contributions.length > 0 && { contributions }) };
  return { ...frame, ...(advice && { advice }), ...rest };
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

interface Sink {
  write(text: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the output.
 * @throws EolgateError `not-written`
 */
async function openSink(io: ProcessContext, file: string | undefined): Promise<Sink> {
  if (file === undefined)
    return { write: async (text) => (text.length > 0 ? io.out(text) : undefined), close: () => Promise.resolve() };
  const path = resolve(io.cwd, file);
  const failed = (cause: unknown): never => {
    throw writeError(path, cause);
  };
  const handle = await open(path, "w").catch(failed);
  return { write: (text) => handle.writeFile(text).catch(failed), close: () => handle.close() };
}
