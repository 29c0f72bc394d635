/**
 * The types of wire objects in plain TypeScript, from their schemas: the declarations of the library then refer to no type
 * of the schema library, which newer compilers reject, and each field has the description that the API documents.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asRecord, isRecord } from "../src/text/values.ts";

const SCHEMAS = new URL("../src/wire/schemas/", import.meta.url);
/** How the declarations of `src/wire/schemas` name a type. */
const ALIAS = /^export type (\w+) = Wire<typeof (\w+)>;$/gm;

/** Replaces the types that follow from schemas in the declarations below `folder`. @throws Error for an unknown form of schema */
export async function writeWireTypes(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".d.ts"))) {
    const file = join(folder, name);
    const declarations = readFileSync(file, "utf8");
    const schemas = asRecord(await import(new URL(name.replace(/\.d\.ts$/, ".ts"), SCHEMAS).href));
    const plain = declarations.replaceAll(
      ALIAS,
      (_, alias: string, schema: string) => `export type ${alias} = ${typeOf(schemas[schema], "")};`,
    );
    if (plain !== declarations) writeFileSync(file, plain);
  }
}

/** The type of the values that a JSON Schema describes, in the forms that `wire/schemas` uses. Read-only, like `Wire`. */
export function typeOf(schema: unknown, indent: string): string {
  if (!isRecord(schema)) throw new Error(`not a schema: ${JSON.stringify(schema)}`);
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return choices.map((each) => typeOf(each, indent)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ");
  const types = [schema["type"]].flat().map((type) => NAMED[String(type)]?.(schema, indent) ?? unknownForm(schema));
  return types.join(" | ");
}

const NAMED: Readonly<Record<string, (schema: Readonly<Record<string, unknown>>, indent: string) => string>> = {
  string: () => "string",
  number: () => "number",
  integer: () => "number",
  boolean: () => "boolean",
  null: () => "null",
  array: ({ items }, indent) => {
    const each = typeOf(items, indent);
    return each.includes(" | ") && !each.startsWith("{") ? `readonly (${each})[]` : `readonly ${each}[]`;
  },
  object: objectType,
};

function objectType(schema: Readonly<Record<string, unknown>>, indent: string): string {
  const { properties, required, additionalProperties, patternProperties } = schema;
  const values = isRecord(patternProperties) ? Object.values(patternProperties)[0] : additionalProperties;
  if (properties === undefined)
    return `{ readonly [name: string]: ${isRecord(values) ? typeOf(values, indent) : "unknown"} }`;
  const needed = new Set(Array.isArray(required) ? required : []);
  const inner = `${indent}    `;
  const fields = Object.entries(asRecord(properties)).map(([name, field]) => {
    const { description } = asRecord(field);
    const comment = typeof description === "string" ? `${inner}/** ${description.replaceAll("*/", "*\\/")} */\n` : "";
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    return `${comment}${inner}readonly ${key}${needed.has(name) ? "" : "?"}: ${typeOf(field, inner)};\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

function unknownForm(schema: object): never {
  throw new Error(`no type for the schema ${JSON.stringify(schema).slice(0, 200)}`);
}
