import { expect, test } from "vitest";
import { type TestFile, testFiles, testProjects } from "./projects.ts";

const file = (path: string, text: string): TestFile => ({ path, text });

const HELPERS = [
  file("test/run.ts", 'import { spawn } from "node:child_process"; export const run = spawn;'),
  file("test/through.ts", 'export { run } from "./run.ts";'),
];

const projectsOf = (text: string, long: readonly string[] = []): readonly string[] => {
  const { browser, slow } = testProjects([...HELPERS, file("test/a.test.ts", text)], long);
  return [...browser.map(() => "browser"), ...slow.map(() => "slow")];
};

test.each([
  ["the module of processes", 'import { spawnSync } from "node:child_process";'],
  ["a helper that starts processes", 'import { run } from "./through.ts";'],
  ["a helper that is loaded later", 'const load = () => import("./run.ts");'],
  ["the installed command", 'const command = join(root, "bin/eolgate.js");'],
  ["the build", 'const library = await import("../dist/library/index.js");'],
])("a test with %s is slow", (_, text) => {
  expect(projectsOf(text)).toEqual(["slow"]);
});

test.each([
  ["types of a helper", 'import type { Run } from "./run.ts";'],
  ["the distribution folder of a package", 'import { Ajv2020 } from "ajv/dist/2020.js";'],
  ["a name in a comment", "// node:child_process"],
])("a test with %s is fast", (_, text) => {
  expect(projectsOf(text)).toEqual([]);
});

test("a test in a browser is in its own project, also if it starts processes", () => {
  expect(projectsOf('import { chromium } from "playwright-core";\nimport "./run.ts";')).toEqual(["browser"]);
});

test("a pattern of long tests makes a file slow, and one that matches no file is an error", () => {
  expect(projectsOf("", ["test/*.test.ts"])).toEqual(["slow"]);
  expect(() => projectsOf("", ["test/*.test.ts", "test/gone.test.ts"])).toThrow(
    "no test file matches test/gone.test.ts",
  );
});

test("a file that does more in the soak form is recognized by its imports", () => {
  const tests = [file("test/soaked.ts", ""), file("test/part.ts", 'import { soaked } from "./soaked.ts";')];
  const long = file("test/a.test.ts", 'import { part } from "./part.ts";');
  expect(testProjects([...tests, long, file("test/b.test.ts", "")], []).soaked).toEqual(["test/a.test.ts"]);
});

test("no fast test can start a process", () => {
  const { browser, slow } = testProjects(testFiles(), []);
  expect(slow).toContain("test/docs/self-hosting.test.ts");
  expect(slow).toContain("test/docs/readme.test.ts");
  expect(browser).toContain("test/report/html.test.ts");
});
