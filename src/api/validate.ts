/**
 * Checks a CycloneDX document against the official schema. Loaded when asked for: the schema takes its time to compile.
 * The library's own validator compares every pair of a list for `uniqueItems`, which takes minutes on large documents;
 * here the same schema is used with a hash set.
 */
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { EolgateError } from "../messages/error.ts";
import { dependencyFile, readPackageFile } from "../platform/package-files.ts";
import { asRecord, remembered } from "../text/values.ts";
import { documentBytes, type ParsedSbom } from "../sbom/component.ts";

export interface Violation {
  /** JSON pointer into the document. */
  readonly pointer: string;
  readonly message: string;
}

const validatorOf = remembered(compile);

/** The violations of the schema of the document's version; empty when it is valid. */
export function validateSbom(document: ParsedSbom): readonly Violation[] {
  if (document.format !== "CycloneDX") throw noSchema(document);
  const value = parse(document);
  const validate = validatorOf(document.specVersion);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = "is not allowed" }) => ({
    pointer: instancePath,
    message,
  }));
}

const noSchema = ({ format, specVersion }: ParsedSbom): EolgateError =>
  EolgateError.of("invalid-usage", {
    problem: `${format} ${specVersion} documents cannot be validated; only CycloneDX documents can`,
  }).at("--validate");

function parse(document: ParsedSbom): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(documentBytes(document)));
  } catch (cause) {
    // It was read before, so it is JSON: only the limit of strings is left.
    throw EolgateError.of(
      "too-large",
      { problem: "the document is too large to validate", advice: "Omit --validate. Enrichment has no size limit." },
      { cause },
    );
  }
}

const ADDRESS = "http://cyclonedx.org/schema/";
const SCHEMAS = "@cyclonedx/cyclonedx-library/res/schema";
const PARTS = ["spdx.SNAPSHOT.schema.json", "cryptography-defs.SNAPSHOT.schema.json", "jsf-0.82.SNAPSHOT.schema.json"];

function compile(version: string): ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: false, addUsedSchema: false });
  formats.default(ajv);
  // Nothing in the registry checks these two; the library lets them pass as well.
  ajv.addFormat("idn-email", true).addFormat("iri-reference", true);
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (mustBeUnique: boolean, items: readonly unknown[]) => !mustBeUnique || areUnique(items),
    error: { message: "must NOT have duplicate items" },
  });
  for (const part of PARTS) ajv.addSchema(schema(part), `${ADDRESS}${part}`);
  return ajv.compile(schema(`bom-${version}.SNAPSHOT.schema.json`));
}

const schema = (name: string): object =>
  asRecord(JSON.parse(readPackageFile(dependencyFile(`${SCHEMAS}/${name}`)).toString("utf8")));

function areUnique(items: readonly unknown[]): boolean {
  if (items.length < 2) return true;
  const seen = new Set<string>();
  for (const item of items) seen.add(canonical(item));
  return seen.size === items.length;
}

/** The order of an object's keys makes no difference to JSON Schema. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
