/**
 * Removes the Authenticode signature of a Windows program. The signature does not cover what is added to the program.
 * Windows reports an invalid signature as a damaged file, and a missing one only as an unknown publisher. Layout:
 * https://learn.microsoft.com/en-us/windows/win32/debug/pe-format
 */

const PE_OFFSET = 0x3c;
/** After the four bytes "PE\0\0" and the COFF header of 20 bytes. */
const OPTIONAL_HEADER = 24;
/** The certificate table is the fifth data directory. The offset of the directories depends on the word size. */
const CERTIFICATES: Readonly<Record<number, number>> = { 0x10b: 96 + 4 * 8, 0x20b: 112 + 4 * 8 };

/**
 * @returns the program without its certificate table, or the same bytes if it has none. Throws if it is not a Windows
 *   program.
 */
export function withoutSignature(program: Buffer): Buffer {
  const start = program.readUInt32LE(PE_OFFSET);
  if (program.toString("latin1", start, start + 4) !== "PE\0\0") throw new Error("not a Windows program");
  const header = start + OPTIONAL_HEADER;
  const entry = CERTIFICATES[program.readUInt16LE(header)];
  if (entry === undefined) throw new Error("a Windows program of an unknown kind");
  const [offset, size] = [program.readUInt32LE(header + entry), program.readUInt32LE(header + entry + 4)];
  if (size === 0) return program;
  // Signing tools append the table, padded to eight bytes, so that it can be removed without moving anything.
  const rest = program.length - offset - size;
  if (rest < 0 || rest > 7) throw new Error("the certificate table is not at the end of the program");
  const unsigned = Buffer.from(program.subarray(0, offset));
  unsigned.fill(0, header + entry, header + entry + 8);
  return unsigned;
}
