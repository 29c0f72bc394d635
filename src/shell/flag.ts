/** The type of a flag, and the names that follow from it. The flags themselves are in the tables beside this file. */
import { defaultOf, type FieldName, POLICY_FIELDS, SETTING_FIELDS } from "../policy/fields.ts";

export interface Flag {
  /** In commander's syntax: `--warn-days <days>`, `-o, --output <file>`. */
  readonly flags: string;
  readonly summary: string;
  /** The variable of its name, or the one named here, sets the same value (`variableOf`); the flag takes precedence. */
  readonly env?: true | `EOLGATE_${string}`;
  /** May be given several times; values are collected. */
  readonly repeat?: boolean;
  readonly choices?: readonly string[];
  /** Heading in the help. */
  readonly group?: string;
}

/** A flag whose variable sets the same value. */
export const setting = (group: string, flags: string, summary: string, more: Partial<Flag> = {}): Flag => ({
  flags,
  summary,
  env: true,
  group,
  ...more,
});

/** `-o, --output <file>` → `--output`: the name of a flag in messages. */
export const longName = ({ flags }: Flag): string => /--[a-z0-9-]+/.exec(flags)?.[0] ?? flags;

/** `--warn-days <days>` → `warnDays`: the key that commander and the configuration file use. */
export function flagKey(flag: Flag): string {
  return longName(flag)
    .slice(2)
    .replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `--warn-days <days>` → `EOLGATE_WARN_DAYS`; undefined for a flag without a variable. */
export const variableOf = (flag: Flag): string | undefined =>
  flag.env === true ? `EOLGATE_${longName(flag).slice(2).replaceAll("-", "_").toUpperCase()}` : flag.env;

/** `warnDays` → `EOLGATE_WARN_DAYS`. */
export const variableOfKey = (key: string): string =>
  variableOf({ flags: flagNameOf(key), summary: "", env: true }) ?? key;

/** The name of a setting for errors and reports: its flag, or its key where only the configuration file has it. */
export const settingName = (key: string): string => (isFileOnly(key) ? key : flagNameOf(key));

const isFileOnly = (key: string): boolean =>
  Object.entries(ROWS).some(([name, row]) => name === key && "fileOnly" in row);

/** A flag that takes no value. */
export const isSwitch = (flag: Flag): boolean => !flag.flags.includes("<") && !flag.flags.includes("[");

/** `warnDays` → `--warn-days`. */
export const flagNameOf = (key: string): string =>
  `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const ROWS = { ...POLICY_FIELDS, ...SETTING_FIELDS };

/** The flag that sets a field of the configuration file. */
export function fieldFlag(key: FieldName, group: string): Flag {
  const { schema, takes, short } = ROWS[key];
  const standard = defaultOf(key);
  const choices: unknown = schema["enum"];
  return {
    flags: [short, [flagNameOf(key), takes].filter(Boolean).join(" ")].filter(Boolean).join(", "),
    summary: `${String(schema["description"])}${standard === undefined ? "" : ` (default: ${standard})`}`,
    env: true,
    ...(schema["type"] === "array" && { repeat: true }),
    ...(Array.isArray(choices) && { choices: choices.map(String) }),
    group,
  };
}

export const fieldFlags = (keys: readonly FieldName[], group: string): readonly Flag[] =>
  keys.map((key) => fieldFlag(key, group));

/** Heading of the flags that decide the verdict. */
export const POLICY = "Policy:";

/** Every command reads the configuration file. */
export const CONFIG_FLAGS: readonly Flag[] = [
  setting(
    POLICY,
    "--config <file>",
    "policy and settings (default: eolgate.config.{json,yaml,yml} here or in a parent directory); none: no file of the checked repository contributes",
  ),
  setting(
    POLICY,
    "--config-from <ref>",
    "read the configuration, the own catalogue and the baseline of this repository as of a commit, not from the working tree",
  ),
];
