/** `readSbom` for the command line, where each module that is loaded is waited for: those of XML only with XML. */
import type { SbomDocument } from "../model.ts";
import { isJsonKind, JSON_READERS } from "./json-readers.ts";
import { unwrap } from "./unwrap.ts";

/** The same answer as `readSbom`, and the same faults. */
export async function openSbom(bytes: Uint8Array): Promise<SbomDocument> {
  const opened = unwrap(bytes);
  if (isJsonKind(opened.kind)) return JSON_READERS[opened.kind](opened);
  const { readOpened } = await import("./read.ts");
  return readOpened(opened);
}
