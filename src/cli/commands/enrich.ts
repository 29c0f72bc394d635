/** `eolgate enrich`: writes lifecycle properties into documents, or removes them, and keeps every other byte. */
import { ERROR_KINDS, EolgateError } from "../../messages/error.ts";
import { toFindings } from "../../policy/rows.ts";
import { worstExit } from "../../policy/exit.ts";
import { type Edited, enrich, removeEnrichment } from "../../enrich/enrich.ts";
import { toEnrichment } from "../../enrich/lifecycle-properties.ts";
import type { ParsedSbom } from "../../sbom/component.ts";
import { openSbom } from "../../sbom/open.ts";
import { type Input, expandFiles, readInput } from "../../api/input.ts";
import { checkDocument } from "../../api/check.ts";
import { VERSION } from "../../platform/version.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { openBackend } from "../../shell/backend.ts";
import { type OutputTarget, deliverDocument } from "../../shell/output.ts";
import { isEnabled, readSettings, stringValue } from "../../shell/settings.ts";
import { openChosenCatalogue } from "../../shell/catalogue.ts";
import { ENRICH_FLAGS } from "../flags/check.ts";
import type { ProcessContext } from "../../shell/process-context.ts";
import { withSupport } from "../signals.ts";
import { formatError, toReportedError } from "../start/format-error.ts";
import { refuseOverwriting } from "../planned-outputs.ts";
import { resolve } from "node:path";
import { diff } from "../../enrich/edits.ts";
import { escapeTerminal } from "../../report/escape.ts";

const enrichCommand: CommandModule = {
  name: "enrich",
  arguments: "[files...]",
  summary: "add lifecycle properties to SBOMs without changing anything else, or remove them",
  flags: ENRICH_FLAGS,
  common: ["--in-place", "--remove", "--dry-run", "--diff", "--properties", "--validate", "--config", "--output"],
  examples: [
    "eolgate enrich bom.json -o bom.enriched.json",
    "eolgate enrich '**/*.cdx.json' --in-place",
    "eolgate enrich bom.json --diff --dry-run",
    "eolgate enrich bom.json --in-place --remove",
  ],
  run,
};
export const commands: readonly CommandModule[] = [enrichCommand];

type Editor = (input: Input, document: ParsedSbom) => Promise<Edited>;

async function run(invocation: Invocation): Promise<number> {
  const { io, args, flags } = invocation;
  const { files, failed } = await expandFiles(args, io.cwd);
  refuseContradictions(files, flags);
  refuseOverwriting(
    [stringValue(flags["output"])],
    files.map((file) => ({ file })),
    { values: {}, config: undefined },
    io.cwd,
  );
  const editor = isEnabled(flags["remove"]) ? remover(flags) : await enricher(invocation);
  for (const { error } of failed) io.err(formatError(error));
  const exits = failed.map(() => ERROR_KINDS.input.exit as number);
  for (const file of files) {
    try {
      await edit(invocation, file, editor);
    } catch (error) {
      // An error in one document does not stop the others.
      if (!(error instanceof EolgateError) || error.exit === 70) throw error;
      const located = inFile(error, file);
      if (files.length === 1) throw located;
      io.err(formatError(toReportedError(located)));
      exits.push(error.exit);
    }
  }
  return worstExit(exits);
}

const remover =
  (flags: Invocation["flags"]): Editor =>
  (_input, document) =>
    Promise.resolve(removeEnrichment(document, { breakSignature: isEnabled(flags["breakSignature"]) }));

async function enricher(invocation: Invocation): Promise<Editor> {
  const settings = await readSettings(invocation);
  const catalogue = await openChosenCatalogue(invocation.io, settings);
  const { assess, links } = await openBackend(invocation, settings, catalogue);
  const { asOf, policy } = settings;
  const properties = namesOf(invocation.flags["properties"]);
  return async (input, document) => {
    const { file } = input;
    const scan = await withSupport(invocation.io, settings, catalogue, (determineSupport) =>
      checkDocument({ file, digest: input.digest, document }, { catalogue, policy, asOf, assess, determineSupport }),
    );
    const enrichment = toEnrichment(
      { findings: toFindings(scan.rows), verdict: scan.verdict },
      {
        asOf,
        tool: { name: "eolgate", version: VERSION },
        purlMapDate: catalogue.metadata.purlMapDate,
        scoreCard: links.scoreCard,
        properties,
      },
    );
    return enrich(document, enrichment, { breakSignature: isEnabled(invocation.flags["breakSignature"]) });
  };
}

const namesOf = (value: unknown): "lifecycle" | "cdx" | "both" =>
  value === "cdx" || value === "both" ? value : "lifecycle";

async function edit({ io, flags }: Invocation, file: string, editor: Editor): Promise<void> {
  const input = await readInput(file, io.cwd, io.stdin);
  if (input.gzipped && isEnabled(flags["inPlace"]))
    throw EolgateError.of("invalid-usage", {
      problem: "a gzip-compressed file cannot be enriched in place",
      advice: "Decompress it first, or write the plain document with -o FILE.",
    }).at(file);
  const document = await openSbom(input.bytes());
  const edited = await editor(input, document);
  const chunks = isEnabled(flags["validate"]) ? await validated(edited, document) : edited.chunks;
  if (isEnabled(flags["diff"])) await deliverDiff(io, edited, input.file);
  io.err(enrichmentSummary(edited, input.file, isEnabled(flags["dryRun"])));
  const to = outputTarget(io.cwd, file, flags);
  // The diff was written to standard output, so the document is not.
  if (isEnabled(flags["dryRun"]) || (isEnabled(flags["diff"]) && to === STANDARD_OUTPUT)) return;
  await deliverDocument(io, chunks, to);
}

/** The file, then the location in it. */
function inFile(error: EolgateError, file: string): EolgateError {
  const where = error.where === undefined || error.where.startsWith(file) ? file : `${file}, ${error.where}`;
  return error.at(where);
}

function refuseContradictions(files: readonly string[], flags: Invocation["flags"]): void {
  const inPlace = isEnabled(flags["inPlace"]);
  if (files.length === 0)
    throw EolgateError.of("invalid-usage", { problem: "no SBOM given", advice: "Run: eolgate enrich FILE -o OUTPUT" });
  if (inPlace && flags["output"] !== undefined)
    throw EolgateError.of("invalid-usage", {
      problem: "--in-place cannot be used with --output",
      advice: "Omit --in-place or the other one.",
    });
  if (inPlace && files.includes("-"))
    throw EolgateError.of("invalid-usage", {
      problem: "--in-place cannot be used with standard input",
      advice: "Omit --in-place or the other one.",
    });
  if (files.length > 1 && !inPlace && !isEnabled(flags["dryRun"]) && !isEnabled(flags["diff"]))
    throw EolgateError.of("invalid-usage", {
      problem: "several SBOMs cannot be written to one output",
      advice: "Use --in-place, or enrich one SBOM at a time.",
    });
}

const STANDARD_OUTPUT: OutputTarget = {};

function outputTarget(cwd: string, file: string, flags: Invocation["flags"]): OutputTarget {
  if (isEnabled(flags["inPlace"])) return { replace: resolve(cwd, file) };
  const output = stringValue(flags["output"]);
  return output === undefined ? STANDARD_OUTPUT : { output };
}

/** The edits as a diff, in pieces: a large document has many. Its text is escaped for terminals. */
export async function deliverDiff(
  io: ProcessContext,
  { bytes, edits }: Pick<Edited, "bytes" | "edits">,
  file: string,
): Promise<void> {
  let text = "";
  for (const line of diff(bytes, edits, file)) {
    // A tab is harmless, and `patch` compares it.
    text += `${line.split("\t").map(escapeTerminal).join("\t")}\n`;
    if (text.length < 65_536) continue;
    await io.out(text);
    text = "";
  }
  if (text !== "") await io.out(text);
}

const WHY: Readonly<Record<Edited["skipped"][number]["reason"], string>> = {
  "not-a-list": "is not a list, so nothing can be added to it",
  "no-id": "has no spdxId for an annotation to refer to",
  "no-document": "has no SpdxDocument for the summary",
};
const SHOWN = 10;

/** One line on standard error, and the locations that were not changed. */
export function enrichmentSummary({ edits, skipped }: Edited, file: string, dryRun: boolean): string {
  const what = edits.length === 0 ? "nothing to change" : `${edits.length} ${edits.length === 1 ? "edit" : "edits"}`;
  const lines = [`${file}: ${what}${dryRun ? ", nothing written" : ""}`];
  for (const { pointer, reason } of skipped.slice(0, SHOWN)) lines.push(`  unchanged: ${pointer} ${WHY[reason]}`);
  if (skipped.length > SHOWN) lines.push(`  and ${skipped.length - SHOWN} more`);
  return lines.map((line) => `${escapeTerminal(line)}\n`).join("");
}

/** The edited bytes, after validation by the official schema. */
export async function validated(edited: Edited, before: ParsedSbom): Promise<Iterable<Uint8Array>> {
  const { validateSbom } = await import("../../api/validate.ts");
  const bytes = Buffer.concat([...edited.chunks]);
  const [violation, ...more] = validateSbom(await openSbom(bytes));
  if (violation === undefined) return [bytes];
  const already = validateSbom(before).length > 0;
  throw EolgateError.of("not-valid", {
    schema: `${before.format} ${before.specVersion}`,
    problem: `${violation.message}${more.length > 0 ? ` (and ${more.length} more)` : ""}`,
    advice: already
      ? "The document was not valid before enrichment. Correct it, or omit --validate."
      : "This is a bug: enrichment must not make a valid document invalid. Please report it.",
  }).at(violation.pointer);
}
