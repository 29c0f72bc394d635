/** What the runner reads: files that it names in the environment (GITHUB_OUTPUT, GITHUB_STEP_SUMMARY), and masks. */
import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import type { ProcessContext } from "../process-context.ts";

/** `name<<delimiter`, so that a value with line ends stays one value; the delimiter cannot be guessed by a document. */
export async function setOutputs(env: ProcessContext["env"], outputs: Readonly<Record<string, string>>): Promise<void> {
  const file = env["GITHUB_OUTPUT"];
  if (file === undefined || file === "") return;
  const delimiter = `eolgate-${randomUUID()}`;
  const text = Object.entries(outputs).map(([name, value]) => `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
  await appendFile(file, text.join(""));
}

/** The runner refuses a summary of more than 1 MiB for a step; what does not fit is said, not lost silently. */
const SUMMARY_LIMIT = 1_000_000;

export async function addSummary(env: ProcessContext["env"], markdown: string): Promise<void> {
  const file = env["GITHUB_STEP_SUMMARY"];
  if (file === undefined || file === "") return;
  const fits = markdown.length <= SUMMARY_LIMIT;
  await appendFile(file, fits ? `${markdown}\n` : `${markdown.slice(0, markdown.lastIndexOf("\n", SUMMARY_LIMIT))}\n\nThe summary was cut here: the step's limit is reached.\n`);
}
