/** Reads CycloneDX JSON 1.2–1.7: the first step of the main path, for this format. */
import { EolgateError } from "../errors.ts";
import type { ComponentKind, ComponentScope, SbomDocument } from "../model.ts";
import { CycloneDxComponent } from "./cyclonedx-component.ts";
import { cycloneDxGraph, readCycloneDxDependencies } from "./cyclonedx-dependencies.ts";
import { clearProperties, property, PropertyReading } from "./cyclonedx-property.ts";
import { CYCLONEDX_KINDS, CYCLONEDX_SCOPES, CYCLONEDX_VERSIONS, isForDevelopment } from "./cyclonedx-words.ts";
import { documentMembers } from "./format-keys.ts";
import { noSbom, requireVersion } from "./faults.ts";
import { Words } from "../../bytes/members.ts";
import { lineAndColumn, positions } from "../../bytes/position.ts";
import {
  isNull,
  members,
  mustBeList,
  mustBeObject,
  place,
  placeOrMistyped,
  text,
  Walk,
  type Shape,
} from "../../bytes/walk.ts";
import { once } from "./once.ts";
import { TextSource } from "./placed.ts";
import { keepSource } from "./source.ts";
import type { Opened } from "./unwrap.ts";

const KINDS = new Words<ComponentKind>(CYCLONEDX_KINDS);
const SCOPES = new Words<ComponentScope>(CYCLONEDX_SCOPES);

class Reading extends PropertyReading {
  /** Pointers of the two places where components begin. */
  readonly listPointer: string;
  readonly rootPointer: string;
  readonly texts: TextSource;
  bomFormat: string | undefined;
  specVersion: string | undefined;
  serialNumber: string | undefined;
  documentSigned = false;
  componentsSigned = false;
  readonly tools: string[] = [];
  toolWords: string[] = [];
  readonly roots: CycloneDxComponent[] = [];
  readonly components: CycloneDxComponent[] = [];
  /** The one of them that is being filled: metadata may come after the components. */
  list = this.components;
  dependenciesAt: number | undefined;
  versionEnd = 0;
  metadataAt: number | undefined;

  constructor({ pointer, bytes }: Opened) {
    super();
    this.listPointer = `${pointer}/components`;
    this.rootPointer = `${pointer}/metadata/component`;
    this.texts = new TextSource(bytes);
  }
}

type Place = "refAt" | "nameAt" | "groupAt" | "versionAt" | "publisherAt" | "supplierAt" | "cpeAt";
const placed = (field: Place): Shape<Reading> =>
  place(({ open }, at) => {
    if (open !== undefined) open[field] = at;
  });
/** Any value that is not null is a signature; its form is the signer's affair. */
const signature = (note: (into: Reading, signed: boolean) => void): Shape<Reading> => ({
  met: (into, walk) => note(into, !isNull(walk.scanner)),
});

const COMPONENTS = mustBeList('"components"');
const componentMembers = members<Reading>(() => ({
  type: {
    met: ({ open }) => {
      if (open !== undefined) open.kind = open.isRoot ? "root" : "other";
    },
    text: ({ open }, walk) => {
      const kind = KINDS.find(walk.scanner);
      if (open === undefined || kind === undefined) return;
      if (!open.isRoot || kind === "operating-system" || kind === "model") open.kind = kind;
    },
  },
  "bom-ref": placed("refAt"),
  name: placed("nameAt"),
  group: placed("groupAt"),
  version: placed("versionAt"),
  publisher: placed("publisherAt"),
  supplier: {
    met: ({ open }) => {
      if (open !== undefined) open.supplierAt = -1;
    },
    members: members(() => ({ name: placed("supplierAt") })),
  },
  purl: placeOrMistyped(({ open }, at) => {
    if (open !== undefined) open.purlAt = at;
  }),
  cpe: placed("cpeAt"),
  scope: {
    met: ({ open }) => {
      if (open !== undefined) open.scope = undefined;
    },
    text: ({ open }, walk) => {
      if (open !== undefined) open.scope = SCOPES.find(walk.scanner);
    },
  },
  licenses: {
    met: ({ open }, walk) => {
      if (open !== undefined) open.licencesAt = walk.start;
    },
  },
  properties: {
    met: ({ open }, walk) => {
      if (open === undefined) return;
      clearProperties(open);
      open.entriesAt = walk.start;
    },
    elements: property(),
  },
  signature: signature((into, signed) => {
    into.componentsSigned ||= signed;
  }),
  components: {
    met: ({ open, list }) => {
      if (open !== undefined) list.length = open.place + 1;
    },
    elements: component,
    must: COMPONENTS,
  },
}));

const component: Shape<Reading> = {
  open: (into, walk) => begin(into, walk.start, into.listPointer, walk.index),
  close: (into, walk) => end(into, walk),
  members: componentMembers,
  must: mustBeObject("a component"),
};
const rootComponent: Shape<Reading> = {
  met: (into) => {
    into.roots.length = 0;
  },
  open: (into, walk) => {
    into.list = into.roots;
    begin(into, walk.start, into.rootPointer, -1);
  },
  close: (into, walk) => {
    end(into, walk);
    into.list = into.components;
  },
  members: componentMembers,
  must: mustBeObject('"metadata.component"'),
};

function begin(into: Reading, start: number, base: string, index: number): void {
  if (into.open !== undefined && into.open.depth + 1 >= MAX_NESTING) throw tooDeep(into.texts.bytes, start);
  into.open = new CycloneDxComponent(into.texts, start, into.open, into.list.length, base, index);
  if (into.open.isRoot) into.open.kind = "root";
  into.list.push(into.open);
}

/** A pointer names every component around a component, so reports of unlimited nesting would grow with its square. */
const MAX_NESTING = 200;

const tooDeep = (bytes: Uint8Array, at: number): EolgateError =>
  EolgateError.of("nesting-too-deep", { levels: MAX_NESTING }, { where: lineAndColumn(bytes, at) });

function end(into: Reading, walk: Walk<Reading>): void {
  const { open } = into;
  if (open === undefined) return;
  open.end = walk.at;
  if (isForDevelopment(open)) open.scope = "development";
  into.open = open.outer;
}

const toolWord: Shape<Reading> = { text: (into, walk) => void into.toolWords.push(walk.text()) };
const tool: Shape<Reading> = {
  open: (into) => {
    into.toolWords = [];
  },
  close: (into) => void into.tools.push(into.toolWords.join(" ")),
  members: members(() => ({ vendor: toolWord, group: toolWord, name: toolWord, version: toolWord })),
};

const bom: Shape<Reading> = {
  members: documentMembers("cyclonedx", () => ({
    bomFormat: text((into, value) => {
      into.bomFormat = value;
    }),
    specVersion: {
      met: (into) => {
        into.specVersion = undefined;
      },
      text: (into, walk) => {
        into.specVersion = walk.text();
        into.versionEnd = walk.at;
      },
    },
    serialNumber: text((into, value) => {
      into.serialNumber = value;
    }),
    signature: signature((into, signed) => {
      into.documentSigned = signed;
    }),
    metadata: {
      met: (into, walk) => {
        into.roots.length = 0;
        into.tools.length = 0;
        into.metadataAt = walk.start;
      },
      must: mustBeObject('"metadata"'),
      members: members(() => ({
        component: rootComponent,
        tools: {
          met: (into) => {
            into.tools.length = 0;
          },
          elements: tool,
          members: members(() => ({ components: { elements: tool } })),
        },
      })),
    },
    components: {
      met: (into) => {
        into.components.length = 0;
      },
      elements: component,
      must: COMPONENTS,
    },
    dependencies: {
      must: mustBeList('"dependencies"'),
      met: (into, walk) => {
        into.dependenciesAt = walk.at;
      },
    },
  })),
};

export function readCycloneDx(opened: Opened): SbomDocument {
  const { bytes } = opened;
  const into = new Reading(opened);
  const walk = new Walk(bytes, opened.at, into);
  walk.value(bom);
  const root = { start: opened.at, end: walk.at };
  if (opened.whole) walk.scanner.finish();
  if (into.bomFormat !== "CycloneDX") throw noSbom(opened);
  const specVersion = requireVersion("CycloneDX", into.specVersion, CYCLONEDX_VERSIONS, opened);
  walk.throwRefusal();
  const { roots, versionEnd, metadataAt: noteAt, dependenciesAt } = into;
  const components = roots.length === 0 ? into.components : [...roots, ...into.components];
  const dependencies = once(() => readCycloneDxDependencies(bytes, dependenciesAt));
  const document: SbomDocument = {
    format: "CycloneDX",
    specVersion,
    wrappers: opened.wrappers,
    serialNumber: into.serialNumber,
    generator: into.tools.length === 0 ? undefined : into.tools.join("; "),
    signed: opened.signed || into.documentSigned || into.componentsSigned,
    components,
    roots: roots.slice(0, 1).flatMap(({ bomRef }) => bomRef ?? []),
    get dependencies() {
      return dependencies();
    },
    position: positions(bytes),
  };
  return keepSource(document, {
    opened,
    drafts: components,
    root,
    versionEnd,
    noteAt,
    graph: () => cycloneDxGraph(bytes, dependenciesAt),
  });
}
