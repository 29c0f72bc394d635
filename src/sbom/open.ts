/** `readSbom` for commands, which load the readers of XML and tag-value only when a document needs them. */
import { MemorySource, type ByteSource } from "../json-rows/source.ts";
import type { SbomDocument } from "../model/index.ts";
import { openDocument } from "./envelope.ts";
import { isJsonFormat, JSON_READERS } from "./json-formats.ts";

export { allBytes, MemorySource, readFully } from "../json-rows/source.ts";
export type { ByteSource };

/** Returns the same document, and throws the same errors, as `readSbom`. */
export async function openSbom(input: Uint8Array | ByteSource): Promise<SbomDocument> {
  const opened = openDocument(input instanceof Uint8Array ? new MemorySource(input) : input);
  if (isJsonFormat(opened.format)) return JSON_READERS[opened.format](opened);
  const { readOpened } = await import("./read.ts");
  return readOpened(opened);
}
