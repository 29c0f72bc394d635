/** A feed that changed its form is reported and never half-read: every source, every kind of damage. */
import { assert, constantFrom, integer, nat, pre, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import type { SourceDocument } from "../../../src/pipeline/sources/source.ts";
import { FIXTURES, fixtureText, sourceOf } from "./fixtures.ts";
import type { Fixture } from "./fixtures.ts";

const ERROR_PAGE = `<!doctype html>
<html><head><title>503 Service Unavailable</title></head>
<body><h1>Service Unavailable</h1><p>Try again later.</p><table><tr><td>ray</td><td>42</td></tr></table></body></html>
`;

const read = ({ id, part }: Fixture, text: string): unknown => {
  const document: SourceDocument = { url: "https://example.org/", ...(part !== undefined && { part }) };
  return sourceOf(id).parse(text, document);
};

const DAMAGE: readonly [name: string, damage: (text: string, fixture: Fixture) => string][] = [
  ["empty", () => ""],
  ["blank", () => "\n"],
  ["an error page", () => ERROR_PAGE],
  ["an error in JSON", () => `{"error":"rate limited"}\n`],
  ["null", () => "null\n"],
  ["an empty list", () => "[]\n"],
  ["cut in half", (text) => text.slice(0, Math.floor(text.length / 2)).trimEnd()],
  ["a renamed key", (text, { needs }) => text.replaceAll(needs, needs.replace(/[A-Za-z]+/, "renamed"))],
  ["other text before it", (text) => `oops\n${text}`],
];

/** Only the table of a page or a sheet is read; the vendor may change what is before it. */
const PAGES = new Set(["workbook", "markdown", "html", "code"]);

describe.each(FIXTURES.map((fixture) => [fixture.id, fixture] as const))("%s", (id, fixture) => {
  const text = fixtureText(fixture.file);
  const cases = DAMAGE.filter(([name]) => name !== "other text before it" || !PAGES.has(sourceOf(id).format));

  test.each(cases)("%s", (_name, damage) => {
    const damaged = damage(text, fixture);
    expect(damaged).not.toBe(text);
    expect(() => read(fixture, damaged)).toThrow(
      expect.objectContaining({ kind: "catalogue", code: "feed-changed", where: expect.stringMatching(/./) }),
    );
  });

  test("a file truncated within any line is refused or read in full", () => {
    const whole = JSON.stringify(read(fixture, text));
    assert(
      property(integer({ min: 1, max: text.trimEnd().length - 1 }), (length) => {
        const cut = text.slice(0, length);
        pre(!cut.endsWith("\n"));
        try {
          expect(JSON.stringify(read(fixture, cut))).toBe(whole);
        } catch (error) {
          if (!(error instanceof EolgateError)) throw error;
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  test("one changed character gives an EolgateError or a result, and never another error", () => {
    assert(
      property(nat(text.length - 1), constantFrom("x", "9", "|", '"', "<", "\n", "{", "é"), (at, other) => {
        try {
          read(fixture, text.slice(0, at) + other + text.slice(at + 1));
        } catch (error) {
          if (!(error instanceof EolgateError)) throw error;
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});
