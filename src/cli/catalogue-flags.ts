/** Flags that only the catalogue commands take. */
import type { Flag } from "./flags.ts";

export const KEY_FLAG: Flag = {
  flags: "--key <file>",
  summary: "Ed25519 public key (PEM file, or base64): the catalogue has to be signed with it",
  env: "EOLGATE_CATALOGUE_KEY",
  file: true,
};

export const UPDATE_FLAGS: readonly Flag[] = [
  { flags: "--source-base <url>", summary: "read the sources from this mirror", env: "EOLGATE_SOURCE_BASE" },
  { flags: "--from <url>", summary: "take the catalogue that another eolgate server publishes" },
  { flags: "--allow-older", summary: "take a catalogue that was read before the one at hand" },
  { flags: "--strict-sources", summary: "exit 5 when any vendor cannot be read" },
  KEY_FLAG,
];

export const IMPORT_FLAGS: readonly Flag[] = [
  { flags: "--allow-older", summary: "take a catalogue that was read before the one at hand" },
  KEY_FLAG,
];

export const EXPORT_FLAGS: readonly Flag[] = [
  {
    flags: "--format <format>",
    summary: "catalogue (default), cle (ECMA-428) or openeox (OASIS)",
    choices: ["catalogue", "cle", "openeox"],
  },
  { flags: "--product <slug>", summary: "only this product; repeat for more (cle: one)", repeat: true },
  { flags: "--sign-key <file>", summary: "Ed25519 private key (PEM) that signs the exported catalogue", file: true },
  { flags: "-o, --output <file>", summary: "write here instead of standard output", file: true },
];

export const DIFF_FLAGS: readonly Flag[] = [
  {
    flags: "--format <format>",
    summary: "text (default), json or markdown",
    choices: ["text", "json", "markdown"],
  },
  { flags: "-o, --output <file>", summary: "write here instead of standard output", file: true },
];
