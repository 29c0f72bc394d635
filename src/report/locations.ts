/** Locations in reports: documents by path, components by pointer. */
import { percentEncode } from "../text/values.ts";
import type { Component, Finding } from "../model/index.ts";
import type { DependencyPaths } from "../sbom/graph/paths.ts";
import { singleLine } from "./escape.ts";

/**
 * The pointer of a component; null for one nested too deep to be followed. In a document of 20,000 levels
 * pointers alone would fill gigabytes, and line and column say where it is.
 */
export const pointerOf = ({ pointer }: Pick<Component, "pointer">): string | null =>
  pointer.length > LONGEST_POINTER ? null : pointer;

const LONGEST_POINTER = 2000;

/** The shortest path of refs that brings a component in; of a very long one the two ends, for the same reason. */
export const pathTo = ({ bomRef }: Component, paths: DependencyPaths): readonly string[] =>
  bomRef === undefined ? [] : paths.from(bomRef, LONGEST_PATH);

/** Refs of a dependency path that a report shows. */
export const LONGEST_PATH = 64;

/** `shop › … › qs`: of a long path the root and the direct parent, which are the most useful. */
export const shortPath = (path: readonly string[]): readonly string[] =>
  path.length > 3 ? [path[0] ?? "", "…", path.at(-1) ?? ""] : path;

/** A file's path relative to the repository: forward slashes, no leading `./`. */
export function filePath(file: string): string {
  if (file === "<stdin>") return "stdin";
  return singleLine(file.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""));
}

/** The same as a URI reference. */
export function fileUri(file: string): string {
  const path = filePath(file).split("/").map(percentEncode).join("/");
  return /^[A-Za-z]%3A\//.test(path)
    ? `file:///${path.replace("%3A", ":")}`
    : path.startsWith("/")
      ? `file://${path}`
      : path;
}

/**
 * A 64-bit hash of a text in hexadecimal: two 32-bit multiply-and-xor halves with a final mix. Not for
 * secrets: `report` does not use node:crypto.
 */
export function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = mix(high, low);
  low = mix(low, high);
  return hex(high) + hex(low);
}

const mix = (of: number, by: number): number =>
  Math.imul(of ^ (of >>> 16), 2246822507) ^ Math.imul(by ^ (by >>> 13), 3266489909);

const hex = (number: number): string => (number >>> 0).toString(16).padStart(8, "0");

/**
 * Creates fingerprints of the findings of one document: from the component without its version and location, from
 * `about` (the rule), and from a counter for equal ones. A fingerprint stays the same after a patch update and when
 * components change their order.
 */
export function fingerprints(): (finding: Finding, about: string) => string {
  const seen = new Map<string, number>();
  return ({ component }, about) => {
    const { group, name, purls } = component;
    const identity = purls[0] === undefined ? `${group ?? ""}/${name}` : withoutVersion(purls[0]);
    const key = `${about}|${identity}`;
    const earlier = seen.get(key) ?? 0;
    seen.set(key, earlier + 1);
    return hash(`${key}|${earlier}`);
  };
}

function withoutVersion(purl: string): string {
  const end = purl.search(/[?#]/);
  const path = end === -1 ? purl : purl.slice(0, end);
  const at = path.lastIndexOf("@");
  return at > path.lastIndexOf("/") ? path.slice(0, at) : path;
}
