/** JUnit is green when the gate is green, and red when it is not. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseXml } from "@rgrove/parse-xml";
import { expect, test } from "vitest";
import { runCommand } from "../cli/fake-io.ts";
import { writeFiles, type Files } from "../images/build.ts";
import { junit } from "../../src/report/junit.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import { junitTroubles } from "./junit-rules.ts";
import { passReport } from "./reports.ts";

const UNKNOWN = {
  "Cargo.lock": `version = 4\n[[package]]\nname = "of-nobody"\nversion = "1.0.0"\nsource = "registry+x"\n`,
};
const CURRENT = { ".nvmrc": "24\n" };
const ENDED = { ".nvmrc": "16\n" };
const BROKEN = { "package-lock.json": "{" };

test.each<readonly [string, Files, readonly string[], number, string]>([
  [
    "a folder in which one file has nothing to assess",
    { ...UNKNOWN, ...CURRENT },
    ["."],
    0,
    "2 tests, 0 failures, 0 errors, 1 skipped",
  ],
  ["a folder in which nothing can be assessed", UNKNOWN, ["."], 6, "1 tests, 0 failures, 1 errors, 0 skipped"],
  ["a file in which nothing can be assessed", UNKNOWN, ["Cargo.lock"], 6, "1 tests, 0 failures, 1 errors, 0 skipped"],
  [
    "such a file next to one that passes",
    { ...UNKNOWN, ...CURRENT },
    ["Cargo.lock", ".nvmrc"],
    6,
    "2 tests, 0 failures, 1 errors, 0 skipped",
  ],
  [
    "such a file that the policy accepts",
    UNKNOWN,
    ["Cargo.lock", "--allow-unassessed"],
    0,
    "1 tests, 0 failures, 0 errors, 1 skipped",
  ],
  ["a folder that fails", { ...UNKNOWN, ...ENDED }, ["."], 1, "2 tests, 1 failures, 0 errors, 1 skipped"],
  [
    "a folder with less coverage than the policy requires",
    { ...UNKNOWN, ...CURRENT },
    [".", "--min-coverage", "90"],
    6,
    "3 tests, 0 failures, 1 errors, 1 skipped",
  ],
  [
    "a folder with the coverage that the policy requires",
    { "a/requirements.txt": "django==5.2.1\n", ...UNKNOWN, ...CURRENT },
    [".", "--min-coverage", "50"],
    0,
    "3 tests, 0 failures, 0 errors, 1 skipped",
  ],
  [
    "a folder that fails with less coverage than required",
    { ...UNKNOWN, ...ENDED },
    [".", "--min-coverage", "90"],
    1,
    "2 tests, 1 failures, 0 errors, 1 skipped",
  ],
  ["a folder with a broken file", { ...BROKEN, ...CURRENT }, ["."], 3, "2 tests, 0 failures, 1 errors, 0 skipped"],
])("%s", async (_, files, args, code, expected) => {
  const cwd = writeFiles(mkdtempSync(join(tmpdir(), "eolgate-junit-")), files);
  const { exit, out } = await runCommand(["check", ...args, "--format", "junit", "--as-of", "2026-11-22"], { cwd });
  const { root } = parseXml(out);
  const { tests, failures, errors } = root?.attributes ?? {};
  const skipped = out.split("<skipped ").length - 1;
  expect([
    exit,
    `${String(tests)} tests, ${String(failures)} failures, ${String(errors)} errors, ${String(skipped)} skipped`,
  ]).toEqual([code, expected]);
  expect(junitTroubles(root)).toEqual([]);
});

test.each([
  ["pass", "pass", 0, 0],
  ["warn", "warn", 0, 0],
  ["no component", "unassessed", 6, 1],
  ["a statement that is too old", "catalogue", 4, 1],
  ["a source that does not answer", "network", 5, 1],
  ["a source that does not answer, with --exit-zero", "unassessed", 0, 1],
])("the exit of %s (%s, %i) has %i errors", (why, name, code, count) => {
  const { root } = parseXml(junit({ ...passReport(), exit: { code, name, why } }, PLAIN));
  expect(root?.attributes["errors"]).toBe(String(count));
  expect(JSON.stringify(root).includes(`"message":"${why}"`)).toBe(count === 1);
  expect(junitTroubles(root)).toEqual([]);
});
