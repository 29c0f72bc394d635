/** Error codes: input. */
import { row } from "./row.ts";

export const INPUT_ERRORS = {
  "cannot-rewrap": row<{ encoding: string }>({
    kind: "input",
    message: ({ encoding }) => `the document is wrapped in ${encoding} of a form that cannot be written back as it was`,
    hint: () => "Take the document out of its envelope and enrich it alone.",
  }),
  "empty-document": row({
    kind: "input",
    message: () => "the document is empty",
    hint: () => "Check that the generator wrote it to the end.",
  }),
  "enrich-format": row<{ format: string }>({
    kind: "input",
    message: ({ format }) => `the document is ${format}, and facts are written into JSON documents only`,
    hint: () => "Convert it to JSON first, for example with cyclonedx-cli convert or the SPDX tools, and enrich that.",
  }),
  "gzip-broken": row({
    kind: "input",
    message: () => "the gzip is cut off or damaged",
    hint: () => "Fetch or write the file again.",
  }),
  "gzip-ratio": row<{ limit: number; maxRatio: number }>({
    kind: "too-large",
    message: ({ limit, maxRatio }) => `the gzip grows past ${limit} bytes, more than ${maxRatio} times its size`,
    hint: () => "If it is genuine, unpack it first and check the plain file.",
  }),
  "invalid-utf16": row({
    kind: "input",
    message: () => "the document is not valid UTF-16",
    hint: () => "Convert the file to UTF-8, or make it again.",
  }),
  "no-components": row<{ format: string; specVersion: string }>({
    kind: "empty",
    message: ({ format, specVersion }) => `the ${format} ${specVersion} document has no components`,
    hint: () => "Check how it was generated; --allow-empty accepts such a document.",
  }),
  "no-graph": row({
    kind: "input",
    message: () => "the SPDX 3 document is a single element without @graph, so no annotation can be added to it",
    hint: () => "Write it with an @graph list; checking it works as it is.",
  }),
  "no-properties": row({
    kind: "input",
    message: () => "CycloneDX 1.2 has no properties, so it cannot carry lifecycle facts",
    hint: () => "Make the document again in CycloneDX 1.3 or later; checking it works as it is.",
  }),
  "not-tag-value": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => `the document is not SPDX tag-value: ${what}`,
    hint: () => "A value of several lines stands in <text> and </text>.",
  }),
  "not-utf8": row({
    kind: "input",
    message: () => "the file is not UTF-8 text",
    hint: () => "Save it as UTF-8, or leave it out with --exclude.",
  }),
  "not-xml": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => `the document is not well-formed XML: ${what}`,
  }),
  signed: row({
    kind: "input",
    message: () => "the document is signed, and any change to it breaks the signature",
    hint: () => "Enrich it before it is signed, or give --break-signature and sign it again.",
  }),
  "text-too-long": row<{ end: number }>({
    kind: "too-large",
    message: ({ end }) => `a text of ${end} bytes stands where a name, version or identifier is expected`,
  }),
  "too-large-to-validate": row({
    kind: "too-large",
    message: () => "the document is too large to be validated, which needs all of it as one string",
    hint: () => "Leave --validate out; enriching works at any size.",
  }),
  "wrong-type": row<{ words: string; found: string }>({
    kind: "input",
    message: ({ words, found }) => `${words}, found ${found}`,
    hint: () => "What it should hold cannot be seen like this; make the document again.",
  }),
  "xml-doctype": row({
    kind: "input",
    message: () =>
      "the XML document has a document type (DOCTYPE), which no SBOM needs and which can hide other content",
    hint: () => "Take the DOCTYPE out.",
  }),
  "xml-encoding": row<{ encoding: string }>({
    kind: "input",
    message: ({ encoding }) => `the XML document is written in ${encoding}, which is not supported`,
    hint: () => "Convert it to UTF-8, and its declaration with it.",
  }),
  "xml-too-deep": row<{ maxDepth: number }>({
    kind: "too-large",
    message: ({ maxDepth }) => `the XML document nests deeper than ${maxDepth} levels`,
    hint: () => "Hand over the same document as CycloneDX JSON, which is read at any depth.",
  }),
  "xml-too-large": row<{ what: string }>({
    kind: "too-large",
    message: ({ what }) => `the XML document ${what}`,
    hint: () => "Hand over the same document as CycloneDX JSON, which is read at any size.",
  }),
} as const;
