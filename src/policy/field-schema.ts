/**
 * Schemas of the fields of a policy. Each one validates an unknown value, names the path of the field in its errors,
 * and contains the JSON Schema that editors show, so that validation and JSON Schema cannot differ.
 */
import { EolgateError } from "../messages/error.ts";
import { nearest } from "../text/nearest.ts";
import { getOwn, isRecord } from "../text/values.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The location of a value: `eolgate.config.yaml` and `waivers[0].expires`, or `--warn-days` without a path. */
export interface ConfigLocation {
  readonly origin: string;
  readonly path: string;
}

export interface FieldSchema<Value> {
  readonly schema: JsonSchema;
  read(value: unknown, at: ConfigLocation): Value;
}

export type FieldValue<S> = S extends FieldSchema<infer Value> ? Value : never;

/** The place in a list of a flag or variable is not stated: it has one value, or values separated by commas. */
const formatLocation = ({ origin, path }: ConfigLocation): string =>
  path === "" || /^\[\d+\]$/.test(path) ? origin : `${origin}: ${path}`;
const inField = ({ origin, path }: ConfigLocation, key: string): ConfigLocation => ({
  origin,
  path: path === "" ? key : `${path}.${key}`,
});

export function configError(at: ConfigLocation, message: string, hint?: string): EolgateError {
  return EolgateError.of("bad-policy", { problem: message, advice: hint }).at(formatLocation(at));
}

/** `expected …, found "x"`; long values are truncated. */
export function expectedError(at: ConfigLocation, what: string, value: unknown, hint?: string): EolgateError {
  const shown = JSON.stringify(value) ?? String(value);
  return configError(at, `expected ${what}, found ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`, hint);
}

/** A string that is not blank. */
export function text(description: string): FieldSchema<string> {
  return {
    schema: { type: "string", minLength: 1, description },
    read: (value, at) => {
      if (typeof value !== "string" || value.trim() === "")
        throw expectedError(at, "a string that is not blank", value);
      return value;
    },
  };
}

/** `true` or `false`. */
export function flag(description: string): FieldSchema<boolean> {
  return {
    schema: { type: "boolean", description },
    read: (value, at) => {
      if (typeof value !== "boolean") throw expectedError(at, "true or false", value);
      return value;
    },
  };
}

/** A number from `min` to `max`, both included; `whole` refuses fractions. */
export function number(
  description: string,
  range: { readonly min: number; readonly max: number; readonly whole: boolean },
): FieldSchema<number> {
  const { min, max, whole } = range;
  const what = `${whole ? "a whole number" : "a number"} from ${min} to ${max}`;
  return {
    schema: { type: whole ? "integer" : "number", minimum: min, maximum: max, description },
    read: (value, at) => {
      if (typeof value !== "number" || !(value >= min && value <= max)) throw expectedError(at, what, value);
      if (whole && !Number.isInteger(value)) throw expectedError(at, what, value);
      return value;
    },
  };
}

/** One of the given words; an error suggests the nearest one. */
export function oneOf<const Word extends string>(description: string, words: readonly Word[]): FieldSchema<Word> {
  return {
    schema: { enum: words, description },
    read: (value, at) => {
      const word = words.find((each) => each === value);
      if (word === undefined) throw expectedError(at, `one of ${words.join(", ")}`, value, suggestion(value, words));
      return word;
    },
  };
}

/** A list. `whenEmpty` is the hint of the error for an empty list; without it, an empty list is accepted. */
export function listOf<Value>(
  description: string,
  of: FieldSchema<Value>,
  whenEmpty?: string,
): FieldSchema<readonly Value[]> {
  return {
    schema: { type: "array", items: of.schema, ...(whenEmpty !== undefined && { minItems: 1 }), description },
    read: (value, at) => {
      if (!Array.isArray(value)) throw expectedError(at, "a list", value);
      if (whenEmpty !== undefined && value.length === 0) throw configError(at, "the list is empty", whenEmpty);
      return value.map((each: unknown, index) => of.read(each, { ...at, path: `${at.path}[${index}]` }));
    },
  };
}

/** An object of known fields; `required` ones must be present, unknown ones are refused with the nearest known name. */
export function fields<
  const Fields extends Readonly<Record<string, FieldSchema<unknown>>>,
  const Required extends keyof Fields & string,
>(
  description: string,
  of: Fields,
  required: readonly Required[],
): FieldSchema<
  { readonly [Key in keyof Fields]?: FieldValue<Fields[Key]> } & { readonly [Key in Required]: FieldValue<Fields[Key]> }
> {
  const names = Object.keys(of);
  return {
    schema: {
      type: "object",
      description,
      properties: Object.fromEntries(names.map((name) => [name, of[name]?.schema])),
      additionalProperties: false,
      ...(required.length > 0 && { required }),
    },
    read: (value, at) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each key is read by its own schema; the compiler cannot follow entries
      readFields(value, at, of, required) as {
        readonly [Key in keyof Fields]?: FieldValue<Fields[Key]>;
      } & { readonly [Key in Required]: FieldValue<Fields[Key]> },
  };
}

function readFields(
  value: unknown,
  at: ConfigLocation,
  of: Readonly<Record<string, FieldSchema<unknown>>>,
  required: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw expectedError(at, "an object", value);
  const names = Object.keys(of);
  const read: Record<string, unknown> = {};
  for (const [key, each] of Object.entries(value)) {
    const schema = getOwn(of, key);
    if (schema === undefined)
      throw configError(
        inField(at, key),
        "no such field",
        suggestion(key, names) ?? `Known fields: ${names.join(", ")}.`,
      );
    read[key] = schema.read(each, inField(at, key));
  }
  for (const name of required) if (!Object.hasOwn(read, name)) throw configError(at, `the field ${name} is missing`);
  return read;
}

function suggestion(value: unknown, known: readonly string[]): string | undefined {
  const [near] = typeof value === "string" ? nearest(value, known, 1) : [];
  return near === undefined ? undefined : `Did you mean ${near}?`;
}
