/** How the program speaks: a message says what is wrong and joins a line; a hint is a sentence, or ends in what to copy. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../src/", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

/** Every literal of a field: `message: "…"`, with its file. */
function literals(field: string, within: RegExp): readonly string[] {
  const pattern = new RegExp(`\\b${field}:\\s*(["\`])((?:(?!\\1).)+)\\1`, "g");
  return files
    .filter((file) => within.test(file))
    .flatMap((file) =>
      [...readFileSync(join(source, file), "utf8").matchAll(pattern)].map(([, , text]) => `${file}: ${text ?? ""}`),
    );
}
const offending = (texts: readonly string[], sound: RegExp): readonly string[] =>
  texts.filter((text) => !sound.test(text.replace(/^[^:]+: /, "")));

/** An answer to somebody who did well is a sentence of its own; it is no fault. */
const ANSWERS = /^server\/routes\/keys\.ts: The keys? /;
const PROPER = "CycloneDX|SPDX|JSON|XML|GitHub|Node|An? API key|HTTP";

test("messages begin in lower case and have no full stop", () => {
  const messages = literals("message", /./).filter((text) => !ANSWERS.test(text));
  expect(messages.length).toBeGreaterThan(180);
  expect(offending(messages, new RegExp(`^(?:[^A-Z]|${PROPER}).*[^.]$`))).toEqual([]);
});

test("hints are sentences, or end in what can be copied", () => {
  const hints = literals("hint", /./);
  expect(hints.length).toBeGreaterThan(100);
  const copied = String.raw`(?:eolgate|syft|trivy|npm|openssl|smtp:|https?:|--\w|\S+=\S+|nodejs:)[^.]*(?:\.\S+)*`;
  expect(offending(hints, new RegExp(String.raw`^(?:[^a-z].*[.?]|(?:[^a-z].*)?${copied}|\$\{.*)$`))).toEqual([]);
});
