/**
 * `check --api URL --send-sbom`: the documents themselves go to the service, which resolves and judges them by its own
 * catalogue. What it answers is said as it stands; a policy that it would not know of is refused, not ignored.
 */
import { EolgateError } from "../core/errors.ts";
import { worstExit } from "../core/policy/exit.ts";
import { DEFAULT_POLICY } from "../core/policy/policy.ts";
import type { FailedDocument, VerdictValue, Policy } from "../core/model.ts";
import { assessmentFromScore } from "../core/wire/assessment.ts";
import type { SbomResponse } from "../core/wire/schemas.ts";
import { readInput } from "../api/input.ts";
import { collectFailure } from "../api/failed-document.ts";
import { cycleList } from "../report/cards/lists.ts";
import { escapeTerminal } from "../report/escape.ts";
import type { TerminalOptions } from "../report/reporter.ts";
import { paint } from "../report/terminal/paint.ts";
import { own } from "../core/own.ts";
import { CONDITION_LABELS } from "../core/messages/conditions.ts";
import { formatCount } from "../core/messages/format.ts";
import type { Invocation } from "./command.ts";
import type { Backend } from "./backend.ts";
import { deliver, jsonText, terminalOptions } from "./output.ts";
import { formatError } from "./format-error.ts";
import type { Settings } from "./config.ts";
import { text } from "./config.ts";

interface Judged {
  readonly file: string;
  readonly answer: SbomResponse;
}

export async function hostedCheck(
  { io }: Invocation,
  settings: Settings,
  door: Backend,
  files: readonly string[],
): Promise<number> {
  const { policy, values } = settings;
  const format = text(values["format"]) ?? "table";
  refuseWhatStaysHere(policy, values, format);
  const outcomes = [];
  for (const file of files) outcomes.push(await collectFailure(file, () => ask(file)));
  const judged = outcomes.filter((outcome) => "answer" in outcome);
  const failed = outcomes.filter((outcome) => "error" in outcome);
  const output = text(values["output"]);
  const options = terminalOptions(io, output !== undefined);
  if (judged.length > 0)
    await deliver(
      io,
      output,
      format === "json" ? json(judged, failed) : judged.map((each) => words(each, door.base, options)).join(""),
    );
  for (const { file, error } of failed) io.err(formatError({ ...error, where: file }));
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
    throw EolgateError.raw("usage", {
      code: "not-hosted",
      message: `${first} cannot be used with --send-sbom: the service judges by its own policy`,
      where: "--send-sbom",
      hint: "Without --send-sbom the whole policy applies, and only slugs and versions leave the machine.",
    });
  if (format !== "table" && format !== "json")
    throw EolgateError.raw("usage", {
      code: "not-hosted",
      message: `with --send-sbom the answer comes as table or json, not as ${format}`,
      where: "--format",
    });
}

const WORD_EXITS: Readonly<Record<VerdictValue, number>> = { fail: 1, none: 6, warn: 0, pass: 0 };

function exitCode(judged: readonly Judged[], failed: readonly FailedDocument[], { exitZero }: Policy): number {
  // Only what is wrong with a document itself is part of the answer; everything else ended the run.
  const code = worstExit([...failed.map(() => 3), ...judged.map(({ answer }) => WORD_EXITS[answer.gate.verdict])]);
  return exitZero && (code === 1 || code === 6) ? 0 : code;
}

const json = (judged: readonly Judged[], failed: readonly FailedDocument[]): string =>
  jsonText({ documents: judged.map(({ file, answer }) => ({ file, ...answer })), failed });

function words({ file, answer }: Judged, base: string, options: TerminalOptions): string {
  const palette = paint(options);
  const { gate, results, unmatched_count: unmatched, components, limit_note: limit } = answer;
  const reasons = gate.reasons.map(({ condition, count }) => `${count} ${titleOf(condition)}`).join(", ");
  return [
    "",
    `  ${palette.bold(escapeTerminal(file))}  ${palette.dim(`${formatCount(components, "component")}, judged by ${escapeTerminal(base)}`)}`,
    ...(results.length > 0 ? ["", cycleList(results.map(assessmentFromScore), options), ""] : []),
    `  ${palette.badge(gate.verdict)}  ${reasons === "" ? "no violations of the service's policy" : reasons}`,
    `  ${formatCount(unmatched, "component")} not tracked${limit === undefined ? "" : `; ${escapeTerminal(limit)}`}`,
    "",
    "",
  ].join("\n");
}

/** A condition of a newer service is shown under its own name. */
const titleOf = (condition: string): string => own(CONDITION_LABELS, condition)?.title ?? escapeTerminal(condition);
