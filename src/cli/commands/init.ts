/** `eolgate init`: shows what fails today, and writes the configuration and the files of the CI service. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { checkDocuments } from "../../api/check.ts";
import { withWaiver } from "../../api/waive.ts";
import { EolgateError } from "../../messages/error.ts";
import { formatCount } from "../../messages/format.ts";
import type { Report, Waiver } from "../../model/index.ts";
import { VERSION } from "../../platform/version.ts";
import { writeError } from "../../platform/write-error.ts";
import { toFindings } from "../../policy/rows.ts";
import { escapeTerminal } from "../../report/escape.ts";
import { table } from "../../report/table.ts";
import type { IsoDate } from "../../text/ids.ts";
import { openBackend } from "../backend.ts";
import type { CommandModule, Invocation } from "../command.ts";
import { INIT_FLAGS } from "../flags/check.ts";
import { PIPELINES, type PipelineRow } from "../init/pipelines.ts";
import { checkTargets, collectInputs } from "../inputs/targets.ts";
import { reportOptions } from "../output/output.ts";
import { isEnabled, listValue, openCatalogue, readSettings, stringValue, type Settings } from "../settings/config.ts";
import { dayOf } from "../settings/settings.ts";
import { formatFailedDocument } from "../start/format-error.ts";

export const commands: readonly CommandModule[] = [
  {
    name: "init",
    summary: "show what fails today, and write the configuration and the CI file of the project",
    flags: INIT_FLAGS,
    examples: ["eolgate init --dry-run", "eolgate init --ci github --accept-until 90d --yes"],
    run,
  },
];

/** A file to write, or one that is kept, with what the user does next. */
interface PlannedFile {
  readonly path: string;
  /** Undefined for a file that exists already. */
  readonly text?: string;
  readonly about: string;
}

async function run(invocation: Invocation): Promise<number> {
  const { io, flags } = invocation;
  const settings = await readSettings(invocation);
  const report = await checked(invocation, settings);
  const until = stringValue(flags["acceptUntil"]);
  const accepted =
    report && until !== undefined ? waiversOf(report, dayOf(until, settings.asOf, "--accept-until")) : [];
  const plan = [configuration(io.cwd, settings, accepted), ...pipelines(io.cwd, listValue(flags["ci"]))];
  const files = plan.filter((file) => file.text !== undefined);
  const isDry = isEnabled(flags["dryRun"]);
  if (report.documents.length > 0) await io.out(table(report, await reportOptions(io, settings, false)));
  await io.out(plan.map((file) => line(file, isDry)).join(""));
  if (isDry || files.length === 0) return 0;
  if (!isEnabled(flags["yes"]) && !(await isConfirmed(invocation, files.length))) return 0;
  for (const file of files) await write(resolve(io.cwd, file.path), file.text ?? "");
  await io.out(`\n${formatCount(files.length, "file")} written. Next: eolgate check\n`);
  return 0;
}

/** The check of the folder. Where nothing can be checked, the reason is printed. */
async function checked(invocation: Invocation, settings: Settings): Promise<Report> {
  const catalogue = await openCatalogue(invocation, settings);
  const { assess, links } = await openBackend(invocation, settings, catalogue);
  const { policy, asOf, inForce } = settings;
  const { inputs, folders } = await collectInputs(invocation, checkTargets(invocation, settings), catalogue);
  const tool = { name: "eolgate", version: VERSION };
  const context = { catalogue, policy, asOf, assess, links, tool, settings: inForce, folders };
  const report = await checkDocuments(inputs, context);
  for (const each of report.failed) invocation.io.err(formatFailedDocument(each));
  return report;
}

/** A waiver for each release cycle that fails, so that the gate fails only on new ones until the day. */
function waiversOf({ documents }: Report, expires: IsoDate): readonly Waiver[] {
  const failing = documents
    .flatMap(({ rows }) => toFindings(rows))
    .filter(({ outcome }) => outcome.severity === "fail" && outcome.waived === undefined);
  const targets = failing.flatMap(({ outcome, component: { purls } }) =>
    outcome.assessment === undefined
      ? purls.slice(0, 1)
      : [`${outcome.assessment.releaseCycle.product}:${outcome.assessment.releaseCycle.cycle}`],
  );
  return [...new Set(targets)].map((target) => ({ target, expires, reason: "ended before the gate was set up" }));
}

const CONFIGURATION = "eolgate.config.yaml";
const KEPT_CONFIGURATION = "exists and is kept; eolgate waive adds waivers to it";
const POLICY = `# The policy of eolgate, with its defaults. All fields: docs/policy.md
failOn:
  - eol
warnDays: 90
`;

function configuration(cwd: string, { config }: Settings, accepted: readonly Waiver[]): PlannedFile {
  if (config !== undefined) return { path: config.path, about: KEPT_CONFIGURATION };
  const text = accepted.reduce((before, waiver) => withWaiver(before, CONFIGURATION, waiver).text, POLICY);
  const [first] = accepted;
  const about =
    first === undefined
      ? "what fails and what warns"
      : `what fails and what warns; ${formatCount(accepted.length, "waiver")} until ${first.expires}`;
  return existsSync(resolve(cwd, CONFIGURATION))
    ? { path: CONFIGURATION, about: KEPT_CONFIGURATION }
    : { path: CONFIGURATION, text, about };
}

/** The files of the named services; without names, of those that the project uses. */
function pipelines(cwd: string, named: readonly string[]): readonly PlannedFile[] {
  const all = Object.entries<PipelineRow>(PIPELINES);
  const exists = (path: string): boolean => existsSync(resolve(cwd, path));
  const marked = all.filter(([, { marks }]) => marks.some(exists));
  const remote = gitConfiguration(cwd);
  const used = marked.length > 0 ? marked : all.filter(([, row]) => row.remote?.test(remote));
  const chosen = named.length > 0 ? all.filter(([name]) => named.includes(name)) : used;
  if (chosen.length > 0) return chosen.map(([name, row]) => pipelineFile(name, row, exists));
  return [
    { path: "CI", about: `no CI service was found: choose one with --ci ${all.map(([name]) => name).join(", ")}` },
  ];
}

function pipelineFile(name: string, row: PipelineRow, exists: (path: string) => boolean): PlannedFile {
  const { path, otherPath, otherStep = "" } = row;
  if (!exists(path)) return { path, text: row.text, about: `runs the gate in ${name}` };
  if (otherPath !== undefined && !exists(otherPath)) return { path: otherPath, text: row.text, about: otherStep };
  return { path, about: ["exists and is kept", otherStep].filter(Boolean).join("; ") };
}

function gitConfiguration(cwd: string): string {
  try {
    return readFileSync(resolve(cwd, ".git/config"), "utf8");
  } catch {
    return "";
  }
}

const line = ({ path, text, about }: PlannedFile, isDry: boolean): string =>
  escapeTerminal(`  ${text === undefined ? "kept" : isDry ? "would write" : "write"}  ${path}: ${about}`) + "\n";

/** Asks on a terminal. @throws EolgateError `invalid-usage` without one */
async function isConfirmed({ io }: Invocation, count: number): Promise<boolean> {
  if (!io.terminal.in)
    throw EolgateError.of("invalid-usage", {
      problem: "there is no terminal to ask for confirmation",
      advice: "Add --yes to write the files, or --dry-run to list them.",
    }).at("eolgate init");
  const asking = createInterface(io.streams());
  try {
    return /^y(?:es)?$/i.test((await asking.question(`\nWrite ${formatCount(count, "file")}? [y/N] `)).trim());
  } finally {
    asking.close();
  }
}

/** Writes a new file; one that was created meanwhile is an error, and stays. */
async function write(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
  } catch (cause) {
    throw writeError(path, cause);
  }
}
