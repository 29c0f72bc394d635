/**
 * The fields of the configuration file, one row each: validation, meaning, and the flag that sets the same value. The
 * JSON Schema, the flags with their help, and the table in docs/policy.md come from these rows.
 */
import type { IsoDate } from "../text/ids.ts";
import { asProductSlug, isIsoDate, isProductSlug } from "../text/ids.ts";
import type { ExtendedSupportContract, FailOn, LimitedCondition, Policy, Waiver } from "../model/index.ts";
import { nearest } from "../text/nearest.ts";
import { purlKey } from "../resolve/purl/key.ts";
import { SIGNALS_MODES } from "../model/support.ts";
import { DEFAULT_INACTIVE_MONTHS } from "../support/levels.ts";
import { privatePatternProblem } from "../support/subject.ts";
import { CONDITION_ROWS, CONDITIONS } from "./conditions.ts";
import type { ConfigLocation, FieldSchema } from "./field-schema.ts";
import { configError, expectedError, fields, flag, listOf, number, oneOf, text } from "./field-schema.ts";

/** The conditions that `failOn` accepts; those with a limit are written with it: `score>=70`. */
const GATE_ROWS = CONDITION_ROWS.filter(({ matches }) => matches !== undefined);
const SIMPLE_CONDITIONS = GATE_ROWS.filter(({ highest }) => highest === undefined).map(({ key }) => key);
const LIMITED_CONDITIONS = ["score", "outdated"] as const satisfies readonly LimitedCondition[];
/** Every value that `--fail-on` accepts, as users write it. */
export const FAIL_ON_VALUES: readonly string[] = GATE_ROWS.map(written);

type SimpleCondition = Exclude<FailOn["kind"], LimitedCondition>;
const isSimpleCondition = (value: string): value is SimpleCondition => SIMPLE_CONDITIONS.some((key) => key === value);
const LIMIT = /^(?<key>[a-z]+)\s*>=\s*(?<limit>\d{1,3})$/;

const failOn: FieldSchema<FailOn> = {
  schema: {
    anyOf: [
      { enum: SIMPLE_CONDITIONS },
      { type: "string", pattern: "^(score\\s*>=\\s*(100|[1-9]?[0-9])|outdated\\s*>=\\s*[1-9][0-9]{0,2})$" },
    ],
  },
  read: (value, at) => {
    if (typeof value !== "string") throw expectedError(at, `one of ${FAIL_ON_VALUES.join(", ")}`, value);
    return parseFailOn(value, at);
  },
};

/** Parses `eol`, `score>=70`, … of a flag or the configuration file. */
export function parseFailOn(written: string, at: ConfigLocation = { origin: "--fail-on", path: "" }): FailOn {
  const word = written.trim();
  if (isSimpleCondition(word)) return { kind: word };
  const kind = LIMITED_CONDITIONS.find((key) => word.startsWith(key));
  if (kind !== undefined) return { kind, atLeast: limitIn(word, kind, at) };
  const [near] = nearest(word, FAIL_ON_VALUES, 1);
  throw configError(
    at,
    `no such condition: "${word}"`,
    near === undefined ? `Known: ${FAIL_ON_VALUES.join(", ")}.` : `Did you mean ${near}?`,
  );
}

function limitIn(word: string, kind: LimitedCondition, at: ConfigLocation): number {
  const { key, limit } = LIMIT.exec(word)?.groups ?? {};
  const example = kind === "score" ? 70 : 2;
  if (key !== kind || limit === undefined)
    throw configError(
      at,
      `"${word}" needs a limit`,
      `Write it as '${kind}>=${example}', in quotes: a shell takes > for a redirection.`,
    );
  const highest = CONDITIONS[kind].highest ?? Infinity;
  if (Number(limit) > highest)
    throw configError(at, `the highest ${kind} is ${highest}, so a ${kind} of ${limit} is never reached`);
  return Number(limit);
}

/** An existing calendar day (UTC). */
function day(description: string): FieldSchema<IsoDate> {
  return {
    schema: { type: "string", format: "date", description },
    read: (value, at) => {
      if (typeof value !== "string" || !isIsoDate(value))
        throw expectedError(at, "an existing date, as YYYY-MM-DD", value);
      return value;
    },
  };
}

/** A pattern of packages that are never sent to a source. */
const privatePackage: FieldSchema<string> = {
  schema: { type: "string", pattern: "^pkg:", description: "for example pkg:npm/@acme/* or pkg:maven/com.acme*" },
  read: (value, at) => {
    const problem = typeof value === "string" ? privatePatternProblem(value) : "a pattern must be a string";
    if (typeof value !== "string" || problem !== undefined)
      throw expectedError(at, "a pattern of packages", value, problem);
    return value;
  },
};

const target: FieldSchema<string> = {
  schema: {
    type: "string",
    pattern: "^(pkg:[A-Za-z][A-Za-z0-9.+-]*/.+|(?!pkg:)[a-z0-9][a-z0-9._+-]*(:.+)?)$",
    description: "a purl (without a version it applies to all versions), a product's slug, or slug:cycle",
  },
  read: (value, at) => {
    if (typeof value === "string" && (isPurl(value) || isCycleTarget(value))) return value;
    throw expectedError(
      at,
      "a purl, a slug, or slug:cycle",
      value,
      "For example pkg:npm/left-pad, nodejs, or nodejs:16.",
    );
  },
};

const isPurl = (written: string): boolean => written.startsWith("pkg:") && purlKey(written).kind === "purl";

function isCycleTarget(written: string): boolean {
  const colon = written.indexOf(":");
  return (
    isProductSlug(colon < 0 ? written : written.slice(0, colon)) &&
    colon !== written.length - 1 &&
    !written.startsWith("pkg:")
  );
}

const waiver: FieldSchema<Waiver> = fields(
  "accepts a finding until a date",
  {
    target,
    reason: text("why it is accepted"),
    expires: day("the last day on which it applies"),
    approvedBy: text("who accepted it"),
  },
  ["target", "reason", "expires"],
);

const slug: FieldSchema<ExtendedSupportContract["product"]> = {
  schema: { type: "string", pattern: "^[a-z0-9](?:[a-z0-9._+-]*[a-z0-9+])?$", description: "a product's slug" },
  read: (value, at) => {
    if (typeof value !== "string" || !isProductSlug(value)) throw expectedError(at, "a product's slug", value);
    return asProductSlug(value);
  },
};

const contract: FieldSchema<ExtendedSupportContract> = fields(
  "extended support that you have bought",
  {
    product: slug,
    cycle: text("the release cycle; without it, every cycle of the product"),
    vendor: text("who supports it"),
    until: day("the last day of the contract"),
  },
  ["product", "vendor", "until"],
);

/** The policy that applies without a configuration file. */
export const DEFAULT_POLICY: Policy = {
  failOn: [{ kind: "eol" }],
  warnDays: 90,
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
export const DEFAULT_CATALOGUE_AGE = 365;

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
  support: row(
    oneOf("which support after the standard end turns a failure into a warning: standard (none), free or extended", [
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
    number("exit with 6 if a smaller share of the components was assessed, in percent", {
      min: 0,
      max: 100,
      whole: false,
    }),
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
    number("exit with 4 if the catalogue, or a statement that a pass relies on, is older than this many days", {
      min: 0,
      max: 36_500,
      whole: true,
    }),
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

/** A condition as users write it. */
function written({ key, highest }: (typeof CONDITION_ROWS)[number]): string {
  return highest === undefined ? key : `${key}>=N`;
}

/** `eol, approaching (includes eol), score>=N, …`. */
function conditionList(): string {
  const included = (key: string) => GATE_ROWS.find(({ includedIn }) => includedIn === key);
  return GATE_ROWS.map((row) => {
    const other = included(row.key);
    return `${written(row)}${other === undefined ? "" : ` (includes ${other.key})`}`;
  }).join(", ");
}

const isPolicyField = (key: string): key is keyof typeof POLICY_FIELDS => key in POLICY_FIELDS;
export const policyFieldNames = () => Object.keys(POLICY_FIELDS).filter(isPolicyField);

export type FieldName = keyof typeof POLICY_FIELDS | keyof typeof SETTING_FIELDS;

/** The default of a field, as users write it; undefined for none. */
export function defaultOf(key: FieldName): string | undefined {
  const { default: stated }: FieldTraits = { ...POLICY_FIELDS, ...SETTING_FIELDS }[key];
  const value: unknown = Object.entries(DEFAULT_POLICY).find(([name]) => name === key)?.[1];
  if (key === "failOn") return DEFAULT_POLICY.failOn.map(({ kind }) => kind).join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : stated;
}
