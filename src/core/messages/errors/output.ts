/** Errors of output files, and bugs. */
import { row } from "./row.ts";

export const OUTPUT_ERRORS = {
  "no-source": row({
    kind: "internal",
    message: () => "only a document that readSbom returned can be enriched",
  }),
  "not-regular": row({
    kind: "output",
    message: () => "the output is not a regular file, and only a regular file can be replaced in place",
    hint: () => "Name an output file with -o FILE.",
  }),
  "not-written": row<{ cause: string }>({
    kind: "output",
    message: ({ cause }) => `the catalogue cannot be written: ${cause}`,
    hint: () => "Set EOLGATE_CACHE to a writable folder.",
  }),
  unwritable: row({
    kind: "output",
    message: () => "the export cannot be written",
  }),
} as const;
