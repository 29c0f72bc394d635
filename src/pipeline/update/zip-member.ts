/** Reads single members of a zip archive, stored or deflated, without ZIP64 and encryption. */
import { inflateRawSync } from "node:zlib";
import { EolgateError } from "../../messages/error.ts";

const END = 0x06054b50;
const END_LENGTH = 22;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;
const LOCAL = 0x04034b50;
const LOCAL_LENGTH = 30;
/** Bytes of a member, after decompression. */
const LIMIT = 64 * 1024 * 1024;

/** @throws EolgateError `feed-changed` where the archive is damaged, lacks the member, or the member is larger than 64 MiB. */
export function zipMember(archive: Buffer, name: string, where: string): Buffer {
  try {
    const entry = entries(archive).find((each) => each.name === name);
    if (entry === undefined) throw new RangeError(`it has no ${name}`);
    const member = content(archive, entry);
    if (member.length !== entry.size) throw new RangeError(`${name} is incomplete`);
    return member;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw EolgateError.of("feed-changed", { problem: `it is no readable zip archive: ${why}` }, { where, cause });
  }
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  /** Offset of the local header. */
  readonly at: number;
}

/** The central directory. The buffer throws a RangeError where it is too short. */
function entries(archive: Buffer): readonly Entry[] {
  const end = endRecord(archive);
  const count = archive.readUInt16LE(end + 10);
  const found: Entry[] = [];
  for (let at = archive.readUInt32LE(end + 16); found.length < count;) {
    expectSignature(archive, at, ENTRY);
    const length = archive.readUInt16LE(at + 28);
    found.push({
      name: archive.toString("utf8", at + ENTRY_LENGTH, at + ENTRY_LENGTH + length),
      method: archive.readUInt16LE(at + 10),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
      at: archive.readUInt32LE(at + 42),
    });
    at += ENTRY_LENGTH + length + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return found;
}

/** At the end of the archive, before a comment of at most 65,535 bytes. */
function endRecord(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_LENGTH - 0xffff);
  for (let at = archive.length - END_LENGTH; at >= first; at -= 1) if (archive.readUInt32LE(at) === END) return at;
  throw new RangeError("its directory is missing");
}

function content(archive: Buffer, { at, method, packed, size, name }: Entry): Buffer {
  if (size > LIMIT) throw new RangeError(`${name} is larger than ${LIMIT} bytes`);
  expectSignature(archive, at, LOCAL);
  const start = at + LOCAL_LENGTH + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const data = archive.subarray(start, start + packed);
  if (method === 0) return data;
  if (method !== 8) throw new RangeError(`${name} has the compression method ${method}`);
  return inflateRawSync(data, { maxOutputLength: LIMIT });
}

function expectSignature(archive: Buffer, at: number, signature: number): void {
  if (archive.readUInt32LE(at) !== signature) throw new RangeError(`no record at byte ${at}`);
}
