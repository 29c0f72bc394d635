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
export const spoken = ({ kind, code, message, where, hint }: Fault): FailedScan["fault"] => ({
  kind,
  code,
  message,
  ...(where !== undefined && { where }),
  ...(hint !== undefined && { hint }),
});

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
