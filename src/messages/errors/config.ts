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
    hint: () => "Replace the aliases with their values.",
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
  "database-file-unreadable": row({
    kind: "config",
    message: () => "the file with the address of the database cannot be read",
    hint: () => "Check the path and the permissions of --database-file.",
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
  "config-too-large": row<{ role: string; limit: number }>({
    kind: "config",
    message: ({ role, limit }) => `the ${role} is larger than ${limit} bytes`,
    hint: () => "Check the path: real files of this kind are far smaller.",
  }),
  "config-unreadable": row({
    kind: "config",
    message: () => "the configuration file cannot be read",
    hint: () => "Check --config or EOLGATE_CONFIG.",
  }),
  "config-syntax": row<{ problem: string }>({
    kind: "config",
    message: ({ problem }) => `the configuration file is not valid: ${problem}`,
  }),
  "config-not-editable": row<{ reason: string }>({
    kind: "config",
    message: ({ reason }) => `no waiver can be added to the file: ${reason}`,
    hint: () => "Fix the file and run the command again. The file was not changed.",
  }),
  "key-unreadable": row({
    kind: "config",
    message: () => "the key file cannot be read",
  }),
  "bad-key": row<{ half: string }>({
    kind: "config",
    message: ({ half }) => `the file is not an Ed25519 ${half} key`,
    hint: () => "Create one with: openssl genpkey -algorithm ed25519 -out key.pem",
  }),
  "bad-license": row<{ license: string; problem: string; advice: string | undefined }>({
    kind: "config",
    message: ({ license, problem }) => `"${license}" ${problem}`,
    hint: ({ advice }) => advice,
  }),
  "bad-policy": row<{ problem: string; advice: string | undefined }>({
    kind: "config",
    message: ({ problem }) => problem,
    hint: ({ advice }) => advice,
  }),
  "openeox-unreadable": row<{ problem: string }>({
    kind: "config",
    message: ({ problem }) => problem,
  }),
  "cle-unreadable": row<{ problem: string }>({
    kind: "config",
    message: ({ problem }) => problem,
  }),
} as const;
