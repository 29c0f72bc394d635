/**
 * The Action's outputs, which are read from the JSON report, so that both state the same counts under the same names, and
 * the files that the GitHub runner reads after a step: `GITHUB_OUTPUT` and `GITHUB_STEP_SUMMARY`.
 */
import { appendFile, readFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { writeError } from "../../platform/write-error.ts";
import type { ProcessContext } from "../../shell/process-context.ts";

/** Name of an output → its path in the report. */
const OUTPUT_PATHS = {
  verdict: ["gate", "verdict"],
  components: ["components"],
  assessed: ["coverage", "assessed"],
  failing: ["summary", "failing"],
  warning: ["summary", "warning"],
  "end-of-life": ["summary", "end_of_life"],
  retired: ["summary", "retired"],
  superseded: ["summary", "superseded"],
  "ending-soon": ["summary", "ending_soon"],
  "kev-affected": ["summary", "kev_affected"],
  "highest-score": ["summary", "highest_score"],
} as const;

/** Undefined when the command ended without writing a report. */
export async function readOutputs(path: string): Promise<Readonly<Record<string, string>> | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const report: unknown = JSON.parse(text);
  const outputs = Object.entries(OUTPUT_PATHS).flatMap(([name, keys]) => {
    const value = valueAt(report, keys);
    return value === undefined || value === null ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(outputs);
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

type Environment = ProcessContext["env"];

/**
 * Writes `name<<delimiter`, so that a value may contain line ends. The delimiter is random, so no document can contain
 * it.
 */
export async function setOutputs(env: Environment, outputs: Readonly<Record<string, string>>): Promise<void> {
  const delimiter = `eolgate-${randomUUID()}`;
  const entries = Object.entries(outputs).map(([name, value]) => `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
  await append(env, "GITHUB_OUTPUT", entries.join(""));
}

/** The runner refuses a summary of more than 1 MiB for a step. */
const SUMMARY_LIMIT = 1_000_000;

/** Adds the report to the step's summary. The part that does not fit is replaced by a note. */
export async function addSummary(env: Environment, markdown: string): Promise<void> {
  const fits = markdown.length <= SUMMARY_LIMIT;
  const head = fits ? "" : markdown.slice(0, markdown.lastIndexOf("\n", SUMMARY_LIMIT));
  const note = "The summary was truncated here, because it reached the size limit of a step.";
  await append(env, "GITHUB_STEP_SUMMARY", fits ? `${markdown}\n` : `${head}\n\n${note}\n`);
}

/** Outside a runner the variable is not set, and there is nothing to write. */
async function append(env: Environment, variable: string, text: string): Promise<void> {
  const file = env[variable];
  if (file === undefined || file === "") return;
  await appendFile(file, text).catch((cause: unknown) => {
    throw writeError(`${variable}: ${file}`, cause);
  });
}
