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
 * from itself and from those below it. Raise a budget only in the commit that needs it, and state the reason there.
 */
const GATE: Readonly<Record<string, number>> = {
  "index.ts": 110,
  // `--update` has a mode.
  // `fix` and `init`.
  cli: 5_859,
  // `explain` prints the milestones.
  // Files that git tracks are read.
  // Inputs that can be read again with other text, for `fix`.
  api: 3_929,
  // Feeds that could not be read for a week. OpenEoX statements with vendor and identifiers.
  // Keys of packages are asked with the module streams that contain them.
  // The list of newest versions is one of its tables. Vendors of CPEs in catalogues from files and with own entries.
  // Dates that are quarters or approximate, here and in two further directories.
  // Hashes of the keys of packages, and limits of the answers that are kept, here and in the directories of both.
  // Answers that a later end of a distribution makes unknown.
  catalogue: 5_624,
  // Packages of languages, and a decoder of tar archives.
  images: 4_469,
  signals: 2_640,
  http: 401,
  // Files of examples.
  platform: 923,
  // JUnit is red for a gate without a verdict.
  // The status of what was superseded or retired.
  // SBOMs of what was found. Lines of findings in single files. DefectDojo's reader of xeol rates by the day of the end.
  // Counts of documents and cycles in one place, for the table, the HTML, runs and the line on standard error.
  // Release cycles in maintenance only. Rows show the riskiest version of a cycle.
  report: 6_858,
  compare: 707,
  // Version pins, moved by byte edits to the nearest supported release cycle.
  fix: 485,
  // Conditions about doubts, and how far a package is behind.
  policy: 2_370,
  // Images of a distribution's own builds contain the stream of a package that their repository names.
  files: 4_816,
  enrich: 1_459,
  sbom: 3_939,
  // The score object states what makes support doubtful. Devices at the edge of a network are a feed and a tool.
  // Counts by the support that counts. Badges of superseded releases.
  wire: 2_093,
  // Versions of Go modules are lower bounds.
  // The level of a package of which both release cycles count.
  support: 803,
  // Ranges, and versions of several cycles, are judged where they are certain.
  // Who built a package is evidence of its own: rebuilds, marks of distributions, makers. So is a number below `min`.
  // Questions that a person types: moved here from the service, with names of several words.
  // Titles of operating systems with half of a version, publishers of names.
  // Questions that need one answer: moved here from `cli`.
  // Base packages name the release of documents without an operating system. Packages of another release of a distribution.
  // Versions that had ended before the release was published, marks of more distributions.
  resolve: 4_641,
  // Doubts about support: past "not before" days, lines that later releases end, models whose page was not read again, lists
  // of packages that name no end.
  // Which release cycle decides: moved here from `policy` and `support`.
  lifecycle: 1_151,
  "json-rows": 2_798,
  // The texts of the doubts: their conditions and reasons.
  // How the end that the gate takes is known: moved here from `api`.
  // Names of cycles in two parts: moved here from `report`. Whether a claim was read or entered.
  messages: 1_304,
  // Documents and reports have two forms: rows inside the program, and plain objects for callers of the library.
  model: 1_734,
  text: 301,
};

/** The other two parts import from the gate, and from each other through the entry. */
// Each maker of a product has a page. Without a mail server, pages and probes say so.
// Links of a server without a name lead to the address of the caller. MCP has prompts and resources. Mails state quarters.
// Watch lists have webhooks.
const PARTS: Readonly<Record<string, number>> = { service: 14_090, pipeline: 6_296 };

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
  return isPart(from) || (ORDER.includes(from) && ORDER.indexOf(from) < ORDER.indexOf(to));
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
  ])("a forbidden import in %s: %s", (path, text) => {
    expect(forbiddenImports([parseSource(path, text)])).toHaveLength(1);
  });

  test.each([
    ["src/cli/a.ts", 'const b = () => import("../service/index.ts");'],
    ["src/service/a.ts", 'const b = () => import("../pipeline/index.ts");'],
    ["src/service/a.ts", 'import type { B } from "../cli/b.ts";'],
    ["src/pipeline/a.ts", 'import { b } from "../catalogue/b.ts";'],
  ])("no fault in %s: %s", (path, text) => {
    expect(forbiddenImports([parseSource(path, text)])).toEqual([]);
  });
});

describe("line budgets", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((path) => /\.(?:ts|as)$/.test(path));
  const linesOf = (path: string): number => readFileSync(join(root, path), "utf8").split("\n").length - 1;
  const linesIn = (directory: string): number =>
    sources.filter((path) => directoryOf(path) === directory).reduce((sum, path) => sum + linesOf(path), 0);

  test.each(Object.entries({ ...GATE, ...PARTS }))("src/%s has at most %i lines", (directory, budget) => {
    expect(linesIn(directory)).toBeLessThanOrEqual(budget);
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
const WITH_PROCESS = new Set(["src/cli/start/process-context.ts", "src/cli/start/executable.ts"]);

test("only cli/start/process-context.ts uses console and process, and nothing calls process.exit", () => {
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
