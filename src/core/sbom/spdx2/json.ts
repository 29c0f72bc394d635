/** Reads SPDX JSON 2.2 and 2.3. */
import { KeyTable } from "../../../bytes/key-table.ts";
import { text, textPosition, type Schema } from "../../../bytes/json/schema.ts";
import type { ComponentKind, SbomDocument } from "../../model.ts";
import { ComponentTable, FIELD, type Field } from "../component-table.ts";
import { createDocument } from "../document.ts";
import { DocumentTexts } from "../document-texts.ts";
import { requireEnd, type Opened } from "../envelope.ts";
import { documentMembers } from "../format-keys.ts";
import { notSbom, unsupportedVersion } from "../refusals.ts";
import { relateComponents, setRef } from "../spdx/relations.ts";
import { packageFormat } from "./package-format.ts";
import { externalReference, ReferenceReading } from "./external-reference.ts";
import { relationship } from "./relationships.ts";
import { generatorOf, isExternalElement, SPDX2_KINDS, SPDX2_VERSIONS, spdx2Version } from "./vocabulary.ts";
import { readJson } from "../json-bytes.ts";

const KINDS = new KeyTable<ComponentKind>(SPDX2_KINDS);

class Reading extends ReferenceReading {
  spdxVersion: string | undefined = undefined;
  namespace: string | undefined = undefined;
  readonly creators: string[] = [];
  versionEnd = 0;
  annotationsAt: number | undefined = undefined;
}

const position = (field: Field): Schema<Reading> =>
  textPosition(({ table, open }, at) => table.setPosition(open, field, at));

/** A licence that is not a string is kept as it is written: it is invalid and not absent. */
const license = (field: Field): Schema<Reading> => ({
  begin: ({ table, open }, value) => {
    if (value.isString) table.setPosition(open, field, value.textStart);
    else if (!value.isNull) table.setText(open, field, value.raw());
  },
});

const packageId: Schema<Reading> = {
  string: ({ table, open, relations }, value) => {
    table.setPosition(open, FIELD.ref, value.textStart);
    setRef(table, open, relations, value.withBytes(relations.addRef));
  },
};

const externalRefs: Schema<Reading> = {
  begin: ({ table, open }, value) => table.setPosition(open, FIELD.cpe, value.start),
  elements: () => externalReference,
  type: { type: "list", name: '"externalRefs"' },
};

const packageSchema: Schema<Reading> = {
  open: (into, value) => {
    into.open = into.table.add(value.start);
    into.table.setNumber(into.open, FIELD.place, value.index);
  },
  close: ({ table, open }, value) => table.setPosition(open, FIELD.end, value.end),
  members: () => ({
    SPDXID: packageId,
    name: position(FIELD.name),
    versionInfo: position(FIELD.version),
    supplier: position(FIELD.supplier),
    originator: position(FIELD.publisher),
    licenseConcluded: license(FIELD.licenses),
    licenseDeclared: license(FIELD.declaredLicense),
    primaryPackagePurpose: { string: ({ table, open }, value) => table.setKind(open, value.find(KINDS) ?? "other") },
    validUntilDate: {
      string: ({ table, open }, value) => {
        const declared = { milestone: "end-of-support", value: value.text(), place: "/validUntilDate" } as const;
        table.addExtra(open).declared = [declared];
      },
    },
    annotations: { begin: ({ table, open }, value) => table.setPosition(open, FIELD.entries, value.start) },
    externalRefs,
  }),
  type: { type: "object", name: "a package" },
};

const elementId: Schema<Reading> = {
  string: ({ relations }, value) => relations.define(value.withBytes(relations.addRef)),
};
const elements: Schema<Reading> = { elements: () => ({ members: () => ({ SPDXID: elementId }) }) };

const documentDescribes: Schema<Reading> = {
  elements: () => ({
    string: ({ relations }, value) => {
      const id = value.withBytes(relations.addRef);
      relations.describe(id);
      relations.name(id, value.start);
    },
  }),
};

const spdxVersion: Schema<Reading> = {
  string: (into, value) => {
    into.spdxVersion = value.text();
    into.versionEnd = value.end;
  },
};

const creators: Schema<Reading> = {
  elements: () => ({ string: (into, value) => void into.creators.push(value.text()) }),
};

const document: Schema<Reading> = {
  members: documentMembers<Reading>("spdx2", () => ({
    spdxVersion,
    SPDXID: elementId,
    annotations: {
      begin: (into, value) => {
        into.annotationsAt = value.start;
      },
    },
    documentNamespace: text((into, value) => {
      into.namespace = value;
    }),
    creationInfo: { members: () => ({ creators }) },
    documentDescribes,
    packages: { elements: () => packageSchema, type: { type: "list", name: '"packages"' } },
    files: elements,
    snippets: elements,
    relationships: { elements: () => relationship, type: { type: "list", name: '"relationships"' } },
  })),
};

export function readSpdx2(opened: Opened): SbomDocument {
  const { source } = opened;
  const into = new Reading(new ComponentTable(new DocumentTexts(source), packageFormat(opened.pointer)));
  const result = readJson(source, opened.at, document, into);
  requireEnd(opened, result.end);
  const specVersion = versionOf(into, opened);
  result.throwRefusal();
  const { relations } = into;
  relations.requireAll(source, isExternalElement);
  const absentElements = relations.absentParts(source, isExternalElement);
  const { components, roots } = relateComponents(into.table, relations);
  return createDocument(opened, {
    fields: {
      format: "SPDX",
      specVersion,
      serialNumber: into.namespace,
      generator: generatorOf(into.creators),
      signed: opened.signed,
      ...(absentElements.length > 0 && { absentElements }),
    },
    components,
    roots,
    dependencies: () => relations,
    root: { start: opened.at, end: result.end },
    versionEnd: into.versionEnd,
    noteAt: into.annotationsAt,
  });
}

function versionOf({ spdxVersion }: Reading, opened: Opened): string {
  if (spdxVersion === undefined) throw notSbom(opened);
  const version = spdx2Version(spdxVersion);
  if (SPDX2_VERSIONS.includes(version)) return version;
  throw unsupportedVersion({ format: "SPDX", version, supported: SPDX2_VERSIONS }, `${opened.pointer}/spdxVersion`);
}
