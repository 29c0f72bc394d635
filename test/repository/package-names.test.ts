/**
 * Until the first release, the name of the package is free in registries: whoever takes it would run code wherever an
 * example is followed. Examples run a checkout; lines for later say so.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const FOLDERS = ["examples", "docs", ".github", "action"];
const FILES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "action.yml", "Dockerfile", ".pre-commit-hooks.yaml"];
const RUNS = [
  /\b(?:npx(?! --no-install)|bunx|pnpx|(?:pnpm|yarn) dlx|npm exec)\b.*\beolgate\b/,
  /\b(?:npm|pnpm|yarn|bun) (?:i|install|add)\b.*(?<![\w/.-])eolgate(?:@|\s|`|$)/,
  /\bpipx? .*\beolgate\b/,
];
/** Lines above that may state when a line applies. */
const ABOVE = 6;

/** Numbers of the lines that run or install the package by its name before there is one. */
function namedPackages(text: string): readonly number[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const above = lines.slice(Math.max(0, index - ABOVE), index + 1).join("\n");
    return RUNS.some((pattern) => pattern.test(line)) && !/after the first release/i.test(above) ? [index + 1] : [];
  });
}

test.each([
  ["npx --yes eolgate@0.1.0 check bom.json", [1]],
  ["    - npx eolgate check .", [1]],
  ["npm install --save-dev eolgate", [1]],
  ["pnpm dlx eolgate check", [1]],
  ["yarn add eolgate@0.1.0", [1]],
  ["After the first release:\n\nnpx eolgate check .", []],
  ["npm install /path/to/eolgate", []],
  ["npm install ./eolgate-0.1.0.tgz", []],
  ["node .eolgate/bin/eolgate.js check .", []],
  ["npx vitest run", []],
  ["npx --no-install eolgate check", []],
] as const)("%j names the package in the lines %j", (text, lines) => {
  expect(namedPackages(text)).toEqual(lines);
});

test("no published example runs the package by its name", () => {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?:file|\.(?:md|ya?ml|sh|ts))$/i.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  expect(paths.length).toBeGreaterThan(40);
  const found = [...paths, ...FILES.map((name) => join(root, name))].flatMap((path) =>
    namedPackages(readFileSync(path, "utf8")).map((line) => `${path.slice(root.length)}:${line}`),
  );
  expect(found).toEqual([]);
});
