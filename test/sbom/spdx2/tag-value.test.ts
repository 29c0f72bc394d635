import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import type { Component, SbomDocument } from "../../../src/model/index.ts";
import { enrich } from "../../../src/enrich/enrich.ts";
import { parseSbom, readSbom } from "../../../src/sbom/read.ts";
import { describeWithShared } from "../../shared.ts";
import { soaked } from "../../soaked.ts";
import { bytesOf, errorOf, textOf } from "../documents.ts";
import { meaning } from "../meaning.ts";
import { asTagValue } from "../printed.ts";

const head = `SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: shop
DocumentNamespace: https://example.org/shop
Creator: Tool: maker-1.0
Creator: Organization: Example
`;
const read = (text: string): SbomDocument => readSbom(bytesOf(text));
/** The required fields of packages and documents. */
const tail = "PackageDownloadLocation: NOASSERTION\n";
const describes = "Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-DOCUMENT\n";
const packages = (text: string): readonly Component[] =>
  read(
    `${head}${describes}${text.includes("SPDXID") ? text : text.replaceAll(/^(PackageName: .*)$/gm, "$1\nSPDXID: SPDXRef-x")}${tail}`,
  ).components;

describe("tag-value package", () => {
  const written = `PackageName: shop
SPDXID: SPDXRef-a
# a comment, with: a colon
PackageVersion: 1.2.3
PackageSupplier: Organization: Example Inc. (info@example.org)
PackageOriginator: Person: Jane Doe
PackageLicenseConcluded: NOASSERTION
PackageLicenseDeclared:   MIT  \t
PackageCopyrightText: <text>Copyright
PackageName: not a package
 # not a comment</text>
PackageDescription: <text>one line</text>
PrimaryPackagePurpose: LIBRARY
ExternalRef: SECURITY cpe23Type cpe:2.3:a:x:y:1:*:*:*:*:*:*:*
ExternalRefComment: <text>found by name</text>
ExternalRef: PACKAGE-MANAGER purl pkg:npm/shop@1.2.3
ExternalRef: PACKAGE_MANAGER http://spdx.org/rdf/references/purl pkg:npm/store@1.2.3
ExternalRef: OTHER swh swh:1:x
ValidUntilDate: 2027-01-31T00:00:00Z
PackageDownloadLocation: NOASSERTION`;

  test("reads the fields that the assessment needs", () => {
    expect(read(`${head}${describes}\n${written}\n\n`).components).toMatchObject([
      {
        pointer: "/packages/0",
        kind: "other",
        bomRef: "SPDXRef-a",
        name: "shop",
        version: "1.2.3",
        supplier: "Example Inc.",
        publisher: "Jane Doe",
        licenses: ["MIT"],
        purls: ["pkg:npm/shop@1.2.3", "pkg:npm/store@1.2.3"],
        cpes: ["cpe:2.3:a:x:y:1:*:*:*:*:*:*:*"],
        declared: [
          { milestone: "end-of-support", value: "2027-01-31T00:00:00Z", pointer: "/packages/0/validUntilDate" },
        ],
      },
    ]);
  });

  test("has a byte span from its name to its last line", () => {
    const text = `${head}${describes}\nPackageName: é日😀\n\n${written}\n\n# the next one\n\nFileName: ./a\nSPDXID: SPDXRef-f\n`;
    const document = read(text);
    const [first, second] = document.components.map(({ span }) => textOf(bytesOf(text).subarray(span.start, span.end)));
    expect([first, second]).toEqual(["PackageName: é日😀", written]);
    const line = text.slice(0, text.indexOf(written)).split("\n").length;
    expect(document.position(document.components[1]?.span.start ?? 0)).toEqual({ line, column: 1 });
  });

  test.each([
    ["OPERATING-SYSTEM", "operating-system"],
    ["OPERATING_SYSTEM", "operating-system"],
    ["FILE", "file"],
    ["LIBRARY", "other"],
    ["constructor", "other"],
  ])("maps the purpose %s to %s", (purpose, kind) => {
    expect(packages(`PackageName: x\nPrimaryPackagePurpose: ${purpose}\n`)[0]?.kind).toBe(kind);
  });

  test("keeps its identifier when files, snippets and licences follow", () => {
    const others =
      "FileName: ./a\nSPDXID: SPDXRef-f\nSnippetSPDXID: SPDXRef-s\nLicenseID: LicenseRef-1\nExtractedText: <text>x</text>\n";
    expect(packages(`PackageName: a\nSPDXID: SPDXRef-a\n${others}PackageName: b\nSPDXID: SPDXRef-b\n`)).toMatchObject([
      { name: "a", bomRef: "SPDXRef-a" },
      { name: "b", bomRef: "SPDXRef-b" },
    ]);
  });
});

describe("tag-value relationships", () => {
  const two =
    "PackageName: a\nSPDXID: SPDXRef-a\nPackageName: b\nSPDXID: SPDXRef-b\nPackageName: c\nSPDXID: SPDXRef-c\nPackageDownloadLocation: NONE\n";
  test.each([
    ["DESCRIBES", "Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-b\n"],
    ["DESCRIBED_BY", "Relationship: SPDXRef-b DESCRIBED_BY SPDXRef-DOCUMENT\n"],
  ])("%s defines the root, which is listed first", (_, relationship) => {
    const document = read(`${head}${relationship}${two}`);
    expect(document.roots).toEqual(["SPDXRef-b"]);
    expect(document.components.map(({ name, kind }) => [name, kind])).toEqual([
      ["b", "root"],
      ["a", "other"],
      ["c", "other"],
    ]);
  });
  test("list dependencies and mark those for development", () => {
    const document = read(
      `${head}${describes}${two}Relationship: SPDXRef-a DEPENDS_ON SPDXRef-b\nRelationshipComment: <text>x</text>\nRelationship:  SPDXRef-c   DEV_DEPENDENCY_OF\tSPDXRef-a\nRelationship: SPDXRef-a MINE SPDXRef-c\n`,
    );
    expect([...document.dependencies]).toEqual([["SPDXRef-a", ["SPDXRef-b", "SPDXRef-c"]]]);
    expect(document.components.map(({ scope }) => scope)).toEqual([undefined, undefined, "development"]);
  });
});

describe("tag-value document", () => {
  test("reads format, version and generator", () => {
    expect(read(`${head}${describes}PackageName: a\nSPDXID: SPDXRef-a\n${tail}`)).toMatchObject({
      format: "SPDX",
      specVersion: "2.3",
      serialNumber: "https://example.org/shop",
      generator: "maker-1.0",
      signed: false,
      wrappers: [],
    });
    expect(read(head.replace("2.3", "2.2") + describes).specVersion).toBe("2.2");
    expect(read(head + describes).components).toEqual([]);
  });
  test("is read in UTF-16, with a byte order mark, with CRLF, after comments, and in an export wrapper", () => {
    const text = `${head}${describes}PackageName: é日😀\nSPDXID: SPDXRef-a\n${tail}`;
    const little = Buffer.from(text, "utf16le");
    for (const bytes of [
      bytesOf(text),
      little,
      Buffer.from(little).swap16(),
      bytesOf(`\uFEFF${text}`),
      bytesOf(text.replaceAll("\n", "\r\n")),
      bytesOf(`# made by hand\n\n ${"# a licence\n".repeat(1000)}${text}`),
      bytesOf(JSON.stringify({ sbom: text })),
    ]) {
      expect(readSbom(bytes).components.map(({ name }) => name)).toEqual(["é日😀"]);
    }
  });
  test("refuses enrichment with a reason", () => {
    const enrichment = { entries: [], document: [] } as unknown as Parameters<typeof enrich>[1];
    expect(
      errorOf(() =>
        enrich(parseSbom(bytesOf(`${head}${describes}PackageName: a\nSPDXID: SPDXRef-a\n${tail}`)), enrichment),
      ),
    ).toMatchObject({
      kind: "input",
      code: "not-enrichable",
    });
  });
});

describe("tag-value errors", () => {
  test.each([
    ["a line without a tag", `${head}PackageName: a\nhello world\n`, "not-tag-value", "line 9, column 1"],
    ["a multi-line value without <text>", `${head}PackageName: a\n  more of it\n`, "not-tag-value", "line 9, column 3"],
    ["a tag with spaces", `${head}Package Name: a\n`, "not-tag-value", "line 8, column 1"],
    ["a package field without a package", `${head}PackageVersion: 1\n`, "not-tag-value", "line 8, column 1"],
    [
      "a field after the package",
      `${head}PackageName: a\nFileName: b\nExternalRef: OTHER purl pkg:npm/a\n`,
      "not-tag-value",
      "line 10, column 1",
    ],
    ["text after </text>", `${head}PackageName: <text>a</text> b\n`, "not-tag-value", "line 8, column 29"],
    ["an unterminated <text>", `${head}PackageName: <text>a\nPackageName: b\n`, "truncated", "line 8, column 14"],
    ["no version", head.replace(/^.*\n/, ""), "not-tag-value", "line 7, column 1"],
    ["version 2.1", head.replace("2.3", "2.1"), "unsupported-version", "line 1, column 14"],
    ["version 3.0", head.replace("2.3", "3.0"), "unsupported-version", "line 1, column 14"],
  ])("%s", (_, text, code, where) => {
    const problem = errorOf(() => read(text));
    expect([problem.kind, problem.code, problem.exit, problem.where]).toEqual(["input", code, 3, where]);
    expect(problem.hint).toBeTruthy();
  });
  test("refuses invalid UTF-8, also in unused text", () => {
    const bytes = bytesOf(`${head}PackageComment: X\n`);
    bytes[bytes.indexOf(0x58, head.length)] = 0xe9;
    expect(errorOf(() => readSbom(bytes))).toMatchObject({ code: "invalid-encoding", where: "line 8, column 17" });
  });
  test("refuses SPDX YAML and names the format", () => {
    expect(errorOf(() => read("SPDXID: SPDXRef-DOCUMENT\nspdxVersion: SPDX-2.3\n")).code).toBe("unsupported-format");
  });
});

describe("damaged tag-value document", () => {
  const valid = bytesOf(
    `${head}PackageName: é\nSPDXID: SPDXRef-a\nPackageComment: <text>x\ny</text>\nRelationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-a\n`,
  );
  test("a changed or missing byte gives a valid result or an error with a position", () => {
    fc.assert(
      fc.property(fc.nat(valid.length - 1), fc.option(fc.nat(255)), (at, byte) => {
        const changed = byte === null ? valid.slice(0, at) : valid.slice();
        if (byte !== null) changed[at] = byte;
        try {
          expect(readSbom(changed).format).toBe("SPDX");
        } catch (error) {
          expect(error).toBeInstanceOf(EolgateError);
          if (error instanceof EolgateError)
            expect([error.exit, (error.where ?? error.hint) !== undefined]).toEqual([3, true]);
        }
      }),
      { numRuns: soaked(500, 2000) },
    );
  });
  test("reads 100,000 packages", () => {
    expect(
      packages(
        "PackageName: a\nSPDXID: SPDXRef-a\nPackageVersion: 1\nExternalRef: OTHER purl pkg:npm/a@1\n".repeat(100_000),
      ),
    ).toHaveLength(100_000);
  });
});

interface ManifestEntry {
  readonly path: string;
  readonly format: string;
  readonly spec_version: string | null;
}
describeWithShared(
  "tag-value and JSON forms of real SPDX 2 documents are read as the same components",
  "sboms/MANIFEST.json",
  (manifest) => {
    const { files } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly files: readonly ManifestEntry[] };
    const valid = files.filter(({ format, spec_version: version }) => format === "SPDX" && version?.startsWith("2."));
    /** Refused as JSON: they contain files that they do not list. */
    const INCOMPLETE = /spdxjson\/testdata\/spdx\/alpine-3\.10/;
    test.each(valid.map(({ path }) => path).filter((path) => !INCOMPLETE.test(path)))("%s", (path) => {
      const bytes = readFileSync(new URL(`documents/${path}`, manifest));
      const json = readSbom(bytes);
      if (json.wrappers.length > 0) return;
      const parsed: unknown = JSON.parse(textOf(bytes).replace(/^\uFEFF/, ""));
      const text = asTagValue(parsed);
      // Nothing in the text format shows that a document without a package is complete.
      if (json.components.length === 0) expect(errorOf(() => read(text)).code).toBe("truncated");
      else expect(trimmed(meaning(read(text)))).toEqual(trimmed(meaning(json)));
    });
  },
);

/** The text format trims values; JSON keeps the white space around them. */
const trimmed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, each: unknown) => (typeof each === "string" ? each.trim() : each));
