/** Reads SPDX JSON 2.2 and 2.3: the first step of the main path, for this format. */
import type { ComponentKind, SbomDocument } from "../model.ts";
import { asPurl } from "../ids.ts";
import { append, ComponentDraft, none } from "./draft.ts";
import { noSbom, unsupportedVersion } from "./faults.ts";
import { Words } from "./json/members.ts";
import { positions } from "./json/position.ts";
import { Texts } from "./json/texts.ts";
import { members, text, Walk, type Shape } from "./json/walk.ts";
import { once } from "./once.ts";
import { agentName, isStated, markDevelopment, markRoots, rootsFirst } from "./spdx-roles.ts";
import { describedBy, readSpdx2Relationships, relationship, type DescribingReading } from "./spdx2-relationships.ts";
import { keepSource } from "./source.ts";
import type { Opened } from "./unwrap.ts";

const VERSIONS = ["2.2", "2.3"];
const VERSION_PREFIX = "SPDX-";

/** Both spellings stand in real documents. */
const KINDS = new Words<ComponentKind>({
  FILE: "file",
  "OPERATING-SYSTEM": "operating-system",
  OPERATING_SYSTEM: "operating-system",
});

/** By type alone: the category is written PACKAGE-MANAGER, PACKAGE_MANAGER, SECURITY, and says nothing more. */
const REFERENCES = new Words<"purl" | "cpe">({
  purl: "purl",
  "http://spdx.org/rdf/references/purl": "purl",
  cpe23Type: "cpe",
  "http://spdx.org/rdf/references/cpe23Type": "cpe",
  cpe22Type: "cpe",
  "http://spdx.org/rdf/references/cpe22Type": "cpe",
});

class Reading implements DescribingReading {
  readonly base: string;
  spdxVersion: string | undefined;
  namespace: string | undefined;
  tools: string[] = [];
  readonly components: ComponentDraft[] = [];
  draft: ComponentDraft;
  concluded: string | undefined;
  declared: string | undefined;
  reference: "purl" | "cpe" | undefined;
  locator: string | undefined;
  documentDescribes: string[] = [];
  describes: string[] = [];
  hasDevelopment = false;
  relationshipsAt: number | undefined;
  versionEnd = 0;
  annotationsAt: number | undefined;
  relation = undefined;
  elementStart = -1;
  elementEnd = -1;
  relatedStart = -1;
  relatedEnd = -1;

  constructor(base: string) {
    this.base = base;
    this.draft = new ComponentDraft(base, 0);
  }
}

const externalReference: Shape<Reading> = {
  open: (into) => {
    into.reference = undefined;
    into.locator = undefined;
  },
  members: members(() => ({
    referenceType: {
      met: (into) => {
        into.reference = undefined;
      },
      text: (into, walk) => {
        into.reference = REFERENCES.find(walk);
      },
    },
    referenceLocator: text((into, value) => {
      into.locator = value;
    }),
  })),
  close: ({ draft, reference, locator }) => {
    if (reference === undefined || locator === undefined || locator.trim() === "") return;
    if (reference === "cpe") draft.cpes = append(draft.cpes, locator);
    else draft.purls = append(draft.purls, asPurl(locator));
  },
};

const packageMembers = members<Reading>(() => ({
  SPDXID: text(({ draft }, value) => {
    draft.bomRef = value;
  }),
  name: text(({ draft }, value = "") => {
    draft.name = value;
  }),
  versionInfo: text(({ draft }, value) => {
    draft.version = value;
  }),
  supplier: text(({ draft }, value) => {
    draft.supplier = agentName(value);
  }),
  originator: text(({ draft }, value) => {
    draft.publisher = agentName(value);
  }),
  licenseConcluded: text((into, value) => {
    into.concluded = value;
  }),
  licenseDeclared: text((into, value) => {
    into.declared = value;
  }),
  primaryPackagePurpose: {
    met: ({ draft }) => {
      draft.kind = "other";
    },
    text: ({ draft }, walk) => {
      draft.kind = KINDS.find(walk) ?? "other";
    },
  },
  validUntilDate: text(({ draft }, value) => {
    const pointer = `${draft.pointer}/validUntilDate`;
    draft.declared = value === undefined ? none() : [{ milestone: "end-of-support", value, pointer }];
  }),
  annotations: {
    met: ({ draft }, walk) => {
      draft.entriesAt = walk.start;
    },
  },
  externalRefs: {
    met: ({ draft }) => {
      draft.purls = none();
      draft.cpes = none();
    },
    elements: externalReference,
  },
}));

const packages: Shape<Reading> = {
  met: (into) => {
    into.components.length = 0;
  },
  elements: {
    open: (into, walk) => {
      into.draft = new ComponentDraft(`${into.base}/packages/${walk.index}`, walk.start);
      into.concluded = undefined;
      into.declared = undefined;
      into.components.push(into.draft);
    },
    members: packageMembers,
    close: ({ draft, concluded, declared }, walk) => {
      draft.span = { start: walk.start, end: walk.at };
      // What the document's author concluded stands above what the package declares.
      const licence = isStated(concluded) ? concluded : declared;
      if (isStated(licence)) draft.licenses = [licence];
    },
  },
};

const texts = (list: (into: Reading) => string[]): Shape<Reading> => ({
  met: (into) => {
    list(into).length = 0;
  },
  elements: { text: (into, walk) => void list(into).push(walk.text()) },
});

const sbom: Shape<Reading> = {
  members: members(() => ({
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
    documentNamespace: text((into, value) => {
      into.namespace = value;
    }),
    creationInfo: { members: members(() => ({ creators: texts((into) => into.tools) })) },
    documentDescribes: texts((into) => into.documentDescribes),
    packages,
    relationships: {
      met: (into, walk) => {
        into.relationshipsAt = walk.at;
        into.describes = [];
        into.hasDevelopment = false;
      },
      elements: relationship(describedBy),
    },
  })),
};

export function readSpdx2(opened: Opened): SbomDocument {
  const { bytes } = opened;
  const into = new Reading(opened.pointer);
  const kept = new Texts(bytes);
  const walk = new Walk(bytes, opened.at, into, kept);
  walk.value(sbom);
  const root = { start: opened.at, end: walk.at };
  if (opened.whole) walk.finish();
  const specVersion = versionOf(into, opened);
  const edges = once(() => readSpdx2Relationships(bytes, into.relationshipsAt, kept));
  const described = new Set([...into.documentDescribes, ...into.describes]);
  const roots = markRoots(into.components, described, edges);
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
  return keepSource(document, { opened, drafts, root, versionEnd: into.versionEnd, noteAt: into.annotationsAt });
}

function versionOf({ spdxVersion }: Reading, opened: Opened): string {
  if (spdxVersion === undefined) throw noSbom(opened);
  const version = spdxVersion.startsWith(VERSION_PREFIX) ? spdxVersion.slice(VERSION_PREFIX.length) : spdxVersion;
  if (VERSIONS.includes(version)) return version;
  throw unsupportedVersion("SPDX", version, VERSIONS, `${opened.pointer}/spdxVersion`);
}

function generatorOf(creators: readonly string[]): string | undefined {
  const tools = creators.filter((creator) => creator.startsWith("Tool:")).map((creator) => creator.slice(5).trim());
  return tools.length === 0 ? undefined : tools.join("; ");
}
