/** The form of messages and hints, in the error table and where the code words an error itself. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { ERRORS } from "../../src/messages/errors/index.ts";
import type { ErrorRow } from "../../src/messages/errors/row.ts";
import { errorObject } from "../../src/wire/error.ts";

const ROWS = Object.entries(ERRORS as Readonly<Record<string, ErrorRow<unknown>>>);
/** `args.path` reads as `x`. */
const anything: unknown = new Proxy({}, { get: () => "x" });

/** Texts that a parser or a field words: the row passes them on. */
const WORDED_ELSEWHERE = /^(?:The current catalogue stays in use\. )?x/;
const PROPER = "CycloneDX|SPDX|JSON|XML|GitHub|Node|An? API key|HTTP|PostgreSQL";
const MESSAGE = new RegExp(`^(?:[^A-Z]|${PROPER})[^]*(?<!\\.)$`);
/** A sentence, a question, or a command or address to copy at its end. */
const HINT =
  /^(?:(?:[^a-z]|https:\/\/|http is)[^]*[.?]|(?:[^a-z][^]*)?(?:eolgate|syft|trivy|npm|docker|openssl|smtp:|https?:|--\w|\S+=\S+|nodejs[: ])[^.]*(?:\.\S+)*)$/;

describe("error table", () => {
  test.each(ROWS)("%s has a lower-case message and a hint that is a full sentence", (_, { message, hint }) => {
    expect(message(anything)).toMatch(MESSAGE);
    const advice = hint?.(anything) ?? "";
    if (advice !== "" && !WORDED_ELSEWHERE.test(advice)) expect(advice).toMatch(HINT);
  });
});

const source = fileURLToPath(new URL("../../src/", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

/** Clauses and hints that are written where a problem is found. Values in them read as `x`. */
function literals(name: "problem" | "advice"): readonly string[] {
  return files
    .filter((file) => !file.startsWith("messages"))
    .flatMap((file) =>
      [...readFileSync(join(source, file), "utf8").matchAll(LITERALS[name])].map(([, text, template]) =>
        (text ?? template ?? "").replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "x"),
      ),
    );
}
const LITERALS = {
  problem: /\bproblem:\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g,
  advice: /\badvice:\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g,
};

test("problems that are worded where they are found are lower-case clauses", () => {
  const clauses = literals("problem");
  expect(clauses.length).toBeGreaterThan(100);
  expect(clauses.filter((clause) => !MESSAGE.test(clause))).toEqual([]);
});

test("advice that is given where a problem is found is a full sentence", () => {
  // An empty text is no advice.
  const hints = literals("advice").filter((hint) => hint !== "");
  expect(hints.length).toBeGreaterThan(100);
  expect(hints.filter((hint) => !WORDED_ELSEWHERE.test(hint) && !HINT.test(hint))).toEqual([]);
});

/** A spread silently overrides the earlier of two rows, so the error would get another exit code. */
test("defines each code in one table only", () => {
  const folder = new URL("../../src/messages/errors/", import.meta.url);
  const codes = readdirSync(folder).flatMap((name) =>
    [
      ...readFileSync(new URL(name, folder), "utf8").matchAll(
        /^ {2}"?([a-z][a-z0-9-]*)"?: (?:row|problems|refused)[<(]/gm,
      ),
    ].map(([, code = ""]) => code),
  );
  expect(codes.length).toBe(ROWS.length);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

describe("errors of the HTTP service", () => {
  const FLAG_OR_COMMAND = /(?:^|[^\w-])--[a-z]|\beolgate (?!reads|supports)[a-z]/;
  const inHttp = (code: string): string => {
    const error = EolgateError.of(code as "invalid-usage", anything as never);
    return JSON.stringify(errorObject(error, "https://eol.example.org/docs"));
  };

  test.each(ROWS.map(([code]) => code))("%s mentions no flag and no command", (code) => {
    expect(inHttp(code)).not.toMatch(FLAG_OR_COMMAND);
  });

  /** Problem clauses are worded where they are found. A hint may name a flag: it is then left out of the answer. */
  test.each(files.filter((file) => /^service\/(?:http|mcp|documents|keys|alerts)\//.test(file)))(
    "problems that %s finds mention no flag and no command",
    (file) => {
      const clauses = readFileSync(join(source, file), "utf8").matchAll(/\bproblem:\s*(["`][^"`\n]*["`])/g);
      for (const [, clause] of clauses) expect(clause).not.toMatch(FLAG_OR_COMMAND);
    },
  );

  test("an empty document sent over HTTP gets a hint for API clients", () => {
    const error = EolgateError.of("no-components", { problem: "the CycloneDX 1.6 document has no components" });
    expect(error.hint).toContain("--allow-empty");
    expect(errorObject(error, "").hint).toBe("Check how the document was generated.");
  });
});

/** Literal codes of errors that are worded where they are made. */
function literalCodes(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const file of files)
    for (const [, code] of readFileSync(join(source, file), "utf8").matchAll(
      /EolgateError\.raw\([^;]*?\bcode:\s*"([a-z0-9-]+)"/g,
    ))
      if (code !== undefined && !Object.hasOwn(ERRORS, code)) found.set(code, file);
  return found;
}

test("every error code in the source is in the error table", () => {
  expect([...literalCodes()].map(([code, file]) => `${file}: ${code}`)).toEqual([]);
});

test("every error code in the error table is used", () => {
  const texts = files
    .filter((file) => !file.startsWith("messages/errors"))
    .map((file) => readFileSync(join(source, file), "utf8"));
  const unused = Object.keys(ERRORS).filter((code) => !texts.some((content) => content.includes(`"${code}"`)));
  expect(unused).toEqual([]);
});
