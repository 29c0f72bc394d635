/** The border around the readers of files: what a reader throws is the error of its file. */
import { EolgateError } from "./error.ts";

/**
 * Runs the reader of one file. Files are hostile: an exception in a reader means that this file was not read, and does not
 * end the run.
 * @throws EolgateError `unreadable` for an exception of another type
 */
export async function orNotRead<Result>(read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof EolgateError) throw cause;
    const why = cause instanceof Error ? `${cause.name}: ${cause.message.slice(0, 200)}` : typeof cause;
    throw EolgateError.of(
      "unreadable",
      { problem: `its reader failed (${why})`, advice: "Exclude it with --exclude, and report this as a bug." },
      { cause },
    );
  }
}
