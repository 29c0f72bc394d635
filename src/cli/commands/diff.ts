/** `eolgate diff`: compares two documents or reports. Exits with the verdict on the new failures. */
import { compareScans, createBaseline } from "../../compare/difference.ts";
import { exitFor } from "../../policy/exit.ts";
import type { Report } from "../../model/index.ts";
import { readComparisonSide, type ComparisonSide } from "../../api/baseline.ts";
import { readInput } from "../../api/input.ts";
import { VERSION } from "../../platform/version.ts";
import type { DifferenceReport } from "../../report/difference.ts";
import type { TerminalOptions } from "../../report/reporter.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { openBackend } from "../../shell/backend.ts";
import { deliver, terminalOptions } from "../../shell/output.ts";
import { openChosenCatalogue } from "../../shell/catalogue.ts";
import { readSettings, stringValue, type Settings } from "../../shell/settings.ts";
import { API_FLAG, AS_OF_FLAG, CATALOGUE_FLAGS, formatFlag, OUTPUT_FLAG, POLICY_FLAGS } from "../flags/check.ts";
import { refuseOverwriting } from "../planned-outputs.ts";

const diff: CommandModule = {
  name: "diff",
  arguments: "<old> <new>",
  summary: "compare two SBOMs or JSON reports: added, removed and changed components; fail on new failures",
  flags: [
    ...POLICY_FLAGS,
    AS_OF_FLAG,
    ...CATALOGUE_FLAGS,
    formatFlag(["table", "markdown", "json"], "-f, "),
    OUTPUT_FLAG,
    API_FLAG,
  ],
  examples: ["eolgate diff main.cdx.json branch.cdx.json --format markdown"],
  run,
};
export const commands: readonly CommandModule[] = [diff];

async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const settings = await readSettings(invocation);
  refuseOverwriting(
    [stringValue(settings.values["output"])],
    args.map((file) => ({ file })),
    settings,
    io.cwd,
  );
  const catalogue = await openChosenCatalogue(invocation.io, settings);
  const { assess } = await openBackend(invocation, settings, catalogue);
  const { policy, asOf } = settings;
  const context = { catalogue, policy, asOf, assess };
  const old = await readComparisonSide(await readInput(args[0] ?? "", io.cwd, io.stdin), context);
  const baseline = createBaseline(old.snapshot);
  const current = await readComparisonSide(await readInput(args[1] ?? "", io.cwd, io.stdin), { ...context, baseline });
  const exit = exitOn(old, current, settings);
  const difference = compareScans(old.snapshot, current.snapshot);
  const report = { difference, tool: { name: "eolgate", version: VERSION }, asOf, exit };
  const output = stringValue(settings.values["output"]);
  const write = await writer(stringValue(settings.values["format"]));
  await deliver(io, output, write(report, terminalOptions(io, output !== undefined)));
  return exit.code;
}

/**
 * The exit of the comparison. A document was assessed with the old side as its baseline; a report is compared with the
 * old side here.
 */
function exitOn(old: ComparisonSide, { scan, snapshot }: ComparisonSide, { policy }: Settings): Report["exit"] {
  if (scan) return exitFor([scan], [], scan.verdict, policy);
  const fresh = createBaseline(old.snapshot).fresh(snapshot);
  const why = `${fresh.length} new ${fresh.length === 1 ? "failure" : "failures"} in ${snapshot.file}`;
  return fresh.length > 0 && !policy.exitZero ? { code: 1, name: "fail", why } : { code: 0, name: "pass", why };
}

type DifferenceWriter = (report: DifferenceReport, options: TerminalOptions) => string;

async function writer(format: string | undefined): Promise<DifferenceWriter> {
  if (format === "json") return (await import("../../report/difference.ts")).differenceJson;
  if (format === "markdown") return (await import("../../report/difference.ts")).differenceMarkdown;
  return (await import("../../report/difference.ts")).differenceTable;
}
