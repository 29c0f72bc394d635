/** The common part of the look-up commands: asks the backend, and prints its JSON unchanged or formatted text. */
import type { TerminalOptions } from "../report/reporter.ts";
import type { Invocation } from "./command.ts";
import type { Backend } from "./backend.ts";
import { openBackend } from "./backend.ts";
import { deliver, jsonText, terminalOptions } from "./output.ts";
import { openCatalogue, readSettings, text } from "./config.ts";

/** Asks, prints the answer, and resolves to exit code 0. The operation throws an EolgateError if there is no answer. */
export async function lookUp<Answer>(
  invocation: Invocation,
  ask: (backend: Backend) => Promise<Answer>,
  words: (answer: Answer, options: TerminalOptions) => string | Promise<string>,
): Promise<number> {
  const { io } = invocation;
  const settings = await readSettings(invocation);
  const answer = await ask(await openBackend(invocation, settings, await openCatalogue(invocation, settings)));
  const output = text(settings.values["output"]);
  const json = text(settings.values["format"]) === "json";
  await deliver(io, output, json ? jsonText(answer) : await words(answer, terminalOptions(io, output !== undefined)));
  return 0;
}
