/** Locations in reports: release cycles by key, documents by path, components by pointer. */
import { percentEncode } from "../text/values.ts";
import type { Component, CycleRef } from "../model/index.ts";
import type { DependencyPaths } from "../sbom/graph/paths.ts";
import { singleLine } from "./escape.ts";

/** `nodejs:16`. */
export const cycleKey = ({ product, cycle }: CycleRef): string => `${product}:${cycle}`;

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
