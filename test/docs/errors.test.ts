import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { errorReference } from "./error-reference.ts";

test("docs/errors.md lists every error code (npm run docs:errors)", () => {
  expect(readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8")).toBe(errorReference());
});
