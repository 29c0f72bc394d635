/** The commands that host or manage the service. Their functions are in `src/service`. */
import type { CommandModule, CommandSpec } from "../../shell/command.ts";
import {
  API_FLAG,
  AS_OF_FLAG,
  CATALOGUE_FLAG,
  CATALOGUE_FLAGS,
  OUTPUT_FLAG,
  SEND_SBOM_FLAG,
  TEXT_OR_JSON_FLAGS,
} from "../flags/check.ts";
import { KEY_OWNER_FLAGS, SERVE_FLAGS, SITE_FLAGS, STORE_FLAGS } from "../flags/service.ts";

type ServiceCommand =
  | "serve"
  | "mcp"
  | "site export"
  | "keys create"
  | "keys list"
  | "keys revoke"
  | "db migrate"
  | "db export"
  | "db import"
  | "mail dead"
  | "mail requeue";

const serviceCommand = (spec: CommandSpec & { readonly name: ServiceCommand }): CommandModule => ({
  ...spec,
  run: async (invocation) => {
    const { loadCommand } = await import("../../service/index.ts");
    const { run } = await loadCommand(spec.name);
    return run(invocation);
  },
});

export const commands: readonly CommandModule[] = [
  serviceCommand({
    name: "serve",
    summary: "run the HTTP service: API, keys, alerts, MCP, pages",
    flags: [...SERVE_FLAGS, ...STORE_FLAGS, CATALOGUE_FLAG],
    examples: [
      "eolgate serve",
      "eolgate serve --open --port 9000",
      "eolgate serve --public-url https://eol.example.org --trust-proxy 1",
    ],
  }),
  serviceCommand({
    name: "mcp",
    summary: "serve the Model Context Protocol on standard input and output",
    flags: [AS_OF_FLAG, ...CATALOGUE_FLAGS, API_FLAG, SEND_SBOM_FLAG],
  }),
  serviceCommand({
    name: "site export",
    arguments: "<dir>",
    summary: "write the read-only API, the published files and the pages to a folder for a static host",
    flags: SITE_FLAGS,
    examples: [
      "eolgate site export public --public-url https://eol.example.org",
      "eolgate site export public --public-url https://eol.example.org --part api --part files",
    ],
  }),
  serviceCommand({
    name: "keys create",
    summary: "create and print an API key, or print the existing one of the address",
    flags: [...KEY_OWNER_FLAGS, ...STORE_FLAGS],
    examples: ["eolgate keys create --email ops@example.org --tier pro"],
  }),
  serviceCommand({
    name: "keys list",
    summary: "list the ids of the keys, without the keys",
    flags: [...STORE_FLAGS, ...TEXT_OR_JSON_FLAGS],
  }),
  serviceCommand({
    name: "keys revoke",
    arguments: "<id>",
    summary: "revoke a key; all servers refuse it within seconds",
    flags: STORE_FLAGS,
  }),
  serviceCommand({
    name: "db migrate",
    summary: "migrate the store to the schema of this version (serve does this when it starts)",
    flags: STORE_FLAGS,
  }),
  serviceCommand({
    name: "db export",
    summary: "export the store as JSON lines",
    flags: [...STORE_FLAGS, OUTPUT_FLAG],
    examples: ["eolgate db export -o backup.ndjson"],
  }),
  serviceCommand({
    name: "db import",
    arguments: "<file>",
    summary: "import an export into an empty store (- for standard input)",
    flags: STORE_FLAGS,
    examples: ["eolgate db export --data ./data | eolgate db import - --database postgres://db/eolgate"],
  }),
  serviceCommand({
    name: "mail dead",
    summary: "list the dead letters with their reasons",
    flags: [...STORE_FLAGS, ...TEXT_OR_JSON_FLAGS],
  }),
  serviceCommand({
    name: "mail requeue",
    arguments: "[id]",
    summary: "send one dead letter or all of them again",
    flags: STORE_FLAGS,
  }),
];
