import { describe, expect, test } from "vitest";
import type { ParsedDocument } from "../../../src/model/index.ts";
import { toParsedDocument, toPlainDocument } from "../../../src/sbom/plain.ts";
import { dependencyPaths } from "../../../src/sbom/graph/paths.ts";
import { cyclonedx, parse, spdx2 } from "../documents.ts";

const tree = [
  { ref: "root", dependsOn: ["a", "b"] },
  { ref: "a", dependsOn: ["c", "root"] },
  { ref: "b", dependsOn: ["c", "d"] },
  { ref: "c", dependsOn: ["e"] },
  { ref: "island", dependsOn: ["lake"] },
];
const rooted = cyclonedx({ metadata: { component: { name: "shop", "bom-ref": "root" } }, dependencies: tree });
/** The same document with its dependencies as a map of strings only. */
const copied = (document: ParsedDocument): ParsedDocument => toParsedDocument(toPlainDocument(document));
/** The same document with an escaped ref in one place. */
const escaped = JSON.stringify(rooted).replace('"dependsOn":["e"]', String.raw`"dependsOn":["\u0065"]`);

describe.each<readonly [string, () => ParsedDocument]>([
  ["from the bytes", () => parse(rooted)],
  ["from a map", () => copied(parse(rooted))],
  ["from refs with escapes", () => parse(escaped)],
])("dependency paths %s", (_, document) => {
  const paths = dependencyPaths(document());
  test.each([
    ["root", ["root"]],
    ["a", ["root", "a"]],
    ["c", ["root", "a", "c"]],
    ["d", ["root", "b", "d"]],
    ["e", ["root", "a", "c", "e"]],
    ["lake", []],
    ["unknown", []],
  ])("lead to %s", (ref, path) => {
    expect(paths.from(ref)).toEqual(path);
  });
});

describe("document without a root that has dependencies", () => {
  test("paths start at refs without dependents when there is no root", () => {
    const paths = dependencyPaths(parse(cyclonedx({ dependencies: tree.slice(1) })));
    expect(paths.from("e")).toEqual(["a", "c", "e"]);
    expect(paths.from("d")).toEqual(["b", "d"]);
    expect(paths.from("lake")).toEqual(["island", "lake"]);
    expect(paths.from("unknown")).toEqual([]);
  });
  test("has no paths without dependencies", () => {
    expect(dependencyPaths(parse(cyclonedx())).from("a")).toEqual([]);
  });
});

const relation = (spdxElementId: string, relationshipType: string, relatedSpdxElement: string): object => ({
  spdxElementId,
  relationshipType,
  relatedSpdxElement,
});

test("reads SPDX relationships in both directions", () => {
  const document = parse(
    spdx2({
      packages: ["root", "a", "b"].map((SPDXID) => ({ SPDXID, name: SPDXID })),
      documentDescribes: ["root"],
      relationships: [
        relation("root", "CONTAINS", "a"),
        relation("b", "DEPENDENCY_OF", "a"),
        relation("a", "OTHER", "x"),
      ],
    }),
  );
  expect(dependencyPaths(document).from("b")).toEqual(["root", "a", "b"]);
  expect(dependencyPaths(document).from("x")).toEqual([]);
});

test("finds paths among 100,000 refs with many hash collisions", () => {
  const count = 100_000;
  const dependencies = Array.from({ length: count }, (_, index) => ({
    ref: `ref-${index}`,
    dependsOn: [`ref-${index + 1}`],
  }));
  const paths = dependencyPaths(parse(cyclonedx({ dependencies })));
  expect(paths.from(`ref-${count}`)).toHaveLength(count + 1);
  expect(paths.from("ref-2")).toEqual(["ref-0", "ref-1", "ref-2"]);
});
