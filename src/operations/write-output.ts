/** Writes a report to a path: a regular file is replaced whole, a device or pipe is written to directly. */
import { open, rename, stat, unlink, writeFile } from "node:fs/promises";
import { Fault } from "../core/errors.ts";

export async function writeOutput(path: string, text: string | Uint8Array): Promise<void> {
  try {
    if (await isSpecial(path)) await writeFile(path, text);
    else await replaceWhole(path, text);
  } catch (cause) {
    throw new Fault("output", {
      code: "not-written",
      message: `the output cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      where: path,
      hint: "Check that the folder exists and may be written to.",
      cause,
    });
  }
}

const isSpecial = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile(),
    () => false,
  );

/** A reader never sees half a report: it is written beside its place and renamed into it. */
async function replaceWhole(path: string, text: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const handle = await open(temporary, "wx");
  try {
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    await rename(temporary, path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}
