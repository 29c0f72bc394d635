import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { readSbom } from "../../src/sbom/read.ts";
import { describeWithShared } from "../shared.ts";
import { bytesOf, cyclonedx, errorOf, read, spdx2, spdx3, textOf } from "./documents.ts";

const bom = JSON.stringify(cyclonedx({ components: [{ name: "a", version: "1" }] }));
const names = (bytes: Uint8Array): readonly string[] => readSbom(bytes).components.map(({ name }) => name);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const statement = (predicate: unknown): string =>
  JSON.stringify({
    _type: "https://in-toto.io/Statement/v0.1",
    predicateType: "https://cyclonedx.org/bom",
    subject: [],
    predicate,
  });
const envelope = (payload: string): string =>
  JSON.stringify({ payloadType: "application/vnd.in-toto+json", payload, signatures: [{ sig: "x" }] });

describe("wrapped SBOM", () => {
  test.each([
    ["nothing", bom, [], false, "/components/0"],
    ["a byte order mark", `\uFEFF${bom}`, [], false, "/components/0"],
    ["white space around", `\r\n \t${bom}\r\n\r\n`, [], false, "/components/0"],
    ["an export", `{"sbom":${bom}}`, ["export"], false, "/sbom/components/0"],
    ["an in-toto statement", statement(JSON.parse(bom)), ["in-toto"], false, "/predicate/components/0"],
    [
      "a statement with Data",
      statement({ Data: JSON.parse(bom), Timestamp: "" }),
      ["in-toto"],
      false,
      "/predicate/Data/components/0",
    ],
    ["a statement with Data as text", statement({ Data: bom }), ["in-toto"], false, "/components/0"],
    ["a DSSE envelope", envelope(base64(bom)), ["dsse"], true, "/components/0"],
    [
      "a DSSE envelope in one line of JSONL",
      `${envelope(base64(statement(JSON.parse(bom))))}\n`,
      ["dsse", "in-toto"],
      true,
      "/predicate/components/0",
    ],
    [
      "URL-safe base64 without padding",
      envelope(Buffer.from(`${bom} `).toString("base64url")),
      ["dsse"],
      true,
      "/components/0",
    ],
    [
      "escaped slashes in base64",
      envelope(base64(`${bom}???>>>`.replace("???>>>", "     "))).replaceAll("/", "\\/"),
      ["dsse"],
      true,
      "/components/0",
    ],
    [
      "a Sigstore bundle",
      `{"mediaType":"x","dsseEnvelope":${envelope(base64(statement(JSON.parse(bom))))}}`,
      ["dsse", "in-toto"],
      true,
      "/predicate/components/0",
    ],
  ])("%s", (_, text, wrappers, signed, pointer) => {
    const document = readSbom(bytesOf(text));
    expect(document).toMatchObject({ format: "CycloneDX", wrappers, signed });
    expect(document.components.map((component) => [component.name, component.pointer])).toEqual([["a", pointer]]);
  });

  test("is read from UTF-16 in both byte orders, with and without a byte order mark", () => {
    const text = JSON.stringify(cyclonedx({ components: [{ name: "é日😀" }] }));
    const little = Buffer.from(text, "utf16le");
    const big = Buffer.from(little).swap16();
    for (const bytes of [
      little,
      big,
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
    ]) {
      const document = readSbom(bytes);
      expect(document.wrappers).toEqual(["utf-16"]);
      expect(document.components[0]?.name).toBe("é日😀");
    }
  });

  test("has positions in the decoded bytes", () => {
    const inner = `\n\n${bom}`;
    const document = readSbom(bytesOf(envelope(base64(inner))));
    const [component] = document.components;
    expect(document.position(component?.span.start ?? 0)).toEqual({ line: 3, column: bom.indexOf('{"name"') + 1 });
    expect(textOf(bytesOf(inner).subarray(component?.span.start, component?.span.end))).toBe(
      '{"name":"a","version":"1"}',
    );
  });

  test("is read from a view of a larger buffer", () => {
    const all = bytesOf(`xxxx${bom}yyyy`);
    expect(names(all.subarray(4, all.length - 4))).toEqual(["a"]);
    expect(names(Buffer.from(bom))).toEqual(["a"]);
  });
});

describe("read errors contain the problem, the position and a hint", () => {
  test.each([
    ["an empty file", "", "empty-document", "is empty"],
    ["white space", " \r\n", "empty-document", "is empty"],
    ["text", "hello", "unsupported-format", "plain text"],
    ["a word that begins like a value", "nullable", "unsupported-format", "plain text"],
    ["a truncated file", '{"bomFormat":"CycloneDX","components":[{"na', "truncated", "is incomplete"],
    ["a list", "[1,2]", "not-sbom", "it is not an object"],
    ["a scalar", '"x"', "not-sbom", "it is not an object"],
    ["another object", '{"name":"x"}', "not-sbom", "neither bomFormat nor spdxVersion"],
    ["an empty object", "{}", "not-sbom", "neither bomFormat nor spdxVersion"],
    ["only components", '{"components":[]}', "not-sbom", "neither bomFormat nor spdxVersion"],
    ["only packages", '{"packages":[]}', "not-sbom", "neither bomFormat nor spdxVersion"],
    ["another bomFormat", '{"bomFormat":"Mine","specVersion":"1.4"}', "not-sbom", "its bomFormat is not"],
    ["another @context", '{"@context":"https://schema.org","@graph":[]}', "not-sbom", "its @context"],
    [
      "syft-json",
      '{"artifacts":[],"artifactRelationships":[],"source":{},"distro":{},"descriptor":{},"schema":{}}',
      "unsupported-format",
      "syft-json",
    ],
    ["a Trivy report", '{"SchemaVersion":2,"ArtifactName":"x","Results":[]}', "unsupported-format", "Trivy"],
    ["a Grype report", '{"matches":[],"source":{},"descriptor":{}}', "unsupported-format", "Grype"],
    ["an npm lock file", '{"name":"x","lockfileVersion":3,"packages":{}}', "unsupported-format", "npm lock file"],
    ["SPDX RDF", '<rdf:RDF xmlns:spdx="http://spdx.org/rdf/terms#"/>', "unsupported-format", "SPDX RDF/XML"],
    ["SPDX YAML", "---\nSPDXID: SPDXRef-DOCUMENT\nspdxVersion: SPDX-2.3\n", "unsupported-format", "SPDX YAML"],
    ["a web page", "<!DOCTYPE html><html></html>", "unsupported-format", "HTML"],
    ["an archive", "PK\u0003\u0004", "unsupported-format", "ZIP"],
    ["CycloneDX 1.1", cyclonedx({}, "1.1"), "unsupported-version", 'CycloneDX version "1.1"'],
    ["CycloneDX 2.0", cyclonedx({}, "2.0"), "unsupported-version", 'CycloneDX version "2.0"'],
    ["CycloneDX without a version", { bomFormat: "CycloneDX" }, "unsupported-version", "does not state its version"],
    ["SPDX 2.1", spdx2({}, "2.1"), "unsupported-version", 'SPDX version "2.1"'],
    ["SPDX 3.1", spdx3([], "3.1.0"), "unsupported-version", 'SPDX version "3.1.0"'],
    ["an envelope without content", '{"payloadType":"x","signatures":[]}', "bad-envelope", "contains no SBOM"],
    ["an envelope with invalid Base64", envelope("not base64!"), "bad-envelope", "not Base64"],
    ["an export without a document", '{"sbom":null}', "bad-envelope", "contains no SBOM"],
    ["a statement about something else", statement({ builder: {} }), "not-sbom", "neither bomFormat"],
    [
      "too many nested envelopes",
      '{"sbom":'.repeat(20) + "{}" + "}".repeat(20),
      "not-sbom",
      "no SBOM was found in 8 nested envelopes",
    ],
  ])("%s", (_, document, code, message) => {
    const error = errorOf(() => read(document));
    expect(error).toBeInstanceOf(EolgateError);
    expect([error.kind, error.code, error.exit, error.http]).toEqual(["input", code, 3, 400]);
    expect(error.message).toContain(message);
    expect(error.hint ?? error.where).toBeTruthy();
  });

  const node = { type: "software_Package", spdxId: "urn:a" };
  const wrongTypes: [string, object, string][] = [
    ["components, an object", cyclonedx({ components: {} }), '"components" must be a list, found an object'],
    ["components, a text", cyclonedx({ components: "a" }), '"components" must be a list, found a string'],
    ["components, a number", cyclonedx({ components: -1 }), '"components" must be a list, found a number'],
    ["components, true", cyclonedx({ components: true }), '"components" must be a list, found true'],
    ["a component", cyclonedx({ components: [{}, "a"] }), "a component must be an object, found a string"],
    [
      "nested components",
      cyclonedx({ components: [{ name: "a", components: { name: "b" } }] }),
      '"components" must be a list, found an object',
    ],
    ["metadata", cyclonedx({ metadata: [] }), '"metadata" must be an object, found a list'],
    [
      "the described software",
      cyclonedx({ metadata: { component: [{ type: "operating-system" }] } }),
      '"metadata.component" must be an object, found a list',
    ],
    ["dependencies", cyclonedx({ dependencies: {} }), '"dependencies" must be a list, found an object'],
    ["packages", spdx2({ packages: {} }), '"packages" must be a list, found an object'],
    ["a package", spdx2({ packages: [["a"]] }), "a package must be an object, found a list"],
    ["references", spdx2({ packages: [{ externalRefs: {} }] }), '"externalRefs" must be a list, found an object'],
    [
      "a reference",
      spdx2({ packages: [{ externalRefs: ["pkg:npm/a@1"] }] }),
      "an external reference must be an object, found a string",
    ],
    ["relationships", spdx2({ relationships: false }), '"relationships" must be a list, found false'],
    ["the graph", { ...spdx3([]), "@graph": node }, '"@graph" must be a list, found an object'],
    ["a node", { ...spdx3([]), "@graph": ["a"] }, "an element of @graph must be an object, found a string"],
    // A component and a version that the document has lost: 3.10 is the number 3.1.
    ["null as a component", cyclonedx({ components: [null] }), "a component must be an object, found null"],
    ["null after one", cyclonedx({ components: [{}, null] }), "a component must be an object, found null"],
    [
      "null in a component",
      cyclonedx({ components: [{ components: [null] }] }),
      "a component must be an object, found null",
    ],
    ["null as a package", spdx2({ packages: [null] }), "a package must be an object, found null"],
    ["null as a node", { ...spdx3([]), "@graph": [null] }, "an element of @graph must be an object, found null"],
    [
      "a version as a number",
      cyclonedx({ components: [{ name: "a", version: 3.1 }] }),
      "the version of a component must be a string, found a number",
    ],
    [
      "a version as a list",
      cyclonedx({ components: [{ name: "a", version: ["1"] }] }),
      "the version of a component must be a string, found a list",
    ],
    [
      "a package's version as a number",
      spdx2({ packages: [{ name: "a", versionInfo: 16 }] }),
      "the version of a package must be a string, found a number",
    ],
    ["a node's type", spdx3([{ ...node, type: 1 }]), "the type of an element must be a string, found a number"],
  ];
  test.each(wrongTypes)("wrong type: %s", (_, document, message) => {
    const error = errorOf(() => read(document));
    expect([error.kind, error.code, error.exit, error.http]).toEqual(["input", "wrong-type", 3, 400]);
    expect(error.message).toBe(message);
    expect(error.where).toMatch(/^line 1, column \d+$/);
  });

  test("a wrong type has a line and column", () => {
    const text = '{\n  "bomFormat": "CycloneDX", "specVersion": "1.6",\n  "components": "none"\n}';
    expect(errorOf(() => read(text)).where).toBe("line 3, column 17");
  });

  test.each([
    ["null lists", cyclonedx({ components: null, metadata: null, dependencies: null })],
    ["null packages", spdx2({ packages: null, relationships: null })],
    ["null in a list of relationships", spdx2({ relationships: [null] })],
    ["null as the described software", cyclonedx({ metadata: { component: null } })],
  ])("null is treated as absent: %s", (_, document) => {
    expect(read(document).components).toEqual([]);
  });

  test.each([
    ["null", { name: "a", version: null }],
    ["an empty text", { name: "a", version: "" }],
    ["none", { name: "a" }],
  ])("a component with %s as its version is read", (_, component) => {
    expect(read(cyclonedx({ components: [component] })).components).toHaveLength(1);
  });

  test("refuses compressed data and names the compression", () => {
    expect(errorOf(() => readSbom(Uint8Array.from([0x1f, 0x8b, 8, 0]))).code).toBe("unsupported-format");
  });
  test("refuses malformed UTF-16", () => {
    expect(errorOf(() => readSbom(Uint8Array.from([0xff, 0xfe, 0x7b, 0x00, 0x00, 0xd8, 0x7d, 0x00]))).code).toBe(
      "invalid-encoding",
    );
  });
  test("refuses invalid UTF-8 in a name", () => {
    const bytes = bytesOf(JSON.stringify(cyclonedx({ components: [{ name: "X" }] })));
    bytes[bytes.indexOf(0x58)] = 0xe9;
    expect(errorOf(() => readSbom(bytes))).toMatchObject({
      code: "invalid-encoding",
      where: expect.stringMatching(/^line 1, column \d+$/),
    });
  });
});

describe("document size and depth", () => {
  test("skips 20,000 levels of nesting", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    expect(
      names(
        bytesOf(`{"bomFormat":"CycloneDX","specVersion":"1.6","x":${deep},"components":[{"name":"a","x":${deep}}]}`),
      ),
    ).toEqual(["a"]);
  });
  test("reads a document with a string of 100 MB next to the components", () => {
    const before = bytesOf('{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"name":"a","description":"');
    const after = bytesOf('"}]}');
    const bytes = new Uint8Array(before.length + 100 * 1024 * 1024 + after.length).fill(0x61);
    bytes.set(before, 0);
    bytes.set(after, bytes.length - after.length);
    expect(names(bytes)).toEqual(["a"]);
  });
});

interface ManifestEntry {
  readonly path: string;
  readonly format: string;
  readonly spec_version: string | null;
  readonly components: number | null;
  readonly with_purl: number | null;
  readonly schema_valid: boolean | null;
}

describeWithShared("every real document", "sboms/MANIFEST.json", (manifest) => {
  const { files } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly files: readonly ManifestEntry[] };
  const REFUSED: Readonly<Record<string, string>> = {
    "CycloneDX 1.x": "unsupported-version",
    "syft-json": "unsupported-format|not-json",
    "not-json": "truncated|not-json",
  };
  /** Their packages contain files and layers that the documents do not list. */
  const ABSENT: Readonly<Record<string, number>> = {
    "anchore__syft/syft/format/spdxjson/testdata/spdx/alpine-3.10.syft.spdx.json": 4,
    "anchore__syft/syft/format/spdxjson/testdata/spdx/alpine-3.10.vendor.spdx.json": 1,
  };
  test.each(files.map((file) => [file.path, file] as const))("%s", (path, file) => {
    const bytes = readFileSync(new URL(`documents/${path}`, manifest));
    const refused = REFUSED[file.format === "CycloneDX" && file.spec_version === "1.x" ? "CycloneDX 1.x" : file.format];
    if (refused !== undefined) {
      expect(errorOf(() => readSbom(bytes)).code).toMatch(new RegExp(`^(?:${refused})$`));
      return;
    }
    const document = readSbom(bytes);
    expect([document.format, document.specVersion]).toEqual([file.format, file.spec_version]);
    expect(document.absentElements?.length ?? 0).toBe(ABSENT[path] ?? 0);
    // The manifest counts the entries of /components or /packages, with a purl or without.
    const counted = document.components.filter(({ pointer }) => !pointer.includes("/metadata/component"));
    expect(counted).toHaveLength(file.components ?? 0);
    expect(counted.filter(({ purls }) => purls.length > 0)).toHaveLength(file.with_purl ?? 0);
    for (const component of document.components) {
      expect(component.span.end).toBeGreaterThan(component.span.start);
    }
  });
});
