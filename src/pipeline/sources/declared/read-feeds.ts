/** The feeds that are described as data, one file each. */
import { EolgateError } from "../../../messages/error.ts";
import { listPackageFiles } from "../../../platform/package-files.ts";
import { CURATED } from "../../../catalogue/places.ts";
import { readShaped } from "../../../catalogue/read-shaped.ts";
import type { LifecycleSource } from "../source.ts";
import { declaredSource } from "./feed.ts";
import { DeclaredFeed } from "./schema.ts";

/** In the order of their ids. @throws EolgateError `curated-shape` for a description that is not valid. */
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
  EolgateError.of("curated-shape", { file, problem }, { where: `feeds/${file}` });
