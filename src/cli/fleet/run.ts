/** `eolgate check` over many files, on all cores. See docs/fleet.md. */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { FileState } from "../../api/fleet/journal.ts";
import type { Catalogue } from "../../model/index.ts";
import type { Invocation } from "../command.ts";
import { stringValue, type Settings } from "../config.ts";
import { refuseSharedPaths, refuseOverwriting } from "../planned-outputs.ts";
import { statusOf } from "../../platform/file-status.ts";
import { formatFailedDocument } from "../format-error.ts";
import { withSupport } from "../signals.ts";
import { createChecker } from "./checker.ts";
import { checkAll, type RunPlan } from "./check-all.ts";
import { startThreads } from "./workers.ts";
import type { Fleet } from "./plan.ts";

/** Documents per thread: starting a thread takes as long as checking about a dozen documents. */
const DOCUMENTS_FOR_A_THREAD = 8;

export async function runFleet(
  invocation: Invocation,
  settings: Settings,
  catalogue: Catalogue,
  fleet: Fleet,
): Promise<number> {
  const { io } = invocation;
  const { files, outputs } = fleet;
  const paths = [...outputs.paths, fleet.journal];
  refuseOverwriting(
    paths,
    files.map((file) => ({ file })),
    settings,
    io.cwd,
  );
  refuseSharedPaths(outputs.documentReports, files);
  const plan: RunPlan = { ...fleet, subjects: files.map((file) => fileState(io.cwd, file)) };
  const result = await withSupport(io, settings, catalogue, async (determineSupport) => {
    const { format } = fleet;
    const options = { catalogue, format, reports: outputs.documentReports, determineSupport };
    const checker = await createChecker(invocation, settings, options);
    const threads = threadCount(settings, fleet);
    if (threads < 2) return checkAll(invocation, settings, plan, { checker, workers: [{ run: checker.check }] });
    const { workers, stop } = startThreads(threads, invocation);
    try {
      return await checkAll(invocation, settings, plan, { checker, workers });
    } finally {
      await stop();
    }
  });
  for (const failed of result.failed) io.err(formatFailedDocument(failed));
  return result.exit.code;
}

/** One thread if a service or sources are asked, because their rate limits apply. */
function threadCount({ values, policy }: Settings, { files, jobs }: Fleet): number {
  if (stringValue(values["api"]) !== undefined || policy.signals !== "off") return 1;
  return jobs ?? Math.min(availableParallelism(), Math.floor(files.length / DOCUMENTS_FOR_A_THREAD));
}

/** The state of a file. A missing file stays in the list, so that the check reports it. */
function fileState(cwd: string, file: string): FileState {
  const found = statusOf(resolve(cwd, file));
  return { file, size: found?.size ?? -1, modified: found?.mtimeMs ?? 0 };
}
