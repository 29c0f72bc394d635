/** Error codes: output. */
import { row } from "./row.ts";

export const OUTPUT_ERRORS = {
  "no-source": row({
    kind: "internal",
    message: () => "only a document as readSbom returned it can be enriched",
  }),
  "not-regular": row({
    kind: "output",
    message: () => "only a regular file can be written in place",
    hint: () => "Write to another place with -o FILE.",
  }),
  "not-written": row<{ cause: string }>({
    kind: "output",
    message: ({ cause }) => `the catalogue cannot be written: ${cause}`,
    hint: () => "Name another folder with EOLGATE_CACHE.",
  }),
  unwritable: row({
    kind: "output",
    message: () => "the export cannot be written",
  }),
} as const;
