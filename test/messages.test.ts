/** The form of messages and hints, in the error table and where the code words an error itself. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../src/messages/error.ts";
import { ERRORS } from "../src/messages/errors/index.ts";
import type { ErrorRow } from "../src/messages/errors/row.ts";
import { errorObject } from "../src/wire/error.ts";

const ROWS = Object.entries(ERRORS as Readonly<Record<string, ErrorRow<unknown>>>);
/** `args.path` reads as `x`. */
const anything: unknown = new Proxy({}, { get: () => "x" });

/** Texts that a parser or a field words: the row passes them on. */
const WORDED_ELSEWHERE = /^x/;
const PROPER = "CycloneDX|SPDX|JSON|XML|GitHub|Node|An? API key|HTTP|PostgreSQL";
const MESSAGE = new RegExp(`^(?:[^A-Z]|${PROPER})[^]*(?<!\\.)$`);
/** A sentence, a question, or a command or address to copy at its end. */
const HINT =
  /^(?:(?:[^a-z]|docs\/|http is)[^]*[.?]|(?:[^a-z][^]*)?(?:eolgate|syft|trivy|npm|docker|openssl|smtp:|https?:|--\w|\S+=\S+|nodejs[: ])[^.]*(?:\.\S+)*)$/;

describe("error table", () => {
  test.each(ROWS)("%s has a lower-case message and a hint that is a full sentence", (_, { message, hint }) => {
    expect(message(anything)).toMatch(MESSAGE);
    const advice = hint?.(anything) ?? "";
    if (advice !== "" && !WORDED_ELSEWHERE.test(advice)) expect(advice).toMatch(HINT);
  });
});

/** A spread silently overrides the earlier of two rows, so the error would get another exit code. */
test("defines each code in one table only", () => {
  const folder = new URL("../src/messages/errors/", import.meta.url);
  const codes = readdirSync(folder).flatMap((name) =>
    [...readFileSync(new URL(name, folder), "utf8").matchAll(/^ {2}"?([a-z][a-z0-9-]*)"?: row[<(]/gm)].map(
      ([, code = ""]) => code,
    ),
  );
  expect(codes.length).toBeGreaterThan(200);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

const source = fileURLToPath(new URL("../src/", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

/** Errors of the command line alone: their messages name its flags. */
const COMMAND_LINE_ONLY = ["as-of-hosted", "no-email"];

describe("errors of the HTTP service", () => {
  const FLAG_OR_COMMAND = /(?:^|[^\w-])--[a-z]|\beolgate (?!reads|supports)[a-z]/;
  const inHttp = (code: string): string => {
    const error = EolgateError.of(code as "no-email", anything as object);
    return JSON.stringify(errorObject(error, "https://eol.example.org/docs"));
  };

  test.each(ROWS.map(([code]) => code).filter((code) => !COMMAND_LINE_ONLY.includes(code)))(
    "%s mentions no flag and no command",
    (code) => {
      expect(inHttp(code)).not.toMatch(FLAG_OR_COMMAND);
    },
  );

  test.each(COMMAND_LINE_ONLY)("%s is only thrown by the command line", (code) => {
    expect(inHttp(code)).toMatch(FLAG_OR_COMMAND);
    const users = files.filter((file) => readFileSync(join(source, file), "utf8").includes(`"${code}"`));
    expect(users.filter((file) => !/^(?:cli|service\/commands)/.test(file) && !file.startsWith("messages"))).toEqual(
      [],
    );
  });

  test("an empty document sent over HTTP gets a hint for API clients", () => {
    const error = EolgateError.of("no-components", { format: "CycloneDX", specVersion: "1.6" });
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
