/**
 * Part of `npm run build`: writes the curated sources of the catalogue and the schemas of CycloneDX as one compressed
 * file, which the package contains instead of them. `src/platform/package-files.ts` reads it. The output is deterministic.
 * Run: node tools/bundle-curated.ts [FILE]
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { schemaFiles } from "./schema-files.ts";

const root = join(import.meta.dirname, "..");
const FOLDER = "src/pipeline/curated";

const files = readdirSync(join(root, FOLDER), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".json"))
  .map((name) => `${FOLDER}/${name.split(sep).join("/")}`)
  .toSorted();
const archive = Object.fromEntries(
  [...files, ...schemaFiles()].map((path) => [path, readFileSync(join(root, path), "utf8")]),
);
const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
const target = process.argv[2] ?? join(root, "dist/curated.json.br");
writeFileSync(target, brotliCompressSync(JSON.stringify(archive), { params }));
