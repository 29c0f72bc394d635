/**
 * The GitHub Action: inputs become environment variables, then the command line runs with them. Annotations are written
 * to the log, the report to the step's summary, the verdict and the paths of the reports to the outputs.
 */
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { worstExit } from "../../policy/exit.ts";
import { writeError } from "../../platform/write-error.ts";
import { errorCommand } from "../../report/github.ts";
import { createProcessContext, exitOnUncaught, type ProcessContext } from "../../shell/process-context.ts";
import { bugReport, formatError, toEolgateError, toReportedError } from "../start/format-error.ts";
import { run } from "../main.ts";
import { writeComment } from "./comment.ts";
import { withBaseCommit } from "./event.ts";
import { booleanInput, input, listInput, actionFlags } from "./inputs.ts";
import { addSummary, readOutputs, setOutputs } from "./outputs.ts";

/** Runs the Action of `host` and resolves to its exit code. */
export function actionMain(host: NodeJS.Process): Promise<number> {
  exitOnUncaught(host, bugReport.exit, bugReport.text);
  return runAction(createProcessContext(host));
}

export async function runAction(io: ProcessContext): Promise<number> {
  const codes: number[] = [];
  try {
    await act({ ...io, env: await withBaseCommit({ env: actionFlags(io.env), cwd: io.cwd }) }, codes);
  } catch (cause) {
    const error = toEolgateError(cause);
    codes.push(error.exit);
    if (error.kind === "internal") io.err(bugReport.text(error));
    await io.out(errorCommand(formatError(toReportedError(error))));
  }
  return worstExit(codes);
}

/** Appends the exit code of each command to `codes`; the Action exits with the worst one. */
async function act(io: ProcessContext, codes: number[]): Promise<void> {
  const { env } = io;
  const documents = listInput(env, "sbom");
  const reports = await reportPaths(env);
  const targets = [...documents, ...listInput(env, "path")];
  const check = await runCommand(checkArguments(env, targets, reports), io);
  codes.push(check.code);
  const outputs = await readOutputs(reports.json);
  if (outputs === undefined) {
    await io.out(errorCommand(check.messages));
    await setOutputs(env, { "exit-code": String(check.code) });
    return;
  }
  const nameOf = (format: string): string => (format === "in-toto" ? "verdict-statement" : `${format}-report`);
  const paths = Object.fromEntries(Object.entries(reports).map(([format, path]) => [nameOf(format), path]));
  await setOutputs(env, { "exit-code": String(check.code), ...outputs, ...paths });
  await publish(env, await readFile(reports.markdown, "utf8"));
  if (!booleanInput(env, "enrich") || documents.length === 0) return;
  const enriched = await runCommand(["enrich", "--in-place", "--", ...documents], io);
  codes.push(enriched.code);
  if (enriched.code !== 0) await io.out(errorCommand(enriched.messages));
  if (worstExit(codes) !== check.code) await setOutputs(env, { "exit-code": String(worstExit(codes)) });
}

async function publish(env: ProcessContext["env"], markdown: string): Promise<void> {
  await addSummary(env, markdown);
  if (booleanInput(env, "comment")) await writeComment(env, input(env, "github-token"), markdown);
}

interface ReportPaths {
  readonly json: string;
  readonly markdown: string;
  readonly sarif?: string;
  readonly "in-toto"?: string;
}

async function reportPaths(env: ProcessContext["env"]): Promise<ReportPaths> {
  const temporary = env["RUNNER_TEMP"] ?? tmpdir();
  const folder = await mkdtemp(join(temporary, "eolgate-")).catch((cause: unknown) => {
    throw writeError(`RUNNER_TEMP: ${temporary}`, cause);
  });
  const [sarif, statement] = [input(env, "sarif-file"), input(env, "statement-file")];
  return {
    json: join(folder, "report.json"),
    markdown: join(folder, "report.md"),
    ...(sarif === "" ? {} : { sarif }),
    ...(statement === "" ? {} : { "in-toto": statement }),
  };
}

/** No input can become a flag: values follow the `=` of their flag, and targets follow `--`. */
function checkArguments(
  env: ProcessContext["env"],
  targets: readonly string[],
  reports: ReportPaths,
): readonly string[] {
  const images = listInput(env, "image").map((image) => `--image=${image}`);
  const stack = input(env, "stack");
  const subjects = [...(stack === "" ? [] : [`--stack=${stack}`]), ...images];
  if (subjects.length === 0 && targets.length === 0)
    throw EolgateError.of("invalid-usage", {
      problem: "no input given",
      advice: "Set one of the inputs path, image, sbom or stack.",
    }).at("sbom");
  const flags = Object.entries(reports).map(([format, path]) => `--report=${format}=${path}`);
  return ["check", ...subjects, "--format=github", ...flags, "--", ...targets];
}

/** Runs a command and collects its messages, which are the only explanation if there is no report. */
async function runCommand(
  argv: readonly string[],
  io: ProcessContext,
): Promise<{ readonly code: number; readonly messages: string }> {
  const messages: string[] = [];
  const err = (text: string): void => {
    messages.push(text);
    io.err(text);
  };
  return { code: await run(argv, { ...io, err }), messages: messages.join("") };
}
