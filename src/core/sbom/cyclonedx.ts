/** Reads CycloneDX JSON 1.2–1.7: the first step of the main path, for this format. */
import type { ComponentKind, ComponentScope, SbomDocument } from "../model.ts";
import { readCycloneDxDependencies } from "./cyclonedx-dependencies.ts";
import { PropertyReading, property } from "./cyclonedx-property.ts";
import { append, ComponentDraft, none, purlsOf, textsOf } from "./draft.ts";
import { noSbom, requireVersion } from "./faults.ts";
import { Words } from "./json/members.ts";
import { Texts } from "./json/texts.ts";
import { positions } from "./json/position.ts";
import { members, text, Walk, type Shape } from "./json/walk.ts";
import { once } from "./once.ts";
import { keepSource } from "./source.ts";
import type { Opened } from "./unwrap.ts";

const VERSIONS = ["1.2", "1.3", "1.4", "1.5", "1.6", "1.7"];

/** `type` decides what a component is to the gate; every other type is `other`. */
const KINDS = new Words<ComponentKind>({
  file: "file",
  "operating-system": "operating-system",
  "machine-learning-model": "model",
  data: "data",
});
const SCOPES = new Words<ComponentScope>({ required: "required", optional: "optional", excluded: "excluded" });

/** A component whose object is open, with what is decided only at its end. */
interface Level {
  readonly draft: ComponentDraft;
  readonly isRoot: boolean;
  /** Its place in the list, after which its nested components stand. */
  readonly place: number;
  scope: ComponentScope | undefined;
}

class Reading extends PropertyReading {
  readonly base: string;
  bomFormat: string | undefined;
  specVersion: string | undefined;
  serialNumber: string | undefined;
  documentSigned = false;
  componentsSigned = false;
  readonly tools: string[] = [];
  toolWords: string[] = [];
  readonly roots: ComponentDraft[] = [];
  readonly components: ComponentDraft[] = [];
  readonly levels: Level[] = [];
  /** The innermost of them. */
  level: Level | undefined = undefined;
  dependenciesAt: number | undefined;
  versionEnd = 0;
  metadataAt: number | undefined;

  constructor(base: string) {
    super();
    this.base = base;
  }

  /** The list that the open component belongs to: metadata may come after the components. */
  get list(): ComponentDraft[] {
    return this.levels[0]?.isRoot === true ? this.roots : this.components;
  }
}

type Field = "bomRef" | "group" | "version" | "publisher";
const field = (name: Field): Shape<Reading> =>
  text((into, value) => {
    if (into.level !== undefined) into.level.draft[name] = value;
  });
/** Any value that is not null is a signature; its form is the signer's affair. */
const signature = (note: (into: Reading, signed: boolean) => void): Shape<Reading> => ({
  met: (into, walk) => note(into, walk.peek() !== 0x6e),
});

const licenceText: Shape<Reading> = {
  text: (into, walk) => {
    const draft = into.level?.draft;
    if (draft !== undefined) draft.licenses = append(draft.licenses, walk.text());
  },
};
const licences: Shape<Reading> = {
  met: ({ level }) => {
    if (level !== undefined) level.draft.licenses = none();
  },
  elements: {
    members: members(() => ({
      license: { members: members(() => ({ id: licenceText, name: licenceText })) },
      expression: licenceText,
    })),
  },
};

const properties: Shape<Reading> = {
  met: (into, walk) => {
    into.clearProperties(into.level?.draft);
    if (into.level !== undefined) into.level.draft.entriesAt = walk.start;
  },
  elements: property((into) => into.level?.draft),
};

const componentMembers = members<Reading>(() => ({
  type: {
    met: ({ level }) => {
      if (level !== undefined) level.draft.kind = level.isRoot ? "root" : "other";
    },
    text: ({ level }, walk) => {
      const kind = KINDS.find(walk);
      if (level === undefined || kind === undefined) return;
      if (!level.isRoot || kind === "operating-system" || kind === "model") level.draft.kind = kind;
    },
  },
  "bom-ref": field("bomRef"),
  name: text(({ level }, value = "") => {
    if (level !== undefined) level.draft.name = value;
  }),
  group: field("group"),
  version: field("version"),
  publisher: field("publisher"),
  supplier: {
    met: ({ level }) => {
      if (level !== undefined) level.draft.supplier = undefined;
    },
    members: members(() => ({
      name: text(({ level }, value) => {
        if (level !== undefined) level.draft.supplier = value;
      }),
    })),
  },
  purl: text(({ level }, value) => {
    if (level !== undefined) level.draft.purls = purlsOf(value);
  }),
  cpe: text(({ level }, value) => {
    if (level !== undefined) level.draft.cpes = textsOf(value);
  }),
  scope: {
    met: ({ level }) => {
      if (level !== undefined) level.scope = undefined;
    },
    text: ({ level }, walk) => {
      if (level !== undefined) level.scope = SCOPES.find(walk);
    },
  },
  licenses: licences,
  properties,
  signature: signature((into, signed) => {
    into.componentsSigned ||= signed;
  }),
  components: {
    met: (into) => {
      if (into.level !== undefined) into.list.length = into.level.place + 1;
    },
    elements: component,
  },
}));

const component: Shape<Reading> = {
  open: (into, walk) => {
    const parent = into.level?.draft.pointer;
    begin(into, `${parent ?? into.base}/components/${walk.index}`, walk.start, false, parent);
  },
  close: finishComponent,
  members: componentMembers,
};
const rootComponent: Shape<Reading> = {
  met: (into) => {
    into.roots.length = 0;
  },
  open: (into, walk) => begin(into, `${into.base}/metadata/component`, walk.start, true),
  close: finishComponent,
  members: componentMembers,
};

function begin(into: Reading, pointer: string, start: number, isRoot: boolean, parent?: string): void {
  const draft = new ComponentDraft(pointer, start, parent);
  if (isRoot) draft.kind = "root";
  const list = isRoot || into.levels[0]?.isRoot === true ? into.roots : into.components;
  into.level = { draft, isRoot, place: list.length, scope: undefined };
  into.levels.push(into.level);
  into.markers.push({ development: false, otherGroup: false });
  list.push(draft);
}

function finishComponent(into: Reading, walk: Walk<Reading>): void {
  const level = into.levels.pop();
  into.level = into.levels[into.levels.length - 1];
  const development = into.popMarkers();
  if (level === undefined) return;
  level.draft.span = { start: walk.start, end: walk.at };
  level.draft.scope = development ? "development" : level.scope;
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
  members: members(() => ({
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
    },
    dependencies: {
      met: (into, walk) => {
        into.dependenciesAt = walk.at;
      },
    },
  })),
};

export function readCycloneDx(opened: Opened): SbomDocument {
  const { bytes } = opened;
  const into = new Reading(opened.pointer);
  const texts = new Texts(bytes);
  const walk = new Walk(bytes, opened.at, into, texts);
  walk.value(bom);
  const root = { start: opened.at, end: walk.at };
  if (opened.whole) walk.finish();
  if (into.bomFormat !== "CycloneDX") throw noSbom(opened);
  const specVersion = requireVersion("CycloneDX", into.specVersion, VERSIONS, opened);
  const dependencies = once(() => readCycloneDxDependencies(bytes, into.dependenciesAt, texts));
  const drafts = [...into.roots, ...into.components];
  const document: SbomDocument = {
    format: "CycloneDX",
    specVersion,
    wrappers: opened.wrappers,
    serialNumber: into.serialNumber,
    generator: into.tools.length === 0 ? undefined : into.tools.join("; "),
    signed: opened.signed || into.documentSigned || into.componentsSigned,
    components: drafts,
    roots: into.roots.slice(0, 1).flatMap(({ bomRef }) => bomRef ?? []),
    get dependencies() {
      return dependencies();
    },
    position: positions(bytes),
  };
  return keepSource(document, { opened, drafts, root, versionEnd: into.versionEnd, noteAt: into.metadataAt });
}
