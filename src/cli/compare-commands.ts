/** The commands that compare two documents, and those that accept findings. */
import type { CommandSpec } from "./command.ts";
import type { Flag } from "./flags.ts";
import { AS_OF_FLAG, CATALOGUE_FLAGS, HOSTED_FLAGS, OUTPUT_FLAG, POLICY_FLAGS } from "./flags.ts";

const DIFF_FORMATS = ["table", "markdown", "json"] as const;

const CONFIG_TO_WRITE: Flag = {
  flags: "--config <file>",
  summary:
    "the file to write (default: the configuration file here or in a parent directory, otherwise eolgate.config.yaml)",
  env: "EOLGATE_CONFIG",
  file: true,
};

export const COMPARE_COMMANDS: readonly CommandSpec[] = [
  {
    name: "diff",
    arguments: "<old> <new>",
    summary: "compare two SBOMs or JSON reports: added, removed and changed components; fail on new failures",
    flags: [
      ...POLICY_FLAGS,
      AS_OF_FLAG,
      ...CATALOGUE_FLAGS,
      {
        flags: "-f, --format <format>",
        summary: "table (default), markdown or json",
        env: "EOLGATE_FORMAT",
        choices: DIFF_FORMATS,
        group: "Output:",
      },
      OUTPUT_FLAG,
      ...HOSTED_FLAGS,
    ],
    examples: ["eolgate diff main.cdx.json branch.cdx.json --format markdown"],
    load: () => import("./commands/diff.ts"),
  },
  {
    name: "waive",
    arguments: "<target>",
    summary: "accept a finding until a date: write a waiver for a purl, slug or slug:cycle to the configuration file",
    flags: [
      { flags: "--reason <text>", summary: "reason for accepting it (required)" },
      { flags: "--expires <when>", summary: "expiry date, YYYY-MM-DD, or a period from today: 90d, 6m (required)" },
      { flags: "--approved-by <name>", summary: "person who accepted it" },
      CONFIG_TO_WRITE,
      AS_OF_FLAG,
      ...CATALOGUE_FLAGS,
    ],
    examples: ['eolgate waive nodejs:18 --reason "moves in spring" --expires 6m --approved-by "Platform team"'],
    load: () => import("./commands/waive.ts"),
  },
  {
    name: "waive import",
    arguments: "<file>",
    summary:
      "import the ignore file of osv-scanner, Trivy or xeol as waivers, and list the rules that cannot be imported",
    flags: [
      {
        flags: "--expires <when>",
        summary: "expiry of rules that have none: a date or a period (default: 90d)",
      },
      { flags: "--dry-run", summary: "write nothing" },
      CONFIG_TO_WRITE,
      AS_OF_FLAG,
    ],
    examples: ["eolgate waive import osv-scanner.toml --dry-run", "eolgate waive import osv-scanner.toml --expires 6m"],
    load: () => import("./commands/waive-import.ts"),
  },
];
