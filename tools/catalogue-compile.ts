/**
 * `npm run catalogue:compile`: compiles the curated sources and the reference data next to the checkout to `src/data`.
 * The output is deterministic, so compiling unchanged sources changes no file.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { compile } from "../src/pipeline/compile/compile.ts";
import { readReference } from "./reference-data.ts";
import { sourcesPage } from "./sources-page.ts";
import { encodeCatalogue, openCatalogue } from "../src/catalogue/file.ts";
import { EolgateError } from "../src/messages/error.ts";

const reference = new URL("../../shared/upstream/", import.meta.url);
const data = new URL("../src/data/", import.meta.url);

try {
  const started = performance.now();
  const inputs = readReference(reference);
  const { content, notes } = compile(inputs);
  const bytes = encodeCatalogue(content);
  mkdirSync(data, { recursive: true });
  writeFileSync(new URL("catalogue.json", data), bytes);
  const { head } = openCatalogue(bytes, "catalogue.json");
  writeFileSync(new URL("SOURCES.md", data), sourcesPage(inputs, content, head.digest));
  for (const { code, where, message } of notes) console.error(`note: ${code}: ${where}: ${message}`);
  for (const { file, why } of inputs.unread) console.error(`left out: ${file}: ${why}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  console.log(`${Object.keys(content.products).length} products, ${bytes.length} bytes, ${seconds} s, ${head.digest}`);
} catch (error) {
  if (!(error instanceof EolgateError)) throw error;
  const problems = error.details["problems"];
  for (const { code, where, message } of Array.isArray(problems)
    ? problems
    : [{ code: error.code, where: error.where, message: error.message }])
    console.error(`refused: ${code}: ${where}: ${message}`);
  process.exitCode = error.exit;
}
