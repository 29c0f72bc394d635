/**
 * Base64 and UTF-16 of bytes. Both convert bytes to bytes, because a document may be longer than the longest string.
 */

const PADDING = "=".charCodeAt(0);
/** Encoded bytes that are converted at once: the text never becomes one string. */
const PIECE = 1 << 20;
/** Bytes whose Base64 has `PIECE` characters. */
const PLAIN: number = (PIECE / 4) * 3;
const NOT_BASE64 = /[^\w+/-]/;

/**
 * Decodes Base64 (RFC 4648 sections 4 and 5), in the standard or the URL-safe alphabet, padded or not; undefined if it is invalid.
 */
export function decodeBase64(text: Uint8Array): Uint8Array | undefined {
  let length = text.length;
  while (length > 0 && text.length - length < 2 && text[length - 1] === PADDING) length--;
  if (length % 4 === 1) return undefined;
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < length; at += PIECE) {
    const piece = Buffer.from(text.buffer, text.byteOffset + at, Math.min(PIECE, length - at)).toString("latin1");
    if (NOT_BASE64.test(piece)) return undefined;
    pieces.push(Buffer.from(piece, "base64"));
  }
  return joined(pieces);
}

/** Base64 of bytes in the standard alphabet, padded. */
export function encodeBase64(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PLAIN) {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(PLAIN, bytes.length - at));
    pieces.push(Buffer.from(piece.toString("base64"), "latin1"));
  }
  return joined(pieces);
}

export type Utf16Order = "utf-16le" | "utf-16be";

/** By the byte order mark, or by the zero byte next to the first ASCII character (RFC 4627 section 3). */
export function utf16Order(bytes: Uint8Array): Utf16Order | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  if (LITTLE_ENDIAN_MARK === first * 256 + second) return "utf-16le";
  if (BIG_ENDIAN_MARK === first * 256 + second) return "utf-16be";
  if (first === 0) return second === 0 ? undefined : "utf-16be";
  return second === 0 ? "utf-16le" : undefined;
}

const LITTLE_ENDIAN_MARK = 0xfffe;
const BIG_ENDIAN_MARK = 0xfeff;

/** UTF-8 of the same text; a byte order mark is kept as one. @throws TypeError when the bytes are not UTF-16 */
export function decodeUtf16(bytes: Uint8Array, order: Utf16Order): Uint8Array {
  const decoder = new TextDecoder(order, { fatal: true, ignoreBOM: true });
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    const end = Math.min(bytes.length, at + PIECE);
    pieces.push(encoder.encode(decoder.decode(bytes.subarray(at, end), { stream: end < bytes.length })));
  }
  return joined(pieces);
}

/** UTF-16 of UTF-8 bytes that were checked before. */
export function encodeUtf16(bytes: Uint8Array, order: Utf16Order): Uint8Array {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    const end = Math.min(bytes.length, at + PIECE);
    const text = decoder.decode(bytes.subarray(at, end), { stream: end < bytes.length });
    const piece = new Uint8Array(text.length * 2);
    const view = new DataView(piece.buffer);
    for (let unit = 0; unit < text.length; unit++) {
      view.setUint16(unit * 2, text.charCodeAt(unit), order === "utf-16le");
    }
    pieces.push(piece);
  }
  return joined(pieces);
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
