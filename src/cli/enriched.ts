/** Writes an edited document to standard output, to a file, or back to its own file, with a summary of the edits. */
import { resolve } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { diff } from "../enrich/edits.ts";
import type { Edited } from "../enrich/enrich.ts";
import type { ParsedSbom } from "../sbom/component.ts";
import { openSbom } from "../sbom/open.ts";
import { replaceFile, writeFileWhole } from "../platform/replace-file.ts";
import { escapeTerminal } from "../report/escape.ts";
import type { ProcessContext } from "./process-context.ts";

/** Exactly one of a file to replace, a file to write, or neither: standard output. */
export interface OutputTarget {
  readonly replace?: string;
  readonly output?: string;
}

export async function deliverDocument(
  io: ProcessContext,
  chunks: Iterable<Uint8Array>,
  to: OutputTarget,
): Promise<void> {
  if (to.replace !== undefined) await replaceFile(to.replace, chunks);
  else if (to.output !== undefined) await writeFileWhole(resolve(io.cwd, to.output), chunks);
  else for (const chunk of chunks) await io.out(chunk);
}

/** The edits as a diff, in pieces: a large document has many. Its text is escaped for terminals. */
export async function deliverDiff(io: ProcessContext, { bytes, edits }: Edited, file: string): Promise<void> {
  let text = "";
  for (const line of diff(bytes, edits, file)) {
    text += `${escapeTerminal(line)}\n`;
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
  const { validateSbom } = await import("../api/validate.ts");
  const bytes = Buffer.concat([...edited.chunks]);
  const [violation, ...more] = await validateSbom(await openSbom(bytes));
  if (violation === undefined) return [bytes];
  const already = (await validateSbom(before)).length > 0;
  throw EolgateError.of(
    "not-valid",
    {
      schema: `${before.format} ${before.specVersion}`,
      problem: `${violation.message}${more.length > 0 ? ` (and ${more.length} more)` : ""}`,
      advice: already
        ? "The document was not valid before enrichment. Correct it, or omit --validate."
        : "This is a bug: enrichment must not make a valid document invalid. Please report it.",
    },
    { where: violation.pointer },
  );
}
