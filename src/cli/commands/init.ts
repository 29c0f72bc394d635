/** `eolgate init`: shows what fails today, and writes the configuration and the files of the CI service. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { stringify } from "yaml";
import { checkDocuments } from "../../api/check.ts";
import { withWaiver } from "../../api/waive.ts";
import { ERROR_KINDS, EolgateError } from "../../messages/error.ts";
import { formatCount } from "../../messages/format.ts";
import type { Report, Waiver } from "../../model/index.ts";
import { repositoryOf } from "../../platform/find-upwards.ts";
import { exampleFile, readPackageFile } from "../../platform/package-files.ts";
import { replaceFile } from "../../platform/replace-file.ts";
import { VERSION } from "../../platform/version.ts";
import { writeError } from "../../platform/write-error.ts";
import { toFindings } from "../../policy/rows.ts";
import { escapeTerminal } from "../../report/escape.ts";
import { table } from "../../report/table.ts";
import { shellWord } from "../../report/terminal/footer.ts";
import { type IsoDate, cycleKey } from "../../text/ids.ts";
import { keysOf } from "../../text/values.ts";
import { openBackend } from "../../shell/backend.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { AS_OF_FLAG, CATALOGUE_FLAGS, DRY_RUN_FLAG, INPUT } from "../flags/check.ts";
import { CONFIG_FLAGS, fieldFlag } from "../../shell/flag.ts";
import { reportOptions } from "../../shell/output.ts";
import { isEnabled, listValue, readSettings, stringValue, type Settings } from "../../shell/settings.ts";
import { openChosenCatalogue } from "../../shell/catalogue.ts";
import { dayOf } from "../periods.ts";
import { NEW_CONFIG } from "../../shell/config-file.ts";
import { PIPELINES, type PipelineRow } from "../init/pipelines.ts";
import { checkTargets, collectInputs } from "../inputs/targets.ts";
import { pageAddress } from "../../messages/pages.ts";
import { formatFailedDocument } from "../start/format-error.ts";

export const commands: readonly CommandModule[] = [
  {
    name: "init",
    summary: "show what fails today, and write the configuration and the CI file of the project",
    flags: [
      {
        flags: "--ci <service>",
        summary: "the CI service (default: those that the project uses); repeat for more",
        choices: keysOf(PIPELINES),
        repeat: true,
      },
      {
        flags: "--accept-until <when>",
        summary: "accept what fails today until this date, YYYY-MM-DD, or a period: 90d, 6m",
      },
      DRY_RUN_FLAG,
      { flags: "-y, --yes", summary: "write without asking" },
      fieldFlag("exclude", INPUT),
      ...CONFIG_FLAGS,
      AS_OF_FLAG,
      ...CATALOGUE_FLAGS,
    ],
    examples: ["eolgate init --dry-run", "eolgate init --ci github --accept-until 90d --yes"],
    run,
  },
];

/** A file to write, or one that is kept, with what the user does next. */
interface PlannedFile {
  readonly path: string;
  /** Undefined for a file that is kept. */
  readonly text?: string;
  /** The file exists, and gets the text in place of its own. */
  readonly isEdited?: true;
  readonly about: string;
}

async function run(invocation: Invocation): Promise<number> {
  const { io, flags } = invocation;
  refuseSubfolder(io.cwd);
  const settings = await readSettings(invocation);
  const report = await checked(invocation, settings);
  const until = stringValue(flags["acceptUntil"]);
  const accepted = until === undefined ? [] : waiversOf(report, dayOf(until, settings.asOf, "--accept-until"));
  const plan = [
    configuration(io.cwd, settings, accepted, listValue(flags["exclude"])),
    ...pipelines(io.cwd, listValue(flags["ci"])),
  ];
  const files = plan.filter((file) => file.text !== undefined);
  const isDry = isEnabled(flags["dryRun"]);
  if (report.documents.length > 0) await io.out(table(report, await reportOptions(io, settings, false)));
  await io.out(plan.map((file) => line(file, isDry)).join(""));
  await io.out(
    nextSteps(report, until === undefined)
      .map((step) => escapeTerminal(`  next   ${step}`) + "\n")
      .join(""),
  );
  // A folder without inputs gets its files, too. Any other failure is one that the gate will have.
  const exit = report.failed.some(({ error }) => error.code !== "nothing-to-check") ? ERROR_KINDS.input.exit : 0;
  if (isDry || files.length === 0) return exit;
  if (!isEnabled(flags["yes"]) && !(await isConfirmed(invocation, files.length))) return exit;
  for (const file of files) await write(resolve(io.cwd, file.path), file);
  await io.out(`\n${formatCount(files.length, "file")} written. Next: eolgate check\n`);
  return exit;
}

/** CI services read the files at the root of a repository. @throws EolgateError `invalid-usage` */
function refuseSubfolder(cwd: string): void {
  const root = repositoryOf(cwd);
  if (root === cwd) return;
  throw EolgateError.of("invalid-usage", {
    problem: `the files of CI services belong to the root of the repository, ${root}`,
    advice: "Run eolgate init there. To leave out folders, add --exclude.",
  }).at("eolgate init");
}

/** The check of the folder. Where nothing can be checked, the reason is printed. */
async function checked(invocation: Invocation, settings: Settings): Promise<Report> {
  const catalogue = await openChosenCatalogue(invocation.io, settings);
  const { assess, links } = await openBackend(invocation, settings, catalogue);
  const { policy, asOf, inForce } = settings;
  const { inputs, folders } = await collectInputs(invocation, checkTargets(invocation, settings), catalogue);
  const tool = { name: "eolgate", version: VERSION };
  const context = { catalogue, policy, asOf, assess, links, tool, settings: inForce, folders };
  const report = await checkDocuments(inputs, context);
  for (const each of report.failed) invocation.io.err(formatFailedDocument(each));
  return report;
}

/** What keeps the gate red after the files are written, with the flags of this command that change it. */
function nextSteps(report: Report, isStrict: boolean): readonly string[] {
  const isFailing = waiversOf(report, report.asOf).length > 0;
  const unread = report.failed.flatMap(({ file, error }) => (error.code === "nothing-to-check" ? [] : [file]));
  return [
    ...(isFailing && isStrict ? [`the gate fails today; --accept-until 90d accepts what fails, until then`] : []),
    ...(unread.length > 0
      ? [
          `files that cannot be read fail the gate; for test data: ${unread.map((file) => `--exclude ${shellWord(file)}`).join(" ")}`,
        ]
      : []),
  ];
}

/** A waiver for each release cycle that fails, so that the gate fails only on new ones until the day. */
function waiversOf({ documents }: Report, expires: IsoDate): readonly Waiver[] {
  const failing = documents
    .flatMap(({ rows }) => toFindings(rows))
    .filter(({ outcome }) => outcome.severity === "fail" && outcome.waived === undefined);
  const targets = failing.flatMap(({ outcome, component: { purls } }) =>
    outcome.assessment === undefined ? purls.slice(0, 1) : [cycleKey(outcome.assessment.releaseCycle)],
  );
  return [...new Set(targets)].map((target) => ({ target, expires, reason: "ended before the gate was set up" }));
}

const POLICY = `# The policy of eolgate, with its defaults. All fields: ${pageAddress("policy.md")}
failOn:
  - eol
warnDays: 90
`;

/** A new configuration, or the existing one with the waivers. @throws EolgateError `config-not-editable` */
function configuration(
  cwd: string,
  { config }: Settings,
  accepted: readonly Waiver[],
  exclude: readonly string[],
): PlannedFile {
  const file = config?.path ?? resolve(cwd, NEW_CONFIG);
  const policy = exclude.length === 0 ? POLICY : POLICY + stringify({ exclude });
  const before = config === undefined ? policy : readFileSync(file, "utf8");
  const text = accepted.reduce((edited, waiver) => withWaiver(edited, file, waiver).text, before);
  const [first] = accepted;
  const waivers = first && `${formatCount(accepted.length, "waiver")} until ${first.expires}`;
  const path = relative(cwd, file);
  if (config === undefined)
    return { path, text, about: ["what fails and what warns", waivers].filter(Boolean).join("; ") };
  return waivers === undefined
    ? { path, about: "exists and is kept; --accept-until and eolgate waive add waivers to it" }
    : { path, text, isEdited: true, about: `exists and gets ${waivers}` };
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
  const { path, otherPath, otherStep = "", needs } = row;
  const text = readPackageFile(exampleFile(row.example)).toString("utf8");
  if (!exists(path)) return { path, text, about: [`runs the gate in ${name}`, needs].filter(Boolean).join("; ") };
  if (otherPath !== undefined && !exists(otherPath)) return { path: otherPath, text, about: otherStep };
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
async function write(path: string, { text = "", isEdited }: PlannedFile): Promise<void> {
  if (isEdited) return replaceFile(path, [Buffer.from(text)]);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
  } catch (cause) {
    throw writeError(path, cause);
  }
}
