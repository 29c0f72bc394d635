/** Writes results to standard output or to a file, with colours if it supports them. */
import { resolve } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { escapeJson as escaped, escapeTerminal } from "../report/escape.ts";
import { VERDICT_TITLES } from "../report/verdict.ts";
import type { Report } from "../model/index.ts";
import type { ReportView, TerminalOptions, ReporterRow, ReportOptions } from "../report/reporter.ts";
import { REPORTERS, type ReporterName } from "../report/reporters.ts";
import { updateCommand } from "../catalogue/places.ts";
import { isEnabled, listValue, stringValue, type Settings } from "./settings.ts";
import type { SettingsLayer } from "./command.ts";
import type { ProcessContext } from "./process-context.ts";
import { replaceFile, writeFileWhole, writeOutput } from "../platform/replace-file.ts";
import { isKeyOf } from "../text/values.ts";

/** Sends a result to `-o FILE`, or to standard output. */
export async function deliver(
  io: ProcessContext,
  output: string | undefined,
  result: string | Uint8Array,
): Promise<void> {
  if (output === undefined) await io.out(result);
  else await writeOutput(resolve(io.cwd, output), result);
}

/** Exactly one of a file to replace, a file to write, or neither: standard output. */
export interface OutputTarget {
  readonly replace?: string;
  readonly output?: string;
}

export async function deliverDocument(
  io: ProcessContext,
  chunks: Iterable<Uint8Array>,
  to: OutputTarget,
): Promise<void> {
  if (to.replace !== undefined) await replaceFile(to.replace, chunks);
  else if (to.output !== undefined) await writeFileWhole(resolve(io.cwd, to.output), chunks);
  else for (const chunk of chunks) await io.out(chunk);
}

/** Writes the result as JSON or as text, by `--format`. */
export async function deliverAnswer(
  io: ProcessContext,
  values: SettingsLayer,
  json: unknown,
  textOf: () => string,
): Promise<number> {
  const body = stringValue(values["format"]) === "json" ? jsonText(json) : textOf();
  await deliver(io, stringValue(values["output"]), body);
  return 0;
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

/** Prints the verdict on standard error where the report goes to a file, so that the reader of a log sees it. */
export async function noteVerdict(
  io: ProcessContext,
  { values }: Settings,
  { file, report }: { readonly file: string | undefined; readonly report: Report },
  text?: string,
): Promise<void> {
  if (file === undefined || isEnabled(values["quiet"])) return;
  const verdict = `${VERDICT_TITLES[report.verdict.value]}: ${text ?? (await sentenceOf(report))}`;
  io.err(`eolgate: ${escapeTerminal(`${verdict.replace(/\.$/, "")}; exit ${report.exit.code}; report in ${file}`)}\n`);
}

async function sentenceOf(report: Report): Promise<string> {
  const [{ cycleRows }, { verdictSentence }] = await Promise.all([
    import("../report/rows.ts"),
    import("../report/verdict-sentence.ts"),
  ]);
  return verdictSentence(report, cycleRows(report, 0).rows);
}

/** The options of a report for standard output or a file. Throws `config-unreadable`. */
export async function reportOptions(io: ProcessContext, settings: Settings, toFile: boolean): Promise<ReportOptions> {
  return {
    terminal: terminalOptions(io, toFile),
    details: isEnabled(settings.values["verbose"]),
    view: reportView(settings),
    updateCommand: updateCommand(io.env),
  };
}

/** An deliverAnswer for programs, escaped: names from documents and services could contain terminal commands. */
export const jsonText = (answer: unknown): string => `${escaped(JSON.stringify(answer, null, 2))}\n`;

/**
 * Colour and links by the usual rules, in this order: a file gets none, FORCE_COLOR and CLICOLOR_FORCE (not 0) force,
 * NO_COLOR (any value) forbids, else a terminal that is not `dumb`, or the log of a CI service (no-color.org,
 * force-color.org, bixense.com/clicolors).
 */
export function terminalOptions(io: ProcessContext, toFile: boolean): TerminalOptions {
  const { env, terminal } = io;
  const color = !toFile && hasColor(io);
  return {
    color,
    width: width(io, toFile),
    hyperlinks: color && terminal.out && showsLinks(env),
    ascii: !toFile && isAscii(env),
  };
}

function hasColor({ env, terminal }: ProcessContext): boolean {
  const forced = env["FORCE_COLOR"] || env["CLICOLOR_FORCE"];
  if (forced) return isTrue(forced);
  if (env["NO_COLOR"] || env["TERM"] === "dumb") return false;
  const isLog = isTrue(env["CI"]) || isTrue(env["GITHUB_ACTIONS"]);
  return terminal.out || (isLog && terminal.pipe === true);
}

const isTrue = (value: string | undefined): boolean => value !== undefined && !/^(?:0|false|)$/.test(value);

/** The locale decides whether a terminal shows more than ASCII; without one, it does. */
function isAscii(env: ProcessContext["env"]): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((value) => value !== undefined && value !== "");
  return locale === "C" || locale === "POSIX";
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
  if (isKeyOf(REPORTERS, name)) return name;
  throw EolgateError.of("invalid-value", {
    problem: `unknown report format "${name}"`,
    advice: `Use one of ${Object.keys(REPORTERS).join(", ")}.`,
  }).at(where);
}

/** `sarif=out/eol.sarif` → format and path. */
export function parseReportFlag(value: string): { readonly format: ReporterName; readonly path: string } {
  const at = value.indexOf("=");
  if (at < 1 || at === value.length - 1)
    throw EolgateError.of("invalid-value", {
      problem: `"${value}" is not FORMAT=PATH`,
      advice: "For example: --report json=eolgate.json",
    }).at("--report");
  return { format: reporterName(value.slice(0, at), "--report"), path: value.slice(at + 1) };
}

/** @throws EolgateError `usage` for an invalid number of rows. */
export function reportView({ values }: Settings): ReportView {
  const only = listValue(values["only"]).filter((outcome) => outcome === "fail" || outcome === "warn");
  const groupBy = oneOf(GROUPS, stringValue(values["groupBy"]));
  const sort = oneOf(ORDERS, stringValue(values["sort"]));
  const top = topRows(stringValue(values["top"]));
  return {
    ...(groupBy && { groupBy }),
    ...(sort && { sort }),
    ...(only.length > 0 && { only }),
    ...(top !== undefined && { top }),
    quiet: isEnabled(values["quiet"]),
    verbose: isEnabled(values["verbose"]),
  };
}

const GROUPS = ["file", "cycle"] as const;
const ORDERS = ["risk", "end", "name", "count"] as const;

/** The command line parser has already checked the value against the flag's choices. */
const oneOf = <Word extends string>(words: readonly Word[], written: string | undefined): Word | undefined =>
  words.find((word) => word === written);

function topRows(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (/^(?:0|[1-9]\d{0,6})$/.test(written)) return Number(written);
  throw EolgateError.of("invalid-value", {
    problem: `"${written}" is not a number of rows`,
    advice: "Use a whole number: --top 50, or --top 0 for all.",
  }).at("--top");
}
