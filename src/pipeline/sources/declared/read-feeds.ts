/** The feeds that are described as data, one file each. */
import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";
import { EolgateError } from "../../../messages/error.ts";
import { listPackageFiles, readPackageFile } from "../../../platform/package-files.ts";
import { CURATED } from "../../../catalogue/places.ts";
import type { LifecycleSource } from "../source.ts";
import { declaredSource } from "./feed.ts";
import { DeclaredFeed } from "./schema.ts";

/** In the order of their ids. @throws EolgateError `curated-data` for a description that is not valid. */
export function readFeeds(folder: URL = new URL("feeds/", CURATED)): readonly LifecycleSource[] {
  return listPackageFiles(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => declaredSource(readFeed(new URL(name, folder), name)));
}

function readFeed(url: URL, name: string): DeclaredFeed {
  const feed = readShaped(url, DeclaredFeed);
  if (name !== `${feed.id}.json`) throw refused(name, `the id is ${feed.id}`);
  if ((feed.product === undefined) === (feed.products === undefined))
    throw refused(name, "either product or products is needed");
  return feed;
}

const refused = (file: string, problem: string): EolgateError =>
  EolgateError.of("curated-data", { problem: `${file}: ${problem}` }).at(`feeds/${file}`);

// Reads a curated file and checks it against its schema.

/** @throws EolgateError `catalogue`, code `curated-data`, with the file and the path in it. */
export function readShaped<Schema extends TSchema>(url: URL, schema: Schema): Static<Schema> {
  const file = url.pathname.split("/curated/").pop() ?? url.pathname;
  let value: unknown;
  try {
    value = JSON.parse(readPackageFile(url).toString("utf8"));
  } catch (cause) {
    throw EolgateError.of("curated-data", { problem: `${file}: not valid JSON` }, { where: file, cause });
  }
  if (Value.Check(schema, value)) return value;
  const [first] = Value.Errors(schema, value);
  throw EolgateError.of("curated-data", { problem: `${file}: ${first?.message ?? "wrong shape"}` }).at(
    `${file}#${first?.instancePath ?? ""}`,
  );
}
