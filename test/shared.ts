/** The reference data that may stand next to the checkout. Tests over it are reported as skipped where it is missing. */
import { existsSync } from "node:fs";
import { describe, test } from "vitest";

const root = new URL("../../shared/", import.meta.url);

/** Address of a file or folder of the reference data, or undefined when it is not on this machine. */
export function shared(path: string): URL | undefined {
  const url = new URL(path, root);
  return existsSync(url) ? url : undefined;
}

/** A group of tests over one path of the reference data. */
export function describeWithShared(name: string, path: string, tests: (url: URL) => void): void {
  const url = shared(path);
  if (url) describe(name, () => tests(url));
  else describe(name, () => test("needs the reference data", ({ skip }) => skip(`${path} is not on this machine`)));
}
