/**
 * Reads files of a project that name its runtimes and packages: version pins, lockfiles and build files. Each one
 * becomes a document.
 */
import type { CatalogueFacts, ParsedDocument } from "../model/index.ts";
import { orNotRead } from "../messages/not-read.ts";
import { inventoryDocument, inventoryDocuments, type InventoryContents } from "./document.ts";
import { lockfileKindOf, lockfileKindOfText, readLockfile, type LockfileKindName } from "./lockfiles/kinds.ts";
import { pinKindOf, pinKindOfText, pinsOf, type PinKindName } from "./pins/kinds.ts";
import { type NamedPin, stackPins } from "./pins/pin.ts";
import type { RunningImage } from "./pins/workloads.ts";
import { refuseConflictMarkers } from "./errors.ts";
import { toolResultOf } from "../sbom/tool-results.ts";
import { type RelatedFiles } from "./lockfiles/lockfile.ts";

/**
 * The readers of a file. A file may contain both pins and packages (`go.mod` has a toolchain and modules); at least one
 * is set.
 */
export interface InventoryKind {
  readonly pins: PinKindName | undefined;
  readonly lockfile: LockfileKindName | undefined;
  /** The text of the file decided, and not its name. */
  readonly byText?: true;
}

export type PinFacts = Pick<CatalogueFacts, "tools">;

/**
 * Returns the readers of a file at a path (with `/`), by its name.
 * @param look Returns the beginning of the text, which decides for a file without a known name.
 */
export function inventoryKindOf(path: string, look?: () => string | undefined): InventoryKind | undefined {
  const pins = pinKindOf(path);
  const lockfile = lockfileKindOf(path);
  if (pins !== undefined || lockfile !== undefined) return { pins, lockfile };
  return look === undefined || !isLookedAt(path) ? undefined : kindOfText(look() ?? "");
}

/** The beginning of an SBOM, or of an attestation that contains one. */
const SBOM =
  /"bomFormat"|xmlns="http:\/\/cyclonedx|"spdxVersion"|^SPDXVersion:|spdx\.org\/rdf|"payloadType"|"predicateType"/m;

/** Whether the beginning of a text is that of an SBOM. */
export const showsSbom = (text: string): boolean => SBOM.test(text.slice(0, 2000));

function kindOfText(text: string): InventoryKind | undefined {
  if (showsSbom(text) || toolResultOf(text) !== undefined) return undefined;
  const lockfile = lockfileKindOfText(text);
  const pins = lockfile === undefined ? pinKindOfText(text) : undefined;
  return lockfile === undefined && pins === undefined ? undefined : { pins, lockfile, byText: true };
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Extensions of programs, documents, pictures and other data, which neither name a file as an input nor are looked at. */
const NO_INPUTS = setOf(
  "ts tsx mts cts js jsx mjs cjs vue svelte py pyi pyc pyx go java kt scala clj cs fs vb c h cc cpp cxx hpp hh m mm rs rb erb php pl pm lua r " +
    "jl ex exs erl hs ml swift dart zig asm s wat proto thrift graphql sql css scss sass less styl html htm md mdx rst adoc tex po pot mo " +
    "png jpg jpeg gif svg ico webp avif bmp tiff psd ttf otf woff woff2 eot mp3 mp4 wav ogg webm mov pdf doc docx xls xlsx ppt pptx odt " +
    "bin exe dll so dylib a o lib class wasm map snap csv tsv parquet avro db sqlite log diff patch pem crt key pub asc sig ipynb",
);

/** Extensions of inputs that are known by their whole name, and that are not looked at. */
const ONLY_NAMED = setOf(
  "att bom cdx csproj ear fsproj gz jar jsonld mod nix pod properties props rdf spdx spdx3 sum tar targets txt vbproj war whl work xml zip",
);

/** Names whose extension does not decide. */
const WHOLE_NAME =
  /^(?:docker|container|jenkins)file|^(?:setup\.py|conanfile\.py|noxfile\.py|mix\.exs|package\.swift|serverless\.[jt]s)$/i;
/** Extensions of templates and copies: `compose.yml.j2` is YAML. */
const COPY =
  /\.(?:j2|jinja2?|erb|ejs|hbs|mustache|tmpl|tpl|gotmpl|template|in|dist|example|sample|default|bak|old|orig)$/i;

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const bare = name.replace(COPY, "");
  const dot = bare.lastIndexOf(".");
  return dot <= 0 || WHOLE_NAME.test(bare) ? "" : bare.slice(dot + 1).toLowerCase();
}

/** Whether a file can be an input, by a cheap test of its name: most files of a project are not. */
export const mayBeInput = (path: string): boolean => !NO_INPUTS.has(extensionOf(path));

/** Whether the text of a file without a known name can show that it is an input. */
export function isLookedAt(path: string): boolean {
  // The files of this program name products without using them.
  if (/(?:^|\/)\.?eolgate[\w.-]*$/.test(path)) return false;
  const extension = extensionOf(path);
  return !NO_INPUTS.has(extension) && !ONLY_NAMED.has(extension);
}

/** Bytes as the text that decides the kind; undefined for bytes that contain a zero, which no text does. */
export const shownText = (bytes: Uint8Array): string | undefined =>
  bytes.includes(0) ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");

/** The name under which reports count a kind. */
export const inventoryKindName = ({ pins, lockfile }: InventoryKind): string => lockfile ?? pins ?? "";

/**
 * Reads a file as a document.
 * @param facts The names of tools, from the catalogue.
 * @param related Reads the files that this one refers to. Without it, their content is unknown.
 * @throws EolgateError `input` with the line, for a file that cannot be read completely
 */
export function readInventory(
  kind: InventoryKind,
  bytes: Uint8Array,
  facts: PinFacts,
  related: RelatedFiles = () => undefined,
): Promise<ParsedDocument> {
  return orNotRead(() => inventoryDocument(bytes, (text) => contentsOf(kind, text, { facts, related })));
}

/**
 * Reads the images of what runs in a cluster, a document for each. None for a text that is no answer of a cluster.
 * @throws EolgateError `input` with the line, for a text that cannot be read completely
 */
export function readRunning(
  bytes: Uint8Array,
  facts: PinFacts,
): Promise<readonly (readonly [RunningImage, ParsedDocument])[]> {
  return orNotRead(async () => {
    const { runningContents } = await import("./pins/workloads.ts");
    return inventoryDocuments(bytes, async (text) => runningContents(text, facts.tools));
  });
}

async function contentsOf(
  { pins, lockfile, byText }: InventoryKind,
  text: string,
  { facts, related }: { readonly facts: PinFacts; readonly related: RelatedFiles },
): Promise<InventoryContents> {
  if (byText === undefined) refuseConflictMarkers(text);
  const read = (kind: PinKindName) => pinsOf(kind, text, { names: facts.tools, related });
  const pinned = pins === undefined ? [] : await (byText ? loosePins(pins, text, read) : read(pins));
  if (lockfile === undefined) return { format: "pins", specVersion: pins ?? "", entries: pinned };
  const { formatVersion, packages, direct } = await readLockfile(lockfile, text, related);
  return {
    format: "lockfile",
    specVersion: formatVersion === "" ? lockfile : `${lockfile} ${formatVersion}`,
    entries: [...pinned, ...packages],
    ...(direct && { direct }),
  };
}

/** What a template language writes: such a text is not yet of its kind. */
const TEMPLATE = /\{\{|\{%|<%|<<[\w ]|@@|\$\{/;

/** The pins of a text that looks like a kind. Where the reader of the kind finds none, it is configuration of any kind. */
async function loosePins(
  kind: PinKindName,
  text: string,
  read: (kind: PinKindName) => Promise<readonly NamedPin[]>,
): Promise<readonly NamedPin[]> {
  try {
    const pins = await read(kind);
    if (pins.length > 0 || kind === "configuration") return pins;
  } catch (cause) {
    if (!TEMPLATE.test(text)) throw cause;
  }
  return read("configuration");
}

/**
 * Reads the value of `--stack`, such as `nodejs:18,python:3.11`, as a document.
 * @throws EolgateError `usage`
 */
export function readStack(stack: string): Promise<ParsedDocument> {
  return inventoryDocument(new TextEncoder().encode(stack), async (text) => ({
    format: "pins",
    specVersion: "stack",
    entries: stackPins(text),
  }));
}
