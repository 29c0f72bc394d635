/** UTF-8 as RFC 3629 defines it. The scanner calls this only for bytes above 0x7F. */

const continues = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte <= 0xbf;

/** Length of the multi-byte sequence at `at`, or 0 if the bytes are not UTF-8 (overlong, surrogate, cut off). */
export function sequenceLength(bytes: Uint8Array, at: number): 0 | 2 | 3 | 4 {
  const first = bytes[at] ?? 0;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return continues(bytes[at + 1]) ? 2 : 0;
  if (!secondIsSound(first, bytes[at + 1]) || !continues(bytes[at + 2])) return 0;
  if (first < 0xf0) return 3;
  return continues(bytes[at + 3]) ? 4 : 0;
}

const CONTINUATION = [0x80, 0xbf] as const;
/** First bytes that narrow the second one: no overlong forms, no surrogates, nothing above U+10FFFF. */
const NARROWED: ReadonlyMap<number, readonly [lowest: number, highest: number]> = new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);

function secondIsSound(first: number, second: number | undefined): boolean {
  const [lowest, highest] = NARROWED.get(first) ?? CONTINUATION;
  return second !== undefined && second >= lowest && second <= highest;
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
