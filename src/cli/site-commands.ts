/** The commands for a static site. */
import type { CommandSpec } from "./command.ts";
import { AS_OF_FLAG, CATALOGUE_FLAGS, TEXT_OR_JSON_FLAGS } from "./flags.ts";
import { SERVE_FLAGS } from "./serve-flags.ts";

export const SITE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "site export",
    arguments: "<dir>",
    summary: "write the read-only API, the published files and the pages to a folder for a static host",
    flags: [
      ...SERVE_FLAGS.filter(({ env }) => env === "EOLGATE_PUBLIC_URL"),
      {
        flags: "--part <part>",
        summary: "write only this part: api, pages or files; repeat for more (default: all)",
        repeat: true,
      },
      {
        flags: "--with-server",
        summary: "offer search and forms on the pages, for use with a server that answers them",
      },
      AS_OF_FLAG,
      ...CATALOGUE_FLAGS.slice(0, 1),
      ...TEXT_OR_JSON_FLAGS,
    ],
    examples: [
      "eolgate site export public --public-url https://eol.example.org",
      "eolgate site export public --public-url https://eol.example.org --part api --part files",
    ],
    load: async () => (await import("../service/index.ts")).loadCommand("site export"),
  },
];
