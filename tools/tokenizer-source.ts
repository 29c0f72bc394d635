/** The sources of the tokenizer: two files in AssemblyScript, and the constants that they share with TypeScript. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import * as layout from "../src/json-rows/memory-layout.ts";

const FOLDER = new URL("../src/json-rows/", import.meta.url);

export interface TokenizerSource {
  /** Name of the module, without an extension. */
  readonly name: string;
  readonly text: string;
}

export const tokenizerSources = (): readonly TokenizerSource[] => [
  ...["tokenizer", "graph"].map((name) => ({ name, text: readFileSync(new URL(`${name}.as`, FOLDER), "utf8") })),
  { name: "layout", text: layoutSource(layout) },
];

/** The SHA-256 digest of the sources in hexadecimal: it changes whenever the tokenizer has to be compiled again. */
export function sourceDigest(): string {
  const digest = createHash("sha256");
  for (const { text } of tokenizerSources()) digest.update(text);
  return digest.digest("hex");
}

/** `STATE: { hashField: 20 }` → `export const STATE_HASH_FIELD: i32 = 20;`. */
function layoutSource(values: Readonly<Record<string, number | Readonly<Record<string, number>>>>): string {
  // Sorted, because the order of the exports of a module depends on what loads it.
  const sorted = Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.flatMap(([name, value]) =>
    typeof value === "number"
      ? [constant(name, value)]
      : Object.entries(value).map(([key, each]) => constant(`${name}_${upperSnake(key)}`, each)),
  );
  return `${lines.join("\n")}\n`;
}

const constant = (name: string, value: number): string => `export const ${name}: i32 = ${value};`;
const upperSnake = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
