/**
 * `check --api URL --send-sbom`: the documents themselves go to the service, which resolves and judges them by its own
 * catalogue. What it answers is said as it stands; a policy that it would not know of is refused, not ignored.
 */
import { Fault } from "../core/errors.ts";
import { gravest } from "../core/gate/exit.ts";
import { DEFAULT_POLICY } from "../core/gate/policy.ts";
import type { FailedScan, GateWord, Policy } from "../core/model.ts";
import { assessmentFromScore } from "../core/wire/assessment.ts";
import type { SbomAnswer } from "../core/wire/schemas.ts";
import { readInput } from "../operations/input.ts";
import { settle } from "../operations/scan.ts";
import { lineList } from "../report/cards/lists.ts";
import { terminal } from "../report/escape.ts";
import type { TerminalOptions } from "../report/reporters.ts";
import { paint } from "../report/terminal/paint.ts";
import { CONDITION_TITLES, counted } from "../report/words.ts";
import type { Invocation } from "./commands.ts";
import type { Door } from "./door.ts";
import { deliver, jsonText, terminalOptions } from "./output.ts";
import { faultText } from "./run.ts";
import type { Settings } from "./workspace.ts";
import { text } from "./workspace.ts";

interface Judged {
  readonly file: string;
  readonly answer: SbomAnswer;
}

export async function hostedCheck(
  { io }: Invocation,
  settings: Settings,
  door: Door,
  files: readonly string[],
): Promise<number> {
  const { policy, values } = settings;
  const format = text(values["format"]) ?? "table";
  refuseWhatStaysHere(policy, values, format);
  const outcomes = [];
  for (const file of files) outcomes.push(await settle(file, () => ask(file)));
  const judged = outcomes.filter((outcome) => "answer" in outcome);
  const failed = outcomes.filter((outcome) => "fault" in outcome);
  const output = text(values["output"]);
  const options = terminalOptions(io, output !== undefined);
  if (judged.length > 0)
    await deliver(
      io,
      output,
      format === "json" ? json(judged, failed) : judged.map((each) => words(each, door.base, options)).join(""),
    );
  for (const { file, fault } of failed) io.err(faultText({ ...fault, where: file }));
  return exitCode(judged, failed, policy);

  async function ask(file: string): Promise<Judged> {
    const { bytes } = await readInput(file, io.cwd, io.stdin);
    const strict = policy.strict ? { strict: "1" as const } : {};
    return { file, answer: await door.operations.sbom({ document: bytes, warn_days: policy.warnDays, ...strict }) };
  }
}

/** Parts of the policy that travel with the question, or are ours to apply. */
const TRAVELS: ReadonlySet<string> = new Set([
  "strict",
  "warnDays",
  "exitZero",
  "maxCatalogueAge",
] satisfies (keyof Policy)[]);

function refuseWhatStaysHere(policy: Policy, values: Settings["values"], format: string): void {
  const unknown = Object.entries(policy).filter(
    ([key, value]) => !TRAVELS.has(key) && JSON.stringify(value) !== JSON.stringify(Reflect.get(DEFAULT_POLICY, key)),
  );
  const flags = ["report", "baseline", "forecast", "scan", "stack", "template"].filter(
    (key) => values[key] !== undefined,
  );
  const [first] = [...unknown.map(([key]) => key), ...flags];
  if (first !== undefined)
    throw new Fault("usage", {
      code: "not-hosted",
      message: `${first} cannot be used with --send-sbom: the service judges by its own policy`,
      where: "--send-sbom",
      hint: "Without --send-sbom the whole policy applies, and only slugs and versions leave the machine.",
    });
  if (format !== "table" && format !== "json")
    throw new Fault("usage", {
      code: "not-hosted",
      message: `with --send-sbom the answer comes as table or json, not as ${format}`,
      where: "--format",
    });
}

const WORD_EXITS: Readonly<Record<GateWord, number>> = { fail: 1, none: 6, warn: 0, pass: 0 };

function exitCode(judged: readonly Judged[], failed: readonly FailedScan[], { exitZero }: Policy): number {
  // Only what is wrong with a document itself is part of the answer; everything else ended the run.
  const code = gravest([...failed.map(() => 3), ...judged.map(({ answer }) => WORD_EXITS[answer.gate.verdict])]);
  return exitZero && (code === 1 || code === 6) ? 0 : code;
}

const json = (judged: readonly Judged[], failed: readonly FailedScan[]): string =>
  jsonText({ documents: judged.map(({ file, answer }) => ({ file, ...answer })), failed });

function words({ file, answer }: Judged, base: string, options: TerminalOptions): string {
  const palette = paint(options);
  const { gate, results, unmatched_count: unmatched, components, limit_note: limit } = answer;
  const reasons = gate.reasons.map(({ condition, count }) => `${count} ${titleOf(condition)}`).join(", ");
  return [
    "",
    `  ${palette.bold(terminal(file))}  ${palette.dim(`${counted(components, "component")}, judged by ${terminal(base)}`)}`,
    ...(results.length > 0 ? ["", lineList(results.map(assessmentFromScore), options), ""] : []),
    `  ${palette.badge(gate.verdict)}  ${reasons === "" ? "nothing in the service's policy speaks against it" : reasons}`,
    `  ${counted(unmatched, "component")} without a line${limit === undefined ? "" : `; ${terminal(limit)}`}`,
    "",
    "",
  ].join("\n");
}

/** A condition that this version does not know is said as the service said it. */
const titleOf = (condition: string): string =>
  Object.hasOwn(CONDITION_TITLES, condition) ? String(Reflect.get(CONDITION_TITLES, condition)) : terminal(condition);
