/**
 * Reads tar archives as streams: ustar with the extensions of pax and GNU.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html,
 * https://www.gnu.org/software/tar/manual/html_node/Standard.html
 */
import { EolgateError } from "../messages/error.ts";
import { type ByteStream, collect } from "./stream.ts";

export interface TarHeader {
  readonly name: string;
  readonly type: "file" | "link" | "symlink" | "directory" | "other";
  readonly linkname: string;
  /** Bytes of the body. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
}

export interface TarEntry {
  readonly header: TarHeader;
  /** Its end is not required: a body may be left with `return`. */
  readonly body: AsyncGenerator<Uint8Array>;
}

const BLOCK = 512;
/** Bytes of names and attributes that precede an entry. */
const MAX_ATTRIBUTES = 1024 * 1024;

const TYPES: Readonly<Record<string, TarHeader["type"]>> = {
  "": "file",
  "\0": "file",
  "0": "file",
  "1": "link",
  "2": "symlink",
  "5": "directory",
  "7": "file",
};

const damaged = (why: string): EolgateError =>
  EolgateError.of("image-layer", { why: `it is not a tar archive, or it is damaged (${why})` });

/** Reads a stream in parts of a given size. */
class PartReader {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array();
  private left = 0;

  constructor(chunks: ByteStream) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes, at most `limit`; undefined at the end. */
  async some(limit: number): Promise<Uint8Array | undefined> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done === true) return undefined;
      this.rest = next.value;
    }
    const part = this.rest.subarray(0, limit);
    this.rest = this.rest.subarray(part.length);
    return part;
  }

  /** A whole block; undefined at the end. @throws EolgateError `image-layer` */
  async block(): Promise<Buffer | undefined> {
    const first = await this.some(BLOCK);
    if (first === undefined || first.length === BLOCK)
      return first && Buffer.from(first.buffer, first.byteOffset, first.length);
    const parts = [first];
    for (let length = first.length; length < BLOCK;) {
      const part = await this.some(BLOCK - length);
      if (part === undefined) throw damaged("a header is cut off");
      parts.push(part);
      length += part.length;
    }
    return Buffer.concat(parts);
  }

  /** Begins the body of an entry, which may be left before its end. */
  body(size: number): AsyncGenerator<Uint8Array> {
    this.left = size;
    return this.bodyParts();
  }

  private async *bodyParts(): AsyncGenerator<Uint8Array> {
    while (this.left > 0) yield await this.next();
  }

  /** Skips what is left of a body, and the bytes that fill its last block. */
  async skip(size: number): Promise<void> {
    this.left += (BLOCK - (size % BLOCK)) % BLOCK;
    while (this.left > 0) await this.next();
  }

  private async next(): Promise<Uint8Array> {
    const part = await this.some(this.left);
    if (part === undefined) throw damaged("an entry is cut off");
    this.left -= part.length;
    return part;
  }

  /** Reads and drops the rest, so that digests of the stream are complete. */
  async drain(): Promise<void> {
    while ((await this.some(Number.MAX_SAFE_INTEGER)) !== undefined) continue;
  }

  async close(): Promise<void> {
    await this.chunks.return?.();
  }
}

/** A number in octal digits, or in base 256 with the highest bit set. */
function numberAt(block: Buffer, at: number, length: number): number {
  if (((block[at] ?? 0) & 0x80) !== 0) {
    let value = (block[at] ?? 0) & 0x7f;
    for (let index = 1; index < length; index++) value = value * 256 + (block[at + index] ?? 0);
    return value;
  }
  const written = textAt(block, at, length).trim();
  return written === "" ? 0 : /^[0-7]+$/.test(written) ? Number.parseInt(written, 8) : Number.NaN;
}

function textAt(block: Buffer, at: number, length: number): string {
  const end = block.indexOf(0, at);
  return block.toString("utf8", at, end === -1 || end > at + length ? at + length : end);
}

/** Sums the bytes of a header with blanks in place of its checksum, which older programs computed with signed bytes. */
function hasChecksum(block: Buffer): boolean {
  let [sum, signed] = [0, 0];
  for (let index = 0; index < BLOCK; index++) {
    const byte = index >= 148 && index < 156 ? 32 : (block[index] ?? 0);
    sum += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  const stated = numberAt(block, 148, 8);
  return stated === sum || stated === signed;
}

function headerOf(block: Buffer, attributes: ReadonlyMap<string, string>): TarHeader & { readonly flag: string } {
  if (!hasChecksum(block)) throw damaged("a header has a wrong checksum");
  const flag = block.toString("latin1", 156, 157);
  const type = TYPES[flag] ?? "other";
  return {
    flag,
    type,
    name: attributes.get("path") ?? nameOf(block),
    linkname: attributes.get("linkpath") ?? textAt(block, 157, 100),
    size: /^(?:link|symlink|directory)$/.test(type) ? 0 : sizeOf(block, attributes.get("size")),
    mode: numberAt(block, 100, 8) || 0,
  };
}

/** The name, with the prefix of ustar before it. */
function nameOf(block: Buffer): string {
  const isUstar = block.toString("latin1", 257, 263) === "ustar\0";
  return [isUstar ? textAt(block, 345, 155) : "", textAt(block, 0, 100)].filter(Boolean).join("/");
}

function sizeOf(block: Buffer, attribute: string | undefined): number {
  const size = Number(attribute ?? numberAt(block, 124, 12));
  if (!Number.isSafeInteger(size) || size < 0) throw damaged("an entry has no valid size");
  return size;
}

/** Records `<length> <key>=<value>\n` of a pax header. */
function paxAttributes(bytes: Uint8Array): readonly (readonly [key: string, value: string])[] {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: [string, string][] = [];
  for (let at = 0; at < content.length && content[at] !== 0;) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString("latin1", at, space));
    const equals = content.indexOf(0x3d, space);
    if (space === -1 || equals === -1 || !Number.isInteger(length) || length <= 0)
      throw damaged("an attribute is wrong");
    found.push([content.toString("utf8", space + 1, equals), content.toString("utf8", equals + 1, at + length - 1)]);
    at += length;
  }
  return found;
}

/** Names of GNU's headers for long names → attributes of pax. */
const LONG: Readonly<Record<string, string>> = { L: "path", K: "linkpath" };

const isEmpty = (block: Buffer | undefined): boolean => block?.every((byte) => byte === 0) === true;

/** The entries of a tar archive. A body that the caller does not read is skipped. @throws EolgateError `image-layer` */
export async function* tarEntries(chunks: ByteStream): AsyncGenerator<TarEntry> {
  const parts = new PartReader(chunks);
  const common = new Map<string, string>();
  let own = new Map<string, string>();
  try {
    for (;;) {
      const block = await parts.block();
      if (block === undefined) throw damaged("it has no end");
      if (isEmpty(block)) {
        // Two blocks of zeros end an archive.
        if (!isEmpty(await parts.block())) throw damaged("it has no end");
        return await parts.drain();
      }
      const header = headerOf(block, new Map([...common, ...own]));
      const { flag, size } = header;
      const body = parts.body(size);
      if (/[xgLK]/.test(flag)) {
        const content = await collect(body, MAX_ATTRIBUTES, "a name in the archive");
        const long = LONG[flag];
        if (long !== undefined) own.set(long, Buffer.from(content).toString("utf8").replace(/\0.*$/s, ""));
        else for (const [key, value] of paxAttributes(content)) (flag === "g" ? common : own).set(key, value);
      } else {
        own = new Map();
        yield { header, body };
      }
      await parts.skip(size);
    }
  } finally {
    await parts.close();
  }
}
