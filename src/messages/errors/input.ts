/** Errors of documents and other input files. */
import { row } from "./row.ts";

export const INPUT_ERRORS = {
  "cannot-rewrap": row<{ encoding: string }>({
    kind: "input",
    message: ({ encoding }) => `the document is wrapped in ${encoding}, which cannot be restored byte for byte`,
    hint: () => "Extract the document from its envelope and enrich that.",
  }),
  "duplicate-key": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => `the document is ambiguous: ${what} occurs twice in the same place`,
    hint: () => "Programs disagree on which value to use. Remove one of them.",
  }),
  "empty-document": row({
    kind: "input",
    message: () => "the document is empty",
    hint: () => "Check that the generator of the document completed.",
  }),
  "enrich-format": row<{ format: string }>({
    kind: "input",
    message: ({ format }) => `the document is ${format}, but only JSON documents can be enriched`,
    hint: () => "Convert it to JSON first, for example with cyclonedx-cli convert or the SPDX tools, and enrich that.",
  }),
  "pattern-folder-unreadable": row<{ pattern: string }>({
    kind: "input",
    message: ({ pattern }) => `the folder cannot be read, so documents that match ${pattern} may be missing`,
    hint: () => "Check its permissions, or name the documents one by one.",
  }),
  "file-changed": row({
    kind: "input",
    message: () => "the file was changed while it was read",
    hint: () => "Run the command again when no other program writes to the file.",
  }),
  "gzip-broken": row({
    kind: "input",
    message: () => "the gzip data is truncated or damaged",
    hint: () => "Create or download the file again.",
  }),
  "stdin-too-large": row<{ limit: number }>({
    kind: "too-large",
    message: ({ limit }) => `standard input is larger than ${limit} bytes`,
    hint: () => "Write the document to a file and name the file: files have no size limit.",
  }),
  "list-too-large": row<{ role: string; limit: number }>({
    kind: "too-large",
    message: ({ role, limit }) => `the ${role} is larger than ${limit} bytes`,
    hint: () => "Check the path, or split the file.",
  }),
  "stdin-zeros": row({
    kind: "input",
    message: () => "standard input starts with nothing but zero bytes",
    hint: () => "Check the command that writes the document.",
  }),
  "gzip-ratio": row<{ limit: number; maxRatio: number }>({
    kind: "too-large",
    message: ({ limit, maxRatio }) =>
      `the gzip data expands to more than ${limit} bytes and ${maxRatio} times its size`,
    hint: () => "If the file is genuine, decompress it and check the plain document.",
  }),
  "invalid-utf16": row({
    kind: "input",
    message: () => "the document is not valid UTF-16",
    hint: () => "Convert the file to UTF-8 or create it again.",
  }),
  "missing-element": row<{ id: string }>({
    kind: "input",
    message: ({ id }) =>
      `the document is incomplete: a relationship names ${JSON.stringify(id)}, which it does not contain`,
    hint: () => "A part was left out or cut off. Generate the document again.",
  }),
  "no-components": row<{ format: string; specVersion: string }>({
    kind: "empty",
    message: ({ format, specVersion }) => `the ${format} ${specVersion} document has no components`,
    hint: () => "Check how the document was generated, or accept it with --allow-empty.",
    httpHint: "Check how the document was generated.",
  }),
  "no-graph": row({
    kind: "input",
    message: () => "the SPDX 3 document is a single element without @graph, so no annotation can be added to it",
    hint: () => "Create the document with an @graph list. It can be checked as it is.",
  }),
  "no-properties": row({
    kind: "input",
    message: () => "CycloneDX 1.2 has no properties and cannot be enriched",
    hint: () => "Create the document in CycloneDX 1.3 or later. It can be checked as it is.",
  }),
  "not-tag-value": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => `the document is not SPDX tag-value: ${what}`,
    hint: () => "Enclose values of several lines in <text> and </text>.",
  }),
  "not-utf8": row({
    kind: "input",
    message: () => "the file is not UTF-8 text",
    hint: () => "Save it as UTF-8, or leave it out with --exclude.",
    httpHint: "Save it as UTF-8.",
  }),
  "not-xml": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => `the document is not well-formed XML: ${what}`,
  }),
  signed: row({
    kind: "input",
    message: () => "the document is signed, and enrichment would break the signature",
    hint: () => "Enrich the document before signing it, or use --break-signature and sign it again.",
    httpHint: "Enrich the document before signing it.",
  }),
  "text-too-long": row<{ end: number }>({
    kind: "too-large",
    message: ({ end }) => `a name, version or identifier is ${end} bytes long, more than the limit`,
  }),
  "too-large-to-validate": row({
    kind: "too-large",
    message: () => "the document is too large to validate",
    hint: () => "Omit --validate. Enrichment has no size limit.",
  }),
  truncated: row<{ what: string }>({
    kind: "input",
    message: ({ what }) => `the document is incomplete: ${what}`,
    hint: () => "The file was cut off while it was written or copied. Generate it again.",
  }),
  "two-formats": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => `the document is ambiguous: ${what} belongs to a different format than the rest`,
    hint: () => "Pass one document per file, without parts of other formats.",
  }),
  "wrong-type": row<{ name: string; expected: string; found: string }>({
    kind: "input",
    message: ({ name, expected, found }) => `${name} must be ${expected}, found ${found}`,
    hint: () => "Correct the document, or generate it again.",
  }),
  "xml-doctype": row({
    kind: "input",
    message: () => "the XML document has a DOCTYPE, which is refused because it can define entities",
    hint: () => "Remove the DOCTYPE declaration.",
  }),
  "xml-encoding": row<{ encoding: string }>({
    kind: "input",
    message: ({ encoding }) => `the XML encoding ${encoding} is not supported`,
    hint: () => "Convert the document and its XML declaration to UTF-8.",
  }),
  "xml-too-deep": row<{ maxDepth: number }>({
    kind: "too-large",
    message: ({ maxDepth }) => `the XML document nests deeper than ${maxDepth} levels`,
    hint: () => "Convert the document to CycloneDX JSON, which may be nested 32,768 components deep.",
  }),
  "xml-too-large": row<{ what: string }>({
    kind: "too-large",
    message: ({ what }) => `the XML document ${what}`,
    hint: () => "Convert the document to CycloneDX JSON, which has no size limit.",
  }),
  "no-file": row<{ pattern: string }>({
    kind: "input",
    message: ({ pattern }) => `no file matches ${pattern}`,
    hint: () => "Quote the pattern, and check that it is relative to the working directory.",
  }),
  unreadable: row<{ problem: string; advice: string | undefined }>({
    kind: "input",
    message: ({ problem }) => problem,
    hint: ({ advice }) => advice,
  }),
  "not-valid": row<{ schema: string; problem: string; advice: string }>({
    kind: "input",
    message: ({ schema, problem }) => `the document does not conform to the ${schema} schema: ${problem}`,
    hint: ({ advice }) => advice,
  }),
  "private-format": row<{ name: string; advice: string | undefined }>({
    kind: "input",
    message: ({ name }) => `the document is ${name}, not a CycloneDX or SPDX SBOM`,
    hint: ({ advice }) => advice,
  }),
  "not-sbom": row<{ problem: string; advice: string }>({
    kind: "input",
    message: ({ problem }) => `the document is not an SBOM: ${problem}`,
    hint: ({ advice }) => advice,
  }),
  "unsupported-version": row<{ problem: string; supported: string }>({
    kind: "input",
    message: ({ problem }) => problem,
    hint: ({ supported }) => `Supported: ${supported}.`,
  }),
  "unsupported-format": row<{ name: string; advice: string | undefined }>({
    kind: "input",
    message: ({ name }) => `the document is ${name}, which is not supported`,
    hint: ({ advice }) => advice,
  }),
  "bad-envelope": row<{ problem: string }>({
    kind: "input",
    message: ({ problem }) => problem,
  }),
  "invalid-utf8": row<{ byte: string; offset: number }>({
    kind: "input",
    message: ({ byte, offset }) => `the document is not valid UTF-8: byte ${byte} at offset ${offset}`,
    hint: () => "Convert the file to UTF-8 or create it again.",
  }),
  "not-json": row<{ problem: string; advice: string | undefined }>({
    kind: "input",
    message: ({ problem }) => `the document is not JSON: it ${problem}`,
    hint: ({ advice }) => advice,
  }),
  "bad-baseline": row<{ problem: string }>({
    kind: "input",
    message: ({ problem }) => `the baseline is not a valid report: ${problem}`,
    hint: () => "Create it again with: eolgate check … --report json=FILE",
  }),
  "json-too-deep": row({
    kind: "too-large",
    message: () => "the JSON document is nested too deeply",
    hint: () => "Generate the document again. SBOMs do not need so many levels.",
  }),
} as const;
