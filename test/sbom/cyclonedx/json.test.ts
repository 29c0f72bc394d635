import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { Component } from "../../../src/model/index.ts";
import { bytesOf, cyclonedx, read, textOf, errorOf } from "../documents.ts";

const only = (component: object): Component | undefined => read(cyclonedx({ components: [component] })).components[0];

describe("CycloneDX JSON component", () => {
  test("reads the fields that the assessment needs", () => {
    const component = only({
      type: "library",
      "bom-ref": "ref-1",
      group: "org.example",
      name: "shop",
      version: "1.2.3",
      publisher: "Example",
      supplier: { name: "Example Inc.", url: ["https://example.org"] },
      scope: "optional",
      licenses: [{ license: { id: "MIT" } }, { license: { name: "Own terms" } }, { expression: "MIT OR Apache-2.0" }],
      purl: "pkg:maven/org.example/shop@1.2.3",
      cpe: "cpe:2.3:a:example:shop:1.2.3:*:*:*:*:*:*:*",
    });
    expect(component).toMatchObject({
      pointer: "/components/0",
      kind: "other",
      bomRef: "ref-1",
      group: "org.example",
      name: "shop",
      version: "1.2.3",
      publisher: "Example",
      supplier: "Example Inc.",
      scope: "optional",
      licenses: ["MIT", "Own terms", "MIT OR Apache-2.0"],
      purls: ["pkg:maven/org.example/shop@1.2.3"],
      cpes: ["cpe:2.3:a:example:shop:1.2.3:*:*:*:*:*:*:*"],
      declared: [],
    });
  });

  test.each([
    ["operating-system", "operating-system"],
    ["machine-learning-model", "model"],
    ["data", "data"],
    ["file", "file"],
    ["container", "other"],
    ["cryptographic-asset", "other"],
  ])("maps the type %s to %s", (type, kind) => {
    expect(only({ type, name: "x" })?.kind).toBe(kind);
  });

  test.each([
    ["empty object", {}, { name: "", purls: [], cpes: [], licenses: [] }],
    [
      "nulls",
      { name: null, version: null, purl: null, licenses: null, properties: [null], supplier: null },
      { name: "" },
    ],
    ["an empty purl is ignored", { name: "x", purl: " " }, { purls: [] }],
    ["wrong types", { name: 7, cpe: 5, supplier: "x" }, { name: "", purls: [], cpes: [], licenses: [] }],
    ["a licence as a string", { licenses: "AGPL-3.0-only" }, { licenses: ["AGPL-3.0-only"] }],
    ["licences as strings", { licenses: ["MIT", { license: "ISC" }] }, { licenses: ["MIT", "ISC"] }],
    ["licences as an object", { licenses: { id: "MIT" } }, { licenses: ['{"id":"MIT"}'] }],
    ["a purl that is not a string is kept as text", { purl: ["pkg:npm/x"] }, { purls: ['["pkg:npm/x"]'] }],
    ["a long value is truncated", { purl: { a: "x".repeat(200) } }, { purls: [`{"a":"${"x".repeat(94)}…`] }],
    ["escapes in keys and values", String.raw`{"n\u0061me":"\u0061\ud83d\ude00\"\\"}`, { name: 'a😀"\\' }],
  ])("%s", (_, component, expected) => {
    const text = typeof component === "string" ? component : JSON.stringify(component);
    const document = read(`{"bomFormat":"CycloneDX","specVersion":"1.5","components":[${text}]}`);
    expect(document.components).toHaveLength(1);
    expect(document.components[0]).toMatchObject(expected);
    expect(document.components[0]?.version).toBeUndefined();
    expect(document.components[0]?.scope).toBeUndefined();
  });

  test.each([
    ["npm", [["cdx:npm:package:development", "true"]], "development"],
    ["npm, not for development", [["cdx:npm:package:development", "false"]], undefined],
    ["composer", [["cdx:composer:package:isDevRequirement", "true"]], "development"],
    ["maven", [["cdx:maven:package:test", "true"]], "development"],
    ["poetry", [["cdx:poetry:group", "dev"]], "development"],
    [
      "poetry, in two groups",
      [
        ["cdx:poetry:group", "dev"],
        ["cdx:poetry:group", "main"],
      ],
      undefined,
    ],
    ["pipenv", [["cdx:pipenv:category", "develop"]], "development"],
    ["gitlab", [["gitlab:dependency_scanning:category", "development"]], "development"],
    ["a property of another tool", [["my:development", "true"]], undefined],
  ])("reads development markers: %s", (_, markers, scope) => {
    const properties = markers.map(([name, value]) => ({ name, value }));
    expect(only({ name: "x", properties })?.scope).toBe(scope);
    expect(only({ name: "x", scope: "required", properties })?.scope).toBe(scope ?? "required");
    expect(only({ name: "x", properties: properties.map(({ name, value }) => ({ value, name })) })?.scope).toBe(scope);
  });

  test.each([
    ["Syft", "syft:metadata:modularityLabel", "nodejs:12:8060020220523160029:ad008a3a"],
    ["Trivy", "aquasecurity:trivy:Modularitylabel", "nodejs:12:8060020220523160029:ad008a3a"],
    ["a property of another tool", "my:modularityLabel", undefined],
  ])("reads the module label of %s", (_, name, label) => {
    const value = "nodejs:12:8060020220523160029:ad008a3a";
    expect(only({ name: "npm", properties: [{ name, value }] })?.moduleLabel).toBe(label);
    expect(only({ name: "npm", properties: [{ value, name }] })?.moduleLabel).toBe(label);
  });

  test("keeps end dates that the document declares", () => {
    const properties = [
      { name: "other", value: "x" },
      { name: "cdx:lifecycle:milestone:endOfSupport", value: "2027-01-31" },
      { name: "cdx:lifecycle:milestone:endOfLife", value: "2028-01-31T00:00:00Z" },
    ];
    expect(only({ name: "x", properties })?.declared).toEqual([
      { milestone: "end-of-support", value: "2027-01-31", pointer: "/components/0/properties/1" },
      { milestone: "end-of-life", value: "2028-01-31T00:00:00Z", pointer: "/components/0/properties/2" },
    ]);
  });
});

describe("CycloneDX JSON document", () => {
  test("reads its identity, generator and root", () => {
    const document = read(
      cyclonedx({
        serialNumber: "urn:uuid:1",
        metadata: {
          tools: [{ vendor: "example", name: "maker", version: "1.0" }, { name: "other" }],
          component: { type: "application", name: "shop", "bom-ref": "root" },
        },
        components: [{ name: "a" }],
      }),
    );
    expect(document).toMatchObject({
      format: "CycloneDX",
      specVersion: "1.6",
      serialNumber: "urn:uuid:1",
      generator: "example maker 1.0; other",
      signed: false,
      wrappers: [],
      roots: ["root"],
    });
    expect(document.components.map(({ kind, pointer }) => [kind, pointer])).toEqual([
      ["root", "/metadata/component"],
      ["other", "/components/0"],
    ]);
  });

  test("reads tools that are listed as components", () => {
    const tools = { components: [{ group: "example", name: "maker", version: "2" }], services: [{ name: "no" }] };
    expect(read(cyclonedx({ metadata: { tools } })).generator).toBe("example maker 2");
  });

  test.each(["1.2", "1.3", "1.4", "1.5", "1.6", "1.7"])("reads version %s", (version) => {
    expect(read(cyclonedx({ components: [{ name: "a" }] }, version)).specVersion).toBe(version);
  });

  test.each([
    ["an operating system", "operating-system", "operating-system"],
    ["a model", "machine-learning-model", "model"],
    ["an application", "application", "root"],
    ["a file", "file", "root"],
  ])("reads a document whose root is %s", (_, type, kind) => {
    expect(read(cyclonedx({ metadata: { component: { type, name: "x" } } })).components[0]?.kind).toBe(kind);
  });

  test("lists the root first when metadata comes last, and nested components after their parent", () => {
    const document = read(
      `{"components":[{"name":"a","components":[{"name":"n"},{"name":"b","components":[{"name":"c"}]},{"name":"d"}]},{"name":"m"},{"name":"e"}],` +
        `"metadata":{"component":{"name":"root","components":[{"name":"f"}]}},"specVersion":"1.6","bomFormat":"CycloneDX"}`,
    );
    expect(document.components.map(({ name, pointer, parent }) => [name, pointer, parent])).toEqual([
      ["root", "/metadata/component", undefined],
      ["f", "/metadata/component/components/0", "/metadata/component"],
      ["a", "/components/0", undefined],
      ["n", "/components/0/components/0", "/components/0"],
      ["b", "/components/0/components/1", "/components/0"],
      ["c", "/components/0/components/1/components/0", "/components/0/components/1"],
      ["d", "/components/0/components/2", "/components/0"],
      ["m", "/components/1", undefined],
      ["e", "/components/2", undefined],
    ]);
  });

  test("gives the position of each component", () => {
    const text = `{\r\n\t"bomFormat": "CycloneDX", "specVersion": "1.6",\r\n\t"components": [\r\n\t\t{"name": "é😀"}, {\t"name": "b" }\r\n\t]\r\n}\r\n`;
    const document = read(text);
    const bytes = bytesOf(text);
    const places = document.components.map(({ span }) => [
      textOf(bytes.subarray(span.start, span.end)),
      document.position(span.start),
    ]);
    expect(places).toEqual([
      ['{"name": "é😀"}', { line: 4, column: 3 }],
      ['{\t"name": "b" }', { line: 4, column: 20 }],
    ]);
  });

  const nested = (depth: number): string =>
    `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${'{"name":"x","components":['.repeat(depth)}${"]}".repeat(depth)}]}`;
  test("reads components at any depth that real documents have", () => {
    const document = read(nested(20_000));
    expect(document.components).toHaveLength(20_000);
    expect(document.components[2]?.pointer).toBe("/components/0/components/0/components/0");
    expect(document.components.at(-1)?.pointer).toHaveLength(20_000 * "/components/0".length);
  });
  test("refuses components that are nested deeper than 32,768 levels", () => {
    expect(read(nested(32_768)).components).toHaveLength(32_768);
    expect(errorOf(() => read(nested(32_769)))).toMatchObject({ code: "too-deep", exit: 3 });
  });

  test.each([
    ["of the document", { signature: { algorithm: "RS512", value: "x" } }, true],
    ["of a component", { components: [{ name: "a", signature: { value: "x" } }] }, true],
    ["that is null", { signature: null, components: [{ name: "a", signature: null }] }, false],
  ])("detects a signature %s", (_, rest, signed) => {
    expect(read(cyclonedx(rest)).signed).toBe(signed);
  });

  test("lists dependencies", () => {
    const document = read(
      cyclonedx({
        dependencies: [
          { ref: "a", dependsOn: ["b", null, "c"] },
          { ref: "b" },
          null,
          { dependsOn: ["x"] },
          { ref: "a", dependsOn: ["d"] },
        ],
      }),
    );
    expect([...document.dependencies]).toEqual([
      ["a", ["b", "c", "d"]],
      ["b", []],
    ]);
  });

  test("returns a document without components, because the policy decides about it", () => {
    expect(read(cyclonedx()).components).toEqual([]);
    expect(read(cyclonedx({ components: null })).components).toEqual([]);
  });
});

describe("component of the component table", () => {
  const document = read(cyclonedx({ components: [{ name: "a", version: "1", purl: "pkg:npm/a@1" }, { name: "b" }] }));
  test("is printed as plain values, without the document", () => {
    const plain = JSON.parse(JSON.stringify(document.components[0])) as unknown;
    expect(plain).toMatchObject({
      pointer: "/components/0",
      name: "a",
      version: "1",
      purls: ["pkg:npm/a@1"],
      kind: "other",
    });
    expect(JSON.stringify(document.components).length).toBeLessThan(1000);
    expect(inspect(document.components[1])).toContain("name: 'b'");
  });
});
