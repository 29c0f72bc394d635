/** Generates docs/errors.md from the table of error codes. */
import { ERROR_KINDS } from "../../src/messages/error.ts";
import { ERRORS } from "../../src/messages/errors/index.ts";
import type { ErrorRow } from "../../src/messages/errors/row.ts";

const HEAD = `# Errors

Every error has a stable code. The command line prints an error on standard error as \`eolgate: message (where)\`, with a hint
on the next line. JSON reports and HTTP answers contain the code as \`code\`.

Problems that a program treats alike share a code; the message states the specific one. The tables list the meaning
of each code, what to do, and the status of the HTTP service. Names in angle brackets stand for values. Exit code 1 means that
the gate failed, and nothing else.

If a look-up of a version or package finds no release cycle, the code is the [reason](reference.md#reasons), with exit code 2
and status 404.

This page is generated (\`npm run generate\`).
`;

/** What the errors with an exit code have in common, in the order of the page. */
const EXITS: readonly (readonly [exit: number, heading: string])[] = [
  [2, "Exit code 2: the command, its settings, or what was asked for"],
  [3, "Exit code 3: the input"],
  [4, "Exit code 4: the catalogue"],
  [5, "Exit code 5: the network or a service"],
  [70, "Exit code 70: a bug"],
];

/** Placeholders for the values of a message: `args.path` becomes `<path>`. */
const placeholders: unknown = new Proxy({}, { get: (_, name) => `<${String(name)}>` });

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

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
    .map(([code, { kind, message, hint, docs }]) => {
      const { exit, http } = ERROR_KINDS[kind];
      const meaning = docs?.meaning ?? message(placeholders);
      return { code, meaning, advice: docs?.advice ?? hint?.(placeholders) ?? "", exit, status: http };
    })
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

export function errorReference(): string {
  const errors = documentedErrors();
  const sections = EXITS.flatMap(([exit, heading]) => [
    `## ${heading}`,
    "",
    "| code | meaning | what to do | status |",
    "| --- | --- | --- | --- |",
    ...errors
      .filter((error) => error.exit === exit)
      .map(({ code, meaning, advice, status }) => `| \`${code}\` | ${cell(meaning)} | ${cell(advice)} | ${status} |`),
    "",
  ]);
  return [HEAD, ...sections].join("\n");
}
