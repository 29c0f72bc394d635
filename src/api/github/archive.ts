/** Reads the archive of a repository: its paths, and the contents of the files that can name components. */
import { join, posix } from "node:path";
import { EolgateError, type ErrorCode } from "../../messages/error.ts";
import { inventoryKindOf, isLookedAt, shownText } from "../../files/read.ts";
import { type ByteStream, collect, decompressed } from "../../images/stream.ts";
import { tarEntries, type TarHeader } from "../../images/tar.ts";
import { inputOf } from "../input.ts";
import { getOwn } from "../../text/values.ts";
import type { FileTree } from "../inventory/file-tree.ts";
import { isSbomName } from "../inventory/names.ts";
import { selectPaths } from "../inventory/walk.ts";

/** As for a folder on disk: lockfiles of the largest monorepos stay below it. */
const FILE_LIMIT = 64 * 1024 * 1024;
/** Manifests that a lockfile refers to. */
const RELATED_LIMIT = 4 * 1024 * 1024;
const KEPT_LIMIT = 512 * 1024 * 1024;
const UNPACKED_LIMIT = 16 * 1024 * 1024 * 1024;
const ENTRY_LIMIT = 2_000_000;

/** Files that other files refer to: parents, includes, manifests and values of variables. */
const RELATED = /(\.(txt|in|cfg|toml|json|xml|props|targets|gradle|kts|lock|mod|env|properties|tfvars)|(^|\/)[^./]+)$/;

/** The bytes of a file that is needed, or the size of any other file. */
type KeptFiles = ReadonlyMap<string, Uint8Array | number>;

/**
 * Reads a gzip-compressed tar archive in GitHub's form, in which one folder contains everything. Nothing is written to
 * disk.
 * @throws EolgateError `github-archive`, `too-large`
 */
export async function readArchive(body: ByteStream, name: string, patterns: readonly string[]): Promise<FileTree> {
  const kept = await unpack(body);
  const contents = (path: string): Uint8Array => {
    const found = kept.get(path);
    if (found instanceof Uint8Array) return found;
    throw EolgateError.of("too-large", {
      problem: `the file has ${found ?? 0} bytes, more than the limit of ${FILE_LIMIT}`,
      advice: "Exclude it with --exclude.",
    }).at(join(name, path));
  };
  const text = (path: string): string | undefined => {
    const found = kept.get(path);
    return found instanceof Uint8Array ? new TextDecoder().decode(found) : undefined;
  };
  return {
    name,
    found: selectPaths([...kept.keys()], patterns),
    size: (path) => sizeOf(kept.get(path)),
    bytes: contents,
    beginning: (path) => {
      const found = kept.get(path);
      return found instanceof Uint8Array ? shownText(found) : undefined;
    },
    text,
    sbom: async (path) => {
      const file = join(name, path);
      return { ...(await inputOf(file, contents(path))), partOf: name };
    },
    related: (path) => (reference) => {
      const target = resolveInside(path, reference);
      const found = target === undefined ? undefined : kept.get(target);
      return found instanceof Uint8Array && found.length <= RELATED_LIMIT ? text(target ?? "") : undefined;
    },
  };
}

const sizeOf = (found: Uint8Array | number | undefined): number =>
  typeof found === "number" ? found : (found?.length ?? 0);

/** `a/b/pom.xml` and `../pom.xml` → `a/pom.xml`; undefined for a path outside the repository. */
function resolveInside(path: string, reference: string): string | undefined {
  const target = posix.join(posix.dirname(path), reference.replaceAll("\\", "/"));
  return reference.startsWith("/") || /^\.\.(?:\/|$)/.test(target) ? undefined : target;
}

async function unpack(body: ByteStream): Promise<KeptFiles> {
  const kept = new Map<string, Uint8Array | number>();
  let budget = KEPT_LIMIT;
  let entries = 0;
  try {
    for await (const { header, body: content } of tarEntries(limited(decompressed(body)))) {
      entries += 1;
      if (entries > ENTRY_LIMIT) throw refused("it has more than 2,000,000 entries");
      const path = pathOf(header);
      if (path === undefined) continue;
      kept.set(path, header.size);
      if (!isWanted(path, header.size)) continue;
      budget -= header.size;
      if (budget < 0) throw tooMuch();
      const bytes = await collect(content, FILE_LIMIT, path);
      if (isNeeded(path, bytes)) kept.set(path, bytes);
      else budget += header.size;
    }
  } catch (cause) {
    const why = cause instanceof EolgateError ? getOwn(UNREADABLE, cause.code) : messageOf(cause);
    throw why === undefined ? cause : refused(why, cause);
  }
  return kept;
}

/** The path of a file in the repository. Links are not followed, on disk or here. */
function pathOf({ name, type }: TarHeader): string | undefined {
  const path = name.slice(name.indexOf("/") + 1);
  return type !== "file" || path === "" || path.split("/").includes("..") ? undefined : path;
}

/** What the reader of archives states about images, by its code. */
const UNREADABLE = {
  "image-layer": "it is damaged, cut off or no gzip-compressed tar archive",
  "image-limit": "it expands to too many times its size",
} as const satisfies Partial<Record<ErrorCode, string>>;

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const refused = (why: string, cause?: unknown): EolgateError => EolgateError.of("github-archive", { why }, { cause });

const tooMuch = (): EolgateError =>
  EolgateError.of("too-large", {
    problem: `the files to read have more than ${String(KEPT_LIMIT / 1024 / 1024)} MiB in total`,
    advice: "Clone the repository and check the folder, or exclude paths with --exclude.",
  });

async function* limited(chunks: ByteStream): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > UNPACKED_LIMIT) throw refused("it unpacks to more than 16 GiB");
    yield chunk;
  }
}

const isNamed = (path: string): boolean => isSbomName(path) || inventoryKindOf(path) !== undefined;

function isWanted(path: string, size: number): boolean {
  if (isNamed(path)) return size <= FILE_LIMIT;
  return (RELATED.test(path) || isLookedAt(path)) && size <= RELATED_LIMIT;
}

/** A file that was read for a look at its text is kept if the text shows an input. */
const isNeeded = (path: string, bytes: Uint8Array): boolean =>
  isNamed(path) || RELATED.test(path) || inventoryKindOf(path, () => shownText(bytes)) !== undefined;
