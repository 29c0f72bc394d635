/** The schemas of CycloneDX, which `enrich --validate` uses. The package contains them, so it does not need their library. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

const SCHEMAS = "node_modules/@cyclonedx/cyclonedx-library/res/schema";

/** Paths from the root of the repository. */
export const schemaFiles = (): readonly string[] =>
  readdirSync(join(import.meta.dirname, "..", SCHEMAS))
    .filter((name) => name.endsWith(".json"))
    .map((name) => `${SCHEMAS}/${name}`)
    .toSorted();
