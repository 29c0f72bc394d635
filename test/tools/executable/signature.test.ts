/** Signatures of Windows programs are removed before a single executable is made from them. */
import { describe, expect, test } from "vitest";
import { withoutSignature } from "../../../tools/executable/signature.ts";

const PE = 0x80;
const LENGTH = 1024;

/** Headers of a program with a certificate table of `size` bytes at its end. */
function program({ magic = 0x20b, directories = 112, size = 64, after = 0 } = {}): Buffer {
  const bytes = Buffer.alloc(LENGTH + size + after, 7);
  bytes.writeUInt32LE(PE, 0x3c);
  bytes.write("PE\0\0", PE, "latin1");
  bytes.writeUInt16LE(magic, PE + 24);
  bytes.writeUInt32LE(size === 0 ? 0 : LENGTH, PE + 24 + directories + 32);
  bytes.writeUInt32LE(size, PE + 24 + directories + 36);
  return bytes;
}

describe("removing a signature", () => {
  test.each([
    ["64 bit", { magic: 0x20b, directories: 112 }],
    ["32 bit", { magic: 0x10b, directories: 96 }],
  ])("removes the table and its entry from a program of %s, and nothing else", (_, kind) => {
    const signed = program(kind);
    const unsigned = withoutSignature(signed);
    const entry = PE + 24 + kind.directories + 32;
    expect(unsigned.length).toBe(LENGTH);
    expect(unsigned.readBigUInt64LE(entry)).toBe(0n);
    expect(unsigned.subarray(0, entry)).toEqual(signed.subarray(0, entry));
    expect(unsigned.subarray(entry + 8)).toEqual(signed.subarray(entry + 8, LENGTH));
  });

  test("leaves a program without a signature as it is", () => {
    const unsigned = program({ size: 0 });
    expect(withoutSignature(unsigned)).toBe(unsigned);
    const signed = withoutSignature(program());
    expect(withoutSignature(signed)).toBe(signed);
  });

  test.each([
    ["data after the table", program({ after: 8 }), "not at the end"],
    ["an unknown kind of header", program({ magic: 0x107 }), "unknown kind"],
    ["an executable of Linux", Buffer.from("\x7FELF".padEnd(200, "\0"), "latin1"), "not a Windows program"],
  ])("refuses %s", (_, bytes, message) => expect(() => withoutSignature(bytes)).toThrow(message));
});
