/**
 * The GitHub Action: inputs become the environment, then the command line is called as a person would call it.
 * Annotations go to the log, the report to the step's summary, the verdict and the paths to the outputs.
 */
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EolgateError } from "../../core/errors.ts";
import { worstExit } from "../../core/policy/exit.ts";
import { errorCommand } from "../../report/github.ts";
import type { ProcessContext } from "../process-context.ts";
import { createProcessContext } from "../process-context.ts";
import { formatError, run, toReportedError } from "../run.ts";
import { writeComment } from "./comment.ts";
import { booleanInput, input, listInput, actionFlags } from "./inputs.ts";
import { addSummary, setOutputs } from "./runner.ts";

export async function actionMain(host: NodeJS.Process): Promise<number> {
  return runAction(createProcessContext(host));
}

export async function runAction(io: ProcessContext): Promise<number> {
  try {
    return await act({ ...io, env: actionFlags(io.env) });
  } catch (error) {
    if (!(error instanceof EolgateError)) throw error;
    await io.out(errorCommand(formatError(toReportedError(error))));
    return error.exit;
  }
}

async function act(io: ProcessContext): Promise<number> {
  const { env } = io;
  const documents = listInput(env, "sbom");
  const subject = [...documents, ...flagged("--scan", input(env, "scan")), ...flagged("--stack", input(env, "stack"))];
  if (subject.length === 0) throw EolgateError.of("no-input", {}, { where: "sbom" });
  const folder = await mkdtemp(join(env["RUNNER_TEMP"] ?? tmpdir(), "eolgate-"));
  const [json, markdown] = [join(folder, "report.json"), join(folder, "report.md")];
  const sarif = input(env, "sarif-file");
  const reports = { json, markdown, ...(sarif === "" ? {} : { sarif }) };
  const { code, said } = await spokenRun(["check", ...subject, "--format", "github", ...Object.entries(reports).flatMap(([format, path]) => ["--report", `${format}=${path}`])], io);
  const facts = await readFacts(json);
  const paths = Object.fromEntries(Object.entries(reports).map(([format, path]) => [`${format}-report`, path]));
  await setOutputs(env, { "exit-code": String(code), ...facts, ...(facts === NOTHING ? {} : paths) });
  if (facts === NOTHING) {
    await io.out(errorCommand(said));
    return code;
  }
  const words = await readFile(markdown, "utf8");
  await addSummary(env, words);
  if (booleanInput(env, "comment")) await writeComment(env, input(env, "github-token"), words);
  if (!booleanInput(env, "enrich") || documents.length === 0) return code;
  const enriched = await spokenRun(["enrich", ...documents, "--in-place"], io);
  if (enriched.code !== 0) await io.out(errorCommand(enriched.said));
  const exit = worstExit([code, enriched.code]);
  if (exit !== code) await setOutputs(env, { "exit-code": String(exit) });
  return exit;
}

/** Runs the command line, and keeps what it said on standard error: without a report that is the only explanation. */
async function spokenRun(argv: readonly string[], io: ProcessContext): Promise<{ readonly code: number; readonly said: string }> {
  const said: string[] = [];
  const err = (text: string): void => {
    said.push(text);
    io.err(text);
  };
  return { code: await run(argv, { ...io, err }), said: said.join("") };
}

const flagged = (flag: string, value: string): readonly string[] => (value === "" ? [] : [flag, value]);

const NOTHING: Readonly<Record<string, string>> = {};

/** The outputs, from the JSON report: one place that knows what was found. Empty when no report came about. */
async function readFacts(path: string): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return NOTHING;
  const report: unknown = JSON.parse(text);
  return outputsOf(report);
}

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined), value);

function outputsOf(report: unknown): Readonly<Record<string, string>> {
  const wanted = {
    verdict: ["gate", "verdict"],
    score: ["summary", "highest_score"],
    components: ["components"],
    assessed: ["coverage", "assessed"],
    "past-eol": ["summary", "past_eol"],
    approaching: ["summary", "approaching"],
    "kev-exposed": ["summary", "kev_exposed"],
  } as const;
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, path]) => {
      const value = at(report, ...path);
      return value === undefined || value === null ? [] : [[name, String(value)]];
    }),
  );
}
