/**
 * What is wrong with bytes. The layer above makes the errors and words them: a reader is given these functions and throws
 * what they return. `where` is a line and column, or an offset.
 */
export interface ByteErrors {
  notJson(args: { readonly problem: string; readonly advice: string | undefined }, where: string): Error;
  truncated(args: { readonly what: string }, where: string): Error;
  /** `byte`: `0xFF`. */
  invalidUtf8(args: { readonly byte: string; readonly offset: number }, where: string): Error;
  /** `end`: the length in bytes. */
  textTooLong(args: { readonly end: number }, where: string): Error;
  jsonTooDeep(where: string): Error;
  duplicateKey(args: { readonly what: string }, where: string): Error;
  wrongType(args: { readonly name: string; readonly expected: string; readonly found: string }, where: string): Error;
}

/** `0xFF`. */
export const hex = (byte: number): string => `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
/** An ASCII character in quotes, any other byte as `0xFF`. */
export const shown = (byte: number): string =>
  byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : hex(byte);
