/**
 * The fields of the configuration file, one row each: validation, meaning, and the flag that sets the same value. The
 * JSON Schema, the flags with their help, and the table in docs/policy.md come from these rows.
 */
import type { Policy } from "../model/index.ts";
import { SIGNALS_MODES } from "../model/support.ts";
import { DEFAULT_SUPERSEDED_AFTER_DAYS } from "../lifecycle/gate.ts";
import { STATEMENT_CURRENT_DAYS } from "../lifecycle/ends.ts";
import { DEFAULT_INACTIVE_MONTHS } from "../support/levels.ts";
import { fields, type FieldSchema, flag, listOf, number, oneOf, text } from "./field-schema.ts";
import { conditionList, contract, day, failOn, privatePackage, waiver } from "./field-values.ts";
import { keysOf } from "../text/values.ts";

/** The policy that applies without a configuration file. */
export const DEFAULT_POLICY: Policy = {
  failOn: [{ kind: "eol" }],
  warnDays: 90,
  supersededAfterDays: DEFAULT_SUPERSEDED_AFTER_DAYS,
  strict: false,
  minCoverage: 0,
  allowUnassessed: false,
  allowEmpty: false,
  support: "free",
  contracts: [],
  scope: "all",
  distroPackages: "distro",
  denyLicense: [],
  waivers: [],
  signals: "off",
  inactiveMonths: DEFAULT_INACTIVE_MONTHS,
  privatePackages: [],
  signalsMaxAge: 7,
  signalsTimeout: 120,
  exitZero: false,
};

/** Age of the catalogue in days above which it is refused, unless the policy states another limit. */
export const DEFAULT_CATALOGUE_AGE = STATEMENT_CURRENT_DAYS;

export const NO_CONDITION = "A gate without a condition can never fail. To report without failing, set exitZero.";

/** How flags and documentation show a field. */
export interface FieldTraits {
  /** What its flag takes: `<days>`. A switch takes nothing. */
  readonly takes?: string;
  readonly short?: string;
  /**
   * The value names a file to read, or a report to write. In the configuration file, it is relative to its folder and
   * stays inside of it.
   */
  readonly path?: "input" | "report";
  /** The default, as users write it, where `DEFAULT_POLICY` has none. */
  readonly default?: string;
  /** The section of docs/policy.md with the details, or another page. */
  readonly link?: string;
  /** `check` takes it from the file only, because a team sets it once. */
  readonly fileOnly?: true;
}

const row = <Value>(schema: FieldSchema<Value>, traits: FieldTraits = {}): FieldSchema<Value> & FieldTraits => ({
  ...schema,
  ...traits,
});

const DAYS = { min: 0, max: 3650, whole: true } as const;
const IN_FILE = { fileOnly: true } as const;

/** The policy's fields as they are written: named like the flags, in camelCase. */
export const POLICY_FIELDS = {
  failOn: row(listOf(`conditions that fail: ${conditionList()}`, failOn, NO_CONDITION), {
    takes: "<condition>",
    link: "#conditions",
  }),
  warnDays: row(number("warn this many days before an end of life", DAYS), { takes: "<days>" }),
  supersededAfterDays: row(
    number("a superseded release cycle warns, or fails, from this many days after the newer release on", DAYS),
    { ...IN_FILE, takes: "<days>", link: "#superseded-packages" },
  ),
  support: row(
    oneOf("support that counts until its latest end: standard, free (and free tracks), extended (and paid tracks)", [
      "standard",
      "free",
      "extended",
    ]),
    { takes: "<kind>", link: "#support-after-the-standard-end" },
  ),
  contracts: row(
    listOf(
      "extended support that you have bought: with it, support is extended, and only these paid tracks count",
      contract,
    ),
    IN_FILE,
  ),
  scope: row(
    oneOf("all, or runtime to ignore what the document marks as optional, excluded or for development", [
      "all",
      "runtime",
    ]),
    { takes: "<scope>" },
  ),
  distroPackages: row(
    oneOf("whose release cycle decides for packages of a distribution: distro, upstream or both", [
      "distro",
      "upstream",
      "both",
    ]),
    IN_FILE,
  ),
  strict: row(flag("resolve components only by purl, never by name, and fail on every doubt about a release cycle")),
  minCoverage: row(
    number(
      "exit with 6 if a smaller share of the components was assessed, in percent; of version pins and of packages each",
      {
        min: 0,
        max: 100,
        whole: false,
      },
    ),
    { takes: "<percent>" },
  ),
  allowUnassessed: row(flag("accept a document in which nothing could be assessed")),
  allowEmpty: row(flag("accept a document without components")),
  denyLicense: row(
    listOf("SPDX licence expressions that no component may require", text("an SPDX licence expression")),
    IN_FILE,
  ),
  waivers: row(listOf("findings that are accepted until a date", waiver), { ...IN_FILE, link: "#waivers" }),
  signals: row(
    oneOf(
      "sources that determine a support level for every component: bundled (a list in the package, no network), deps.dev, registry (npm, PyPI, …), cache (no network) or all; they receive package URLs without qualifiers",
      ["off", ...SIGNALS_MODES],
    ),
    { takes: "<source>", link: "signals.md" },
  ),
  inactiveMonths: row(
    number("a package without a release or commit for this many months is inactive", { min: 1, max: 240, whole: true }),
    { ...IN_FILE, takes: "<months>" },
  ),
  privatePackages: row(
    listOf("patterns of packages that are never sent to a source, such as pkg:npm/@acme/*", privatePackage),
    { ...IN_FILE, takes: "<pattern>" },
  ),
  signalsMaxAge: row(number("request cached answers again if they are older than this many days", DAYS), {
    ...IN_FILE,
    takes: "<days>",
  }),
  signalsTimeout: row(
    number("time limit for all requests to the sources, in seconds", { min: 1, max: 86_400, whole: true }),
    { ...IN_FILE, takes: "<seconds>" },
  ),
  maxCatalogueAge: row(
    number(
      "exit with 4 if the catalogue is older than this many days, and warn (not-checked) if a statement that a pass relies on is",
      {
        min: 0,
        max: 36_500,
        whole: true,
      },
    ),
    { ...IN_FILE, default: String(DEFAULT_CATALOGUE_AGE) },
  ),
  exitZero: row(flag("exit with 0 instead of 1 and 6")),
} as const;

/** Fields of the file that are not part of the policy: defaults of flags of inputs and outputs. */
export const SETTING_FIELDS = {
  $schema: row(text("address of this schema, for editors"), IN_FILE),
  format: row(text("format of standard output"), { takes: "<format>", short: "-f", default: "table" }),
  report: row(listOf("also write a report to a file", text("format=path")), { takes: "<format=path>", path: "report" }),
  exclude: row(listOf("exclude these paths of a folder, in the syntax of .gitignore", text("a pattern")), {
    takes: "<pattern>",
  }),
  imageMirrors: row(
    listOf(
      "registries that mirror another one, whose images are read as those of the other",
      fields(
        "a mirror",
        { mirror: text("start of the image names: registry.example.com/hub"), of: text("what it mirrors: docker.io") },
        ["mirror", "of"],
      ),
    ),
    IN_FILE,
  ),
  verbose: row(flag("list every component and every location of a row")),
  groupBy: row(oneOf("one table for each file, or one with a row for each cycle", ["file", "cycle"]), {
    takes: "<what>",
    default: "cycle for folders",
  }),
  baseline: row(text("fail only on findings that this JSON report or SBOM does not have"), {
    takes: "<file>",
    path: "input",
  }),
  forecast: row(text("also list what will fail within this period: 12m, 2y"), { takes: "<span>" }),
  asOf: row(day("assess as of this date, YYYY-MM-DD"), { takes: "<date>", default: "today, UTC" }),
  catalogue: row(text("use this catalogue instead of the cached or bundled one"), { takes: "<file>", path: "input" }),
} as const;

export const policyFieldNames = () => keysOf(POLICY_FIELDS);

export type FieldName = keyof typeof POLICY_FIELDS | keyof typeof SETTING_FIELDS;

/** The default of a field, as users write it; undefined for none. */
export function defaultOf(key: FieldName): string | undefined {
  const { default: stated }: FieldTraits = { ...POLICY_FIELDS, ...SETTING_FIELDS }[key];
  const value: unknown = Object.entries(DEFAULT_POLICY).find(([name]) => name === key)?.[1];
  if (key === "failOn") return DEFAULT_POLICY.failOn.map(({ kind }) => kind).join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : stated;
}
