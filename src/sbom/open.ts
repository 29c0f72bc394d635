/**
 * The first step of the main path: bytes in, a document out. The reader of the most common format is loaded at start-up,
 * the others, which `read.ts` lists, when a document needs one of them.
 */
import { MemorySource, type ByteSource } from "../json-rows/source.ts";
import { readCycloneDx } from "./cyclonedx/json.ts";
import type { ParsedSbom } from "./component.ts";
import { openDocument } from "./envelope.ts";

/**
 * Reads every format and wrapping that the library's `readSbom` reads.
 *
 * Positions, spans and pointers count in the innermost bytes, which are the given ones unless an envelope encodes them. A
 * source is read in pieces and has to stay unchanged as long as the document is used. A document without components is
 * returned as such: the policy decides about it.
 *
 * @param input the document's bytes, or a source of them
 * @throws EolgateError of kind `input` or `too-large` with a position: `docs/errors.md` lists the codes
 */
export async function openSbom(input: Uint8Array | ByteSource): Promise<ParsedSbom> {
  const opened = openDocument(input instanceof Uint8Array ? new MemorySource(input) : input);
  if (opened.format === "cyclonedx") return readCycloneDx(opened);
  return (await import("./read.ts")).READERS[opened.format](opened);
}
