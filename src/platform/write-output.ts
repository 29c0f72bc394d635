/** Writes a report to a path: a regular file is replaced atomically, a device or pipe is written to directly. */
import { writeFileWhole } from "./replace-file.ts";

/** `content`: the text or bytes, or pieces of them, which may be generated while they are written. */
export function writeOutput(path: string, content: string | Uint8Array | Iterable<string | Uint8Array>): Promise<void> {
  if (content instanceof Uint8Array) return writeFileWhole(path, [content]);
  return writeFileWhole(path, typeof content === "string" ? [new TextEncoder().encode(content)] : encoded(content));
}

function* encoded(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield typeof piece === "string" ? encoder.encode(piece) : piece;
}
