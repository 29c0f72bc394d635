/** The commands of who runs a service: rows of the one table in `commands.ts`. */
import type { CommandSpec } from "./command.ts";
import { AS_OF_FLAG, CATALOGUE_FLAGS, OUTPUT_FLAG, STORE_FLAGS, TEXT_OR_JSON_FLAGS } from "./flags.ts";

export const STORE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "keys create",
    summary: "make an API key (or show the one that the address has) and print it",
    flags: [
      { flags: "--email <address>", summary: "whom it belongs to" },
      { flags: "--tier <name>", summary: "free (default), starter, pro, enterprise, or one of --tiers" },
      ...STORE_FLAGS,
    ],
    examples: ["eolgate keys create --email ops@example.org --tier pro"],
    load: async () => ({ run: (await import("./commands/keys.ts")).create }),
  },
  {
    name: "keys list",
    summary: "every key with its id, never its text",
    flags: [...STORE_FLAGS, ...TEXT_OR_JSON_FLAGS],
    load: async () => ({ run: (await import("./commands/keys.ts")).list }),
  },
  {
    name: "keys revoke",
    arguments: "<id>",
    summary: "end a key; servers refuse it within seconds",
    flags: STORE_FLAGS,
    load: async () => ({ run: (await import("./commands/keys.ts")).revoke }),
  },
  {
    name: "db migrate",
    summary: "bring the store to this version's schema (serve does so by itself)",
    flags: STORE_FLAGS,
    load: async () => ({ run: (await import("./commands/db.ts")).migrate }),
  },
  {
    name: "db export",
    summary: "everything the store holds as lines of JSON",
    flags: [...STORE_FLAGS, OUTPUT_FLAG],
    examples: ["eolgate db export -o backup.ndjson"],
    load: async () => ({ run: (await import("./commands/db.ts")).exportRows }),
  },
  {
    name: "db import",
    arguments: "<file>",
    summary: "fill an empty store with an export (- for standard input)",
    flags: STORE_FLAGS,
    examples: ["eolgate db export --data ./data | eolgate db import - --database postgres://db/eolgate"],
    load: async () => ({ run: (await import("./commands/db.ts")).importRows }),
  },
  {
    name: "watch preview",
    arguments: "<subjects...>",
    summary: "which alerts a list of slug:version, or an SBOM, would send and when",
    flags: [AS_OF_FLAG, ...CATALOGUE_FLAGS, ...TEXT_OR_JSON_FLAGS],
    examples: ["eolgate watch preview nodejs:20 python:3.9", "eolgate watch preview bom.json"],
    load: async () => ({ run: (await import("./commands/watch.ts")).preview }),
  },
  {
    name: "mail dead",
    summary: "mails that were given up, with the reason",
    flags: [...STORE_FLAGS, ...TEXT_OR_JSON_FLAGS],
    load: async () => ({ run: (await import("./commands/mail.ts")).dead }),
  },
  {
    name: "mail requeue",
    arguments: "[id]",
    summary: "send a mail that was given up again, or all of them",
    flags: STORE_FLAGS,
    load: async () => ({ run: (await import("./commands/mail.ts")).requeue }),
  },
];
