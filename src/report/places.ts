/** Where things are: a line by its key, a document by its path. */
import type { LineRef } from "../core/model.ts";
import { plain } from "./escape.ts";

/** `nodejs:16`. */
export const lineKey = ({ product, cycle }: LineRef): string => `${product}:${cycle}`;

/** A file's path as it stands in a repository: forward slashes, no `./` in front. */
export function filePath(file: string): string {
  if (file === "<stdin>") return "stdin";
  return plain(file.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""));
}

/** The same as a URI reference. */
export function fileUri(file: string): string {
  const path = filePath(file).split("/").map(encodeURIComponent).join("/");
  return /^[A-Za-z]%3A\//.test(path)
    ? `file:///${path.replace("%3A", ":")}`
    : path.startsWith("/")
      ? `file://${path}`
      : path;
}
