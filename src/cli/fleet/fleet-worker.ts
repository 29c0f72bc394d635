/** A thread of a run over many documents: checks files one after the other, like the command itself. */
import { parentPort, workerData } from "node:worker_threads";
import { PassThrough } from "node:stream";
import { asIsoDate } from "../../text/ids.ts";
import { toMessage } from "../../platform/thread.ts";
import type { Invocation } from "../../shell/command.ts";
import { CHECK_FLAGS } from "../flags/check.ts";
import { openChosenCatalogue } from "../../shell/catalogue.ts";
import { readSettings } from "../../shell/settings.ts";
import type { ProcessContext } from "../../shell/process-context.ts";
import { planOutputs } from "../planned-outputs.ts";
import { createChecker, type Checker } from "./checker.ts";
import type { FromThread, ThreadContext, ToThread } from "./run.ts";

/** A thread prints nothing, because the command has already printed its notes, and reads no standard input. */
function contextOf({ env, cwd, today, now }: ThreadContext): ProcessContext {
  const day = asIsoDate(today);
  return {
    out: () => Promise.resolve(),
    err: () => undefined,
    stdin: () => Promise.resolve(new Uint8Array()),
    streams: () => ({ input: new PassThrough(), output: new PassThrough() }),
    env,
    cwd,
    today: () => day,
    now: () => now,
    terminal: { out: false, err: false, in: false, columns: 0 },
    stop: () => new AbortController().signal,
  };
}

async function openChecker(context: ThreadContext): Promise<Checker> {
  const spec = { name: "check", flags: CHECK_FLAGS };
  const invocation: Invocation = { io: contextOf(context), args: [], flags: context.flags, spec, origins: new Map() };
  const settings = await readSettings(invocation);
  const outputs = planOutputs(settings, invocation.io.cwd);
  const catalogue = await openChosenCatalogue(invocation.io, settings);
  return createChecker(invocation, settings, {
    catalogue,
    format: outputs.format === "ndjson" ? "ndjson" : "table",
    reports: outputs.documentReports,
    determineSupport: undefined,
  });
}

// oxlint-disable-next-line typescript/no-unsafe-assignment -- structured clone of the ThreadContext that run.ts passes
const context: ThreadContext = workerData;
let opened: Promise<Checker> | undefined;

async function answer(file: string): Promise<FromThread> {
  try {
    opened ??= openChecker(context);
    const { check } = await opened;
    return { checked: await check(file) };
  } catch (error) {
    return { problem: toMessage(error) };
  }
}

parentPort?.on("message", ({ file }: ToThread) => {
  // This is `postMessage` of a thread, not of a window: it takes no origin.
  void answer(file).then((reply) =>
    parentPort?.postMessage(reply, "checked" in reply ? [reply.checked.lines.buffer] : []),
  );
});
