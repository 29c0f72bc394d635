/**
 * Packages of Java archives: `pom.properties` of Maven in the archive and in the archives inside of it, to three levels.
 * An archive without one is named by its file. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import { inflateRawSync } from "node:zlib";
import { EolgateError } from "../../../messages/error.ts";
import { percentEncode } from "../../../text/values.ts";
import type { LanguagePackage } from "../package.ts";

const MEBIBYTE = 1024 * 1024;
const LEVELS = 3;
const MAX_ENTRIES = 200_000;
const END_BYTES = 22;
/** The end record is followed by a comment of at most this size. */
const MAX_COMMENT = 0xffff;

/** What the archives of one image may expand to. Above it the image is refused. */
export class JarBudget {
  private bytes = 0;
  private entries = 0;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** @throws EolgateError `image-limit` */
  take(bytes: number, entries: number): void {
    this.bytes += bytes;
    this.entries += entries;
    if (this.bytes > this.limit) throw this.refusal("its Java archives expand to too many bytes", this.limit);
    if (this.entries > 10 * MAX_ENTRIES)
      throw this.refusal("its Java archives have too many entries", 10 * MAX_ENTRIES);
  }

  private refusal(what: string, limit: number): EolgateError {
    return EolgateError.of("image-limit", { what, limit });
  }
}

interface JarEntry {
  readonly name: string;
  readonly method: number;
  readonly stored: number;
  readonly size: number;
  readonly at: number;
}

/** The entries of the central directory. @throws Error for an archive that is damaged or encrypted */
function entriesOf(bytes: Buffer): readonly JarEntry[] {
  const end = bytes.lastIndexOf("PK\u0005\u0006");
  if (end === -1 || bytes.length - end > END_BYTES + MAX_COMMENT) throw new Error("it is not a zip archive");
  const entries: JarEntry[] = [];
  const stated = bytes.readUInt32LE(end + 16);
  // A program can precede the archive, as in executable archives of Spring Boot.
  const shift = end - bytes.readUInt32LE(end + 12) - stated;
  for (let at = stated + shift; at + 46 <= end && bytes.readUInt32LE(at) === 0x02_01_4b_50; at = nextOf(bytes, at)) {
    entries.push(entryAt(bytes, at, shift));
    if (entries.length > MAX_ENTRIES) throw new Error("it has too many entries");
  }
  if (entries.length < bytes.readUInt16LE(end + 10)) throw new Error("its directory is cut off");
  return entries;
}

/** An entry is followed by its name, its extra fields and its comment. */
const nextOf = (bytes: Buffer, at: number): number =>
  at + 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);

const entryAt = (bytes: Buffer, at: number, shift: number): JarEntry => ({
  name: bytes.toString("utf8", at + 46, at + 46 + bytes.readUInt16LE(at + 28)),
  method: bytes.readUInt16LE(at + 10),
  stored: bytes.readUInt32LE(at + 20),
  size: bytes.readUInt32LE(at + 24),
  at: bytes.readUInt32LE(at + 42) + shift,
});

function contentOf(bytes: Buffer, { method, stored, size, at }: JarEntry, budget: JarBudget): Buffer {
  const limit = 256 * MEBIBYTE;
  if (size > limit) throw new Error("an entry is too large");
  budget.take(size, 1);
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const content = bytes.subarray(start, start + stored);
  if (method === 0) return content;
  if (method !== 8) throw new Error("an entry has an unknown compression");
  // The directory states the size: data that expands further is a bomb.
  return inflateRawSync(content, { maxOutputLength: Math.max(size, 1) });
}

const NESTED = /\.(?:jar|war)$/;
const POM = /^META-INF\/maven\/[^/]+\/[^/]+\/pom\.properties$/;

/**
 * Reads the packages of an archive.
 * @throws EolgateError `image-limit` above the budget
 * @throws Error for an archive that cannot be read
 */
export function readJar(bytes: Uint8Array, path: string, budget: JarBudget, level = 1): readonly LanguagePackage[] {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = entriesOf(archive);
  budget.take(0, entries.length);
  const own = entries
    .filter(({ name }) => POM.test(name))
    .flatMap((entry) => mavenPackage(contentOf(archive, entry, budget).toString("utf8")));
  const nested = entries
    .filter(({ name }) => NESTED.test(name))
    .flatMap((entry) => {
      if (level >= LEVELS) return byName(entry.name);
      return readJar(contentOf(archive, entry, budget), entry.name, budget, level + 1);
    });
  return [...(own.length > 0 || nested.length > 0 ? own : byName(path)), ...nested];
}

function mavenPackage(properties: string): readonly LanguagePackage[] {
  const field = (name: string) => new RegExp(`^\\s*${name}\\s*[=:]\\s*(\\S+)\\s*$`, "m").exec(properties)?.[1];
  const [group, name, version] = [field("groupId"), field("artifactId"), field("version")];
  if (group === undefined || name === undefined || version === undefined) return [];
  return [
    { name, version, purl: `pkg:maven/${percentEncode(group)}/${percentEncode(name)}@${percentEncode(version)}` },
  ];
}

/** `guava-31.1-jre.jar`: the group is not known, so there is no package URL. */
function byName(path: string): readonly LanguagePackage[] {
  const file = path.slice(path.lastIndexOf("/") + 1).replace(/\.[a-z]+$/, "");
  const [, name, version] = /^(.+?)-(\d[\w.-]*)$/.exec(file) ?? [];
  return [{ name: name ?? file, ...(version !== undefined && { version }) }];
}
