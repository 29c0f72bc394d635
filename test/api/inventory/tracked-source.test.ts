/** Folders called vendor, target and Pods are source where git tracks their files and no tool has left its mark. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { selectPaths, walkFolder } from "../../../src/api/inventory/walk.ts";
import { writeFiles } from "../../images/build.ts";

const base = mkdtempSync(join(tmpdir(), "eolgate-tracked-"));
afterAll(() => rmSync(base, { recursive: true }));

const DOCKERFILE = "FROM node:14\n";

test.each<readonly [tracked: readonly string[], others: readonly string[], read: readonly string[]]>([
  [["vendor/app/Dockerfile"], [], ["vendor/app/Dockerfile"]],
  [["target/Dockerfile"], ["target/classes/Dockerfile"], ["target/Dockerfile"]],
  [["Pods/Dockerfile"], [], ["Pods/Dockerfile"]],
  [["a/vendor/Dockerfile"], [], ["a/vendor/Dockerfile"]],
  [["vendor/modules.txt", "vendor/b/Dockerfile"], [], []],
  [["vendor/autoload.php", "vendor/b/Dockerfile"], [], []],
  [["vendor/github.com/a/Dockerfile"], [], []],
  [["vendor/bundle/a/Dockerfile"], [], []],
  [["Pods/Manifest.lock", "Pods/b/Dockerfile"], [], []],
  [["vendor/a/node_modules/Dockerfile", "node_modules/Dockerfile"], [], []],
  [[], ["vendor/b/Dockerfile", "target/Dockerfile"], []],
])("of %j and untracked %j are read %j", (tracked, others, read) => {
  const paths = [...tracked, ...others, "own"];
  const folder = writeFiles(mkdtempSync(join(base, "r-")), Object.fromEntries(paths.map((path) => [path, DOCKERFILE])));
  const git = (...argv: readonly string[]) => execFileSync("git", argv, { cwd: folder });
  git("init", "--quiet");
  git("add", "--force", "own", ...tracked);
  expect(walkFolder(folder).files.filter((path) => !path.startsWith(".git/"))).toEqual([...read, "own"].sort());
  expect(selectPaths([...tracked, "own"], []).files).toEqual([...read, "own"].sort());
});
