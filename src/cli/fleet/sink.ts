/** Where a run over many documents writes what it has so far: standard output, or a file that grows. */
import { open, type FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import { writeError } from "../../platform/write-error.ts";
import type { ProcessContext } from "../process-context.ts";

export interface Sink {
  /** Resolves to the bytes written so far, those of an earlier run that is continued included. */
  write(text: string | Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/** `keep`: bytes of the file that an earlier run has written; what is behind them is removed. Throws `not-written`. */
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
