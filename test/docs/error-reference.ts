/** Generates docs/errors.md from the table of error codes. */
import { ERROR_KINDS } from "../../src/messages/error.ts";
import { ERRORS } from "../../src/messages/errors/index.ts";
import type { ErrorRow } from "../../src/messages/errors/row.ts";
import { ERROR_NOTES, type ErrorNote } from "./error-notes.ts";

const HEAD = `# Errors

Every error has a stable code. The command line prints an error on standard error as \`eolgate: message (where)\`, with a hint
on the next line. JSON reports and HTTP answers contain the code as \`code\`.

The table lists the meaning of each code, what to do, the exit code of the command line and the status of the HTTP service.
Names in angle brackets stand for values. Exit code 1 is not in the table: it means that the gate failed, and nothing else.

If a look-up of a version or package finds no release cycle, the code is the [reason](reference.md#reasons), with exit code 2
and status 404.

This page is generated (\`npm run docs:errors\`).
`;

/** Placeholders for the values of a message: `args.path` becomes `<path>`. */
const placeholders: unknown = new Proxy({}, { get: (_, name) => `<${String(name)}>` });

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const notes: Readonly<Record<string, ErrorNote | undefined>> = ERROR_NOTES;

/** One row of the page. */
export interface DocumentedError {
  readonly code: string;
  readonly meaning: string;
  readonly advice: string;
  readonly exit: number;
  readonly status: number;
}

/** The rows of the page, sorted by code. */
export function documentedErrors(): readonly DocumentedError[] {
  return Object.entries(ERRORS as Readonly<Record<string, ErrorRow<unknown>>>)
    .map(([code, { kind, message, hint }]) => {
      const note = notes[code];
      const { exit, http } = ERROR_KINDS[kind];
      const meaning = note?.meaning ?? message(placeholders);
      return { code, meaning, advice: note?.advice ?? hint?.(placeholders) ?? "", exit, status: http };
    })
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

export function errorReference(): string {
  const lines = documentedErrors().map(
    ({ code, meaning, advice, exit, status }) =>
      `| \`${code}\` | ${cell(meaning)} | ${cell(advice)} | ${exit} | ${status} |`,
  );
  return [
    HEAD,
    "| code | meaning | what to do | exit | status |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
  ].join("\n");
}
