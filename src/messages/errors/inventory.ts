/** Errors of folders, lockfiles and version pins. */
import { row } from "./row.ts";

const REGENERATE = "Generate the file again with its package manager";

export const INVENTORY_ERRORS = {
  "file-too-large": row<{ bytes: number; limit: number }>({
    kind: "too-large",
    message: ({ bytes, limit }) => `the file has ${bytes} bytes, more than the limit of ${limit}`,
    hint: () => "Exclude it with --exclude.",
  }),
  "folder-unreadable": row<{ cause: string }>({
    kind: "input",
    message: ({ cause }) => `the folder cannot be read (${cause})`,
    hint: () => "Check that it exists and its permissions, or exclude it with --exclude.",
  }),
  "lockfile-broken": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => what,
    hint: () => `${REGENERATE}, or exclude it with --exclude.`,
  }),
  "lockfile-conflict": row({
    kind: "input",
    message: () => "the file has unresolved merge conflict markers",
    hint: () => `Resolve the merge. ${REGENERATE}.`,
  }),
  "lockfile-incomplete": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => what,
    hint: () => `The file was truncated or edited. ${REGENERATE}.`,
  }),
  "lockfile-version": row<{ what: string }>({
    kind: "input",
    message: ({ what }) => what,
    hint: () => "docs/inputs.md lists the supported versions of each format.",
  }),
  "nothing-to-check": row<{ unread: string }>({
    kind: "input",
    message: () => "the folder has no SBOM, no lockfile and no version pin",
    hint: ({ unread }) =>
      `docs/inputs.md lists the files that are read.${unread === "" ? "" : ` Found, but not supported: ${unread}.`}`,
  }),
  "pin-file-broken": row<{ why: string }>({
    kind: "input",
    message: ({ why }) => why,
    hint: () => "Correct the file, or exclude it with --exclude.",
  }),
  "stack-product": row<{ name: string; suggestions: string }>({
    kind: "usage",
    message: ({ name }) => `the catalogue has no product ${name}`,
    hint: ({ suggestions }) =>
      suggestions === "" ? "Search the catalogue with: eolgate products TEXT" : `Did you mean ${suggestions}?`,
  }),
  "too-many-files": row<{ limit: number }>({
    kind: "too-large",
    message: ({ limit }) => `the folder has more than ${limit} entries`,
    hint: () => "Check the folder of a single project, or exclude parts with --exclude.",
  }),
} as const;
