/** The commands for the cache of signal sources, see docs/signals.md. */
import type { CommandSpec } from "./command.ts";
import { OUTPUT_FLAG, TEXT_OR_JSON_FLAGS } from "./flags.ts";

export const SIGNALS_COMMANDS: readonly CommandSpec[] = [
  {
    name: "signals info",
    summary: "print the number and the age of the answers in the cache of support signals",
    flags: TEXT_OR_JSON_FLAGS,
    load: () => import("./commands/signals/info.ts"),
  },
  {
    name: "signals export",
    summary: "write the cached answers to a file, for machines without a network",
    flags: [OUTPUT_FLAG],
    examples: ["eolgate signals export -o signals.ndjson"],
    load: () => import("./commands/signals/export.ts"),
  },
  {
    name: "signals import",
    arguments: "<file>",
    summary: "add the answers in an export to the cache",
    flags: [],
    examples: ["eolgate signals import signals.ndjson"],
    load: () => import("./commands/signals/import.ts"),
  },
];
