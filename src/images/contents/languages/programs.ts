/**
 * Build information in programs: the modules of Go (https://pkg.go.dev/debug/buildinfo) and the packages of Rust that
 * cargo-auditable stores in a section (https://github.com/rust-secure-code/cargo-auditable).
 */
import { inflateSync } from "node:zlib";
import { asList, asRecord, percentEncode } from "../../../text/values.ts";
import type { LanguagePackage } from "../package.ts";

const GO_MAGIC = Buffer.from("\u00ff Go buildinf:", "latin1");
/** Bytes of the header; the strings follow it since Go 1.18. */
const GO_HEADER = 32;
const INLINE = 2;
/** The modules are between marks of this size. */
const MARK = 16;
const MAX_RUST_BYTES = 64 * 1024 * 1024;

export const isElf = (first: Uint8Array): boolean =>
  first[0] === 0x7f && first[1] === 0x45 && first[2] === 0x4c && first[3] === 0x46;

/** @throws Error for build information in a form that is not read */
export function readProgram(content: Uint8Array): readonly LanguagePackage[] {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  return [...goModules(bytes), ...rustPackages(bytes)];
}

function goModules(bytes: Buffer): readonly LanguagePackage[] {
  const at = goInformation(bytes);
  if (at === -1) return [];
  if (((bytes[at + 15] ?? 0) & INLINE) === 0) throw new Error("it was built with Go before 1.18, which is not read");
  const version = prefixed(bytes, at + GO_HEADER);
  const modules = prefixed(bytes, version.end).text.slice(MARK, -MARK);
  const release = /^go(\d[\w.]*)/.exec(version.text)?.[1];
  const packages: LanguagePackage[] =
    release === undefined ? [] : [{ name: "go", version: release, purl: `pkg:generic/go@${release}` }];
  const lines = modules.split("\n").map((line) => line.split("\t"));
  // The replacement of a module, which may be a folder without a version, is on the next line.
  const used = lines.filter((_, index) => lines[index + 1]?.[0] !== "=>");
  return [...packages, ...used.flatMap(moduleOf)];
}

function moduleOf([kind = "", path, version]: readonly string[]): readonly LanguagePackage[] {
  if (path === undefined || version === undefined || !/^v\d/.test(version) || !/^(?:dep|=>|mod)$/.test(kind)) return [];
  return [{ name: path, version, purl: `pkg:golang/${goPath(path)}@${percentEncode(version)}` }];
}

const goPath = (path: string): string => path.split("/").map(percentEncode).join("/");

/** The linker aligns the information to 16 bytes; the same text elsewhere is a constant of a program that reads it. */
function goInformation(bytes: Buffer): number {
  for (let at = bytes.indexOf(GO_MAGIC); at !== -1; at = bytes.indexOf(GO_MAGIC, at + 1)) if (at % 16 === 0) return at;
  return -1;
}

/** A text after its length in bytes, seven bits a byte. */
function prefixed(bytes: Buffer, start: number): { readonly text: string; readonly end: number } {
  let [length, shift, at] = [0, 0, start];
  for (let byte = 0x80; (byte & 0x80) !== 0; shift += 7) {
    byte = bytes[at++] ?? 0;
    length |= (byte & 0x7f) << shift;
    if (shift > 28) throw new Error("its build information is damaged");
  }
  if (length < 0 || at + length > bytes.length) throw new Error("its build information is cut off");
  // The marks around the modules are bytes that are no text: one unit for each byte keeps their size.
  return { text: bytes.toString("latin1", at, at + length), end: at + length };
}

function rustPackages(bytes: Buffer): readonly LanguagePackage[] {
  const section = elfSection(bytes, ".dep-v0");
  if (section === undefined) return [];
  const value: unknown = JSON.parse(inflateSync(section, { maxOutputLength: MAX_RUST_BYTES }).toString("utf8"));
  return asList(asRecord(value)["packages"]).flatMap((row) => {
    const { name, version, kind } = asRecord(row);
    if (typeof name !== "string" || typeof version !== "string" || kind === "build") return [];
    return [{ name, version, purl: `pkg:cargo/${percentEncode(name)}@${percentEncode(version)}` }];
  });
}

/** The content of a section of a 64-bit little-endian program, the form of all current container platforms but s390x. */
function elfSection(bytes: Buffer, wanted: string): Buffer | undefined {
  if (bytes.length < 64 || bytes[4] !== 2 || bytes[5] !== 1) return undefined;
  const table = Number(bytes.readBigUInt64LE(40));
  const size = bytes.readUInt16LE(58);
  const texts = sectionAt(bytes, table + bytes.readUInt16LE(62) * size)?.content;
  if (texts === undefined) return undefined;
  for (let index = 0; index < bytes.readUInt16LE(60); index++) {
    const section = sectionAt(bytes, table + index * size);
    if (section === undefined) return undefined;
    const end = texts.indexOf(0, section.name);
    if (texts.toString("latin1", section.name, end) === wanted) return section.content;
  }
  return undefined;
}

function sectionAt(bytes: Buffer, at: number): { readonly name: number; readonly content: Buffer } | undefined {
  if (at + 64 > bytes.length) return undefined;
  const [offset, length] = [Number(bytes.readBigUInt64LE(at + 24)), Number(bytes.readBigUInt64LE(at + 32))];
  return { name: bytes.readUInt32LE(at), content: bytes.subarray(offset, offset + length) };
}
