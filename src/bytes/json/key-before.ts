import { readFully, type ByteSource } from "../byte-source.ts";

/** Position of the key whose value begins at `position`. */
export function keyBefore(source: ByteSource, position: number): number {
  const from = Math.max(0, position - 1024);
  const bytes = new Uint8Array(position - from);
  readFully(source, bytes, from);
  // One character for each byte: positions in the text are positions in the bytes.
  const text = new TextDecoder("latin1").decode(bytes);
  const key = /"(?:[^"\\]|\\.)*"\s*:\s*$/.exec(text.slice(Math.max(0, text.lastIndexOf("{"), text.lastIndexOf(","))));
  return key === null ? position : position - key[0].length;
}
