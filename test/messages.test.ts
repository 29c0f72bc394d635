/** The form of messages and hints, over the table of errors and the places that word an error themselves. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../src/core/messages/errors/index.ts";
import type { ErrorRow } from "../src/core/messages/errors/row.ts";

const ROWS = Object.entries(ERRORS as Readonly<Record<string, ErrorRow<unknown>>>);
/** `args.path` reads as `x`. */
const anything: unknown = new Proxy({}, { get: () => "x" });

/** Texts that a parser or a field words: the row passes them on. */
const WORDED_ELSEWHERE = /^x/;
const PROPER = "CycloneDX|SPDX|JSON|XML|GitHub|Node|An? API key|HTTP|PostgreSQL";
const MESSAGE = new RegExp(`^(?:[^A-Z]|${PROPER})[^]*(?<!\\.)$`);
/** A sentence, a question, or a command or address to copy at its end. */
const HINT =
  /^(?:(?:[^a-z]|docs\/|http is)[^]*[.?]|(?:[^a-z][^]*)?(?:eolgate|syft|trivy|npm|openssl|smtp:|https?:|--\w|\S+=\S+|nodejs:)[^.]*(?:\.\S+)*)$/;

describe("the table of errors", () => {
  test.each(ROWS)("%s: a phrase in lower case, and a hint that is a sentence", (_, { message, hint }) => {
    expect(message(anything)).toMatch(MESSAGE);
    const advice = hint?.(anything) ?? "";
    if (advice !== "" && !WORDED_ELSEWHERE.test(advice)) expect(advice).toMatch(HINT);
  });
});

const source = fileURLToPath(new URL("../src/", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

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

test("every code in the source has a row in the table of errors", () => {
  expect([...literalCodes()].map(([code, file]) => `${file}: ${code}`)).toEqual([]);
});
