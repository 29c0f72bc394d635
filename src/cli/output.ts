/** Writes results to standard output or to a file, with colours if it supports them. */
import { resolve } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { escapeJson as escaped } from "../report/escape.ts";
import type { Report } from "../model/index.ts";
import type { ReporterRow, ReportOptions, TerminalOptions } from "../report/reporter.ts";
import { isReporterName, type ReporterName, REPORTERS } from "../report/reporters.ts";
import { on, type Settings, text } from "./config.ts";
import type { ProcessContext } from "./process-context.ts";
import { reportView } from "./view.ts";
import { readBoundedFile } from "../platform/bounded-file.ts";
import { writeOutput } from "../platform/replace-file.ts";

/** Sends a result to `-o FILE`, or to standard output. */
export async function deliver(
  io: ProcessContext,
  output: string | undefined,
  result: string | Uint8Array,
): Promise<void> {
  if (output === undefined) await io.out(result);
  else await writeOutput(resolve(io.cwd, output), result);
}

/** Sends a report to `-o FILE`, or to standard output. Large formats are written in pieces. */
export async function deliverReport(
  io: ProcessContext,
  { format, file }: { readonly format: ReporterName; readonly file: string | undefined },
  report: Report,
  options: ReportOptions,
): Promise<void> {
  const row: ReporterRow = REPORTERS[format];
  const pieces = row.loadPieces ? (await row.loadPieces())(report, options) : [(await row.load())(report, options)];
  if (file !== undefined) await writeOutput(resolve(io.cwd, file), pieces);
  else for (const piece of pieces) await io.out(piece);
}

/** The options of a report for standard output or a file. Throws `config-unreadable`. */
export async function reportOptions(io: ProcessContext, settings: Settings, toFile: boolean): Promise<ReportOptions> {
  const template = text(settings.values["template"]);
  return {
    terminal: terminalOptions(io, toFile),
    details: on(settings.values["verbose"]),
    view: reportView(settings),
    ...(template !== undefined && { template: templateText(io.cwd, template) }),
  };
}

function templateText(cwd: string, file: string): string {
  return readBoundedFile(resolve(cwd, file), "template", (cause) =>
    EolgateError.of("config-unreadable", { problem: "the template cannot be read" }, { where: file, cause }),
  ).toString("utf8");
}

/** An answer for programs, escaped: names from documents and services could contain terminal commands. */
export const jsonText = (answer: unknown): string => `${escaped(JSON.stringify(answer, null, 2))}\n`;

/**
 * Colour and links by the usual rules, in this order: a file gets none, FORCE_COLOR (not 0) forces, NO_COLOR (any value)
 * forbids, else a terminal that is not `dumb` (no-color.org, force-color.org).
 */
export function terminalOptions(io: ProcessContext, toFile: boolean): TerminalOptions {
  const { env, terminal } = io;
  const forced = env["FORCE_COLOR"];
  const color =
    !toFile &&
    (forced !== undefined && forced !== ""
      ? forced !== "0" && forced !== "false"
      : (env["NO_COLOR"] ?? "") === "" && terminal.out && env["TERM"] !== "dumb");
  return { color, width: width(io, toFile), hyperlinks: color && terminal.out && showsLinks(env) };
}

function width({ env, terminal }: ProcessContext, toFile: boolean): number {
  const columns = Number(env["COLUMNS"]);
  if (Number.isInteger(columns) && columns >= 40) return columns;
  return !toFile && terminal.columns >= 40 ? terminal.columns : 120;
}

/** Terminals that are known to support OSC 8 links; others may print the escape sequence as text. */
function showsLinks(env: ProcessContext["env"]): boolean {
  if (env["CI"] !== undefined || env["TEAMCITY_VERSION"] !== undefined) return false;
  const vte = Number(env["VTE_VERSION"] ?? 0);
  return (
    vte >= 5000 ||
    env["WT_SESSION"] !== undefined ||
    env["KITTY_WINDOW_ID"] !== undefined ||
    /^(?:iTerm\.app|WezTerm|vscode|ghostty|Hyper)$/.test(env["TERM_PROGRAM"] ?? "")
  );
}

export function reporterName(name: string, where: string): ReporterName {
  if (isReporterName(name)) return name;
  throw EolgateError.of(
    "invalid-value",
    { problem: `unknown report format "${name}"`, advice: `Use one of ${Object.keys(REPORTERS).join(", ")}.` },
    { where },
  );
}

/** `sarif=out/eol.sarif` → format and path. */
export function parseReportFlag(value: string): { readonly format: ReporterName; readonly path: string } {
  const at = value.indexOf("=");
  if (at < 1 || at === value.length - 1)
    throw EolgateError.of(
      "invalid-value",
      { problem: `"${value}" is not FORMAT=PATH`, advice: "For example: --report json=eolgate.json" },
      { where: "--report" },
    );
  return { format: reporterName(value.slice(0, at), "--report"), path: value.slice(at + 1) };
}
