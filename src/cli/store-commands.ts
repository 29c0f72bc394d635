/** The commands for operators of a service. */
import type { CommandSpec } from "./command.ts";
import { AS_OF_FLAG, CATALOGUE_FLAGS, OUTPUT_FLAG, TEXT_OR_JSON_FLAGS } from "./flags.ts";
import { STORE_FLAGS } from "./store-flags.ts";

export const STORE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "keys create",
    summary: "create and print an API key, or print the existing one of the address",
    flags: [
      { flags: "--email <address>", summary: "address of the owner (required)" },
      { flags: "--tier <name>", summary: "free (default), starter, pro, enterprise, or one of --tiers" },
      ...STORE_FLAGS,
    ],
    examples: ["eolgate keys create --email ops@example.org --tier pro"],
    load: async () => (await import("../service/index.ts")).loadCommand("keys create"),
  },
  {
    name: "keys list",
    summary: "list the ids of the keys, without the keys",
    flags: [...STORE_FLAGS, ...TEXT_OR_JSON_FLAGS],
    load: async () => (await import("../service/index.ts")).loadCommand("keys list"),
  },
  {
    name: "keys revoke",
    arguments: "<id>",
    summary: "revoke a key; all servers refuse it within seconds",
    flags: STORE_FLAGS,
    load: async () => (await import("../service/index.ts")).loadCommand("keys revoke"),
  },
  {
    name: "db migrate",
    summary: "migrate the store to the schema of this version (serve does this when it starts)",
    flags: STORE_FLAGS,
    load: async () => (await import("../service/index.ts")).loadCommand("db migrate"),
  },
  {
    name: "db export",
    summary: "export the store as JSON lines",
    flags: [...STORE_FLAGS, OUTPUT_FLAG],
    examples: ["eolgate db export -o backup.ndjson"],
    load: async () => (await import("../service/index.ts")).loadCommand("db export"),
  },
  {
    name: "db import",
    arguments: "<file>",
    summary: "import an export into an empty store (- for standard input)",
    flags: STORE_FLAGS,
    examples: ["eolgate db export --data ./data | eolgate db import - --database postgres://db/eolgate"],
    load: async () => (await import("../service/index.ts")).loadCommand("db import"),
  },
  {
    name: "watch preview",
    arguments: "<subjects...>",
    summary: "print the alerts that slug:version pairs or an SBOM would cause, with their dates",
    flags: [AS_OF_FLAG, ...CATALOGUE_FLAGS, ...TEXT_OR_JSON_FLAGS],
    examples: ["eolgate watch preview nodejs:20 python:3.9", "eolgate watch preview bom.json"],
    load: async () => (await import("../service/index.ts")).loadCommand("watch preview"),
  },
  {
    name: "mail dead",
    summary: "list the dead letters with their reasons",
    flags: [...STORE_FLAGS, ...TEXT_OR_JSON_FLAGS],
    load: async () => (await import("../service/index.ts")).loadCommand("mail dead"),
  },
  {
    name: "mail requeue",
    arguments: "[id]",
    summary: "send one dead letter or all of them again",
    flags: STORE_FLAGS,
    load: async () => (await import("../service/index.ts")).loadCommand("mail requeue"),
  },
];
