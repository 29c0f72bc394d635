/** Base64 over bytes (RFC 4648 sections 4 and 5): a payload may be longer than the longest string. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NOT_A_DIGIT = 255;
const DIGITS = new Uint8Array(256).fill(NOT_A_DIGIT);
for (let value = 0; value < 64; value++) DIGITS[ALPHABET.charCodeAt(value)] = value;
DIGITS["-".charCodeAt(0)] = 62;
DIGITS["_".charCodeAt(0)] = 63;
const PADDING = "=".charCodeAt(0);

/**
 * The bytes that `text` encodes, in the standard or the URL-safe alphabet, padded or not; undefined when it is neither.
 */
export function decodeBase64(text: Uint8Array): Uint8Array | undefined {
  let length = text.length;
  while (length > 0 && text.length - length < 2 && text[length - 1] === PADDING) length--;
  if (length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let at = 0;
  let held = 0;
  let bits = 0;
  for (let i = 0; i < length; i++) {
    const digit = DIGITS[text[i] ?? 0] ?? NOT_A_DIGIT;
    if (digit === NOT_A_DIGIT) return undefined;
    held = ((held << 6) | digit) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 0xff;
    }
  }
  return bytes;
}

/** The standard alphabet, padded. */
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
