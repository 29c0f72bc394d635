/**
 * Base64 and UTF-16 of bytes. Both convert bytes to bytes, because a document may be longer than the longest string.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NOT_A_DIGIT = 255;
const DIGITS = new Uint8Array(256).fill(NOT_A_DIGIT);
for (let value = 0; value < 64; value++) DIGITS[ALPHABET.charCodeAt(value)] = value;
DIGITS["-".charCodeAt(0)] = 62;
DIGITS["_".charCodeAt(0)] = 63;
const PADDING = "=".charCodeAt(0);

/**
 * Decodes Base64 (RFC 4648 sections 4 and 5), in the standard or the URL-safe alphabet, padded or not; undefined if it is invalid.
 */
export function decodeBase64(text: Uint8Array): Uint8Array | undefined {
  let length = text.length;
  while (length > 0 && text.length - length < 2 && text[length - 1] === PADDING) length--;
  if (length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let at = 0;
  let buffer = 0;
  let bits = 0;
  for (let i = 0; i < length; i++) {
    const digit = DIGITS[text[i] ?? 0] ?? NOT_A_DIGIT;
    if (digit === NOT_A_DIGIT) return undefined;
    buffer = ((buffer << 6) | digit) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (buffer >> bits) & 0xff;
    }
  }
  return bytes;
}

/** Base64 of bytes in the standard alphabet, padded. */
export function encodeBase64(bytes: Uint8Array): Uint8Array {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PADDING);
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const digits = left >= 3 ? 4 : left + 1;
    for (let digit = 0; digit < digits; digit++) {
      text[at + digit] = ALPHABET.charCodeAt((group >> (18 - 6 * digit)) & 63);
    }
    at += 4;
  }
  return text;
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

/** Bytes that are converted at once: the text never becomes one string. */
const PIECE = 1 << 20;

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
