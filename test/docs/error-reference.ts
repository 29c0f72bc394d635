/** docs/errors.md as text, made from the table of error codes. */
import { ERROR_KINDS } from "../../src/core/errors.ts";
import { ERRORS } from "../../src/core/messages/errors/index.ts";
import type { ErrorRow } from "../../src/core/messages/errors/row.ts";

const HEAD = `# Errors

Every error has a stable code. On the command line an error is printed on standard error as
\`eolgate: message (where)\`, with the hint on the next line. The JSON report and HTTP answers carry the code as \`code\`.
This page is generated from the table of error codes; names in angle brackets stand for the values of the case.

The exit code applies to the command line, the status to the HTTP service. Exit code 1 is not in this table: it means that
the gate failed, and nothing else.
`;

/** The values that a message names: `args.path` reads as `<path>`. */
const placeholders: unknown = new Proxy({}, { get: (_, name) => `<${String(name)}>` });

const cell = (text: string): string => text.replaceAll("|", "\\\\|").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export function errorReference(): string {
  const rows = Object.entries(ERRORS as Readonly<Record<string, ErrorRow<unknown>>>).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const lines = rows.map(([code, { kind, message, hint }]) => {
    const { exit, http } = ERROR_KINDS[kind];
    return `| \`${code}\` | ${cell(message(placeholders))} | ${cell(hint?.(placeholders) ?? "")} | ${exit} | ${http} |`;
  });
  return [
    HEAD,
    "| code | what is wrong | what to do | exit | status |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
  ].join("\n");
}
