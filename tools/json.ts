/** Reads files that the build, npm or GitHub defines. */
import { readFileSync } from "node:fs";

/**
 * @returns the value for a type of which every member is optional: whoever reads it decides what an absent one means.
 *   Throws for a value that is no object.
 */
export function objectOf(value: unknown): object {
  if (typeof value !== "object" || value === null) throw new Error("this is not an object");
  return value;
}

export const readObject = (file: string): object => objectOf(JSON.parse(readFileSync(file, "utf8")));
