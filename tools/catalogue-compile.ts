/**
 * `npm run catalogue:compile`: compiles the curated sources and the reference data next to the checkout to `src/data`;
 * without the reference data, over the bundled catalogue. The output is deterministic, so compiling unchanged sources
 * changes no file. Prints what changed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { compileOverBundle } from "./bundled-layers.ts";
import { compile } from "../src/pipeline/compile/compile.ts";
import { readCurated } from "../src/pipeline/compile/curated.ts";
import { readReference } from "./reference-data.ts";
import { sourcesPage } from "./sources-page.ts";
import { encodeCatalogue, openCatalogue, readContent } from "../src/catalogue/file.ts";
import { BUNDLED } from "../src/catalogue/places.ts";
import type { StoredContent } from "../src/catalogue/schema.ts";
import { EolgateError } from "../src/messages/error.ts";

const reference = new URL("../../shared/upstream/", import.meta.url);
const data = new URL("../src/data/", import.meta.url);
const page = new URL("SOURCES.md", data);
const DIGEST = /sha256:[0-9a-f]{64}/;

/** Writes the catalogue. @returns its digest */
function write(content: StoredContent): string {
  const bytes = encodeCatalogue(content);
  mkdirSync(data, { recursive: true });
  writeFileSync(BUNDLED, bytes);
  return openCatalogue(bytes, "catalogue.json").head.digest;
}

function fromReference(): StoredContent {
  const inputs = readReference(reference);
  const { content, notes } = compile(inputs);
  writeFileSync(page, sourcesPage(inputs, content, write(content)));
  for (const { code, where, message } of notes) console.error(`note: ${code}: ${where}: ${message}`);
  for (const { file, why } of inputs.unread) console.error(`left out: ${file}: ${why}`);
  return content;
}

function overBundle(before: StoredContent): StoredContent {
  console.error(
    "note: compiled over the bundled catalogue; of products of the upstream record, only corrections count",
  );
  const content = compileOverBundle(before, readCurated());
  const digest = write(content);
  writeFileSync(page, readFileSync(page, "utf8").replace(DIGEST, digest));
  return content;
}

/** By release cycle and field, without the indexes of sources, which a compilation may order otherwise. */
const rowsOf = (product: StoredContent["products"][string] | undefined): ReadonlyMap<string, string> =>
  new Map(
    (product?.cycles ?? []).flatMap(({ name, also, ...cycle }) => [
      ...(["released", "eoas", "eol", "eoes", "latest", "successor"] as const).flatMap((field) =>
        cycle[field] === undefined ? [] : [[`${name} ${field}`, JSON.stringify(cycle[field])] as const],
      ),
      [`${name} other claims`, JSON.stringify((also ?? []).map(([, end]) => end))] as const,
    ]),
  );

try {
  const started = performance.now();
  const before = existsSync(BUNDLED) ? readContent(readFileSync(BUNDLED), "catalogue.json") : undefined;
  const content = before === undefined || existsSync(reference) ? fromReference() : overBundle(before);
  for (const line of before === undefined ? [] : changes(before, content)) console.log(line);
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  console.log(`${Object.keys(content.products).length} products, ${seconds} s`);
} catch (error) {
  if (!(error instanceof EolgateError)) throw error;
  const problems = error.details["problems"];
  for (const { code, where, message } of Array.isArray(problems)
    ? problems
    : [{ code: error.code, where: error.where, message: error.message }])
    console.error(`refused: ${code}: ${where}: ${message}`);
  process.exitCode = error.exit;
}

/** `changed: nodejs:18 eol "2025-04-30" → "2025-05-30"`: the fields of release cycles, and products and cycles that come or go. */
function changes({ products: before }: StoredContent, { products: after }: StoredContent): readonly string[] {
  const slugs = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return slugs.flatMap((slug) => {
    const [old, now] = [rowsOf(before[slug]), rowsOf(after[slug])];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) =>
      old.get(key) === now.get(key)
        ? []
        : [`changed: ${slug}:${key} ${old.get(key) ?? "absent"} → ${now.get(key) ?? "absent"}`],
    );
  });
}
