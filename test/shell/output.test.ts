/** Colour by the kind of the output. Real processes, because the kind is a fact about their file descriptors. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "eolgate-colour-"));
afterAll(() => rmSync(folder, { recursive: true }));

const UNSET = { CI: "", GITHUB_ACTIONS: "", FORCE_COLOR: "", CLICOLOR_FORCE: "", NO_COLOR: "", TERM: "xterm" };

function report(env: Readonly<Record<string, string>>, toFile: boolean): string {
  const path = join(folder, "out.txt");
  const stdout = toFile ? openSync(path, "w") : "pipe";
  const done = spawnSync(process.execPath, ["bin/eolgate.js", "check", "examples/clean.cdx.json"], {
    cwd: root,
    env: { ...process.env, ...UNSET, ...env },
    stdio: ["ignore", stdout, "ignore"],
    encoding: "utf8",
  });
  if (typeof stdout === "number") closeSync(stdout);
  const text = toFile ? readFileSync(path, "utf8") : done.stdout;
  expect(text).toContain("PASS");
  return text;
}

test.each([
  ["a pipe in a CI job", { CI: "true" }, false, true],
  ["a pipe in a job of GitHub", { GITHUB_ACTIONS: "true" }, false, true],
  ["a file in a CI job", { CI: "true" }, true, false],
  ["a pipe elsewhere", {}, false, false],
  ["a pipe in a CI job with CI=false", { CI: "false" }, false, false],
  ["a pipe in a CI job that forbids colour", { CI: "true", NO_COLOR: "1" }, false, false],
  ["a pipe for which colour is forced", { CLICOLOR_FORCE: "1" }, false, true],
])("%s", (_, env, toFile, isColoured) => {
  expect(report(env, toFile).includes("\u001B[")).toBe(isColoured);
});
