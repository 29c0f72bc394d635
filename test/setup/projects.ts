/**
 * The project of each test file. A file that can start a process or reach the build, itself or through its helpers, is
 * slow because of what it imports: fast tests run without a build, so they test the sources and nothing else.
 */
import { readdirSync, readFileSync } from "node:fs";
import { matchesGlob, posix } from "node:path";

/** A file of the tests or of the tools, by its path from the root of the repository. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The project of the tests in a real browser, and the one of tests that need time, processes or the build; and the files
 * that do more in `npm run soak:tests`.
 */
export interface Projects {
  readonly soaked: readonly string[];
  readonly browser: readonly string[];
  readonly slow: readonly string[];
}

/** Strings that name the installed command or the build: `join(root, "bin/eolgate.js")`, `"../../dist/library"`. */
const BUILD = /["'`](?:\.{1,2}\/)*(?:bin\/eolgate\.js|dist\/)/;

const BROWSER = /^playwright-core$/;
const SOAKED = /\/soaked\.ts$/;
const PROCESS = /^node:(?:child_process|cluster)$/;

/**
 * The test files of each project.
 * @param files The files of the tests and of the tools that they import.
 * @param long Patterns of files that take long for another reason.
 * @throws Error if a pattern matches no file
 */
export function testProjects(files: readonly TestFile[], long: readonly string[]): Projects {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const tests = files.filter(({ path }) => path.startsWith("test/") && path.endsWith(".test.ts"));
  const unused = long.filter((pattern) => !tests.some(({ path }) => matchesGlob(path, pattern)));
  if (unused.length > 0) throw new Error(`vitest.config.ts: no test file matches ${unused.join(", ")}`);
  const browser = tests.filter((file) => reaches(file, byPath, BROWSER));
  const slow = tests.filter(
    (file) => long.some((pattern) => matchesGlob(file.path, pattern)) || reaches(file, byPath, PROCESS, BUILD),
  );
  return {
    soaked: tests.filter((file) => reaches(file, byPath, SOAKED)).map(({ path }) => path),
    browser: browser.map(({ path }) => path),
    slow: slow.filter((file) => !browser.includes(file)).map(({ path }) => path),
  };
}

export const testFiles = (): readonly TestFile[] =>
  ["test", "tools", "bench"].flatMap((folder) =>
    readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.includes("fixtures"))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .map((path) => ({ path, text: readFileSync(new URL(`../../${path}`, import.meta.url), "utf8") })),
  );

/** Static imports and exports of values, as the formatter writes them, and dynamic imports. */
const IMPORTS = /^(?:import|export)\b(?! type\b)(?:[^;"]*from)? ?"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** A parser needs seconds for all files, at each start of the test runner. */
const importsOf = ({ text }: TestFile): readonly string[] =>
  [...text.matchAll(IMPORTS)].map(([, fixed, dynamic]) => fixed ?? dynamic ?? "");

/** Whether the file, or one that it imports directly or indirectly, imports the module or matches the pattern. */
function reaches(start: TestFile, byPath: ReadonlyMap<string, TestFile>, module: RegExp, pattern?: RegExp): boolean {
  const found = new Set([start]);
  for (const file of found) {
    const imports = importsOf(file);
    if (pattern?.test(file.text) || imports.some((specifier) => module.test(specifier))) return true;
    for (const specifier of imports) {
      const next = byPath.get(posix.join(posix.dirname(file.path), specifier));
      if (next) found.add(next);
    }
  }
  return false;
}
