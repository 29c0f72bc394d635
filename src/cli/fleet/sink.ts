/** The output of a run over many documents, written piece by piece: standard output, or a file. */
import { open, type FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import { writeError } from "../../platform/write-error.ts";
import type { ProcessContext } from "../process-context.ts";

export interface Sink {
  /** Resolves to the number of bytes written so far, including those of a resumed run. */
  write(text: string | Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens the output. `keep`: the number of bytes at the start of the file to keep from an earlier run; the rest is
 * removed.
 * @throws EolgateError `not-written`
 */
export async function openSink(io: ProcessContext, file: string | undefined, keep: number): Promise<Sink> {
  if (file === undefined) return standardOutput(io, keep);
  const path = resolve(io.cwd, file);
  const handle = await openFile(path, keep);
  let size = keep;
  return {
    async write(text) {
      const bytes = bytesOf(text);
      await handle.writeFile(bytes).catch((cause: unknown) => {
        throw writeError(path, cause);
      });
      size += bytes.length;
      return size;
    },
    close: () => handle.close(),
  };
}

function standardOutput(io: ProcessContext, keep: number): Sink {
  let size = keep;
  return {
    async write(text) {
      const bytes = bytesOf(text);
      if (bytes.length > 0) await io.out(bytes);
      size += bytes.length;
      return size;
    },
    close: () => Promise.resolve(),
  };
}

const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? Buffer.from(text) : text);

async function openFile(path: string, keep: number): Promise<FileHandle> {
  try {
    const handle = await open(path, keep === 0 ? "w" : "a");
    const found = await handle.stat();
    if (found.isFile()) await handle.truncate(keep);
    return handle;
  } catch (cause) {
    throw writeError(path, cause);
  }
}
