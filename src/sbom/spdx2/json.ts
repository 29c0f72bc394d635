/** Reads SPDX JSON 2.2 and 2.3. */
import { text, type Schema } from "../../json-rows/schema.ts";
import { ComponentTable, FIELD, kindChoices, ROW_CHOICE, type Field } from "../component-table.ts";
import type { ParsedSbom } from "../component.ts";
import { documentMembers, requireEnd, type Opened } from "../envelope.ts";
import { notSbom, requireVersion } from "../refusals.ts";
import { setRef } from "../spdx/relations.ts";
import { ReferenceReading, createSpdx2, externalReference, packageFormat, relationship } from "./package-format.ts";
import { SPDX2_KINDS, SPDX2_VERSIONS, spdx2Version } from "./vocabulary.ts";
import { readJson, refuseNull } from "../json-bytes.ts";

class Spdx2Reading extends ReferenceReading {
  spdxVersion: string | undefined = undefined;
  namespace: string | undefined = undefined;
  readonly creators: string[] = [];
  versionEnd = 0;
  annotationsAt: number | undefined = undefined;
}

const textField = (field: Field): Schema<Spdx2Reading> => ({ store: { field, as: "text" } });

/** A licence that is not a string is kept as it is written: it is invalid and not absent. */
const license = (field: Field): Schema<Spdx2Reading> => ({
  ...textField(field),
  other: ({ table }, value) => {
    if (!value.isNull) table.setText(value.row, field, value.raw());
  },
});

const packageId: Schema<Spdx2Reading> = {
  ...textField(FIELD.ref),
  hashed: true,
  string: ({ table, relations }, value) => setRef(table, value.row, relations, value.withBytes(relations.addRef)),
};

const externalRefs: Schema<Spdx2Reading> = {
  store: { field: FIELD.cpe, as: "start" },
  elements: () => externalReference,
  type: { type: "list", name: '"externalRefs"' },
};

const packageSchema: Schema<Spdx2Reading> = {
  // Positions of its references are noted before it ends.
  open: ({ table }, value) => table.begin(value.row, value.start),
  row: ({ table }, row) => table.addRow(row),
  numbered: true,
  members: () => ({
    SPDXID: packageId,
    name: textField(FIELD.name),
    versionInfo: { ...textField(FIELD.version), type: { type: "string", name: "the version of a package" } },
    supplier: textField(FIELD.supplier),
    originator: textField(FIELD.publisher),
    licenseConcluded: license(FIELD.licenses),
    licenseDeclared: license(FIELD.declaredLicense),
    primaryPackagePurpose: {
      store: { field: ROW_CHOICE.kind, as: "choice", choices: kindChoices(SPDX2_KINDS) },
    },
    validUntilDate: {
      string: ({ table }, value) => {
        const declared = { milestone: "end-of-support", value: value.text(), suffix: "/validUntilDate" } as const;
        table.addExtra(value.row).declared = [declared];
      },
    },
    annotations: { store: { field: FIELD.entries, as: "start" } },
    externalRefs,
  }),
  other: refuseNull("a package"),
  type: { type: "object", name: "a package" },
};

const elementId: Schema<Spdx2Reading> = {
  hashed: true,
  string: ({ relations }, value) => relations.define(value.withBytes(relations.addRef)),
};
const elements: Schema<Spdx2Reading> = { elements: () => ({ members: () => ({ SPDXID: elementId }) }) };

const documentDescribes: Schema<Spdx2Reading> = {
  elements: () => ({
    hashed: true,
    string: ({ relations }, value) => {
      const id = value.withBytes(relations.addRef);
      relations.describe(id);
      relations.name(id, value.start);
    },
  }),
};

const spdxVersion: Schema<Spdx2Reading> = {
  string: (into, value) => {
    into.spdxVersion = value.text();
    into.versionEnd = value.end;
  },
};

const creators: Schema<Spdx2Reading> = {
  elements: () => ({ string: (into, value) => void into.creators.push(value.text()) }),
};

const document: Schema<Spdx2Reading> = {
  members: documentMembers<Spdx2Reading>("spdx2", () => ({
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

export function readSpdx2(opened: Opened): ParsedSbom {
  const { source } = opened;
  const into = new Spdx2Reading(new ComponentTable(source, packageFormat(opened.pointer)));
  const result = readJson(source, opened.at, document, into);
  requireEnd(opened, result.end);
  const specVersion = versionOf(into, opened);
  result.throwRefusal();
  const root = { start: opened.at, end: result.end };
  return createSpdx2(opened, into, {
    specVersion,
    source,
    root,
    versionEnd: into.versionEnd,
    noteAt: into.annotationsAt,
  });
}

function versionOf({ spdxVersion }: Spdx2Reading, opened: Opened): string {
  if (spdxVersion === undefined) throw notSbom(opened);
  const version = spdx2Version(spdxVersion);
  return requireVersion({ format: "SPDX", version, supported: SPDX2_VERSIONS }, `${opened.pointer}/spdxVersion`);
}
