/**
 * `eolgate batch`: the scores of many release cycles, in the given order; a query that fails gives an error at its
 * position.
 */
import { parseCycleKey } from "../../text/ids.ts";
import { resolve } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { assessmentFromScore } from "../../wire/lifecycle.ts";
import type { BatchRequest, BatchResponse } from "../../wire/schemas.ts";
import { columns, cycleList } from "../../report/cards/score-card.ts";
import { escapeTerminal } from "../../report/escape.ts";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import type { TerminalOptions } from "../../report/reporter.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { stringValue } from "../../shell/settings.ts";
import { LOOK_UP_FLAGS } from "../flags/check.ts";
import { lookUp } from "./look-up.ts";

const batch: CommandModule = {
  name: "batch",
  arguments: "[lines...]",
  summary: "print the scores of many slug:version pairs or purls, from arguments or a file (- for standard input)",
  flags: [{ flags: "--from <file>", summary: "read the list from this file, one per line" }, ...LOOK_UP_FLAGS],
  examples: ["eolgate batch nodejs:18 python:3.9", "eolgate batch --from stack.txt --format json"],
  run,
};
export const commands: readonly CommandModule[] = [batch];

async function run(invocation: Invocation): Promise<number> {
  const lines = [...invocation.args, ...(await fileLines(invocation))];
  if (lines.length === 0)
    throw EolgateError.of("invalid-usage", {
      problem: "no product or package given",
      advice: "Pass slug:version or package URLs, or --from FILE: eolgate batch nodejs:18 python:3.9",
    });
  let answered = 0;
  await lookUp(
    invocation,
    async (operations) => {
      const answer = await operations.batch({ products: lines.map(toProduct) });
      answered = answer.filter((each) => !("error" in each)).length;
      return answer;
    },
    formatBatch,
  );
  return answered === 0 ? NOTHING_ANSWERED : 0;
}

/** The exit code if no query could be answered: as for a check, this is not a success. */
const NOTHING_ANSWERED = 6;

/** One subject per line; empty lines and lines that begin with # are skipped. */
async function fileLines({ io, flags }: Invocation): Promise<readonly string[]> {
  const from = stringValue(flags["from"]);
  if (from === undefined) return [];
  const content =
    from === "-"
      ? new TextDecoder().decode(await io.stdin())
      : readBoundedFile(resolve(io.cwd, from), "list of products", (cause) => unreadableList(from, cause)).toString(
          "utf8",
        );
  return content
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

const unreadableList = (from: string, cause: unknown): EolgateError =>
  EolgateError.of("unreadable", { problem: "the list cannot be read", advice: undefined }, { where: from, cause });

function toProduct(subject: string): BatchRequest["products"][number] {
  if (subject.startsWith("pkg:")) return { purl: subject };
  const { product: slug, cycle: version } = parseCycleKey(subject);
  return { slug, ...(version !== undefined && { version }) };
}

function formatBatch(answer: BatchResponse, options: TerminalOptions): string {
  const scores = answer.flatMap((each) => ("error" in each ? [] : [assessmentFromScore(each)]));
  const errors = answer.flatMap((each) =>
    "error" in each
      ? [
          [
            escapeTerminal([each.slug ?? each.purl ?? "", each.version ?? ""].filter(Boolean).join(":")),
            escapeTerminal(errorText(each)),
          ],
        ]
      : [],
  );
  return [scores.length > 0 ? cycleList(scores, options) : "", errors.length > 0 ? columns(errors) : ""]
    .filter(Boolean)
    .join("\n\n")
    .concat("\n");
}

function errorText({ error, candidates }: { readonly error: string; readonly candidates?: readonly string[] }): string {
  return candidates === undefined ? error : `${error}: ${candidates.join(", ")}`;
}
