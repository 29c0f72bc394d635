/** Reads SPDX JSON 2.2 and 2.3: the first step of the main path, for this format. */
import type { ComponentKind, SbomDocument } from "../model.ts";
import { documentMembers } from "./format-keys.ts";
import { noSbom, unsupportedVersion } from "./faults.ts";
import { Words } from "../../bytes/members.ts";
import { positions } from "../../bytes/position.ts";
import { members, mustBeList, mustBeObject, place, placeOrMistyped, text, Walk, type Shape } from "../../bytes/walk.ts";
import { once } from "./once.ts";
import { NOWHERE, TextSource } from "./placed.ts";
import { keepSource } from "./source.ts";
import { LocalElements } from "./spdx2-elements.ts";
import { markDevelopment, markRoots, rootsFirst } from "./spdx-roles.ts";
import { externalReference, Spdx2Package, type ReferenceReading } from "./spdx2-package.ts";
import {
  describedBy,
  readSpdx2Relationships,
  relationship,
  spdx2Graph,
  type DescribingReading,
} from "./spdx2-relationships.ts";
import { generatorOf, SPDX2_KINDS, SPDX2_VERSIONS, spdx2Version } from "./spdx2-words.ts";
import type { Opened } from "./unwrap.ts";

const KINDS = new Words<ComponentKind>(SPDX2_KINDS);

class Reading implements DescribingReading, ReferenceReading {
  readonly packagesPointer: string;
  readonly texts: TextSource;
  spdxVersion: string | undefined;
  namespace: string | undefined;
  tools: string[] = [];
  readonly components: Spdx2Package[] = [];
  /** The package whose object is open. */
  open: Spdx2Package | undefined = undefined;
  kind: ReferenceReading["kind"] = undefined;
  locatorAt = NOWHERE;
  documentDescribes: string[] = [];
  describes: string[] = [];
  hasDevelopment = false;
  relationshipsAt: number | undefined;
  versionEnd = 0;
  annotationsAt: number | undefined;
  relation: DescribingReading["relation"] = undefined;
  elementAt = NOWHERE;
  relatedAt = NOWHERE;
  readonly elements = new LocalElements();

  constructor({ pointer, bytes }: Opened) {
    this.packagesPointer = `${pointer}/packages`;
    this.texts = new TextSource(bytes);
  }

  note(kind: "purl" | "cpe", locatorAt: number): void {
    if (kind === "purl") this.open?.addPurlAt(locatorAt);
  }
}

type Place = "refAt" | "nameAt" | "versionAt" | "supplierAt" | "originatorAt" | "concludedAt" | "licenceAt";
const note =
  (field: Place) =>
  ({ open }: Reading, at: number): void => {
    if (open !== undefined) open[field] = at;
  };
const placed = (field: Place): Shape<Reading> => place(note(field));

const packageId: Shape<Reading> = {
  met: (into) => note("refAt")(into, NOWHERE),
  text: (into, walk) => {
    note("refAt")(into, walk.scanner.textStart);
    into.elements.define(walk.text());
  },
};

const packageMembers = members<Reading>(() => ({
  SPDXID: packageId,
  name: placed("nameAt"),
  versionInfo: placed("versionAt"),
  supplier: placed("supplierAt"),
  originator: placed("originatorAt"),
  licenseConcluded: placeOrMistyped(note("concludedAt")),
  licenseDeclared: placeOrMistyped(note("licenceAt")),
  primaryPackagePurpose: {
    met: ({ open }) => {
      if (open !== undefined) open.kind = "other";
    },
    text: ({ open }, walk) => {
      if (open !== undefined) open.kind = KINDS.find(walk.scanner) ?? "other";
    },
  },
  validUntilDate: text(({ open }, value) => {
    if (open === undefined) return;
    const pointer = `${open.pointer}/validUntilDate`;
    open.declared = value === undefined ? [] : [{ milestone: "end-of-support", value, pointer }];
  }),
  annotations: {
    met: ({ open }, walk) => {
      if (open !== undefined) open.entriesAt = walk.start;
    },
  },
  externalRefs: {
    met: ({ open }, walk) => {
      if (open === undefined) return;
      open.clearPurls();
      open.referencesAt = walk.start;
    },
    elements: externalReference(),
    must: mustBeList('"externalRefs"'),
  },
}));

const packages: Shape<Reading> = {
  must: mustBeList('"packages"'),
  met: (into) => {
    into.components.length = 0;
  },
  elements: {
    must: mustBeObject("a package"),
    open: (into, walk) => {
      into.open = new Spdx2Package(into.texts, walk.start, into.packagesPointer, walk.index);
      into.components.push(into.open);
    },
    members: packageMembers,
    close: ({ open }, walk) => {
      if (open !== undefined) open.end = walk.at;
    },
  },
};

const texts = (list: (into: Reading) => string[]): Shape<Reading> => ({
  met: (into) => {
    list(into).length = 0;
  },
  elements: { text: (into, walk) => void list(into).push(walk.text()) },
});

const definedId: Shape<Reading> = { text: ({ elements }, walk) => elements.define(walk.text()) };

const documentDescribes: Shape<Reading> = {
  met: (into) => {
    into.documentDescribes = [];
  },
  elements: {
    text: (into, walk) => {
      into.documentDescribes.push(walk.text());
      into.elements.name(walk.text(), walk.start);
    },
  },
};

const sbom: Shape<Reading> = {
  members: documentMembers("spdx2", () => ({
    spdxVersion: {
      met: (into) => {
        into.spdxVersion = undefined;
      },
      text: (into, walk) => {
        into.spdxVersion = walk.text();
        into.versionEnd = walk.at;
      },
    },
    annotations: {
      met: (into, walk) => {
        into.annotationsAt = walk.start;
      },
    },
    SPDXID: definedId,
    files: { elements: { members: members(() => ({ SPDXID: definedId })) } },
    snippets: { elements: { members: members(() => ({ SPDXID: definedId })) } },
    documentNamespace: text((into, value) => {
      into.namespace = value;
    }),
    creationInfo: { members: members(() => ({ creators: texts((into) => into.tools) })) },
    documentDescribes,
    packages,
    relationships: {
      met: (into, walk) => {
        into.relationshipsAt = walk.at;
        into.describes = [];
        into.hasDevelopment = false;
      },
      elements: relationship(describedBy),
      must: mustBeList('"relationships"'),
    },
  })),
};

export function readSpdx2(opened: Opened): SbomDocument {
  const { bytes } = opened;
  const into = new Reading(opened);
  const walk = new Walk(bytes, opened.at, into);
  walk.value(sbom);
  const root = { start: opened.at, end: walk.at };
  if (opened.whole) walk.scanner.finish();
  const specVersion = versionOf(into, opened);
  walk.throwRefusal();
  into.elements.requireAll(bytes);
  const edges = once(() => readSpdx2Relationships(bytes, into.relationshipsAt));
  const described = new Set([...into.documentDescribes, ...into.describes]);
  const roots = markRoots(into.components, described);
  if (into.hasDevelopment) markDevelopment(into.components, edges());
  const drafts = rootsFirst(roots, into.components);
  const document: SbomDocument = {
    format: "SPDX",
    specVersion,
    wrappers: opened.wrappers,
    serialNumber: into.namespace,
    generator: generatorOf(into.tools),
    signed: opened.signed,
    components: drafts,
    roots: roots.flatMap(({ bomRef }) => bomRef ?? []),
    get dependencies() {
      return edges().dependencies;
    },
    position: positions(bytes),
  };
  const { versionEnd, annotationsAt: noteAt, relationshipsAt } = into;
  const graph = () => spdx2Graph(bytes, relationshipsAt);
  return keepSource(document, { opened, drafts, root, versionEnd, noteAt, graph });
}

function versionOf({ spdxVersion }: Reading, opened: Opened): string {
  if (spdxVersion === undefined) throw noSbom(opened);
  const version = spdx2Version(spdxVersion);
  if (SPDX2_VERSIONS.includes(version)) return version;
  throw unsupportedVersion("SPDX", version, SPDX2_VERSIONS, `${opened.pointer}/spdxVersion`);
}
