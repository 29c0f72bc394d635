/** The commands that run until they are stopped. */
import type { CommandSpec } from "./command.ts";
import { AS_OF_FLAG, CATALOGUE_FLAGS, HOSTED_FLAGS, SEND_SBOM_FLAG } from "./flags.ts";
import { STORE_FLAGS } from "./store-flags.ts";
import { SERVE_FLAGS } from "./serve-flags.ts";

const CATALOGUE_FLAG = CATALOGUE_FLAGS.filter(({ env }) => env === "EOLGATE_CATALOGUE");

export const SERVE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "serve",
    summary: "run the HTTP service: API, keys, alerts, MCP, pages",
    flags: [...SERVE_FLAGS, ...STORE_FLAGS, ...CATALOGUE_FLAG],
    examples: [
      "eolgate serve",
      "eolgate serve --open --port 9000",
      "eolgate serve --public-url https://eol.example.org --trust-proxy 1",
    ],
    load: async () => (await import("../service/index.ts")).loadCommand("serve"),
  },
  {
    name: "mcp",
    summary: "serve the Model Context Protocol on standard input and output",
    flags: [AS_OF_FLAG, ...CATALOGUE_FLAGS, ...HOSTED_FLAGS, SEND_SBOM_FLAG],
    load: async () => (await import("../service/index.ts")).loadCommand("mcp"),
  },
];
