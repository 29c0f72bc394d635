/** Formats errors for standard error and for reports. */
import { EolgateError, ERROR_KINDS } from "../../messages/error.ts";
import type { FailedDocument } from "../../model/index.ts";
import { VERSION } from "../../platform/version.ts";
import { escapeTerminal } from "../../report/escape.ts";

/** The text on standard error for an error that ends a command, with the stack trace for an internal error. */
export function errorText(error: unknown): string {
  const known = toEolgateError(error);
  const text = formatError(toReportedError(known));
  if (known.kind !== "internal" || !(known.cause instanceof Error)) return text;
  return `${text}${(known.cause.stack ?? "").split("\n").map(escapeTerminal).join("\n")}\n`;
}

/** For errors that nothing else handles: the exit code, and the text for standard error. */
export const bugReport = { exit: ERROR_KINDS.internal.exit, text: errorText } as const;

/** The fields of an error for a report; absent fields are left out. */
export const toReportedError = (error: EolgateError): FailedDocument["error"] => {
  const { kind, code, message, where } = error;
  const hint = hintOf(error);
  return { kind, code, message, ...(where !== undefined && { where }), ...(hint !== undefined && { hint }) };
};

const SHOWN = 12;

/** The hint, with the candidates or suggestions of the error unless the message already lists them. */
function hintOf({ code, hint, details, message }: EolgateError): string | undefined {
  if (/: ask for |; did you mean |; release cycles: /.test(message)) return hint;
  const candidates = names(details["candidates"]);
  if (candidates !== undefined) return `Candidates: ${candidates}.`;
  const suggestions = names(details["suggestions"]);
  if (hint !== undefined || suggestions === undefined) return hint;
  return code === "product-not-found" ? `Did you mean ${suggestions}?` : `Known release cycles: ${suggestions}.`;
}

function names(listed: unknown): string | undefined {
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  return `${listed.slice(0, SHOWN).join(", ")}${listed.length > SHOWN ? ", …" : ""}`;
}

/** `eolgate: what is wrong (where)` and, below, what to do. Escaped: it may contain text from documents. */
export function formatError({
  message,
  where,
  hint,
}: Pick<FailedDocument["error"], "message" | "where" | "hint">): string {
  const at = where === undefined || where === "" ? "" : ` (${escapeTerminal(where)})`;
  const advice = hint === undefined || hint === "" ? "" : `  ${escapeTerminal(hint)}\n`;
  return `eolgate: ${escapeTerminal(message)}${at}\n${advice}`;
}

/** A document's error: the file, then the location in it. */
export function formatFailedDocument({ file, error }: FailedDocument): string {
  const { where } = error;
  return formatError({ ...error, where: where === undefined || where === file ? file : `${file}, ${where}` });
}

/** Converts any thrown value to an EolgateError. An error of another class is an internal error. */
export function toEolgateError(cause: unknown): EolgateError {
  if (cause instanceof EolgateError) return cause;
  return EolgateError.of(
    "internal",
    { problem: `internal error in eolgate ${VERSION}: ${cause instanceof Error ? cause.message : String(cause)}` },
    { cause },
  );
}
