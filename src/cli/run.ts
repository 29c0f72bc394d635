/** The command line in one function: arguments and a door to the world in, an exit code out. The one catch of this room. */
import { Fault } from "../core/errors.ts";
import type { FailedScan } from "../core/model.ts";
import { terminal } from "../report/escape.ts";
import type { Io } from "./io.ts";
import { runProgram } from "./program.ts";
import { VERSION } from "../operations/version.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await runProgram(argv, io, VERSION);
  } catch (error) {
    const fault = error instanceof Fault ? error : bug(error);
    io.err(faultText(spoken(fault)));
    if (fault.kind === "internal" && fault.cause instanceof Error)
      io.err(`${(fault.cause.stack ?? "").split("\n").map(terminal).join("\n")}\n`);
    return fault.exit;
  }
}

/** A fault as a report carries it: absent places stay absent. */
export const spoken = (fault: Fault): FailedScan["fault"] => {
  const { kind, code, message, where } = fault;
  const hint = hintOf(fault);
  return { kind, code, message, ...(where !== undefined && { where }), ...(hint !== undefined && { hint }) };
};

const SHOWN = 12;

/** Candidates and suggestions are fields on the wire; people get them in words. */
function hintOf({ code, hint, facts }: Fault): string | undefined {
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
export function faultText({ message, where, hint }: Pick<FailedScan["fault"], "message" | "where" | "hint">): string {
  const at = where === undefined || where === "" ? "" : ` (${terminal(where)})`;
  const advice = hint === undefined || hint === "" ? "" : `  ${terminal(hint)}\n`;
  return `eolgate: ${terminal(message)}${at}\n${advice}`;
}

function bug(cause: unknown): Fault {
  return new Fault("internal", {
    code: "internal",
    message: `this is a bug in eolgate ${VERSION}, not in your input: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: "Please report it with the command and the lines below; the document itself is not needed.",
    cause,
  });
}
