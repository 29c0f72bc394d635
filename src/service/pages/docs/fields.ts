/** Lists the fields of a schema for the documentation. */
import { asList, asRecord } from "../../../text/values.ts";

export interface SchemaField {
  /** Path of the field: `products[].slug`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly meaning: string;
}

/** Levels that are listed. The OpenAPI description contains all. */
const DEPTH = 2;

/** The fields of an object schema, or of the items of an array schema. */
export function fieldsOf(schema: unknown, prefix = "", depth = DEPTH): readonly SchemaField[] {
  const { properties, required, items, anyOf } = partsOf(schema);
  if (items !== undefined) return fieldsOf(items, `${prefix}[]`, depth);
  if (anyOf !== undefined) return fieldsOf(anyOf[0], prefix, depth);
  return Object.entries(asRecord(properties)).flatMap(([key, property]) => {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    const { description } = partsOf(property);
    const own = { name, type: typeText(property), required: required.includes(key), meaning: description };
    return depth > 1 ? [own, ...fieldsOf(property, name, depth - 1)] : [own];
  });
}

/** `one of active, eol`, `integer, 0 to 100`, `date or null`. */
function typeText(schema: unknown): string {
  const { type, values, format, minimum, maximum, items, anyOf } = partsOf(schema);
  if (values !== undefined) return `one of ${values.map((value) => value ?? "null").join(", ")}`;
  if (items !== undefined) return `array of ${typeText(items)}`;
  if (anyOf !== undefined) return anyOf.map(typeText).join(" or ");
  const base = type.filter((each) => each !== "null").map((each) => (each === "string" ? (format ?? each) : each));
  const range =
    maximum === undefined ? (minimum === undefined ? "" : `, from ${minimum}`) : `, ${minimum ?? 0} to ${maximum}`;
  return `${base.join(" or ")}${range}${type.includes("null") ? " or null" : ""}`;
}

interface SchemaParts {
  readonly type: readonly string[];
  readonly values?: readonly (string | null)[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description: string;
  readonly properties?: unknown;
  readonly required: readonly string[];
  readonly items?: unknown;
  readonly anyOf?: readonly unknown[];
}

/** The keywords of a schema that are shown. */
function partsOf(schema: unknown): SchemaParts {
  const { type, enum: values, format, minimum, maximum, description, required, ...parts } = asRecord(schema);
  return {
    type: texts([type].flat()),
    ...(Array.isArray(values) && { values: asList(values).map((value) => (typeof value === "string" ? value : null)) }),
    ...(typeof format === "string" && { format }),
    ...(typeof minimum === "number" && { minimum }),
    ...(typeof maximum === "number" && { maximum }),
    description: typeof description === "string" ? description : "",
    required: texts(required),
    ...("properties" in parts && { properties: parts["properties"] }),
    ...("items" in parts && { items: parts["items"] }),
    ...(Array.isArray(parts["anyOf"]) && { anyOf: asList(parts["anyOf"]) }),
  };
}

const texts = (values: unknown): readonly string[] => asList(values).filter((value) => typeof value === "string");
