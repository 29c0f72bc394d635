/** `eolgate check DIR`: every SBOM, lockfile and version pin below a folder, each as a document of the report. */
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { digestOf } from "../../catalogue/file.ts";
import { EolgateError } from "../../core/errors.ts";
import { inventoryKindName, inventoryKindOf, readInventory } from "../../core/inventory/read.ts";
import type { InventoryKind } from "../../core/inventory/read.ts";
import type { FailedDocument, FolderCoverage, UnreadFiles } from "../../core/model.ts";
import { collectFailure } from "../failed-document.ts";
import { readInput, unreadable } from "../input.ts";
import type { Input } from "../input.ts";
import type { FolderContents, FolderInput } from "./inputs.ts";
import { RelatedReader } from "./related.ts";
import { isSbomName } from "./sbom-names.ts";
import { lacksLockfile, unreadKindOf } from "./unread.ts";
import { walkFolder } from "./walk.ts";
import type { Exclusion, FolderFiles } from "./walk.ts";

/** Lockfiles of the largest monorepos stay below it. */
const MAX_BYTES = 64 * 1024 * 1024;
/** YAML files that people write; above it is data that happens to end in `.yaml`. */
const MAX_YAML_BYTES = 4 * 1024 * 1024;
const EXAMPLES = 3;

/**
 * Files in the order of their paths; one that cannot be read is among the inputs with its error.
 * @throws EolgateError `input` when the folder cannot be read, or nothing in it can be judged.
 */
export async function readFolder(folder: string, cwd: string, exclude?: Exclusion): Promise<FolderContents> {
  const root = resolve(cwd, folder);
  const found = walkFolder(root, exclude);
  const reader = new FolderReader(folder, root, found);
  for (const path of found.files) await reader.add(path);
  const contents = await reader.contents();
  if (contents.inputs.length === 0) throw nothingFound(folder, contents.coverage);
  return contents;
}

const noStandardInput = (): Promise<Uint8Array> => Promise.reject(new TypeError("a folder has no standard input"));

class FolderReader {
  private readonly folder: string;
  private readonly root: string;
  private readonly found: FolderFiles;
  private readonly paths: ReadonlySet<string>;
  private readonly related: RelatedReader;
  private readonly inputs: FolderInput[] = [];
  private readonly read = new Map<string, number>();
  private readonly unread = new Map<string, { kind: string; reason: UnreadFiles["reason"]; paths: string[] }>();

  constructor(folder: string, root: string, found: FolderFiles) {
    this.folder = folder;
    this.root = root;
    this.found = found;
    this.paths = new Set(found.files);
    this.related = new RelatedReader(root);
  }

  async add(path: string): Promise<void> {
    const unread = unreadKindOf(path);
    const kind = inventoryKindOf(path);
    if (lacksLockfile(path, this.paths, () => textOrEmpty(join(this.root, path)))) {
      this.note(path.slice(path.lastIndexOf("/") + 1), "no-lockfile", path);
    }
    if (isSbomName(path)) await this.addSbom(path);
    else if (unread) this.note(unread.name, "not-supported", path);
    else if (kind) await this.addInventory(kind, path);
  }

  private async addSbom(path: string): Promise<void> {
    const file = join(this.folder, path);
    const input = await collectFailure(file, async () => {
      const read = await readInput(resolve(this.root, path), this.root, noStandardInput);
      return withFile(read, file, this.folder);
    });
    this.count("SBOM");
    this.inputs.push(input);
  }

  private async addInventory(kind: InventoryKind, path: string): Promise<void> {
    const file = join(this.folder, path);
    const absolute = join(this.root, path);
    const isLoose = kind.pins === "kubernetes" && kind.lockfile === undefined;
    const input = await collectFailure(file, async () => {
      const bytes = readBytes(file, absolute, isLoose ? MAX_YAML_BYTES : undefined);
      if (bytes === undefined) return undefined;
      const document = await readInventory(kind, bytes, this.related.of(absolute));
      return { file, digest: digestOf(bytes), document, partOf: this.folder };
    });
    if (input === undefined) this.note("YAML files", "too-large", path);
    // Most YAML files are no manifests of Kubernetes: those are nothing that was read.
    const isEmpty = input === undefined || ("document" in input && input.document.components.length === 0);
    if (!isEmpty) this.inputs.push(input);
    if (!isEmpty || !isLoose) this.count(inventoryKindName(kind));
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

  async contents(): Promise<FolderContents> {
    const { directories, ...skipped } = this.found.skipped;
    const unreadable = await Promise.all(
      this.found.unreadable.map(({ path, code }) => unreadableFolder(join(this.folder, path), code)),
    );
    return {
      inputs: [...unreadable, ...this.inputs],
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

/** The file's bytes, or undefined above `softLimit`. Throws `unreadable` and `file-too-large`. */
function readBytes(file: string, path: string, softLimit: number | undefined): Uint8Array | undefined {
  const size = orUnreadable(file, () => statSync(path).size);
  if (softLimit !== undefined && size > softLimit) return undefined;
  if (size > MAX_BYTES) throw EolgateError.of("file-too-large", { bytes: size, limit: MAX_BYTES });
  return orUnreadable(file, () => readFileSync(path));
}

function orUnreadable<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** An unreadable file is reported when its content is read; here it counts as empty. */
function textOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** The digest stays computed on demand. */
function withFile(input: Input, file: string, partOf: string): Input & { readonly partOf: string } {
  return {
    file,
    get digest() {
      return input.digest;
    },
    gzipped: input.gzipped,
    get bytes() {
      return input.bytes;
    },
    ...(input.source !== undefined && { source: input.source }),
    partOf,
  };
}

/** As a part of the report: the other folders are still read. */
const unreadableFolder = (file: string, code: string): Promise<FailedDocument> =>
  collectFailure(file, () => Promise.reject(EolgateError.of("folder-unreadable", { cause: code })));

function nothingFound(folder: string, { notRead }: FolderCoverage): EolgateError {
  const unread = notRead.map(({ kind, count }) => `${kind} (${count})`).join(", ");
  return EolgateError.of("nothing-to-check", { unread }, { where: folder });
}
