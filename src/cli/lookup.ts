/** What the look-up commands share: ask the backend, then print its JSON unchanged or formatted text. */
import type { TerminalOptions } from "../report/reporter.ts";
import type { Invocation } from "./command.ts";
import type { Backend } from "./backend.ts";
import { openBackend } from "./backend.ts";
import { deliver, jsonText, terminalOptions } from "./output.ts";
import { openCatalogue, readSettings, text } from "./config.ts";

/** Asks, prints and exits with 0; "no answer" is thrown by the operation as an EolgateError. */
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
