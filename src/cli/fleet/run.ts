/**
 * `eolgate check` over many documents: each is judged, written and forgotten, on all cores, in the order of the list.
 * See docs/fleet.md.
 */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { runInOrder, type Lane } from "../../api/fleet/in-order.ts";
import { openJournal, type FileState, type Journal } from "../../api/fleet/journal.ts";
import { createRunSummary, type RunResult } from "../../core/policy/run-summary.ts";
import { daysBetween } from "../../core/lifecycle/days.ts";
import type { Catalogue, Report } from "../../core/model.ts";
import { VERSION } from "../../platform/version.ts";
import { fleetTable } from "../../report/fleet.ts";
import type { ReportOptions } from "../../report/reporter.ts";
import { failedLine, summaryLine } from "../../report/ndjson.ts";
import type { Invocation } from "../command.ts";
import { text } from "../config.ts";
import type { Settings } from "../config.ts";
import { refuseSharedPaths } from "../document-reports.ts";
import { formatFailedDocument } from "../format-error.ts";
import { reportOptions } from "../output.ts";
import { refuseOverwriting } from "../output-paths.ts";
import { withSupport } from "../signals.ts";
import { createJudge, type Judge, type JudgedFile } from "./judge.ts";
import { startThreads } from "./lanes.ts";
import type { Fleet } from "./plan.ts";
import { openSink } from "./sink.ts";

/** A thread takes as long to start as a dozen documents of usual size take to be judged. */
const DOCUMENTS_FOR_A_THREAD = 8;

export async function runFleet(
  invocation: Invocation,
  settings: Settings,
  catalogue: Catalogue,
  fleet: Fleet,
): Promise<number> {
  const { io } = invocation;
  const { files, outputs } = fleet;
  const paths = [...outputs.paths, fleet.journal];
  refuseOverwriting(
    paths,
    files.map((file) => ({ file })),
    settings,
    io.cwd,
  );
  refuseSharedPaths(outputs.documentReports, files);
  const result = await withSupport(io, settings, async (determineSupport) => {
    const { format } = fleet;
    const options = { catalogue, format, reports: outputs.documentReports, determineSupport };
    const judge = await createJudge(invocation, settings, options);
    const threads = threadCount(settings, fleet);
    if (threads < 2) return judgeAll(invocation, settings, fleet, { judge, lanes: [{ run: judge.judge }] });
    const { lanes, stop } = startThreads(threads, invocation);
    try {
      return await judgeAll(invocation, settings, fleet, { judge, lanes });
    } finally {
      await stop();
    }
  });
  for (const failed of result.failed) io.err(formatFailedDocument(failed));
  return result.exit.code;
}

/** Answers of a service or of sources are asked for one document after the other, within their limits. */
function threadCount({ values, policy }: Settings, { files, jobs }: Fleet): number {
  if (text(values["api"]) !== undefined || policy.signals !== "off") return 1;
  return jobs ?? Math.min(availableParallelism(), Math.floor(files.length / DOCUMENTS_FOR_A_THREAD));
}

interface Work {
  readonly judge: Judge;
  readonly lanes: readonly Lane<string, JudgedFile>[];
}

async function judgeAll(
  { io }: Invocation,
  settings: Settings,
  fleet: Fleet,
  { judge: { context }, lanes }: Work,
): Promise<RunResult> {
  const { outputs, files } = fleet;
  const states = files.map((file) => fileState(io.cwd, file));
  const journal = await openRunJournal(io.cwd, fleet, context, states);
  const finished = journal?.finished ?? [];
  const sink = await openSink(io, outputs.file, finished.at(-1)?.outputEnd ?? 0);
  const summary = createRunSummary(settings.policy);
  for (const known of [...fleet.failed, ...finished.map((entry) => entry.summary)]) summary.add(known);
  const lines = linesOf(fleet.format, await reportOptions(io, settings, outputs.file !== undefined));
  const progress = progressOn(io, outputs.file === undefined, files.length);
  try {
    if (finished.length === 0) await sink.write(lines.head(context));
    const remaining = states.slice(finished.length);
    await runInOrder(
      remaining.map(({ file }) => file),
      lanes,
      async (judged, index) => {
        const outputEnd = await sink.write(lines.document(judged));
        for (const state of remaining.slice(index, index + 1))
          await journal?.append({ ...state, outputEnd, summary: judged.summary });
        summary.add(judged.summary);
        progress(finished.length + index + 1);
      },
    );
    const result = summary.result();
    await sink.write(lines.end(endReport(context, settings, result), result));
    return result;
  } finally {
    await sink.close();
    await journal?.close();
  }
}

/** What is written before, for and after the documents. */
interface RunLines {
  head(context: Judge["context"]): string;
  document(judged: JudgedFile): string;
  end(report: Report, result: RunResult): string;
}

function linesOf(format: Fleet["format"], options: ReportOptions): RunLines {
  const table = fleetTable(options);
  if (format === "table") return { head: table.head, document: ({ summary }) => table.row(summary), end: table.foot };
  return {
    head: () => "",
    document: (judged) => judged.lines,
    end: (report, { failed, totals }) => [...failed.map(failedLine), summaryLine(report, totals)].join(""),
  };
}

/** The report of the whole run without its documents. */
function endReport(context: Judge["context"], { inForce }: Settings, { verdict, exit, failed }: RunResult): Report {
  const { tool, asOf, policy, links, catalogue } = context;
  const ageDays = daysBetween(catalogue.metadata.date, asOf);
  const frame = { tool, asOf, policy, links, settings: inForce, catalogue: { ...catalogue.metadata, ageDays } };
  return { ...frame, documents: [], failed, verdict, exit };
}

async function openRunJournal(
  cwd: string,
  { journal, format, outputs }: Fleet,
  { catalogue: { metadata }, policy, asOf }: Judge["context"],
  states: readonly FileState[],
): Promise<Journal | undefined> {
  if (journal === undefined) return undefined;
  const settings = JSON.stringify([VERSION, metadata, policy, asOf, format, outputs.file, outputs.documentReports]);
  return openJournal(resolve(cwd, journal), createHash("sha256").update(settings).digest("hex"), states);
}

/** A file that is not there is judged, and then reported as such. */
function fileState(cwd: string, file: string): FileState {
  const found = statSync(resolve(cwd, file), { throwIfNoEntry: false });
  return { file, size: found?.size ?? -1, modified: found?.mtimeMs ?? 0 };
}

/** A line on the terminal that is written over, unless the results go there. */
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
