import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../../src/messages/errors/index.ts";
import { documentedErrors, errorReference } from "./error-reference.ts";

test("docs/errors.md lists every error code (npm run generate)", () => {
  expect(readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8")).toBe(errorReference());
});

describe("rows of docs/errors.md", () => {
  const withoutValues = (text: string): string => text.replaceAll(/<\w+>|[^\p{L}]/gu, "");

  test.each(documentedErrors().map((row) => [row.code, row] as const))("%s has a meaning and a hint", (_, row) => {
    expect(withoutValues(row.meaning)).not.toBe("");
    expect(withoutValues(row.advice)).not.toBe("");
    expect(`${row.meaning} ${row.advice}`).not.toMatch(/undefined|NaN|\[object/);
  });
});

test("every error code is in one table of the page", () => {
  const listed = [...errorReference().matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, code]) => code);
  expect(new Set(listed)).toEqual(new Set(Object.keys(ERRORS)));
  expect(listed).toHaveLength(Object.keys(ERRORS).length);
});

test("there are at most 120 error codes: a code exists where a program acts differently on it", () => {
  expect(Object.keys(ERRORS).length).toBeLessThanOrEqual(120);
});
