import { describe, expect, test } from "vitest";
import { enrich, removeEnrichment } from "../../src/enrich/enrich.ts";
import { parseSbom } from "../../src/sbom/read.ts";
import { bytesOf, cyclonedx, errorOf, spdx2, spdx3, textOf } from "../sbom/documents.ts";
import {
  BREAK,
  enriched,
  enrichedText,
  enrichmentFor,
  MILESTONE,
  PAST,
  removed,
  removedText,
  UNTRACKED,
} from "./setting.ts";

/** A visible replacement of the mark in the expectations. */
const withVisibleMarks = (text: string): string => text.replaceAll(" \t", "·");

/** On one line, so that the positions are visible. The metadata receives the tools and the summary. */
const bom = (rest: string, version = "1.4"): string => `{"bomFormat":"CycloneDX","specVersion":"${version}",${rest}}`;
const STATUS = '{"name":"lifecycle:status","value":"eol"}';
const PRODUCT = '{"name":"lifecycle:product","value":"nodejs"}';
const VERDICT = '{"name":"lifecycle:gate:verdict","value":"fail"}';
const TOOL = '{"vendor":"eolgate","name":"eolgate","version":"1.2.3"}';
const META = `"metadata":{·"tools":[·${TOOL}],"properties":[·${VERDICT}]}`;
const TOOL_COMPONENT = '{"type":"application","name":"eolgate","version":"1.2.3"}';
const META_AFTER = `"metadata":{·"tools":{·"components":[·${TOOL_COMPONENT}]},"properties":[·${VERDICT}]}`;
const OURS = `${STATUS},${PRODUCT}`;

/** [name, before, after]: enriching gives `after`, enriching again changes nothing, and removal gives `before`. */
const GOLDEN: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    "creates all containers",
    bom('"components":[{"name":"a"}]'),
    `{"bomFormat":"CycloneDX","specVersion":"1.4",${META},"components":[{"name":"a","properties":[·${OURS}]}]}`,
  ],
  ["no components", bom('"version":1'), `{"bomFormat":"CycloneDX","specVersion":"1.4",${META},"version":1}`],
  [
    "specVersion as the last member",
    '{"components":[{"name":"a"}],"bomFormat":"CycloneDX","specVersion":"1.4"}',
    `{"components":[{"name":"a","properties":[·${OURS}]}],"bomFormat":"CycloneDX","specVersion":"1.4",${META}}`,
  ],
  [
    "empty list",
    bom('"metadata":{"tools":[],"properties":[]},"components":[{"name":"a","properties":[]}]'),
    bom(`"metadata":{"tools":[${TOOL}],"properties":[${VERDICT}]},"components":[{"name":"a","properties":[${OURS}]}]`),
  ],
  [
    "empty list with white space",
    bom('"metadata":{"tools":[ ],"properties":[\n]},"components":[{"name":"a","properties":[ \t]}]'),
    bom(
      `"metadata":{"tools":[${TOOL} ],"properties":[${VERDICT}\n]},"components":[{"name":"a","properties":[${OURS}·]}]`,
    ),
  ],
  [
    "empty object",
    bom('"metadata":{},"components":[{}]'),
    bom(`"metadata":{"tools":[·${TOOL}],"properties":[·${VERDICT}]},"components":[{"properties":[·${OURS}]}]`),
  ],
  [
    "empty object with white space",
    bom('"metadata":{ \t},"components":[{  }]'),
    bom(`"metadata":{"tools":[·${TOOL}],"properties":[·${VERDICT}]·},"components":[{"properties":[·${OURS}]  }]`),
  ],
  [
    "keeps entries of other tools first",
    bom(
      '"metadata":{"properties":[{"name":"x"}],"tools":[{"name":"y"}]},"components":[{"properties":[{"name":"lifecycle:statusx","value":"z"} ],"name":"a"}]',
    ),
    bom(
      `"metadata":{"properties":[{"name":"x"},${VERDICT}],"tools":[{"name":"y"},${TOOL}]},` +
        `"components":[{"properties":[{"name":"lifecycle:statusx","value":"z"},${OURS} ],"name":"a"}]`,
    ),
  ],
  [
    "components before metadata, and a root with nested ones",
    bom(
      '"components":[{"name":"a","components":[{"name":"b"}]}],"metadata":{"component":{"name":"root","components":[{"name":"c"}]}}',
    ),
    bom(
      `"components":[{"name":"a","components":[{"name":"b","properties":[·${OURS}]}],"properties":[·${OURS}]}],` +
        `"metadata":{"component":{"name":"root","components":[{"name":"c","properties":[·${OURS}]}],"properties":[·${OURS}]},` +
        `"tools":[·${TOOL}],"properties":[·${VERDICT}]}`,
    ),
  ],
  [
    "1.5: no tools, creates an object",
    bom('"components":[]', "1.5"),
    `{"bomFormat":"CycloneDX","specVersion":"1.5",${META_AFTER},"components":[]}`,
  ],
  [
    "1.6: tools as an object with components",
    bom('"metadata":{"tools":{"components":[{"name":"y"}],"services":[]}}', "1.6"),
    bom(
      `"metadata":{"tools":{"components":[{"name":"y"},${TOOL_COMPONENT}],"services":[]},"properties":[·${VERDICT}]}`,
      "1.6",
    ),
  ],
  [
    "1.6: tools as an object with services only",
    bom('"metadata":{"tools":{"services":[{"name":"y"}]}}', "1.6"),
    bom(
      `"metadata":{"tools":{"services":[{"name":"y"}],"components":[·${TOOL_COMPONENT}]},"properties":[·${VERDICT}]}`,
      "1.6",
    ),
  ],
  [
    "1.7: tools as a legacy list",
    bom('"metadata":{"tools":[{"vendor":"eolgate","name":"other"}]}', "1.7"),
    bom(`"metadata":{"tools":[{"vendor":"eolgate","name":"other"},${TOOL}],"properties":[·${VERDICT}]}`, "1.7"),
  ],
  [
    "spaces after commas and colons",
    '{"bomFormat": "CycloneDX", "specVersion": "1.4", "metadata": {"tools": [{"name": "y"}]}, "components": [{"name": "a"}, {"name": "b", "properties": [{"name": "x"}]}]}',
    '{"bomFormat": "CycloneDX", "specVersion": "1.4", "metadata": {"tools": [{"name": "y"}, {"vendor": "eolgate", "name": "eolgate", "version": "1.2.3"}], ' +
      '"properties": [·{"name": "lifecycle:gate:verdict", "value": "fail"}]}, ' +
      '"components": [{"name": "a", "properties": [·{"name": "lifecycle:status", "value": "eol"}, {"name": "lifecycle:product", "value": "nodejs"}]}, ' +
      '{"name": "b", "properties": [{"name": "x"}, {"name": "lifecycle:status", "value": "eol"}, {"name": "lifecycle:product", "value": "nodejs"}]}]}',
  ],
  [
    "tabs and CRLF",
    '{\r\n\t"bomFormat": "CycloneDX",\r\n\t"specVersion": "1.4",\r\n\t"metadata": {"tools": [], "properties": []},\r\n\t"components": [\r\n\t\t{\r\n\t\t\t"name": "a"\r\n\t\t}\r\n\t]\r\n}\r\n',
    `{\r\n\t"bomFormat": "CycloneDX",\r\n\t"specVersion": "1.4",\r\n\t"metadata": {"tools": [${TOOL.replaceAll(":", ": ").replaceAll(",", ", ")}], ` +
      `"properties": [{"name": "lifecycle:gate:verdict", "value": "fail"}]},\r\n\t"components": [\r\n\t\t{\r\n\t\t\t"name": "a",\r\n\t\t\t"properties": [·\r\n` +
      '\t\t\t\t{\r\n\t\t\t\t\t"name": "lifecycle:status",\r\n\t\t\t\t\t"value": "eol"\r\n\t\t\t\t},\r\n' +
      '\t\t\t\t{\r\n\t\t\t\t\t"name": "lifecycle:product",\r\n\t\t\t\t\t"value": "nodejs"\r\n\t\t\t\t}\r\n\t\t\t]\r\n\t\t}\r\n\t]\r\n}\r\n',
  ],
];

describe("enriched CycloneDX documents", () => {
  test.each(GOLDEN)("%s", (_, before, after) => {
    const once = enrichedText(before);
    expect(withVisibleMarks(once)).toBe(withVisibleMarks(after));
    expect(enrichedText(once), "twice equals once").toBe(once);
    expect(removedText(once), "removal gives back").toBe(before);
    expect(() => JSON.parse(once)).not.toThrow();
  });
});

describe("repeated enrichment", () => {
  const before = bom('"components":[{"name":"a","properties":[{"name":"x"}]},{"name":"b"}]');

  test("replaces its own properties with the new ones", () => {
    const other = enrichedText(enrichedText(before, [PAST]), [UNTRACKED]);
    expect(other).toBe(enrichedText(before, [UNTRACKED]));
    expect(other).not.toContain("nodejs");
  });

  test("an empty list of properties removes the properties of a component", () => {
    expect(enrichedText(enrichedText(before), [[]])).toBe(enrichedText(before, [[]]));
  });

  test("removing enrichment from a plain document changes nothing", () => {
    expect(removedText(before)).toBe(before);
    expect(removeEnrichment(parseSbom(bytesOf(before))).edits).toEqual([]);
  });

  test.each([
    ["indented", 2],
    ["on one line", undefined],
  ])("removes its own entries after another tool reprinted the document %s, and keeps the containers", (_, indent) => {
    const reprinted = JSON.stringify(JSON.parse(enrichedText(before)), undefined, indent);
    const back: unknown = JSON.parse(removedText(reprinted));
    expect(back).toEqual({
      bomFormat: "CycloneDX",
      specVersion: "1.4",
      metadata: { tools: [], properties: [] },
      components: [
        { name: "a", properties: [{ name: "x" }] },
        { name: "b", properties: [] },
      ],
    });
  });

  test("keeps entries that other tools added around its own", () => {
    const once = enrichedText(bom('"components":[{"name":"a"}]'));
    const added = once
      .replace(PRODUCT, `${PRODUCT},{"name":"theirs"}`)
      .replace(STATUS, `{"name":"first"},${STATUS}`)
      .replace('"metadata":{ \t', '"metadata":{ \t"timestamp":"t",')
      .replace('"properties":[ \t{"name":"lifecycle:gate', '"lifecycles":[],"properties":[ \t{"name":"lifecycle:gate');
    expect(JSON.parse(removedText(added))).toEqual({
      bomFormat: "CycloneDX",
      specVersion: "1.4",
      metadata: { timestamp: "t", lifecycles: [] },
      components: [{ name: "a", properties: [{ name: "first" }, { name: "theirs" }] }],
    });
  });

  test("keeps members that other tools added after its own, and the JSON stays valid", () => {
    const once = enrichedText(bom('"metadata":{},"components":[{}]'));
    const added = once
      .replace(`${PRODUCT}]`, `${PRODUCT}],"name":"later"`)
      .replace(`${VERDICT}]`, `${VERDICT}], "timestamp":"t"`);
    expect(JSON.parse(removedText(added))).toEqual({
      bomFormat: "CycloneDX",
      specVersion: "1.4",
      metadata: { timestamp: "t" },
      components: [{ name: "later" }],
    });
    expect(JSON.parse(enrichedText(added))).toEqual(JSON.parse(enrichedText(removedText(added))));
  });
});

describe("content that enrichment preserves", () => {
  test("keeps tools of the same name by other vendors", () => {
    const tools = '"tools":[{"vendor":"someone","name":"eolgate"},{"name":"eolgate","group":"g"}]';
    const before = bom(`"metadata":{${tools}}`);
    expect(removedText(before)).toBe(before);
    expect(removedText(enrichedText(before))).toBe(before);
  });

  test("keeps a milestone that the document declares next to the enrichment property", () => {
    const declared = bom(
      '"metadata":{"tools":[]},"components":[{"name":"a","properties":[{"name":"cdx:lifecycle:milestone:endOfSupport","value":"2020-01-01"}]}]',
    );
    expect(removedText(declared)).toBe(declared);
    const before = bom('"components":[{"name":"a"}]');
    const once = enrichedText(before, [MILESTONE]);
    expect(withVisibleMarks(once)).toContain('{·"name":"cdx:lifecycle:milestone:endOfSupport","value":"2025-04-30"}');
    expect(removedText(once)).toBe(before);
    expect(parseSbom(bytesOf(once)).components.at(0)?.declared, "no declaration of the document's").toEqual([]);
  });

  test("keeps serial number, version, timestamp, bom-refs, numbers, escapes, duplicates and order", () => {
    const before = bom(
      String.raw`"serialNumber":"urn:uuid:1","version":1e0,"metadata":{"timestamp":"2026-01-01T00:00:00Z"},` +
        String.raw`"10":1,"2":12345678901234567890.10,"x":"\/é\u00e9","x":-0,"components":[{"bom-ref":"a\u0062","version":"\u0031"}]`,
    );
    const once = enrichedText(before);
    for (const part of [
      '"version":1e0',
      '"10":1,"2":12345678901234567890.10',
      String.raw`"x":"\/é\u00e9","x":-0`,
      String.raw`"bom-ref":"a\u0062","version":"\u0031"`,
    ]) {
      expect(once).toContain(part);
    }
    expect(removedText(once)).toBe(before);
  });

  test("reports a properties field that is not a list and does not change it", () => {
    const document = parseSbom(bytesOf(bom('"metadata":null,"components":[{"properties":null},{"properties":{}}]')));
    const { skipped, edits } = enrich(document, enrichmentFor(2));
    expect(edits).toEqual([]);
    expect(skipped).toEqual([
      { pointer: "/components/0/properties", reason: "not-a-list" },
      { pointer: "/components/1/properties", reason: "not-a-list" },
      { pointer: "/metadata", reason: "not-a-list" },
    ]);
  });
});

describe("documents that enrichment refuses", () => {
  test.each([
    ["CycloneDX 1.2 has no properties", cyclonedx({ components: [{ name: "a" }] }, "1.2"), "not-enrichable"],
    ["a signed document", cyclonedx({ signature: { value: "x" } }), "signed"],
    ["a signed component", cyclonedx({ components: [{ signature: { value: "x" } }] }), "signed"],
    [
      "an SPDX 3 element without a graph",
      { "@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld", type: "software_Package", spdxId: "urn:a" },
      "not-enrichable",
    ],
    [
      "a DSSE envelope",
      { payloadType: "x", payload: Buffer.from(JSON.stringify(cyclonedx())).toString("base64"), signatures: [] },
      "signed",
    ],
  ])("%s", (_, document, code) => {
    const read = parseSbom(bytesOf(JSON.stringify(document)));
    expect(errorOf(() => enrich(read, enrichmentFor(read.components.length)))).toMatchObject({ kind: "input", code });
  });

  test("refuses Base64 that cannot be encoded to the original bytes", () => {
    const payload = Buffer.from(`${JSON.stringify(cyclonedx())}  `).toString("base64url");
    const read = parseSbom(bytesOf(JSON.stringify({ payloadType: "x", payload })));
    expect(errorOf(() => enrich(read, enrichmentFor(0), BREAK)).code).toBe("not-enrichable");
  });
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("wrapped documents", () => {
  const inner = bom('"components":[{"name":"é"}]');
  const statement = `{ "_type":"x", "predicate": ${inner} }`;
  test.each<readonly [string, Uint8Array]>([
    ["a byte order mark", bytesOf(`\uFEFF${inner}\r\n`)],
    ["UTF-16 with a byte order mark", Buffer.from(`\uFEFF${inner}`, "utf16le")],
    ["UTF-16, big-endian", Buffer.from(inner, "utf16le").swap16()],
    ["an export", bytesOf(`{ "sbom" : ${inner} }`)],
    ["an in-toto statement", bytesOf(statement)],
    ["JSON in a string", bytesOf(JSON.stringify({ _type: "x", predicate: { Data: inner } }))],
    ["a DSSE envelope", bytesOf(`{"payloadType":"x", "payload":"${base64(inner)}", "signatures":[]}\n`)],
    ["a statement in a DSSE envelope", bytesOf(`{"payload":"${base64(statement)}"}`)],
  ])("%s", (_, before) => {
    const once = enriched(before);
    expect(parseSbom(once).components.at(0)?.name).toBe("é");
    expect(parseSbom(once).wrappers).toEqual(parseSbom(before).wrappers);
    expect(textOf(enriched(once))).toBe(textOf(once));
    expect(Buffer.from(removed(once)).equals(before)).toBe(true);
    expect(once.length).toBeGreaterThan(before.length);
  });
});

const ANNOTATION = (comment: string): object => ({
  annotationDate: "2026-11-21T00:00:00Z",
  annotationType: "OTHER",
  annotator: "Tool: eolgate",
  comment,
});

describe("enriched SPDX 2 documents", () => {
  const foreign = {
    annotationDate: "2020-01-01T00:00:00Z",
    annotationType: "OTHER",
    annotator: "Tool: other",
    comment: "lifecycle:status=eol",
  };
  test.each([
    ["2.2", undefined],
    ["2.3", 2],
  ])("adds annotations to packages and the document, version %s, indent %s", (version, indent) => {
    const packages = [
      { name: "a", SPDXID: "SPDXRef-a" },
      { name: "b", annotations: [foreign] },
      { name: "c", annotations: [] },
    ];
    const before = JSON.stringify(spdx2({ packages }, version), undefined, indent);
    const once = enrichedText(before);
    const properties = [ANNOTATION("lifecycle:status=eol"), ANNOTATION("lifecycle:product=nodejs")];
    expect(JSON.parse(once)).toEqual({
      ...spdx2({}, version),
      annotations: [ANNOTATION("lifecycle:gate:verdict=fail")],
      packages: [
        { name: "a", SPDXID: "SPDXRef-a", annotations: properties },
        { name: "b", annotations: [foreign, ...properties] },
        { name: "c", annotations: properties },
      ],
    });
    expect(enrichedText(once)).toBe(once);
    expect(removedText(once)).toBe(before);
  });

  test("adds the summary to existing annotations", () => {
    const before = JSON.stringify(spdx2({ annotations: [foreign] }), undefined, "\t");
    const once = enrichedText(before);
    expect(JSON.parse(once)).toMatchObject({ annotations: [foreign, ANNOTATION("lifecycle:gate:verdict=fail")] });
    expect(removedText(once)).toBe(before);
  });
});

describe("enriched SPDX 3 documents", () => {
  const nodes = [
    { type: "SpdxDocument", spdxId: "urn:doc" },
    { type: "software_Package", spdxId: "urn:a", name: "a" },
    { type: "software_Package", spdxId: "urn:a", name: "a again" },
    { type: "software_Package", name: "no id" },
    {
      type: "Annotation",
      spdxId: "urn:n",
      creationInfo: "_:creation",
      subject: "urn:a",
      statement: "lifecycle:status=eol",
    },
  ];
  test.each([undefined, 2])("adds annotations at the end of the graph, indent %s", (indent) => {
    const before = JSON.stringify(spdx3(nodes), undefined, indent);
    const document = parseSbom(bytesOf(before));
    const { skipped } = enrich(document, enrichmentFor(3));
    expect(skipped).toEqual([{ pointer: "/@graph/5", reason: "no-id" }]);
    const once = enrichedText(before);
    const { "@graph": graph } = JSON.parse(once) as { readonly "@graph": readonly Record<string, unknown>[] };
    expect(graph.slice(0, 7)).toEqual((JSON.parse(before) as { "@graph": unknown })["@graph"]);
    expect(graph.slice(7, 9)).toEqual([
      {
        type: "CreationInfo",
        "@id": "_:eolgate-creation-info",
        specVersion: "3.0.1",
        created: "2026-11-21T00:00:00Z",
        createdBy: ["urn:eolgate:agent"],
      },
      { type: "SoftwareAgent", spdxId: "urn:eolgate:agent", name: "eolgate", creationInfo: "_:eolgate-creation-info" },
    ]);
    expect(graph.slice(9).map(({ subject, statement }) => [subject, statement])).toEqual([
      ["urn:doc", "lifecycle:gate:verdict=fail"],
      ["urn:a", "lifecycle:status=eol"],
      ["urn:a", "lifecycle:product=nodejs"],
      ["urn:a", "lifecycle:status=eol"],
      ["urn:a", "lifecycle:product=nodejs"],
    ]);
    const ids = graph.flatMap(({ spdxId }) => (typeof spdxId === "string" ? [spdxId] : []));
    expect(new Set(ids).size, "ids of ours are unique").toBe(ids.length - 1);
    expect(enrichedText(once)).toBe(once);
    expect(removedText(once)).toBe(before);
  });
});
