/** Determines support levels for a command, with progress and notes on standard error. */
import { join } from "node:path";
import { cacheFolder } from "../catalogue/places.ts";
import type { Catalogue } from "../model/index.ts";
import { escapeTerminal } from "../report/escape.ts";
import type { SignalsSession } from "../signals/session.ts";
import type { Settings } from "../shell/settings.ts";
import type { ProcessContext } from "../shell/process-context.ts";

type Determine = SignalsSession["determine"];

/**
 * Calls `act` with the function that determines support levels, and closes its session afterwards. The function is
 * undefined if the policy has signals turned off: then no module is loaded and no socket is opened.
 */
export async function withSupport<Result>(
  io: ProcessContext,
  { policy, asOf }: Settings,
  { facts, newest }: Catalogue,
  act: (determine: Determine | undefined) => Promise<Result>,
): Promise<Result> {
  if (policy.signals === "off") return act(undefined);
  if (policy.signals === "bundled")
    return act((await import("../support/listed.ts")).determineListed({ policy, facts, asOf, list: newest }));
  const { openSignals } = await import("../signals/session.ts");
  const session = await openSignals({
    policy,
    facts,
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

/** A progress line that is overwritten, and removed at the end. */
function progressOn(io: ProcessContext): (done: number, total: number) => void {
  return (done, total) => {
    const line = `support levels: ${done} of ${total} packages`;
    io.err(done < total ? `\r${line}` : `\r${" ".repeat(line.length)}\r`);
  };
}
