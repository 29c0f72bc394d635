/** The catalogue's bytes: written with their digest, read and verified. `format/layout.ts` describes the format. */
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { crc32 } from "node:zlib";
import { digestOf } from "../platform/file-source.ts";
import { isExecutable, openPages, readPackageFile } from "../platform/package-files.ts";
import { type CatalogueByteSource, sourceOfBytes, sourceOfFile, corrupt, openHead } from "./format/head.ts";
import { lazyFields } from "./facts.ts";
import { layOut } from "./format/layout.ts";
import { SectionReader } from "./format/reader.ts";
import { type FileSections, SECTION_NAMES, toFileSections, toStoredContent } from "./format/sections.ts";
import { FORMAT, type StoredContent, type StoredHead, type StoredSignature } from "./schema.ts";

/** Deterministic: equal content gives equal bytes. */
export function encodeCatalogue(content: StoredContent, sign?: (digest: string) => StoredSignature): Buffer {
  const { directory, body } = layOut(toFileSections(content));
  const digested = Buffer.concat([Buffer.from(`${directory}\n`), body]);
  const digest = digestOf(digested);
  const head = JSON.stringify({
    format: FORMAT,
    digest,
    checksum: crc32(directory),
    signature: sign?.(digest) ?? null,
  });
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},\n`), digested]);
}

/** The same catalogue with another signature. The bytes that the digest covers do not change. */
export function resignCatalogue(bytes: Buffer, origin: string, sign: (digest: string) => StoredSignature): Buffer {
  const { head } = openCatalogue(bytes, origin);
  const first = JSON.stringify({ ...head, signature: sign(head.digest) });
  return Buffer.concat([Buffer.from(`${first.slice(0, -1)},`), bytes.subarray(bytes.indexOf("\n"))]);
}

export interface OpenedCatalogue {
  readonly head: StoredHead;
  readonly sections: SectionReader;
}

/**
 * Compares the whole file with its digest, so that nothing of a damaged or edited file is read.
 * @throws EolgateError `catalogue`, code `catalogue-corrupt` or `catalogue-format`.
 */
export function openCatalogue(bytes: Uint8Array, origin: string): OpenedCatalogue {
  const source = sourceOfBytes(bytes);
  const { head, directory, signedFrom, bodyFrom } = openHead(source, origin);
  if (digestOf(bytes.subarray(signedFrom)) !== head.digest) throw corrupt(origin, "its digest does not match");
  return {
    head,
    sections: new SectionReader({ source, start: bodyFrom, directory, origin, verifyBlocks: false }),
  };
}

/**
 * Opens the file that is bundled with the code. Each block is compared with its checksum when it is read: that detects
 * damage. A digest would add nothing, because whoever can edit this file can edit the code that compares it.
 * @throws EolgateError `catalogue`, code `catalogue-corrupt` or `catalogue-format`; an error of `node:fs`.
 */
export function openBundled(file: URL, origin: string): OpenedCatalogue {
  return openByBlocks(bundledSource(file, origin), origin);
}

function bundledSource(file: URL, origin: string): CatalogueByteSource {
  if (isExecutable()) return sourceOfBytes(readPackageFile(file));
  const pages = withPageErrors(() => openPages(file), origin);
  if (pages === undefined) return sourceOfFile(fileURLToPath(file));
  return { size: pages.size, read: (start, end) => withPageErrors(() => pages.read(start, end), origin) };
}

/** A page that cannot be decompressed is a damaged catalogue. Whether the file is there is the caller's question. */
function withPageErrors<Result>(read: () => Result, origin: string): Result {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof Error && "syscall" in cause) throw cause;
    throw corrupt(origin, "a page cannot be decompressed", cause);
  }
}

export function openByBlocks(source: CatalogueByteSource, origin: string): OpenedCatalogue {
  const { head, directory, bodyFrom } = openHead(source, origin);
  return {
    head,
    sections: new SectionReader({ source, start: bodyFrom, directory, origin, verifyBlocks: true }),
  };
}

/** The whole content, for compiling, comparing and exporting. @throws EolgateError `catalogue`, as `openCatalogue`. */
export function readContent(bytes: Uint8Array, origin: string): StoredContent {
  return contentOf(openCatalogue(bytes, origin).sections);
}

/** The whole content of an opened catalogue. */
export function contentOf(sections: SectionReader): StoredContent {
  return toStoredContent(allSections(sections));
}

/**
 * The whole content of a catalogue from elsewhere. Sections that are made of others when the file is written are made
 * again and compared, because look-ups read them and the content does not contain them.
 * @throws EolgateError `catalogue`, as `openCatalogue`; `catalogue-corrupt` for a section that differs.
 */
export function readOfferedContent(bytes: Uint8Array, origin: string): StoredContent {
  const offered = allSections(openCatalogue(bytes, origin).sections);
  const content = toStoredContent(offered);
  const derived = toFileSections(content);
  for (const name of ["names", "newestIndex", "vendorNames", "vendorPublishers"] as const)
    if (!isDeepStrictEqual(offered[name], derived[name]))
      throw corrupt(origin, `its section ${name} does not follow from the others`);
  return content;
}

export const allSections = (sections: SectionReader): FileSections =>
  lazyFields<FileSections>(SECTION_NAMES, (name) => sections.all(name));
