/** Reads every SBOM, lockfile and file with version pins of a project, each as a document of the report. */
import { join, posix } from "node:path";
import { digestOf } from "../../platform/file-source.ts";
import { EolgateError } from "../../messages/error.ts";
import {
  type InventoryKind,
  type PinFacts,
  inventoryKindName,
  inventoryKindOf,
  mayBeInput,
  readInventory,
  showsSbom,
} from "../../files/read.ts";
import { orNotRead } from "../../messages/not-read.ts";
import { referencesOf } from "../../files/references.ts";
import { toolResultOf } from "../../sbom/tool-results.ts";
import type { FailedDocument, FolderCoverage, UnreadFiles } from "../../model/index.ts";
import { BEGINNING } from "../../platform/bounded-file.ts";
import { collectFailure, type FolderContents, type FolderInput } from "../input.ts";
import { type FileTree, diskTree } from "./file-tree.ts";
import { isSbomName, isVexName, lacksLockfile, type UnreadKind, unreadKindOf } from "./names.ts";
import type { Exclusion } from "./walk.ts";

/** Maximum size of a file; lockfiles of the largest monorepos are smaller. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Maximum size of a file without a known name; larger ones are data. */
const MAX_LOOSE_BYTES = 4 * 1024 * 1024;
const EXAMPLES = 3;

/**
 * Reads the folder of `eolgate check DIR`, in the order of the paths. A file that cannot be read is among the inputs
 * with its error.
 * @throws EolgateError `input` when the folder cannot be read, or nothing in it can be assessed.
 */
export async function readFolder(
  folder: string,
  cwd: string,
  { facts, exclude }: FolderOptions,
): Promise<FolderContents> {
  const contents = await readTree(diskTree(folder, cwd, exclude), { facts });
  if (contents.inputs.length === 0) throw nothingFound(folder, contents.coverage);
  return contents;
}

export interface FolderOptions extends TreeOptions {
  readonly exclude?: Exclusion | undefined;
}

export interface TreeOptions {
  /** The names of tools, from the catalogue. */
  readonly facts: PinFacts;
  /** Read only version pins, because the packages come from another source. */
  readonly pinsOnly?: boolean;
}

/** Reads the inputs of a file tree; there may be none. */
export async function readTree(tree: FileTree, options: TreeOptions): Promise<FolderContents> {
  const reader = new FolderReader(tree, options);
  for (const path of tree.found.files.filter(mayBeInput)) await reader.add(path);
  await reader.addDeferred();
  return reader.contents();
}

/** A file that another one includes, as that one writes it. */
interface Reference {
  readonly kind: InventoryKind;
  readonly from: string;
  readonly target: string;
}

class FolderReader {
  private readonly folder: string;
  private readonly tree: FileTree;
  private readonly pinsOnly: boolean;
  private readonly facts: PinFacts;
  private readonly paths: ReadonlySet<string>;
  /** The kind and path of each file that was read. */
  private readonly reached = new Set<string>();
  /** The paths of files in which a reader found components. No other reader takes them again. */
  private readonly taken = new Set<string>();
  /** What files that are known by name include; read after all files of known names. */
  private readonly references: Reference[] = [];
  /** Files that are known by content; read after what others include. */
  private readonly loose: { readonly kind: InventoryKind; readonly path: string }[] = [];
  private readonly inputs: { readonly path: string; readonly input: FolderInput }[] = [];
  private readonly read = new Map<string, number>();
  private readonly unread = new Map<string, { kind: string; reason: UnreadFiles["reason"]; paths: string[] }>();

  constructor(tree: FileTree, { facts, pinsOnly = false }: TreeOptions) {
    this.folder = tree.name;
    this.tree = tree;
    this.pinsOnly = pinsOnly;
    this.facts = facts;
    this.paths = new Set(tree.found.files);
  }

  async add(path: string): Promise<void> {
    let shown: string | undefined;
    const kind = inventoryKindOf(path, () => (shown = this.look(path)));
    if (this.pinsOnly) return this.addPins(kind, path);
    const text = (): string | undefined => this.tree.text(path);
    const unread = unreadKindOf(path, text);
    if (lacksLockfile(path, this.paths, text)) {
      this.note(path.slice(path.lastIndexOf("/") + 1), "no-lockfile", path);
    }
    if (isSbomName(path)) await this.addSbom(path);
    else if (kind?.byText) this.loose.push({ kind, path });
    else if (kind !== undefined && unread === undefined) await this.addInventory(kind, path);
    else this.noteUnread(unread ?? unreadByText(path, shown ?? ""), path);
  }

  private async addPins(kind: InventoryKind | undefined, path: string): Promise<void> {
    if (kind?.pins === undefined) return;
    if (kind.byText) this.loose.push({ kind: { ...kind, lockfile: undefined }, path });
    else await this.addInventory({ ...kind, lockfile: undefined }, path);
  }

  /** Reads what files of known names include, and then the files that nothing but their content shows as inputs. */
  async addDeferred(): Promise<void> {
    await this.addReferences();
    for (const { kind, path } of this.loose) {
      if (this.taken.has(path)) continue;
      await this.addInventory(kind, path);
      await this.addReferences();
      if (!this.taken.has(path))
        this.noteUnread(
          unreadKindOf(path, () => this.tree.text(path)),
          path,
        );
    }
  }

  private async addReferences(): Promise<void> {
    for (let next = this.references.shift(); next !== undefined; next = this.references.shift())
      await this.addReference(next);
  }

  /** The text that decides the kind of a file. Manifests are often appended to one another, so YAML is read as a whole. */
  private look(path: string): string | undefined {
    const text = this.tree.beginning(path);
    if (text === undefined || text.length < BEGINNING || !/\.ya?ml$/.test(path)) return text;
    if (this.tree.size(path) <= MAX_LOOSE_BYTES) return this.tree.text(path);
    this.note("YAML files", "too-large", path);
    return undefined;
  }

  private async addSbom(path: string): Promise<void> {
    this.count("SBOM");
    this.inputs.push({ path, input: await collectFailure(join(this.folder, path), () => this.tree.sbom(path)) });
  }

  private async addInventory(kind: InventoryKind, path: string): Promise<void> {
    const file = join(this.folder, path);
    const isLoose = kind.byText === true;
    let references: readonly string[] = [];
    let mentions = false;
    this.reached.add(`${inventoryKindName(kind)} ${path}`);
    const input = await collectFailure(file, async () => {
      const bytes = this.readBytes(path, isLoose ? MAX_LOOSE_BYTES : undefined);
      if (bytes === undefined) return undefined;
      const related = this.tree.related(path);
      const reread = (text: Uint8Array) => readInventory(kind, text, this.facts, related);
      const document = await reread(bytes);
      const text = new TextDecoder().decode(bytes);
      references = isLoose ? looseReferences(kind, text) : await orNotRead(() => referencesOf(kind, text));
      mentions =
        isLoose &&
        kind.pins !== undefined &&
        document.components.length === 0 &&
        (await import("../../files/pins/configuration.ts")).mentionsImages(text);
      return { file, digest: () => digestOf(bytes), document, partOf: this.folder, reread };
    });
    if (input === undefined) this.note(inventoryKindName(kind), "too-large", path);
    // A text that only looks like a kind does not count as read.
    const isEmpty = input === undefined || ("document" in input && input.document.components.length === 0);
    if (!isEmpty) {
      this.inputs.push({ path, input });
      this.taken.add(path);
    }
    if (mentions) this.note("files", "mentions-images", path);
    if (!isEmpty || !isLoose) this.count(inventoryKindName(kind));
    this.references.push(...references.map((target) => ({ kind, from: path, target })));
  }

  /** Reads an included file like the one that includes it, unless another reader has found something in it. */
  private async addReference({ kind: { pins, lockfile }, from, target }: Reference): Promise<void> {
    const path = posix.join(target.startsWith("/") ? "." : posix.dirname(from), target).replace(/^\//, "");
    const kind: InventoryKind = { pins, lockfile };
    if (this.taken.has(path) || this.reached.has(`${inventoryKindName(kind)} ${path}`)) return;
    if (this.paths.has(path)) await this.addInventory(kind, path);
    else this.note(`files that ${inventoryKindName(kind)} includes`, "not-supported", target);
  }

  /** The file's bytes, or undefined above `softLimit`. Throws `unreadable` and `too-large`. */
  private readBytes(path: string, softLimit: number | undefined): Uint8Array | undefined {
    const size = this.tree.size(path);
    if (softLimit !== undefined && size > softLimit) return undefined;
    if (size > MAX_BYTES)
      throw EolgateError.of("too-large", {
        problem: `the file has ${size} bytes, more than the limit of ${MAX_BYTES}`,
        advice: "Exclude it with --exclude.",
      });
    return this.tree.bytes(path);
  }

  /** Notes a file that is not read, and the programs of which it is the sign. */
  private noteUnread(unread: Omit<UnreadKind, "path"> | undefined, path: string): void {
    if (unread === undefined) return;
    const { name, programs } = unread;
    this.note(name, "not-supported", path);
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    for (const file of programs ? this.paths : []) {
      if (file.startsWith(folder) && programs?.test(file.slice(folder.length))) this.note(name, "not-supported", file);
    }
  }

  private count(kind: string): void {
    this.read.set(kind, (this.read.get(kind) ?? 0) + 1);
  }

  private note(kind: string, reason: UnreadFiles["reason"], path: string): void {
    const key = `${reason} ${kind}`;
    const known = this.unread.get(key) ?? { kind, reason, paths: [] };
    known.paths.push(join(this.folder, path));
    this.unread.set(key, known);
  }

  /** Notes the inputs among the files that a pattern leaves out, by their names. */
  private noteOmitted(): void {
    for (const path of this.tree.found.omitted.filter(mayBeInput)) {
      const kind = inventoryKindOf(path);
      const name = isSbomName(path) ? "SBOM" : kind && inventoryKindName(kind);
      if (name !== undefined) this.note(name, "omitted", path);
    }
  }

  async contents(): Promise<FolderContents> {
    this.noteOmitted();
    const { directories, ...skipped } = this.tree.found.skipped;
    const unreadable = await Promise.all(
      this.tree.found.unreadable.map(({ path, code }) => unreadableFolder(join(this.folder, path), code)),
    );
    const order = new Map(this.tree.found.files.map((path, at) => [path, at]));
    const inOrder = this.inputs.toSorted((a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0));
    return {
      inputs: [...unreadable, ...inOrder.map(({ input }) => input)],
      coverage: {
        folder: this.folder,
        read: [...this.read].map(([kind, files]) => ({ kind, files })),
        notRead: [...this.unread.values()].map(({ kind, reason, paths }) => ({
          kind,
          reason,
          count: paths.length,
          examples: paths.slice(0, EXAMPLES),
        })),
        skipped: { ...skipped, directories: [...directories].map(([name, count]) => ({ name, count })) },
      },
    };
  }
}

/** A VEX document has the format of an SBOM and lists no components. */
function unreadByText(path: string, shown: string): Pick<UnreadKind, "name"> | undefined {
  if (showsSbom(shown)) return isVexName(path) ? undefined : { name: "SBOMs by another name" };
  return toolResultOf(shown) && { name: "results of other tools" };
}

/** A template cannot be parsed, and its images were found without that. */
function looseReferences(kind: InventoryKind, text: string): readonly string[] {
  try {
    return referencesOf(kind, text);
  } catch {
    return [];
  }
}

/** The error of a subfolder, as an entry of the report: the other folders are still read. */
const unreadableFolder = (file: string, code: string): Promise<FailedDocument> =>
  collectFailure(file, () =>
    Promise.reject(
      EolgateError.of("unreadable", {
        problem: `the folder cannot be read (${code})`,
        advice: "Check that it exists and its permissions, or exclude it with --exclude.",
      }),
    ),
  );

/** The error for a project without any file that could be assessed. */
export function nothingFound(folder: string, { notRead, skipped: { excluded } }: FolderCoverage): EolgateError {
  const unread = notRead.map(({ kind, count }) => `${kind} (${count})`).join(", ");
  return EolgateError.of("nothing-to-check", { unread, excluded }).at(folder);
}
