/** The policies of `examples/admission` name what a statement has. They are not evaluated: see docs/admission.md. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { PREDICATE_TYPE } from "../../src/report/in-toto.ts";

const text = (name: string): string =>
  readFileSync(new URL(`../../examples/admission/${name}`, import.meta.url), "utf8");
const documents = (name: string): readonly unknown[] =>
  parseAllDocuments(text(name)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
const schema: { properties: { predicate: { properties: Record<string, unknown> } } } = JSON.parse(
  readFileSync(new URL("../../schemas/verdict.schema.json", import.meta.url), "utf8"),
);

test.each(["kyverno.yaml", "policy-controller.yaml"])("%s requires the statement of eolgate", (name) => {
  expect(JSON.stringify(documents(name))).toContain(JSON.stringify(PREDICATE_TYPE));
});

describe("the members that the policies read are in the schema", () => {
  const { properties } = schema.properties.predicate;
  test.each([
    ["kyverno.yaml", ["verdict", "exit", "validUntil"], /"key":"\{\{ (?:to_number\(replace_all\()?(\w+)/g],
    ["policy-controller.yaml", ["exit", "verdict", "validUntil"], /input\.predicate\.(\w+)/g],
  ])("%s", (name, expected, pattern) => {
    const found = [...JSON.stringify(documents(name)).matchAll(pattern)].map(([, member]) => member);
    expect(found).toEqual(expected);
    for (const member of expected) expect(properties).toHaveProperty(member);
  });
});

test("gatekeeper.yaml has a template and a constraint of its kind", () => {
  expect(documents("gatekeeper.yaml")).toMatchObject([
    { kind: "ConstraintTemplate", spec: { crd: { spec: { names: { kind: "EolgateEnds" } } } } },
    { kind: "EolgateEnds", spec: { parameters: { ends: [{ lastDay: "2025-10-31" }] } } },
  ]);
});
