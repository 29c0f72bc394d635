/** Where enrichment writes in CycloneDX: `properties` of each component and of the metadata, and an entry of its tools. */
import { EolgateError } from "../messages/error.ts";
import type { Span } from "../model/index.ts";
import { KeyTable } from "../json-rows/bytes.ts";
import { CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT, type Scanner } from "../json-rows/scanner.ts";
import type { ParsedSbom } from "../sbom/component.ts";
import { type IsGeneratedEntry, readFields } from "./read.ts";
import { isMarked } from "../sbom/json-bytes.ts";
import { isGeneratedName, MILESTONE_NAME, type Enrichment } from "./names.ts";
import {
  type DocumentPlan,
  type MemberRequest,
  type ListRequest,
  type ToEntry,
  type Writer,
  entriesOf,
  planComponents,
  planObject,
} from "./plan.ts";
import type { Entries } from "./render.ts";

const PROPERTY = new KeyTable<"name">({ name: "name" });
const TOOL = new KeyTable<"vendor" | "name" | "group" | "bom-ref">({
  vendor: "vendor",
  name: "name",
  group: "group",
  "bom-ref": "bom-ref",
});
const TOOL_NAME = "eolgate";

/** A milestone was generated only if it is marked: documents declare such dates themselves. */
const isGeneratedProperty: IsGeneratedEntry = (scanner) => {
  const start = scanner.at;
  const { name } = readFields(scanner, PROPERTY);
  return isGeneratedName(name) || (name === MILESTONE_NAME && isMarked(scanner.bytes, start));
};

/** Another maker's tool of the same name would have a group, a ref or another vendor. */
const isGeneratedTool: IsGeneratedEntry = (scanner) => {
  const tool = readFields(scanner, TOOL);
  if (tool.name !== TOOL_NAME || tool.group !== undefined || tool["bom-ref"] !== undefined) return false;
  return tool.vendor === undefined || tool.vendor === TOOL_NAME;
};

export function planCycloneDx(writer: Writer, document: ParsedSbom, enrichment: Enrichment | undefined): DocumentPlan {
  if (document.specVersion === "1.2" && enrichment !== undefined) throw noProperties();
  const entries = entriesOf(toEntry);
  const plan = planComponents(writer, document.components, (component, index) =>
    properties(component.entriesAt, entries(enrichment?.components[index])),
  );
  const request = metadata(writer.scanner, {
    specVersion: document.specVersion,
    at: document.noteAt,
    tool: enrichment?.tool,
    summary: entries(enrichment?.summary),
  });
  const { edits, unusable } = planObject(writer, document.root, [request], document.versionEnd);
  for (const key of unusable) plan.skipped.push({ pointer: `${document.opened.pointer}/${key}`, reason: "not-a-list" });
  // Most documents have their metadata before their components, so these edits are in order already.
  return { edits: [...edits, ...plan.edits], skipped: plan.skipped };
}

const noProperties = (): EolgateError =>
  EolgateError.of("not-enrichable", {
    problem: "CycloneDX 1.2 has no properties and cannot be enriched",
    advice: "Create the document in CycloneDX 1.3 or later. It can be checked as it is.",
  });

const toEntry: ToEntry = ({ name, value }) => ({
  members: [
    ["name", name],
    ["value", value],
  ],
  marked: name === MILESTONE_NAME,
});

const properties = (at: number, entries: Entries): ListRequest => ({
  kind: "list",
  key: "properties",
  at,
  entries,
  isGeneratedEntry: isGeneratedProperty,
});

interface MetadataParts {
  readonly specVersion: string;
  /** Position of `metadata`, or undefined. */
  readonly at: number | undefined;
  readonly tool: Enrichment["tool"] | undefined;
  readonly summary: Entries;
}

function metadata(scanner: Scanner, { specVersion, at: metadataAt, tool, summary }: MetadataParts): MemberRequest {
  return {
    kind: "object",
    key: "metadata",
    at: metadataAt ?? -1,
    members: (object) => {
      const at = object === undefined ? NOWHERE : findMembers(scanner, object);
      return [tools(scanner, at.tools, specVersion, tool), properties(at.properties, summary)];
    },
  };
}

/** A list up to 1.4; an object after, though a list is still allowed: the form that the document has. */
function tools(scanner: Scanner, at: number, specVersion: string, tool: Enrichment["tool"] | undefined): MemberRequest {
  const isList = at >= 0 ? scanner.bytes[at] === OPEN_LIST : specVersion === "1.3" || specVersion === "1.4";
  const entries: Entries =
    tool === undefined
      ? []
      : [
          {
            members: [
              isList ? ["vendor", tool.name] : ["type", "application"],
              ["name", tool.name],
              ["version", tool.version],
            ],
          },
        ];
  if (isList) return { kind: "list", key: "tools", at, entries, isGeneratedEntry: isGeneratedTool };
  return {
    kind: "object",
    key: "tools",
    at,
    members: (object) => {
      const components = object === undefined ? -1 : findMembers(scanner, object).components;
      return [{ kind: "list", key: "components", at: components, entries, isGeneratedEntry: isGeneratedTool }];
    },
  };
}

type Findable = "tools" | "properties" | "components";
const FINDABLE = new KeyTable<Findable>({ tools: "tools", properties: "properties", components: "components" });
const NOWHERE: Readonly<Record<Findable, number>> = { tools: -1, properties: -1, components: -1 };

/** Where the values of members begin; of duplicate keys, the last. */
function findMembers(scanner: Scanner, object: Span): Readonly<Record<Findable, number>> {
  const found = { ...NOWHERE };
  scanner.at = object.start;
  scanner.take(OPEN_OBJECT);
  for (let more = !scanner.take(CLOSE_OBJECT); more; more = scanner.more(CLOSE_OBJECT)) {
    scanner.key();
    const member = scanner.find(FINDABLE);
    scanner.peek();
    if (member !== undefined) found[member] = scanner.at;
    scanner.skip();
  }
  return found;
}
