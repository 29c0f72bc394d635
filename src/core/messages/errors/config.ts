/** Errors of configuration, policy, waiver and template files. */
import { row } from "./row.ts";

export const CONFIG_ERRORS = {
  "bad-ignore-file": row<{ why: string }>({
    kind: "config",
    message: ({ why }) => `the file cannot be read: ${why}`,
  }),
  "bad-template": row<{ message: string }>({
    kind: "config",
    message: ({ message }) => `the template is not valid: ${message}`,
    hint: () => "docs/templates.md describes the template language.",
  }),
  "config-aliases": row<{ limit: number }>({
    kind: "config",
    message: ({ limit }) => `the configuration file uses more than ${limit} YAML aliases, or one that does not exist`,
    hint: () => "Write the values out.",
  }),
  "config-shape": row({
    kind: "config",
    message: () => "the configuration file must contain a mapping of settings",
  }),
  "config-twice": row<{ found: string }>({
    kind: "config",
    message: ({ found }) => `the folder has two configuration files: ${found}`,
    hint: () => "Remove one of them.",
  }),
  "ignore-file-unreadable": row({
    kind: "config",
    message: () => "the ignore file cannot be read",
    hint: () => "Check the path, which is relative to the working directory.",
  }),
  "template-unreadable": row({
    kind: "config",
    message: () => "the template cannot be read",
  }),
  "tiers-syntax": row({
    kind: "config",
    message: () => "the tiers file is neither JSON nor YAML",
  }),
  "tiers-unreadable": row({
    kind: "config",
    message: () => "the tiers file cannot be read",
  }),
  "unknown-ignore-file": row({
    kind: "config",
    message: () => "the file name does not belong to a known scanner",
    hint: () => "Use one of osv-scanner.toml, .trivyignore, .trivyignore.yaml, .xeol.yaml.",
  }),
} as const;
