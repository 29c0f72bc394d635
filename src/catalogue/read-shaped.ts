/** Reads a curated file and checks it against its schema. */
import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";
import { EolgateError } from "../messages/error.ts";
import { readPackageFile } from "../platform/package-files.ts";

/** @throws EolgateError `catalogue`, code `curated-shape`, with the file and the path in it. */
export function readShaped<Schema extends TSchema>(url: URL, schema: Schema): Static<Schema> {
  const file = url.pathname.split("/curated/").pop() ?? url.pathname;
  let value: unknown;
  try {
    value = JSON.parse(readPackageFile(url).toString("utf8"));
  } catch (cause) {
    throw EolgateError.of("curated-shape", { file, problem: "not valid JSON" }, { where: file, cause });
  }
  if (Value.Check(schema, value)) return value;
  const [first] = Value.Errors(schema, value);
  throw EolgateError.of(
    "curated-shape",
    { file, problem: first?.message ?? "wrong shape" },
    { where: `${file}#${first?.instancePath ?? ""}` },
  );
}
