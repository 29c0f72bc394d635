/** `eolgate check`: reads, assesses, reports, and exits with the verdict. */
import { resolve } from "node:path";
import type { Catalogue, Report, StatementParts } from "../../model/index.ts";
import { type DocumentContext, type SupplementOptions, checkDocuments } from "../../api/check.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { deliverReport, noteVerdict, reportOptions } from "../../shell/output.ts";
import { openBackend } from "../../shell/backend.ts";
import { type Settings, isEnabled, readSettings, stringValue } from "../../shell/settings.ts";
import { openChosenCatalogue } from "../../shell/catalogue.ts";
import { CHECK_FLAGS } from "../flags/check.ts";
import type { ProcessContext } from "../../shell/process-context.ts";
import {
  openSeal,
  type PlannedOutputs,
  planOutputs,
  refuseOverwriting,
  refuseSharedPaths,
  reportCompleter,
  writeDocumentReports,
} from "../planned-outputs.ts";
import { planFleet, requireOwnerAlone } from "../fleet/plan.ts";
import { type CheckTargets, checkTargets, collectInputs } from "../inputs/targets.ts";
import { labelsOf } from "../inputs/labels.ts";
import { formatFailedDocument } from "../start/format-error.ts";
import { VERSION } from "../../platform/version.ts";
import { withSupport } from "../signals.ts";
import { withoutRepository } from "../../shell/without-repository.ts";
import type { Baseline } from "../../compare/difference.ts";
import { inputOf, readInput, unreadable } from "../../api/input.ts";

const check: CommandModule = {
  name: "check",
  arguments: "[targets...]",
  summary: "check folders, SBOMs, lockfiles, version pins and container images against the policy",
  flags: CHECK_FLAGS,
  common: "--exclude --image --fail-on --warn-days --config --format --output --report --baseline --verbose".split(" "),
  examples: [
    "eolgate check",
    "eolgate check bom.json services/api Dockerfile",
    "eolgate check --image debian:12 --image oci-archive:image.tar",
    "syft alpine:3.18 -o cyclonedx-json | eolgate check -",
    "eolgate check . --exclude test/fixtures --stack nodejs:18,python:3.11",
    "eolgate check --github OWNER/REPO",
    "eolgate check '**/*.cdx.json' --fail-on eol --fail-on kev --report json=report.json",
  ],
  run,
};
export const commands: readonly CommandModule[] = [check];

async function run(given: Invocation): Promise<number> {
  const asked = await readSettings(given);
  const targets = checkTargets(given, asked);
  const outputs = planOutputs(asked, given.io.cwd);
  const sealing = await openSeal(given, asked, outputs.formats);
  const { invocation, settings } = await withCatalogue(given, asked);
  const catalogue = await openChosenCatalogue(invocation.io, settings, { notesAge: outputs.format !== "table" });
  const work = { settings, targets, outputs, catalogue, ...sealing };
  return (await runMany(invocation, work)) ?? runTogether(invocation, work);
}

/**
 * Reads the channel if a flag asks for it. With `--known-at`, the settings then name the file of the catalogue, also for
 * the threads of a run over many documents.
 */
async function withCatalogue(
  invocation: Invocation,
  settings: Settings,
): Promise<{ readonly invocation: Invocation; readonly settings: Settings }> {
  const { update, knownAt } = settings.values;
  if (knownAt === undefined) {
    if (isEnabled(update) || update === "try") {
      const { updateBeforeRun } = await import("../update-before.ts");
      await updateBeforeRun(invocation.io, settings, update === "try");
    }
    return { invocation, settings };
  }
  const { catalogueKnownAt } = await import("../known-at.ts");
  const catalogue = await catalogueKnownAt(invocation.io, settings, stringValue(knownAt) ?? "");
  if (catalogue === undefined) return { invocation, settings };
  return {
    invocation: { ...invocation, flags: { ...invocation.flags, catalogue } },
    settings: { ...settings, values: { ...settings.values, catalogue } },
  };
}

interface CheckWork extends Pick<StatementParts, "seal"> {
  readonly settings: Settings;
  readonly targets: CheckTargets;
  readonly outputs: PlannedOutputs;
  readonly catalogue: Catalogue;
}

/** Assesses documents or repositories one after the other; undefined when the check is not a run over many. */
async function runMany(
  invocation: Invocation,
  { settings, targets, outputs, catalogue }: CheckWork,
): Promise<number | undefined> {
  const { github, exclude } = targets;
  if (github !== undefined && github.name === undefined) {
    requireOwnerAlone(settings, outputs, targets);
    const { runOwner } = await import("../fleet/owner.ts");
    const run = { owner: github.owner, outputs, exclude: exclude.patterns };
    return runOwner(invocation, settings, catalogue, run);
  }
  const fleet = await planFleet(invocation, settings, outputs, targets);
  if (fleet === undefined) return undefined;
  const { runFleet } = await import("../fleet/run.ts");
  return runFleet(invocation, settings, catalogue, fleet);
}

/** Assesses everything as one report, and writes it. */
async function runTogether(invocation: Invocation, work: CheckWork): Promise<number> {
  const { settings, outputs, catalogue, seal } = work;
  const { io } = invocation;
  const { report, baseline } = await assessTogether(invocation, work);
  const complete = reportCompleter(io, settings, { catalogue, baseline, seal });
  await write(invocation, settings, outputs, outputs.needsStatement ? await complete(report) : report);
  await writeDocumentReports(invocation, settings, outputs.documentReports, { report, complete });
  for (const failed of report.failed) io.err(formatFailedDocument(failed));
  return report.exit.code;
}

/** Reads and assesses everything that a run names. */
export async function assessTogether(
  invocation: Invocation,
  {
    settings,
    targets,
    outputs,
    catalogue,
  }: Pick<CheckWork, "settings" | "targets" | "catalogue"> & {
    readonly outputs: Pick<PlannedOutputs, "needsDigests" | "paths" | "documentReports" | "months">;
  },
): Promise<{ readonly report: Report; readonly baseline: Baseline | undefined }> {
  const { io } = invocation;
  const backend = await openBackend(invocation, settings, catalogue);
  const { inputs, folders, images } = await collectInputs(
    invocation,
    { ...targets, needsDigests: outputs.needsDigests },
    catalogue,
  );
  refuseOverwriting(outputs.paths, [...inputs, ...targets.names.map((file) => ({ file }))], settings, io.cwd);
  refuseSharedPaths(
    outputs.documentReports,
    inputs.map(({ file }) => file),
  );
  const { policy, asOf } = settings;
  return withSupport(io, settings, catalogue, async (determineSupport) => {
    const without = withoutRepository(settings, catalogue, backend);
    const context = { catalogue, policy, asOf, assess: backend.assess, determineSupport };
    const baseline = await openBaseline(io, settings, context);
    const report = await checkDocuments(inputs, {
      ...context,
      without,
      tool: { name: "eolgate", version: VERSION },
      settings: settings.inForce,
      links: backend.links,
      labels: labelsOf(settings),
      folders,
      images,
      baseline,
      forecast: await createForecaster(settings, outputs.months),
    });
    return { report, baseline };
  });
}

async function write(
  invocation: Invocation,
  settings: Settings,
  outputs: PlannedOutputs,
  report: Report,
): Promise<void> {
  const { io } = invocation;
  // Without a document the table would be empty; the errors are on standard error.
  if (outputs.format !== "table" || report.documents.length > 0) {
    await deliverReport(io, outputs, report, await reportOptions(io, settings, outputs.file !== undefined));
  }
  await noteVerdict(io, settings, { file: outputs.file, report });
  for (const { format, path } of outputs.reports) {
    await deliverReport(io, { format, file: path }, report, await reportOptions(io, settings, true));
  }
}

export async function createForecaster(
  { policy, asOf }: Settings,
  months: number | undefined,
): Promise<SupplementOptions["forecast"]> {
  if (months === undefined) return undefined;
  const { forecast } = await import("../../compare/forecast.ts");
  return (findings) => forecast(findings, policy, asOf, months);
}

export async function openBaseline(
  io: ProcessContext,
  { values, files }: Settings,
  context: DocumentContext,
): Promise<Baseline | undefined> {
  const file = stringValue(values["baseline"]);
  if (file === undefined) return undefined;
  const { readBaseline } = await import("../../api/baseline.ts");
  const path = resolve(io.cwd, file);
  if (file === "-" || !files.isCommitted(path)) return readBaseline(await readInput(file, io.cwd, io.stdin), context);
  return readBaseline(
    await inputOf(file, await files.read(path, "baseline", (cause) => unreadable(file, cause))),
    context,
  );
}
