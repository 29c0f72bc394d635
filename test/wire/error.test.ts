import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { asMessage, errorObject, sentence } from "../../src/wire/error.ts";

describe("message on the wire", () => {
  test.each([
    ['product "x" not found', 'Product "x" not found'],
    ["the document is not JSON: it goes on after its end", "The document is not JSON: it goes on after its end"],
    ["an API key is required", "An API key is required"],
    ["a component has to be an object", "A component has to be an object"],
    ["CycloneDX 1.2 has no properties", "CycloneDX 1.2 has no properties"],
    ["SPDX version 2.1 is not supported", "SPDX version 2.1 is not supported"],
    ["pkg:npm/x@1 names no tracked product", "pkg:npm/x@1 names no tracked product"],
    ['"components" has to be a list', '"components" has to be a list'],
    ["metadata.component has to be an object", "metadata.component has to be an object"],
    ["", ""],
  ])("%s", (message, expected) => {
    expect(sentence(message)).toBe(expected);
    expect(sentence(expected)).toBe(expected);
    expect(asMessage(expected)).toBe(message);
  });

  test("is the message of an error object", () => {
    const problem = EolgateError.raw("input", {
      code: "not-json",
      message: "the document is not JSON",
      where: "line 1, column 1",
    });
    expect(errorObject(problem, "https://eol.example/docs")).toEqual({
      error: "The document is not JSON",
      docs: "https://eol.example/docs",
      code: "not-json",
      where: "line 1, column 1",
    });
  });
});
