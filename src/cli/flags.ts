/**
 * The flags that more than one command takes. Each row also names the environment variable; documentation, completion
 * and settings use the same table.
 */

export interface Flag {
  /** In commander's syntax: `--warn-days <days>`, `-o, --output <file>`. */
  readonly flags: string;
  readonly summary: string;
  /** Environment variable that sets the same value; the flag takes precedence. */
  readonly env?: string;
  /** May be given several times; values are collected. */
  readonly repeat?: boolean;
  readonly choices?: readonly string[];
  /** Completion offers files. */
  readonly file?: boolean;
  /** Heading in `--help`. */
  readonly group?: string;
}

const POLICY = "Policy:";
const OUTPUT = "Output:";
const CATALOGUE = "Catalogue:";
const HOSTED = "Hosted service:";

export const POLICY_FLAGS: readonly Flag[] = [
  {
    flags: "--fail-on <condition>",
    summary:
      "conditions that fail, instead of the default eol: eol, approaching (includes eol), score>=N, kev, kev-product (includes kev), retired, superseded, unknown, untracked, declared-mismatch, unmaintained, inactive",
    env: "EOLGATE_FAIL_ON",
    repeat: true,
    group: POLICY,
  },
  {
    flags: "--warn-days <days>",
    summary: "warn this many days before an end (default: 90)",
    env: "EOLGATE_WARN_DAYS",
    group: POLICY,
  },
  {
    flags: "--support <kind>",
    summary: "which support counts: standard, free (default) or extended",
    env: "EOLGATE_SUPPORT",
    choices: ["standard", "free", "extended"],
    group: POLICY,
  },
  {
    flags: "--scope <scope>",
    summary: "all (default), or runtime to ignore development components",
    env: "EOLGATE_SCOPE",
    choices: ["all", "runtime"],
    group: POLICY,
  },
  {
    flags: "--distro-packages <how>",
    summary: "assess distribution packages by the distro (default), by upstream, or both",
    env: "EOLGATE_DISTRO_PACKAGES",
    choices: ["distro", "upstream", "both"],
    group: POLICY,
  },
  {
    flags: "--min-coverage <percent>",
    summary: "exit with 6 if fewer components were assessed, in percent (default: 0)",
    env: "EOLGATE_MIN_COVERAGE",
    group: POLICY,
  },
  {
    flags: "--deny-license <expression>",
    summary: "fail components whose licence requires one of these (SPDX expression)",
    env: "EOLGATE_DENY_LICENSE",
    repeat: true,
    group: POLICY,
  },
  {
    flags: "--strict",
    summary: "resolve components only by purl, never by name",
    env: "EOLGATE_STRICT",
    group: POLICY,
  },
  {
    flags: "--allow-empty",
    summary: "accept a document without components",
    env: "EOLGATE_ALLOW_EMPTY",
    group: POLICY,
  },
  {
    flags: "--allow-unassessed",
    summary: "accept a document in which nothing could be assessed",
    env: "EOLGATE_ALLOW_UNASSESSED",
    group: POLICY,
  },
  { flags: "--exit-zero", summary: "exit with 0 instead of 1 and 6", env: "EOLGATE_EXIT_ZERO", group: POLICY },
  {
    flags: "--config <file>",
    summary: "policy and settings (default: eolgate.config.{json,yaml,yml} here or in a parent directory)",
    env: "EOLGATE_CONFIG",
    file: true,
    group: POLICY,
  },
];

/** Flags of commands about a single subject: without a document there is no scope, licence or coverage. */
export const OUTCOME_FLAGS: readonly Flag[] = POLICY_FLAGS.filter(({ flags }) =>
  /^--(?:fail-on|warn-days|support|distro-packages|strict|config)\b/.test(flags),
);

export const AS_OF_FLAG: Flag = {
  flags: "--as-of <date>",
  summary: "assess as of this date, YYYY-MM-DD (default: today, UTC)",
  env: "EOLGATE_AS_OF",
  group: POLICY,
};

export const CATALOGUE_FLAGS: readonly Flag[] = [
  {
    flags: "--catalogue <file>",
    summary: "use this catalogue instead of the cached or bundled one",
    env: "EOLGATE_CATALOGUE",
    file: true,
    group: CATALOGUE,
  },
  {
    flags: "--own-catalogue <file>",
    summary:
      "your own products, release cycles, dates and contracts, merged over the catalogue (default: eolgate.catalogue.yaml)",
    env: "EOLGATE_OWN_CATALOGUE",
    file: true,
    group: CATALOGUE,
  },
  {
    flags: "--purl-map <file>",
    summary: "your own purls, merged over the purl map",
    env: "EOLGATE_PURL_MAP",
    file: true,
    group: CATALOGUE,
  },
  {
    flags: "--max-catalogue-age <days>",
    summary: "exit with 4 if the catalogue is older (default: 365)",
    env: "EOLGATE_MAX_CATALOGUE_AGE",
    group: CATALOGUE,
  },
];

export const OUTPUT_FLAG: Flag = {
  flags: "-o, --output <file>",
  summary: "write to this file instead of standard output",
  file: true,
  group: OUTPUT,
};

export const TEXT_OR_JSON_FLAGS: readonly Flag[] = [
  {
    flags: "--format <format>",
    summary: "text (default) or json",
    env: "EOLGATE_FORMAT",
    choices: ["text", "json"],
    group: OUTPUT,
  },
  OUTPUT_FLAG,
];

export const REPORT_FLAGS: readonly Flag[] = [
  {
    flags: "-f, --format <format>",
    summary: "format of standard output (default: table)",
    env: "EOLGATE_FORMAT",
    group: OUTPUT,
  },
  OUTPUT_FLAG,
  {
    flags: "--report <format=path>",
    summary: "also write a report to a file",
    env: "EOLGATE_REPORT",
    repeat: true,
    group: OUTPUT,
  },
  {
    flags: "--template <file>",
    summary: "template of the format template (docs/templates.md)",
    env: "EOLGATE_TEMPLATE",
    file: true,
    group: OUTPUT,
  },
  { flags: "--details", summary: "list every component, assessed or not", env: "EOLGATE_DETAILS", group: OUTPUT },
  {
    flags: "--group-by <what>",
    summary: "one table for each file, or one with a row for each cycle (default for folders)",
    env: "EOLGATE_GROUP_BY",
    choices: ["file", "cycle"],
    group: OUTPUT,
  },
  {
    flags: "--only <outcome>",
    summary: "list only rows with this outcome: fail or warn",
    env: "EOLGATE_ONLY",
    choices: ["fail", "warn"],
    repeat: true,
    group: OUTPUT,
  },
  { flags: "--top <rows>", summary: "list at most this many rows in a table", env: "EOLGATE_TOP", group: OUTPUT },
  {
    flags: "--sort <order>",
    summary: "order of the rows: risk (default), end, name or count",
    env: "EOLGATE_SORT",
    choices: ["risk", "end", "name", "count"],
    group: OUTPUT,
  },
  { flags: "-q, --quiet", summary: "print only the verdict", env: "EOLGATE_QUIET", group: OUTPUT },
  { flags: "--verbose", summary: "list every location of a row", env: "EOLGATE_VERBOSE", group: OUTPUT },
];

const ENRICHMENT = "Enrichment:";

export const ENRICH_FLAGS: readonly Flag[] = [
  { flags: "--in-place", summary: "replace the document with the enriched one, atomically", group: ENRICHMENT },
  {
    flags: "--remove",
    summary: "remove the properties that eolgate added, and restore the document",
    group: ENRICHMENT,
  },
  { flags: "--dry-run", summary: "write nothing", group: ENRICHMENT },
  { flags: "--diff", summary: "print what changes instead of the document", group: ENRICHMENT },
  {
    flags: "--properties <names>",
    summary: "lifecycle (default), cdx (registered milestone names) or both",
    choices: ["lifecycle", "cdx", "both"],
    group: ENRICHMENT,
  },
  {
    flags: "--break-signature",
    summary: "edit a signed document, which invalidates its signature",
    group: ENRICHMENT,
  },
  { flags: "--validate", summary: "check the result against the official schema (CycloneDX)", group: ENRICHMENT },
];

export const HOSTED_FLAGS: readonly Flag[] = [
  {
    flags: "--api <url>",
    summary: "ask this service instead of the local catalogue (key: EOLGATE_API_KEY)",
    env: "EOLGATE_API_URL",
    group: HOSTED,
  },
];
export const SEND_SBOM_FLAG: Flag = {
  flags: "--send-sbom",
  summary: "with --api: send the whole document, not only slugs and versions",
  env: "EOLGATE_SEND_SBOM",
  group: HOSTED,
};

/** `-o, --output <file>` → `--output`: the name of a flag in messages. */
export const longName = ({ flags }: Flag): string => /--[a-z0-9-]+/.exec(flags)?.[0] ?? flags;

/** `--warn-days <days>` → `warnDays`: the key that commander and the configuration file use. */
export function flagKey(flag: Flag): string {
  return longName(flag)
    .slice(2)
    .replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A flag that takes no value. */
export const isSwitch = (flag: Flag): boolean => !flag.flags.includes("<") && !flag.flags.includes("[");
