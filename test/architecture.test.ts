/**
 * The product has three parts. The gate is everything outside of `src/service` and `src/pipeline`; it reaches each of
 * them through one file. Directories of the gate import in one direction. Imports of values, imports of types and
 * dynamic imports count alike. Each directory has a line budget. docs/architecture.md describes the parts.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importCycles, parseSource, root, sourceFiles, type SourceFile } from "./repository/sources.ts";

const files = sourceFiles("src");

/**
 * The directories of the gate from top to bottom, with the number of lines that each may have: a directory imports only
 * from itself and from those below it. Budgets are multiples of 250 with slack for small changes; `SUMS` are the real
 * limit. Change a budget in a commit of its own that states why.
 */
const GATE: Readonly<Record<string, number>> = {
  cli: 5_250,
  "index.ts": 250,
  shell: 1_500,
  api: 5_250,
  attest: 750,
  catalogue: 6_750,
  images: 5_000,
  signals: 2_750,
  http: 500,
  platform: 1_250,
  report: 8_000,
  compare: 1_000,
  fix: 750,
  policy: 3_000,
  files: 6_750,
  enrich: 1_750,
  sbom: 4_250,
  wire: 2_250,
  support: 1_000,
  resolve: 5_500,
  lifecycle: 1_500,
  "json-rows": 3_000,
  messages: 1_500,
  model: 2_000,
  text: 500,
};

/** The other two parts import from the gate except `cli`, and from each other through the entry. */
const PARTS: Readonly<Record<string, number>> = { service: 14_250, pipeline: 6_500 };

/** The lines that each part may have: less than its budgets together, so that not all directories grow at once. */
const SUMS: Readonly<Record<string, number>> = { gate: 67_500, ...PARTS };

/** Directories without clock, network, file, environment or terminal: `report` and all below it. */
const PURE = new Set(Object.keys(GATE).slice(Object.keys(GATE).indexOf("report")));

const ORDER = Object.keys(GATE);
const directoryOf = (path: string): string => path.split("/")[1] ?? "";
const isPart = (directory: string): boolean => Object.hasOwn(PARTS, directory);

function isAllowed(path: string, target: string, kind: string): boolean {
  const [from, to] = [directoryOf(path), directoryOf(target)];
  if (from === to) return true;
  // Only commands, and the service for its refresh, enter another part, and only when they run.
  if (isPart(to)) return target === `src/${to}/index.ts` && kind === "dynamic" && (from === "cli" || isPart(from));
  if (!ORDER.includes(to)) return false;
  return (isPart(from) && to !== "cli") || (ORDER.includes(from) && ORDER.indexOf(from) < ORDER.indexOf(to));
}

function forbiddenImports(all: readonly SourceFile[]): readonly string[] {
  return all.flatMap(({ path, imports }) =>
    imports.flatMap(({ target, kind }) =>
      target === undefined || !target.startsWith("src/") || isAllowed(path, target, kind)
        ? []
        : [`${path} → ${target}`],
    ),
  );
}

const codeOf = ({ text }: SourceFile): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
const pathsOf = (found: readonly SourceFile[]): readonly string[] => found.map(({ path }) => path);
const importsFrom = ({ imports }: SourceFile, pattern: RegExp): boolean =>
  imports.some(({ specifier, target }) => pattern.test(target ?? specifier));

test("directories import in one direction, and the parts are entered through their entry files", () => {
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
    ["src/json-rows/a.ts", 'import type { B } from "../sbom/b.ts";'],
    ["src/model/a.ts", 'import type { B } from "../policy/b.ts";'],
    ["src/resolve/a.ts", 'import { b } from "../sbom/b.ts";'],
    ["src/compare/a.ts", 'import { b } from "../unlisted/b.ts";'],
    ["src/unlisted/a.ts", 'import { b } from "../text/b.ts";'],
    ["src/resolve/a.ts", 'import type { B } from "../report/b.ts";'],
    ["src/report/a.ts", 'const b = () => import("../platform/b.ts");'],
    ["src/cli/a.ts", 'import type { B } from "../service/index.ts";'],
    ["src/cli/a.ts", 'import { b } from "../service/index.ts";'],
    ["src/cli/a.ts", 'const b = () => import("../service/keys/keys.ts");'],
    ["src/cli/a.ts", 'const b = () => import("../pipeline/compile/compile.ts");'],
    ["src/api/a.ts", 'const b = () => import("../pipeline/index.ts");'],
    ["src/service/a.ts", 'import type { B } from "../pipeline/index.ts";'],
    ["src/service/a.ts", 'import type { B } from "../cli/b.ts";'],
    ["src/pipeline/a.ts", 'const b = () => import("../cli/b.ts");'],
    ["src/shell/a.ts", 'import { b } from "../cli/b.ts";'],
    ["src/index.ts", 'import { b } from "./cli/b.ts";'],
  ])("a forbidden import in %s: %s", (path, text) => {
    expect(forbiddenImports([parseSource(path, text)])).toHaveLength(1);
  });

  test.each([
    ["src/cli/a.ts", 'const b = () => import("../service/index.ts");'],
    ["src/service/a.ts", 'const b = () => import("../pipeline/index.ts");'],
    ["src/service/a.ts", 'import type { B } from "../shell/b.ts";'],
    ["src/cli/a.ts", 'import { b } from "../shell/b.ts";'],
    ["src/pipeline/a.ts", 'import { b } from "../catalogue/b.ts";'],
  ])("no fault in %s: %s", (path, text) => {
    expect(forbiddenImports([parseSource(path, text)])).toEqual([]);
  });
});

describe("there is one way from a component to its answer", () => {
  const calls = (pattern: RegExp): readonly string[] => pathsOf(files.filter((file) => pattern.test(codeOf(file))));

  test("one module creates a resolver", () => {
    expect(calls(/(?<!function )\bcreateResolver\(/)).toEqual(["src/resolve/answer.ts"]);
  });

  test("the day of an answer is required", () => {
    expect(calls(/\basOf(?:\?: IsoDate|: IsoDate \| undefined)/)).toEqual([]);
  });
});

test("one table lists the readers of documents; the most common one is loaded without it", () => {
  const readers = /^src\/sbom\/(?:cyclonedx|spdx2|spdx3)\/(?:json|tag-value|xml\/document)\.ts$/;
  const users = files
    .filter(({ path }) => !/^src\/sbom\/[^/]+\//.test(path))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ target = "" }) => (readers.test(target) ? [`${path} → ${target}`] : [])),
    );
  expect(users.filter((user) => !user.startsWith("src/sbom/read.ts"))).toEqual([
    "src/sbom/open.ts → src/sbom/cyclonedx/json.ts",
  ]);
  expect(users).toHaveLength(6);
});

test("one function writes release cycles as product:cycle", () => {
  const spelled = /\$\{(?:\w+\.)*product\}:\$\{(?:\w+\.)*cycle\}/;
  expect(pathsOf(files.filter((file) => spelled.test(codeOf(file))))).toEqual(["src/text/ids.ts"]);
});

describe("line budgets", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((path) => /\.(?:ts|as)$/.test(path));
  const linesOf = (path: string): number => readFileSync(join(root, path), "utf8").split("\n").length - 1;
  const linesIn = (directory: string): number =>
    sources.filter((path) => directoryOf(path) === directory).reduce((sum, path) => sum + linesOf(path), 0);

  test.each(Object.entries(GATE))("src/%s has at most %i lines", (directory, budget) => {
    expect(linesIn(directory)).toBeLessThanOrEqual(budget);
  });

  test.each(Object.entries(SUMS))("the %s has at most %i lines", (part, budget) => {
    const directories = part === "gate" ? ORDER : [part];
    expect(directories.reduce((sum, directory) => sum + linesIn(directory), 0)).toBeLessThanOrEqual(budget);
  });

  test("are multiples of 250", () => {
    expect(Object.values({ ...GATE, ...PARTS }).filter((budget) => budget % 250 !== 0)).toEqual([]);
  });

  test("every file is in a directory with a budget", () => {
    expect(sources.filter((path) => !ORDER.includes(directoryOf(path)) && !isPart(directoryOf(path)))).toEqual([]);
  });
});

describe("the pure directories", () => {
  const pure = files.filter(({ path }) => PURE.has(directoryOf(path)));

  test("import no Node modules", () => {
    expect(pathsOf(pure.filter((file) => importsFrom(file, /^node:/)))).toEqual([]);
  });

  test("do not read the clock, the environment or the process", () => {
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bprocess\.|\bfetch\(|\bconsole\.|\bMath\.random\(|\btoLocale|\bIntl\./;
    expect(pathsOf(pure.filter((file) => impure.test(codeOf(file))))).toEqual([]);
  });
});

/** The second one is to the single executable what `bin/` is to the package: it starts the process. */
const WITH_PROCESS = new Set(["src/shell/process-context.ts", "src/cli/start/executable.ts"]);

test("only shell/process-context.ts uses console and process, and nothing calls process.exit", () => {
  const found = files.filter(
    (file) =>
      !WITH_PROCESS.has(file.path) &&
      /\bconsole\.|\bprocess\.(?:stdout|stderr|stdin|exit|argv|cwd)\b/.test(codeOf(file)),
  );
  expect(pathsOf(found)).toEqual([]);
});

test("the service names its concrete stores only in the commands that open one, and api opens no port", () => {
  const inService = files.filter(({ path }) => /^src\/service\/(?!store\/|commands\/)/.test(path));
  expect(pathsOf(inService.filter((file) => importsFrom(file, /store\/(?:embedded|postgres)/)))).toEqual([]);
  const api = files.filter(({ path }) => directoryOf(path) === "api");
  expect(pathsOf(api.filter((file) => importsFrom(file, /^node:(?:net|http|https|tls|dgram)$/)))).toEqual([]);
});
