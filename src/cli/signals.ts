/** Support levels for a command: the session that the policy asks for, its progress and its notes on standard error. */
import { join } from "node:path";
import { cacheFolder } from "../catalogue/locate.ts";
import { escapeTerminal } from "../report/escape.ts";
import type { SignalsSession } from "../signals/session.ts";
import type { Settings } from "./config.ts";
import type { ProcessContext } from "./process-context.ts";

type Determine = SignalsSession["determine"];

/**
 * Do something with the function that determines support levels. It is undefined when the policy asks for no signals:
 * nothing of them is loaded then, and no socket is opened.
 */
export async function withSupport<Result>(
  io: ProcessContext,
  { policy, asOf }: Settings,
  act: (determine: Determine | undefined) => Promise<Result>,
): Promise<Result> {
  if (policy.signals === "off") return act(undefined);
  const { openSignals } = await import("../signals/session.ts");
  const session = await openSignals({
    policy,
    asOf,
    env: io.env,
    folder: io.cwd,
    execPath: process.execPath,
    cachePath: signalsCachePath(io.env),
    today: io.today(),
    onNote: (note) => io.err(`eolgate: note: ${escapeTerminal(note)}\n`),
    ...(io.terminal.err && { onProgress: progressOn(io) }),
  });
  try {
    return await act(session.determine);
  } finally {
    await session.close();
  }
}

export const signalsCachePath = (env: ProcessContext["env"]): string => join(cacheFolder(env), "signals.db");

/** One line that is written over; removed at the end. */
function progressOn(io: ProcessContext): (done: number, total: number) => void {
  return (done, total) => {
    const line = `support levels: ${done} of ${total} packages`;
    io.err(done < total ? `\r${line}` : `\r${" ".repeat(line.length)}\r`);
  };
}
