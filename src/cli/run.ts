/** The command line in one function: arguments and a door to the world in, an exit code out. The one catch of this room. */
import { EolgateError } from "../core/errors.ts";
import type { FailedDocument } from "../core/model.ts";
import { escapeTerminal } from "../report/escape.ts";
import type { ProcessContext } from "./process-context.ts";
import { runProgram } from "./program.ts";
import { VERSION } from "../platform/version.ts";

export async function run(argv: readonly string[], io: ProcessContext): Promise<number> {
  try {
    return await runProgram(argv, io, VERSION);
  } catch (error) {
    const fault = error instanceof EolgateError ? error : bug(error);
    io.err(formatError(toReportedError(fault)));
    if (fault.kind === "internal" && fault.cause instanceof Error)
      io.err(`${(fault.cause.stack ?? "").split("\n").map(escapeTerminal).join("\n")}\n`);
    return fault.exit;
  }
}

/** A fault as a report carries it: absent places stay absent. */
export const toReportedError = (fault: EolgateError): FailedDocument["error"] => {
  const { kind, code, message, where } = fault;
  const hint = hintOf(fault);
  return { kind, code, message, ...(where !== undefined && { where }), ...(hint !== undefined && { hint }) };
};

const SHOWN = 12;

/** Candidates and suggestions are fields on the wire; people get them in words. */
function hintOf({ code, hint, facts }: EolgateError): string | undefined {
  const candidates = names(facts["candidates"]);
  if (candidates !== undefined) return `It may be any of ${candidates}. Ask for the one that is meant.`;
  const suggestions = names(facts["suggestions"]);
  if (hint !== undefined || suggestions === undefined) return hint;
  return code === "product-not-found" ? `Did you mean ${suggestions}?` : `Known lines: ${suggestions}.`;
}

function names(listed: unknown): string | undefined {
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  return `${listed.slice(0, SHOWN).join(", ")}${listed.length > SHOWN ? ", …" : ""}`;
}

/** `eolgate: what is wrong (where)` and, below, what to do. Text from documents may stand in it. */
export function formatError({
  message,
  where,
  hint,
}: Pick<FailedDocument["error"], "message" | "where" | "hint">): string {
  const at = where === undefined || where === "" ? "" : ` (${escapeTerminal(where)})`;
  const advice = hint === undefined || hint === "" ? "" : `  ${escapeTerminal(hint)}\n`;
  return `eolgate: ${escapeTerminal(message)}${at}\n${advice}`;
}

function bug(cause: unknown): EolgateError {
  return EolgateError.raw("internal", {
    code: "internal",
    message: `this is a bug in eolgate ${VERSION}, not in your input: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: "Please report it with the command and the lines below; the document itself is not needed.",
    cause,
  });
}
