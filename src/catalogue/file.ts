/** The catalogue's bytes: written with their digest, read and verified. The form stands in `schema.ts`. */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { EolgateError } from "../core/errors.ts";
import { FORMAT, SECTIONS, type StoredContent, type StoredHead, type StoredSignature } from "./schema.ts";

const NEWLINE = 0x0a;

/** Deterministic: the same content gives the same bytes. */
export function encodeCatalogue(content: StoredContent, sign?: (digest: string) => StoredSignature): Buffer {
  const body = Buffer.from(encodeBody(content));
  const digest = digestOf(body);
  const head = JSON.stringify({ format: FORMAT, digest, crc32: crc32(body), signature: sign?.(digest) ?? null }).slice(
    0,
    -1,
  );
  return Buffer.concat([Buffer.from(`${head},\n`), body]);
}

function encodeBody(content: StoredContent): string {
  const rows = SECTIONS.map((section) => {
    if (section !== "products") return `${JSON.stringify(section)}:${JSON.stringify(content[section])}`;
    const products = Object.entries(content.products).map(
      ([slug, row]) => `${JSON.stringify(slug)}:${JSON.stringify(row)}`,
    );
    return `"products":{\n${products.join(",\n")}\n}`;
  });
  return `"content":{\n${rows.join(",\n")}\n}}\n`;
}

export interface OpenedCatalogue {
  readonly head: StoredHead;
  /** Everything after the first row. */
  readonly body: Buffer;
}

/**
 * By what a file is known to be whole. The digest tells every change; the checksum tells damage, and is enough for the
 * file that comes with the code: who may change the one may change the other.
 */
export type Proof = "digest" | "checksum";

/**
 * Head and body, with the digest held against the bytes: a file that was cut, edited or mixed is never read further.
 * @throws Fault `catalogue`, code `catalogue-corrupt` or `catalogue-format`.
 */
export function openCatalogue(bytes: Buffer, origin: string, proof: Proof = "digest"): OpenedCatalogue {
  const end = bytes.indexOf(NEWLINE);
  const head = end < 0 ? undefined : readHead(bytes.toString("utf8", 0, end));
  if (head === undefined) throw corrupt(origin, "it does not begin as a catalogue does");
  if (head.format !== FORMAT) {
    throw EolgateError.of("catalogue-format", { head: head.format.slice(0, 60), format: FORMAT }, { where: origin });
  }
  const body = bytes.subarray(end + 1);
  if (proof === "checksum" && head.crc32 !== undefined) {
    if (crc32(body) !== head.crc32) throw corrupt(origin, "its bytes do not have the checksum that it states");
  } else if (digestOf(body) !== head.digest) throw corrupt(origin, "its bytes do not have the digest that it states");
  return { head, body };
}

/** The whole content, for those who compile, compare or export. @throws Fault `catalogue`, as `openCatalogue`. */
export function readContent(bytes: Buffer, origin: string): StoredContent {
  const { body } = openCatalogue(bytes, origin);
  // The digest vouches for the shape: these bytes were written by `encodeCatalogue`.
  const { content } = JSON.parse(`{${body.toString("utf8")}`) as { content: StoredContent };
  return content;
}

function readHead(row: string): StoredHead | undefined {
  try {
    const head: unknown = JSON.parse(`${row.replace(/,$/, "")}}`);
    return isHead(head) ? head : undefined;
  } catch {
    return undefined;
  }
}

function isHead(head: unknown): head is StoredHead {
  return (
    typeof head === "object" &&
    head !== null &&
    "format" in head &&
    typeof head.format === "string" &&
    "digest" in head &&
    typeof head.digest === "string" &&
    (!("crc32" in head) || typeof head.crc32 === "number") &&
    "signature" in head
  );
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

export function corrupt(origin: string, why: string, cause?: unknown): EolgateError {
  return EolgateError.of("catalogue-corrupt", { why }, { where: origin, cause });
}
