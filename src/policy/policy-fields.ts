/** Schemas of the policy fields with a syntax of their own: conditions, dates, waivers, contracts. */
import type { IsoDate } from "../text/ids.ts";
import { asProductSlug, isIsoDate, isProductSlug } from "../text/ids.ts";
import type { ExtendedSupportContract, FailOn, Waiver } from "../model/index.ts";
import { nearest } from "../text/nearest.ts";
import { purlKey } from "../resolve/purl/key.ts";
import { privatePatternProblem } from "../support/private-patterns.ts";
import { CONDITION_ROWS } from "./conditions.ts";
import type { ConfigLocation, FieldSchema } from "./field-schema.ts";
import { expectedError, fields, text, configError } from "./field-schema.ts";

/** The conditions that `failOn` accepts; those with a limit are written with it: `score>=70`. */
const GATE_ROWS = CONDITION_ROWS.filter(({ matches }) => matches !== undefined);
const SIMPLE_CONDITIONS = GATE_ROWS.filter(({ parameter }) => parameter === undefined).map(({ key }) => key);
/** Every value that `--fail-on` accepts, as users write it. */
export const FAIL_ON_VALUES: readonly string[] = GATE_ROWS.map(({ key, parameter = "" }) => `${key}${parameter}`);

type SimpleCondition = Exclude<FailOn["kind"], "score">;
const isSimpleCondition = (value: string): value is SimpleCondition => SIMPLE_CONDITIONS.some((key) => key === value);
const SCORE = /^score\s*>=\s*(\d{1,3})$/;

export const failOn: FieldSchema<FailOn> = {
  schema: {
    anyOf: [{ enum: SIMPLE_CONDITIONS }, { type: "string", pattern: "^score\\s*>=\\s*(100|[1-9]?[0-9])$" }],
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
  const score = SCORE.exec(word)?.[1];
  if (score !== undefined) {
    const atLeast = Number(score);
    if (atLeast > 100) throw configError(at, `the highest score is 100, so a score of ${score} is never reached`);
    return { kind: "score", atLeast };
  }
  if (word.startsWith("score"))
    throw configError(
      at,
      `"${word}" needs a limit`,
      "Write it as 'score>=70', in quotes: a shell takes > for a redirection.",
    );
  const [near] = nearest(word, FAIL_ON_VALUES, 1);
  throw configError(
    at,
    `no such condition: "${word}"`,
    near === undefined ? `Known: ${FAIL_ON_VALUES.join(", ")}.` : `Did you mean ${near}?`,
  );
}

/** An existing calendar day (UTC). */
export function day(description: string): FieldSchema<IsoDate> {
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
export const privatePackage: FieldSchema<string> = {
  schema: { type: "string", pattern: "^pkg:", description: "For example pkg:npm/@acme/* or pkg:maven/com.acme*." },
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
    description: "A purl (without a version it applies to all versions), a product's slug, or slug:cycle.",
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

const waiverFields = fields(
  "Accepts a finding until a date.",
  {
    target,
    reason: text("Why it is accepted."),
    expires: day("The last day on which it applies."),
    approvedBy: text("Who accepted it."),
  },
  ["target", "reason", "expires"],
);
export const waiver: FieldSchema<Waiver> = waiverFields;

const slug: FieldSchema<ExtendedSupportContract["product"]> = {
  schema: { type: "string", pattern: "^[a-z0-9](?:[a-z0-9._+-]*[a-z0-9+])?$", description: "A product's slug." },
  read: (value, at) => {
    if (typeof value !== "string" || !isProductSlug(value)) throw expectedError(at, "a product's slug", value);
    return asProductSlug(value);
  },
};

const contractFields = fields(
  "Extended support that you have bought.",
  {
    product: slug,
    cycle: text("The release cycle; without it, every cycle of the product."),
    vendor: text("Who supports it."),
    until: day("The last day of the contract."),
  },
  ["product", "vendor", "until"],
);
export const contract: FieldSchema<ExtendedSupportContract> = contractFields;
