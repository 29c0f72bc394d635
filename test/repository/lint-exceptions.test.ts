/**
 * Exceptions from the lint rules. None is for a whole source file, and each on a line gives its reason.
 * The rules are in .oxlintrc.json.
 */
import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { root, sourceFiles } from "./sources.ts";

interface Override {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, unknown>>;
}

/** Rules that an override may turn off for source files, with the only files that it may name. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // The routes of fastify are asynchronous functions.
  "oxc/no-async-endpoint-handlers": ["src/service/**"],
};

const isOff = (level: unknown): boolean => [level].flat()[0] === "off" || [level].flat()[0] === 0;

/** `rule: file` for each rule that an override relaxes for a source file. */
function relaxedRules(overrides: readonly Override[], paths: readonly string[]): readonly string[] {
  return overrides.flatMap(({ files, rules }) =>
    Object.entries(rules).flatMap(([rule, level]) => {
      const isLimit = /^(?:eslint\/)?(?:complexity|max-)/.test(rule);
      if (!isOff(level) && !isLimit) return [];
      const allowed = ALLOWED[rule] ?? [];
      const open = files.filter((glob) => !allowed.includes(glob));
      return paths.filter((path) => open.some((glob) => matchesGlob(path, glob))).map((path) => `${rule}: ${path}`);
    }),
  );
}

/** Comments that turn a rule off without a reason, or for more than one line. */
function unreasoned(text: string): readonly string[] {
  const directives = text.match(/(?:oxlint|eslint)-disable\b.*/g) ?? [];
  return directives.filter((directive) => !/^oxlint-disable-next-line [\w/, -]+? -- \S.{9,}/.test(directive));
}

/** The configuration is JSON with comments on lines of their own. */
const configuration = (): { readonly overrides: readonly Override[] } =>
  JSON.parse(readFileSync(`${root}.oxlintrc.json`, "utf8").replaceAll(/^\s*\/\/.*$/gm, ""));

const self = fileURLToPath(import.meta.url)
  .slice(root.length)
  .replaceAll("\\", "/");
const files = ["src", "test", "tools", "bench"]
  .flatMap((folder) => sourceFiles(folder))
  .filter(({ path }) => path !== self);

describe("exceptions from the lint rules", () => {
  test("no override relaxes a rule for a source file", () => {
    const sources = files.map(({ path }) => path).filter((path) => path.startsWith("src/"));
    expect(relaxedRules(configuration().overrides, sources)).toEqual([]);
  });

  test("each one covers one line and has a reason", () => {
    const found = files.flatMap(({ path, comments }) =>
      comments.flatMap(({ text, line }) => unreasoned(text.trim()).map((directive) => `${path}:${line}: ${directive}`)),
    );
    expect(found).toEqual([]);
  });

  test("stay below the limit", () => {
    const count = files.flatMap(({ comments }) => comments.filter(({ text }) => /oxlint-disable/.test(text))).length;
    expect(count).toBeLessThanOrEqual(MOST);
  });
});

/** Lower it when an exception goes. */
const MOST = 33;

describe("the check detects", () => {
  test.each([
    ["a file list", ["src/a.ts"], { complexity: "off" }],
    ["a folder", ["src/**"], { "typescript/no-explicit-any": "off" }],
    ["a higher limit", ["src/a.ts"], { "max-params": ["error", { max: 9 }] }],
    ["a rule that is off as a number", ["src/*.ts"], { eqeqeq: 0 }],
  ])("%s", (_, globs, rules) => {
    expect(relaxedRules([{ files: globs, rules }], ["src/a.ts", "test/a.ts"])).toHaveLength(1);
  });

  test.each([
    ["oxlint-disable-next-line complexity"],
    ["oxlint-disable-next-line complexity -- long"],
    ["oxlint-disable complexity -- the whole file is generated from a table"],
    ["eslint-disable-next-line max-params -- one call, each argument from another source"],
  ])("%s", (directive) => {
    expect(unreasoned(directive)).toHaveLength(1);
  });

  test("a reason", () => {
    expect(unreasoned("oxlint-disable-next-line max-params -- one object for each of 100,000 purls")).toEqual([]);
  });
});
