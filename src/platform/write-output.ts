/** Writes a report to a path: a regular file is replaced whole, a device or pipe is written to directly. */
import { writeFileWhole } from "./replace-file.ts";

export function writeOutput(path: string, text: string | Uint8Array): Promise<void> {
  return writeFileWhole(path, [typeof text === "string" ? new TextEncoder().encode(text) : text]);
}
