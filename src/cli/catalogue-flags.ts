/** Flags that only the catalogue commands take, and `check --update`. */
import type { Flag } from "./flags.ts";

export const KEY_FLAG: Flag = {
  flags: "--key <key>",
  summary: "Ed25519 public key of the publisher: PEM file, or 32 bytes in base64; repeat for more",
  env: "EOLGATE_CATALOGUE_KEY",
  repeat: true,
  file: true,
};

/** Flags of the commands that replace the catalogue in use. */
const INSTALL_FLAGS: readonly Flag[] = [
  {
    flags: "--allow-unsigned",
    summary: "accept a catalogue without a signature, or whose signature no given key can verify",
  },
  { flags: "--allow-older", summary: "accept a catalogue with older content than the current one" },
  { flags: "--allow-loss", summary: "accept lost products, cycles and identifiers beyond the limits" },
  { flags: "--allow-date-changes", summary: "accept moved ends and revived cycles beyond the limits" },
  KEY_FLAG,
];

export const UPDATE_FLAGS: readonly Flag[] = [
  {
    flags: "--from <address>",
    summary: "channel, eolgate server or file to read (default: the channel of this release)",
    env: "EOLGATE_CATALOGUE_CHANNEL",
    file: true,
  },
  { flags: "--from-sources", summary: "read the vendors' sources instead of a channel" },
  {
    flags: "--source-base <url>",
    summary: "read the sources from this mirror, which has a folder for each host",
    env: "EOLGATE_SOURCE_BASE",
  },
  { flags: "--strict-sources", summary: "exit with 5 if any source cannot be read" },
  ...INSTALL_FLAGS,
];

export const IMPORT_FLAGS: readonly Flag[] = INSTALL_FLAGS;

export const SIGN_KEY_FLAG: Flag = {
  flags: "--sign-key <file>",
  summary: "Ed25519 private key (PEM) that signs",
  file: true,
};

export const PUBLISH_FLAGS: readonly Flag[] = [
  { ...SIGN_KEY_FLAG, summary: "Ed25519 private key (PEM) that signs; repeat during a rotation", repeat: true },
  { flags: "--next-in <hours>", summary: "hours until the next publication is due (default: 72)" },
  { flags: "--expires-in <hours>", summary: "hours until the metadata expires (default: 336)" },
  { flags: "--revoke-key <id>", summary: "id of a key that is no longer trusted", repeat: true },
];

export const EXPORT_FLAGS: readonly Flag[] = [
  {
    flags: "--format <format>",
    summary: "catalogue (default), cle (ECMA-428) or openeox (OASIS)",
    choices: ["catalogue", "cle", "openeox"],
  },
  { flags: "--product <slug>", summary: "only this product; repeat for more (cle: one)", repeat: true },
  { ...SIGN_KEY_FLAG, summary: "Ed25519 private key (PEM) that signs the exported catalogue" },
  { flags: "-o, --output <file>", summary: "write to this file instead of standard output", file: true },
];

export const DIFF_FLAGS: readonly Flag[] = [
  {
    flags: "--format <format>",
    summary: "text (default), json or markdown",
    choices: ["text", "json", "markdown"],
  },
  { flags: "-o, --output <file>", summary: "write to this file instead of standard output", file: true },
];

export const CHECK_UPDATE_FLAG: Flag = {
  flags: "--update",
  summary: "read the catalogue channel first, at most once a day; if it does not answer, use the current catalogue",
  env: "EOLGATE_UPDATE",
  group: "Catalogue:",
};
