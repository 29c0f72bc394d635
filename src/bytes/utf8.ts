/** UTF-8 as RFC 3629 defines it. The scanner calls this only for bytes above 0x7F. */

const continues = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte <= 0xbf;

/** Length of the multi-byte sequence at `at`, or 0 where the bytes are no UTF-8 (overlong, surrogate, cut off). */
export function sequenceLength(bytes: Uint8Array, at: number): 0 | 2 | 3 | 4 {
  const first = bytes[at] ?? 0;
  const second = bytes[at + 1] ?? 0;
  if (first >= 0xc2 && first <= 0xdf) return continues(second) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const lowest = first === 0xe0 ? 0xa0 : 0x80;
    const highest = first === 0xed ? 0x9f : 0xbf;
    return second >= lowest && second <= highest && continues(bytes[at + 2]) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const lowest = first === 0xf0 ? 0x90 : 0x80;
    const highest = first === 0xf4 ? 0x8f : 0xbf;
    const sound = second >= lowest && second <= highest && continues(bytes[at + 2]) && continues(bytes[at + 3]);
    return sound ? 4 : 0;
  }
  return 0;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Above this many bytes the platform's decoder is faster than building the string by hand (measured). */
const BY_HAND = 64;
const units: number[][] = Array.from({ length: BY_HAND + 1 }, (_, length) => Array.from({ length }, () => 0));

/** Text of bytes that are all below 0x80. Most strings of a document are short: no view and no decoder for them. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  const scratch = units[length];
  if (scratch === undefined) return decoder.decode(bytes.subarray(start, end));
  for (let i = 0; i < length; i++) scratch[i] = bytes[start + i] ?? 0;
  return String.fromCharCode.apply(null, scratch);
}

/** Text of bytes already known to be UTF-8. */
export const utf8Text = (bytes: Uint8Array, start: number, end: number): string =>
  decoder.decode(bytes.subarray(start, end));
