/** Schemas of the values that fields of the configuration file take, and how they are read. */
import { type IsoDate, isIsoDate, isProductSlug, parseCycleKey } from "../text/ids.ts";
import type { ExtendedSupportContract, FailOn, LimitedCondition, Waiver } from "../model/index.ts";
import { nearest } from "../text/nearest.ts";
import { purlKey } from "../resolve/purl/key.ts";
import { privatePatternProblem } from "../support/subject.ts";
import { CONDITION_ROWS, CONDITIONS } from "./conditions.ts";
import type { ConfigLocation, FieldSchema, JsonSchema } from "./field-schema.ts";
import { configError, expectedError, fields, text } from "./field-schema.ts";

/** The conditions that `failOn` accepts; those with a limit are written with it: `score>=70`. */
const GATE_ROWS = CONDITION_ROWS.filter(({ matches }) => matches !== undefined);
const SIMPLE_CONDITIONS = GATE_ROWS.filter(({ highest }) => highest === undefined).map(({ key }) => key);
const LIMITED_CONDITIONS = ["score", "outdated"] as const satisfies readonly LimitedCondition[];
/** Every value that `--fail-on` accepts, as users write it. */
export const FAIL_ON_VALUES: readonly string[] = GATE_ROWS.map(written);

type SimpleCondition = Exclude<FailOn["kind"], LimitedCondition>;
const isSimpleCondition = (value: string): value is SimpleCondition => SIMPLE_CONDITIONS.some((key) => key === value);
const LIMIT = /^(?<key>[a-z]+)\s*>=\s*(?<limit>\d{1,3})$/;

export const failOn: FieldSchema<FailOn> = {
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

/** A string of a form that `is` recognises; `what` and `hint` word the error. */
const formed = <Value extends string>(
  schema: JsonSchema,
  is: (text: string) => text is Value,
  what: string,
  hint?: string,
): FieldSchema<Value> => ({
  schema: { type: "string", ...schema },
  read: (value, at) => {
    if (typeof value === "string" && is(value)) return value;
    throw expectedError(at, what, value, hint);
  },
});

/** An existing calendar day (UTC). */
export const day = (description: string): FieldSchema<IsoDate> =>
  formed({ format: "date", description }, isIsoDate, "an existing date, as YYYY-MM-DD");

/** A pattern of packages that are never sent to a source. */
export const privatePackage: FieldSchema<string> = {
  schema: { type: "string", pattern: "^pkg:", description: "for example pkg:npm/@acme/* or pkg:maven/com.acme*" },
  read: (value, at) => {
    const problem = typeof value === "string" ? privatePatternProblem(value) : "a pattern must be a string";
    if (typeof value !== "string" || problem !== undefined)
      throw expectedError(at, "a pattern of packages", value, problem);
    return value;
  },
};

const target = formed(
  {
    pattern: "^(pkg:[A-Za-z][A-Za-z0-9.+-]*/.+|(?!pkg:)[a-z0-9][a-z0-9._+-]*(:.+)?)$",
    description: "a purl (without a version it applies to all versions), a product's slug, or slug:cycle",
  },
  (written): written is string => isPurl(written) || isCycleTarget(written),
  "a purl, a slug, or slug:cycle",
  "For example pkg:npm/left-pad, nodejs, or nodejs:16.",
);

const isPurl = (written: string): boolean => written.startsWith("pkg:") && purlKey(written).kind === "purl";

function isCycleTarget(written: string): boolean {
  const { product, cycle } = parseCycleKey(written);
  return isProductSlug(product) && cycle !== "" && !written.startsWith("pkg:");
}

export const waiver: FieldSchema<Waiver> = fields(
  "accepts a finding until a date",
  {
    target,
    reason: text("why it is accepted"),
    expires: day("the last day on which it applies"),
    approvedBy: text("who accepted it"),
  },
  ["target", "reason", "expires"],
);

const slug = formed(
  { pattern: "^[a-z0-9](?:[a-z0-9._+-]*[a-z0-9+])?$", description: "a product's slug" },
  isProductSlug,
  "a product's slug",
);

export const contract: FieldSchema<ExtendedSupportContract> = fields(
  "extended support that you have bought",
  {
    product: slug,
    cycle: text("the release cycle; without it, every cycle of the product"),
    vendor: text("who supports it"),
    until: day("the last day of the contract"),
  },
  ["product", "vendor", "until"],
);

/** A condition as users write it. */
function written({ key, highest }: (typeof CONDITION_ROWS)[number]): string {
  return highest === undefined ? key : `${key}>=N`;
}

/** `eol, approaching (includes eol), score>=N, …`. */
export function conditionList(): string {
  const included = (key: string) => GATE_ROWS.find(({ includedIn }) => includedIn === key);
  return GATE_ROWS.map((row) => {
    const other = included(row.key);
    return `${written(row)}${other === undefined ? "" : ` (includes ${other.key})`}`;
  }).join(", ");
}
