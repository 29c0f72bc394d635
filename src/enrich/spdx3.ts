/**
 * Where enrichment writes in SPDX 3: at the end of the graph, one Annotation for each property, with a creation info and an
 * agent of our own that they name.
 */
import { EolgateError } from "../messages/error.ts";
import { KeyTable } from "../json-rows/bytes.ts";
import type { ParsedSbom } from "../sbom/component.ts";
import { type IsGeneratedEntry, readFields, readList } from "./read.ts";
import {
  isGeneratedStatement,
  statementOf,
  type Enrichment,
  type LifecycleProperty,
  type LifecycleProperties,
} from "./names.ts";
import { type DocumentPlan, type Skipped, type Writer, planList } from "./plan.ts";
import type { Entry } from "./render.ts";

const CREATION_INFO = "_:eolgate-creation-info";
const AGENT = "urn:eolgate:agent";

const NODE = new KeyTable<"type" | "spdxId" | "@id" | "creationInfo" | "statement">({
  type: "type",
  spdxId: "spdxId",
  "@id": "@id",
  creationInfo: "creationInfo",
  statement: "statement",
});

const isGeneratedNode: IsGeneratedEntry = (scanner) => {
  const node = readFields(scanner, NODE);
  if (node.type === "CreationInfo") return node["@id"] === CREATION_INFO;
  if (node.creationInfo !== CREATION_INFO) return false;
  return node.type === "Annotation" ? isGeneratedStatement(node.statement) : node.spdxId === AGENT;
};

export function planSpdx3(writer: Writer, document: ParsedSbom, enrichment: Enrichment | undefined): DocumentPlan {
  if (document.noteAt === undefined) {
    if (enrichment !== undefined) throw noGraph();
    return { edits: [], skipped: [] };
  }
  const graph = readList(writer.scanner, document.noteAt, isGeneratedNode);
  if (graph === undefined) return { edits: [], skipped: [] };
  const skipped: Skipped[] = [];
  const nodes = enrichment === undefined ? [] : nodesOf(document, enrichment, skipped);
  return { edits: [...planList(writer, document.root, graph, nodes)], skipped };
}

const noGraph = (): EolgateError =>
  EolgateError.of("not-enrichable", {
    problem: "the SPDX 3 document is a single element without @graph, so no annotation can be added to it",
    advice: "Create the document with an @graph list. It can be checked as it is.",
  });

function nodesOf(document: ParsedSbom, enrichment: Enrichment, skipped: Skipped[]): readonly Entry[] {
  const annotations: Entry[] = [];
  const seen = new Map<string, number>();
  const annotate = (subject: string, properties: LifecycleProperties): void => {
    // An id that occurs twice in a document gets two sets of annotations with different numbers.
    const time = (seen.get(subject) ?? 0) + 1;
    seen.set(subject, time);
    for (const lifecycleProperty of properties) annotations.push(annotation(subject, time, lifecycleProperty));
  };
  if (document.serialNumber === undefined) skipped.push({ pointer: "/@graph", reason: "no-document" });
  else annotate(document.serialNumber, enrichment.summary);
  let index = 0;
  for (const { bomRef, pointer } of document.components) {
    const properties = enrichment.components[index++] ?? [];
    if (bomRef !== undefined) annotate(bomRef, properties);
    else if (properties.length > 0) skipped.push({ pointer, reason: "no-id" });
  }
  return annotations.length === 0 ? [] : [...makers(document.specVersion, enrichment), ...annotations];
}

const makers = (specVersion: string, { asOf, tool }: Enrichment): readonly Entry[] => [
  {
    members: [
      ["type", "CreationInfo"],
      ["@id", CREATION_INFO],
      ["specVersion", specVersion],
      ["created", `${asOf}T00:00:00Z`],
      ["createdBy", [AGENT]],
    ],
  },
  {
    members: [
      ["type", "SoftwareAgent"],
      ["spdxId", AGENT],
      ["name", tool.name],
      ["creationInfo", CREATION_INFO],
    ],
  },
];

function annotation(subject: string, time: number, lifecycleProperty: LifecycleProperty): Entry {
  const suffix = `${lifecycleProperty.name.replaceAll(":", "-")}${time === 1 ? "" : `-${time}`}`;
  return {
    members: [
      ["type", "Annotation"],
      ["spdxId", `${subject}${subject.includes("#") ? "-" : "#"}eolgate-${suffix}`],
      ["creationInfo", CREATION_INFO],
      ["annotationType", "other"],
      ["subject", subject],
      ["statement", statementOf(lifecycleProperty)],
    ],
  };
}
