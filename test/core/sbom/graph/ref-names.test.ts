import { afterEach, expect, test, vi } from "vitest";
import { DocumentComponent } from "../../../../src/core/sbom/component.ts";
import { readSbom } from "../../../../src/core/sbom/read.ts";
import { namesOfRefs } from "../../../../src/core/sbom/graph/ref-names.ts";

const documentOf = (components: readonly unknown[]) =>
  readSbom(new TextEncoder().encode(JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components })));
afterEach(() => vi.restoreAllMocks());

test.each([
  ["one that is borne", [{ "bom-ref": "a", name: "alpha" }], ["a"], { a: "alpha" }],
  ["one that is borne twice has the first name", [ref("a", "alpha"), ref("a", "beta")], ["a"], { a: "alpha" }],
  ["one that nobody bears", [ref("a", "alpha")], ["b"], {}],
  ["one that begins like another", [ref("ab", "alpha"), ref("a", "beta")], ["a"], { a: "beta" }],
  ["one beyond ASCII", [ref("grün", "alpha")], ["grün"], { grün: "alpha" }],
  [
    "one written with escapes",
    [ref('a"\\b', "alpha"), ref("b", "beta")],
    ['a"\\b', "b"],
    { 'a"\\b': "alpha", b: "beta" },
  ],
  ["a component without a ref", [{ name: "alpha" }], [""], {}],
])("refs as names: %s", (_, components, refs, expected) => {
  expect(Object.fromEntries(namesOfRefs(documentOf(components), new Set(refs)))).toEqual(expected);
});

test("looks for a ref without decoding the refs of other components", () => {
  const document = documentOf(Array.from({ length: 1000 }, (_, index) => ref(`pkg:npm/c${index}`, `c${index}`)));
  const made = vi.spyOn(DocumentComponent.prototype, "bomRef", "get");
  expect(namesOfRefs(document, new Set(["nobody", "pkg:npm/c500"]))).toEqual(new Map([["pkg:npm/c500", "c500"]]));
  expect(made.mock.calls.length).toBeLessThan(5);
});

function ref(bomRef: string, name: string) {
  return { "bom-ref": bomRef, name };
}
