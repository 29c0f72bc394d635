/** Errors of output files, and bugs. */
import { row } from "./row.ts";

export const OUTPUT_ERRORS = {
  "not-regular": row({
    kind: "output",
    message: () => "the output is not a regular file, and only a regular file can be replaced in place",
    hint: () => "Name an output file with -o FILE.",
  }),
  unwritable: row({
    kind: "output",
    message: () => "the export cannot be written",
  }),
  "not-written": row<{ subject: string; reason: string; advice: string | undefined }>({
    kind: "output",
    message: ({ subject, reason }) => `${subject} cannot be written: ${reason}`,
    hint: ({ advice }) => advice,
  }),
  "foreign-manifest": row({
    kind: "output",
    message: () => "the folder has a manifest.json that is not from a site export",
    hint: () => "Use an empty folder, or remove the file.",
  }),
  "unsafe-file-name": row<{ file: string }>({
    kind: "output",
    message: ({ file }) => `the catalogue has a name that would be written outside the folder: ${file}`,
    hint: () => "Use another catalogue.",
  }),
  internal: row<{ problem: string }>({
    kind: "internal",
    message: ({ problem }) => problem,
    hint: () => "Report it with the command and the lines below. The document is not needed.",
  }),
} as const;
