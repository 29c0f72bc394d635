/**
 * `eolgate check --scan DIR` and `--stack`: a project without a bill of materials. Walks a folder for files that pin versions
 * and reads each as a document of its own, so that every finding stands with its file and line.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { digestOf } from "../catalogue/file.ts";
import { EolgateError } from "../core/errors.ts";
import type { FailedDocument, SbomDocument } from "../core/model.ts";
import { unreadable } from "./input.ts";
import { collectFailure } from "./failed-document.ts";

/** A document that was read on the way: a file with pins, or the stack of a flag. */
export interface PinnedInput {
  /** Path under the folder as given, or `--stack`. */
  readonly file: string;
  /** `sha256:` over the bytes. */
  readonly digest: string;
  readonly document: SbomDocument;
  /** The scanned folder: one file says little, and is not asked for an answer of its own. */
  readonly partOf?: string;
}

/** Other people's code and what is made from ours: their pins are not the project's. */
const NOT_OURS = new Set([
  ".git",
  ".gradle",
  ".terraform",
  ".tox",
  ".venv",
  "__pycache__",
  "bower_components",
  "node_modules",
  "target",
  "vendor",
  "venv",
]);

/** Files that people write stay far below; above it is data that happens to end in `.yaml`. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Every file under `folder` that holds a pin, in the order of their paths; a file that cannot be read is in the report.
 * @throws Fault `input` when the folder cannot be read, or nothing in it pins a version.
 */
export async function readPinned(folder: string, cwd: string): Promise<readonly (PinnedInput | FailedDocument)[]> {
  const { pinKindOf, readPins } = await import("../core/inventory/pins/read.ts");
  const inputs: (PinnedInput | FailedDocument)[] = [];
  for (const path of await filesUnder(resolve(cwd, folder), folder)) {
    const kind = pinKindOf(path);
    const file = join(folder, path);
    if (kind === undefined) continue;
    const input = await collectFailure(file, async () => {
      const bytes = await readSmall(file, resolve(cwd, file));
      return bytes && { file, digest: digestOf(bytes), document: readPins(kind, bytes), partOf: folder };
    });
    if (input === undefined) continue;
    if ("error" in input || input.document.components.length > 0) inputs.push(input);
  }
  if (inputs.length === 0) throw noPins(folder);
  return inputs;
}

/** The file's bytes, or undefined above `MAX_BYTES`. Throws `unreadable`. */
async function readSmall(file: string, path: string): Promise<Buffer | undefined> {
  try {
    return (await stat(path)).size > MAX_BYTES ? undefined : await readFile(path);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** @throws Fault `usage` for a pair that is none. */
export async function readStackInput(stack: string): Promise<PinnedInput> {
  const { readStack } = await import("../core/inventory/pins/read.ts");
  return { file: "--stack", digest: digestOf(new TextEncoder().encode(stack)), document: readStack(stack) };
}

/** Paths of files from the folder on, with `/`, sorted. Links are not followed: they could lead out of it, or around. */
async function filesUnder(root: string, folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const open = [""];
  for (let prefix = open.pop(); prefix !== undefined; prefix = open.pop()) {
    for (const entry of await entries(join(root, prefix), join(folder, prefix))) {
      const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isFile()) files.push(path);
      if (entry.isDirectory() && !NOT_OURS.has(entry.name)) open.push(path);
    }
  }
  return files.sort();
}

async function entries(path: string, shown: string) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (cause) {
    throw EolgateError.raw("input", {
      code: "unreadable",
      message: "the folder cannot be read",
      where: shown,
      hint: "Name a folder that exists and may be read: eolgate check --scan .",
      cause,
    });
  }
}

const noPins = (folder: string): EolgateError => EolgateError.of("no-pins", {}, { where: folder });
