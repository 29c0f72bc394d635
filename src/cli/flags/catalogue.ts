/** The flags of the catalogue commands. */
import { CATALOGUE_FLAG, formatFlag, OUTPUT_FLAG, TEXT_OR_JSON_FLAGS } from "./check.ts";
import type { Flag } from "../../shell/flag.ts";

export const KEY_FLAG: Flag = {
  flags: "--publisher-key <key>",
  summary: "Ed25519 public key of the publisher: PEM file, or 32 bytes in base64; repeat for more",
  env: true,
  repeat: true,
};

const RESULT_FLAGS: readonly Flag[] = [CATALOGUE_FLAG, ...TEXT_OR_JSON_FLAGS];

export const INFO_FLAGS = RESULT_FLAGS;
export const VERIFY_FLAGS: readonly Flag[] = [KEY_FLAG, ...RESULT_FLAGS];

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
    flags: "--channel <address-or-file>",
    summary: "channel or catalogue file to read, as address or path (default: the channel of this release)",
    env: true,
  },
  { flags: "--from-sources", summary: "read the vendors' sources instead of a channel" },
  {
    flags: "--source-base <url>",
    summary: "read the sources from this mirror, which has a folder for each host",
    env: true,
  },
  { flags: "--strict-sources", summary: "exit with 5 if any source cannot be read" },
  ...INSTALL_FLAGS,
  ...RESULT_FLAGS,
];

export const IMPORT_FLAGS: readonly Flag[] = [...INSTALL_FLAGS, ...RESULT_FLAGS];

const SIGN_KEY = "--sign-key <file>";

export const PUBLISH_FLAGS: readonly Flag[] = [
  {
    flags: SIGN_KEY,
    summary: "Ed25519 private key (PEM) that signs; repeat during a rotation",
    repeat: true,
  },
  { flags: "--next-in <hours>", summary: "hours until the next publication is due (default: 72)" },
  { flags: "--expires-in <hours>", summary: "hours until the metadata expires (default: 336)" },
  { flags: "--keep-history <days>", summary: "days for which replaced catalogues are kept (default: all are kept)" },
  { flags: "--revoke-key <id>", summary: "id of a key that is no longer trusted", repeat: true },
  ...RESULT_FLAGS,
];

export const EXPORT_FLAGS: readonly Flag[] = [
  {
    flags: "--format <format>",
    summary:
      "catalogue (default), cle (ECMA-428), openeox (OASIS), cycles (a table for fleets) or admission (policies of Kubernetes)",
    choices: ["catalogue", "cle", "openeox", "cycles", "admission"],
  },
  { flags: "--product <slug>", summary: "only this product; repeat for more (cle: one)", repeat: true },
  { flags: SIGN_KEY, summary: "Ed25519 private key (PEM) that signs the exported catalogue" },
  OUTPUT_FLAG,
  CATALOGUE_FLAG,
];

export const DIFF_FLAGS: readonly Flag[] = [formatFlag(["text", "json", "markdown"]), OUTPUT_FLAG];
