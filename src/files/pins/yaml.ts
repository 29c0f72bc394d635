/** Reads YAML and JSON as a list of scalars, each with its path of keys and its location. */
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
import type { Node, Scalar } from "yaml";
import { yamlProblemCode } from "../../messages/yaml-problem.ts";
import { brokenPinFile } from "./broken.ts";
import type { PinLocation } from "./pin.ts";

export interface Leaf {
  /** Keys and indexes from the root: `["services", "db", "image"]`. */
  readonly path: readonly string[];
  /** The text as written: `3.10` is not 3.1. */
  readonly text: string;
  readonly quoted: boolean;
  /** As written in the file, with quotes or as a block. */
  readonly source: string;
  readonly place: PinLocation;
}

function placeOf(scalar: Scalar): PinLocation {
  const [start = 0, end = start] = scalar.range ?? [];
  return { at: start, length: end - start };
}

function leaves(node: unknown, path: readonly string[], text: string): readonly Leaf[] {
  if (isMap(node)) {
    return node.items.flatMap(({ key, value }) =>
      leaves(value, [...path, isScalar(key) ? String(key.value) : ""], text),
    );
  }
  if (isSeq(node)) return node.items.flatMap((item, index) => leaves(item, [...path, String(index)], text));
  if (!isScalar(node) || isAlias(node)) return [];
  const place = placeOf(node);
  const source = text.slice(place.at, place.at + place.length);
  return [{ path, text: scalarText(node.value), quoted: node.type !== "PLAIN", source, place }];
}

/** In the failsafe schema, every scalar is a string. */
const scalarText = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Returns one list of scalars for each document of the text. Aliases are not followed: a pin is located where it is
 * written.
 * @throws EolgateError `input`, code `pin-file-broken`
 */
export function yamlLeaves(text: string): readonly (readonly Leaf[])[] {
  return parsed(text).map((contents) => leaves(contents, [], text));
}

function parsed(text: string): readonly (Node | null)[] {
  const documents = parseAllDocuments(text, { schema: "failsafe", uniqueKeys: false, logLevel: "silent" });
  if (!Array.isArray(documents)) return [];
  return documents.map(({ errors: [error], contents }) => {
    if (error)
      throw brokenPinFile(
        `the file is not YAML (${yamlProblemCode(error.code)})`,
        `line ${String(error.linePos?.[0]?.line ?? 1)}`,
      );
    if (isScalar(contents) && contents.value !== "") throw brokenPinFile("the file is not a YAML mapping", "line 1");
    return contents;
  });
}

/** Leaves under a path; `*` matches any single key. */
export function under(all: readonly Leaf[], ...pattern: readonly string[]): readonly Leaf[] {
  return all.filter(
    ({ path }) => path.length === pattern.length && pattern.every((key, index) => key === "*" || key === path[index]),
  );
}
