import { afterEach, expect, test, vi } from "vitest";
import { DocumentComponent } from "../../../src/sbom/component.ts";
import { parseSbom } from "../../../src/sbom/read.ts";
import { namesOfRefs } from "../../../src/sbom/graph/paths.ts";

const documentOf = (components: readonly unknown[]) =>
  parseSbom(new TextEncoder().encode(JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components })));
afterEach(() => vi.restoreAllMocks());

test.each([
  ["a ref of one component", [{ "bom-ref": "a", name: "alpha" }], ["a"], { a: "alpha" }],
  ["the first name for a ref of two components", [ref("a", "alpha"), ref("a", "beta")], ["a"], { a: "alpha" }],
  ["an unknown ref", [ref("a", "alpha")], ["b"], {}],
  ["a ref that is a prefix of another", [ref("ab", "alpha"), ref("a", "beta")], ["a"], { a: "beta" }],
  ["a non-ASCII ref", [ref("grün", "alpha")], ["grün"], { grün: "alpha" }],
  ["a ref with escapes", [ref('a"\\b', "alpha"), ref("b", "beta")], ['a"\\b', "b"], { 'a"\\b': "alpha", b: "beta" }],
  ["a component without a ref", [{ name: "alpha" }], [""], {}],
])("reads refs as names: %s", (_, components, refs, expected) => {
  expect(Object.fromEntries(namesOfRefs(documentOf(components), new Set(refs)))).toEqual(expected);
});

test("finds a ref without decoding the refs of other components", () => {
  const document = documentOf(Array.from({ length: 1000 }, (_, index) => ref(`pkg:npm/c${index}`, `c${index}`)));
  const bomRef = vi.spyOn(DocumentComponent.prototype, "bomRef", "get");
  expect(namesOfRefs(document, new Set(["nobody", "pkg:npm/c500"]))).toEqual(new Map([["pkg:npm/c500", "c500"]]));
  expect(bomRef.mock.calls.length).toBeLessThan(5);
});

function ref(bomRef: string, name: string) {
  return { "bom-ref": bomRef, name };
}
