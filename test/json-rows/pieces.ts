/** A source that is not in memory for its reader, and gives at most `size` bytes at once. */
import type { ByteSource } from "../../src/json-rows/source.ts";

export const pieces = (bytes: Uint8Array, size: number): ByteSource => ({
  length: bytes.length,
  read(target, position) {
    const part = bytes.subarray(position, position + Math.min(size, target.length));
    target.set(part);
    return part.length;
  },
});
