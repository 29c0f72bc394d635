/**
 * Layers import in one direction, there are no import cycles, and the pure layers have no side effects. Imports of
 * values, imports of types and dynamic imports count alike. docs/architecture.md describes the layers.
 */
import { describe, expect, test } from "vitest";
import { importCycles, parseSource, sourceFiles, type SourceFile } from "./repository/sources.ts";

const files = sourceFiles("src");

/** Which layers a layer may import from, besides itself. `index.ts` is the public entry point. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  bytes: [],
  core: ["bytes"],
  platform: ["core"],
  report: ["core"],
  store: ["core", "platform"],
  signals: ["core", "platform"],
  catalogue: ["core", "platform"],
  images: ["core", "platform"],
  api: ["core", "catalogue", "signals", "platform"],
  // The interface of the store; the composition root decides which store it is (see below).
  server: ["core", "catalogue", "api", "report", "store", "signals", "platform"],
  cli: ["core", "catalogue", "api", "report", "store", "server", "signals", "images", "platform"],
  "index.ts": ["core", "catalogue", "api", "report", "platform"],
};

/** The parts of the core, in order: each may import from those before it. Small files without imports are `basics`. */
const CORE_PARTS = [
  "basics",
  "model",
  "messages",
  "errors",
  "lifecycle",
  "resolve",
  "support",
  "wire",
  "sbom",
  "inventory",
  "policy",
  "compare",
];
const BASICS = new Set(["ids.ts", "own.ts", "nearest.ts", "values.ts", "lazy.ts"]);

/** Layers without clock, network, file, environment or terminal. */
const PURE = new Set(["bytes", "core", "report"]);

const layerOf = (path: string): string => path.split("/")[1] ?? "";

function partOf(path: string): string {
  const [, , part = ""] = path.split("/");
  return BASICS.has(part) ? "basics" : part.replace(/\.ts$/, "");
}

/** Imports that the tables above do not allow. */
function forbiddenImports(all: readonly SourceFile[]): readonly string[] {
  return all.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }) => {
      if (target === undefined || !target.startsWith("src/")) return [];
      const [from, to] = [layerOf(path), layerOf(target)];
      if (from !== to) return (ALLOWED[from] ?? []).includes(to) ? [] : [`${path} → ${target}`];
      if (from !== "core" || partOf(path) === partOf(target)) return [];
      const [importer, imported] = [CORE_PARTS.indexOf(partOf(path)), CORE_PARTS.indexOf(partOf(target))];
      return imported !== -1 && imported < importer ? [] : [`${path} → ${target}`];
    }),
  );
}

const codeOf = ({ text }: SourceFile): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
const pathsOf = (found: readonly SourceFile[]): readonly string[] => found.map(({ path }) => path);
const importsFrom = ({ imports }: SourceFile, pattern: RegExp): boolean =>
  imports.some(({ specifier, target }) => pattern.test(target ?? specifier));

test("layers and the parts of the core import in one direction", () => {
  expect(forbiddenImports(files)).toEqual([]);
});

test("has no import cycles", () => {
  expect(importCycles(files)).toEqual([]);
});

describe("the import rules detect", () => {
  const cyclic = (first: string): readonly SourceFile[] => [
    parseSource("src/resolve/a.ts", first),
    parseSource("src/resolve/b.ts", 'export * from "./c.ts";'),
    parseSource("src/resolve/c.ts", 'import "./a.ts";'),
  ];
  test.each([
    ["an import of a value", 'import { b } from "./b.ts";'],
    ["an import of a type", 'import type { B } from "./b.ts";'],
    ["a type among values", 'import { type B } from "./b.ts";'],
    ["a dynamic import", 'const b = () => import("./b.ts");'],
    ["an import in a type", 'type B = import("./b.ts").B;'],
    ["an export of a type", 'export type { B } from "./b.ts";'],
  ])("a cycle through %s", (_, text) => {
    expect(importCycles(cyclic(text))).toHaveLength(1);
  });

  test.each([
    ["src/json-rows/a.ts", 'import type { B } from "../core/b.ts";'],
    ["src/model/a.ts", 'import type { B } from "../policy/b.ts";'],
    ["src/resolve/a.ts", 'import { b } from "../sbom/b.ts";'],
    ["src/core/a.ts", 'import { b } from "./policy/b.ts";'],
    ["src/compare/a.ts", 'import { b } from "../unlisted/b.ts";'],
    ["src/resolve/a.ts", 'import type { B } from "../../report/b.ts";'],
    ["src/report/a.ts", 'const b = () => import("../platform/b.ts");'],
    ["src/service/http/a.ts", 'import type { B } from "../cli/b.ts";'],
  ])("a forbidden import in %s: %s", (path, text) => {
    expect(forbiddenImports([parseSource(path, text)])).toHaveLength(1);
  });
});

describe("the pure layers", () => {
  const pure = files.filter(({ path }) => PURE.has(layerOf(path)));

  test("import no Node modules", () => {
    expect(pathsOf(pure.filter((file) => importsFrom(file, /^node:/)))).toEqual([]);
  });

  test("do not read the clock, the environment or the process", () => {
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bprocess\.|\bfetch\(|\bconsole\.|\bMath\.random\(|\btoLocale|\bIntl\./;
    expect(pathsOf(pure.filter((file) => impure.test(codeOf(file))))).toEqual([]);
  });
});

/** The second one is to the single executable what `bin/` is to the package: it hands the process over. */
const WITH_PROCESS = new Set(["src/cli/process-context.ts", "src/cli/executable.ts"]);

test("only cli/process-context.ts uses console and process, and nothing calls process.exit", () => {
  const found = files.filter(
    (file) =>
      !WITH_PROCESS.has(file.path) &&
      /\bconsole\.|\bprocess\.(?:stdout|stderr|stdin|exit|argv|cwd)\b/.test(codeOf(file)),
  );
  expect(pathsOf(found)).toEqual([]);
});

test("the server imports no concrete store, and the api layer opens no port", () => {
  const layer = (name: string): readonly SourceFile[] => files.filter(({ path }) => layerOf(path) === name);
  expect(pathsOf(layer("server").filter((file) => importsFrom(file, /store\/(?:embedded|postgres)/)))).toEqual([]);
  expect(pathsOf(layer("api").filter((file) => importsFrom(file, /^node:(?:net|http|https|tls|dgram)$/)))).toEqual([]);
});
