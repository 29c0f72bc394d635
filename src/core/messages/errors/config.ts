/** Error codes: config. */
import { row } from "./row.ts";

export const CONFIG_ERRORS = {
  "bad-ignore-file": row<{ why: string }>({
    kind: "config",
    message: ({ why }) => `the file cannot be read: ${why}`,
  }),
  "bad-template": row<{ message: string }>({
    kind: "config",
    message: ({ message }) => `the template is wrong: ${message}`,
    hint: () => "The template language is described in docs/templates.md.",
  }),
  "config-shape": row({
    kind: "config",
    message: () => "the configuration file has to be a mapping of settings",
  }),
  "config-twice": row<{ found: string }>({
    kind: "config",
    message: ({ found }) => `two configuration files stand side by side: ${found}`,
    hint: () => "Keep one of them.",
  }),
  "ignore-file-unreadable": row({
    kind: "config",
    message: () => "the ignore file cannot be read",
    hint: () => "Check the path; it is taken from the working directory.",
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
    message: () => "the name tells no scanner whose rules these are",
    hint: () => "Known: osv-scanner.toml, .trivyignore, .trivyignore.yaml, .xeol.yaml.",
  }),
} as const;
