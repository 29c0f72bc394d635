/**
 * Blocks marked `sh run` are run, line by line, in a folder with the examples; `# exit N` is the exit code of a line.
 */
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { machine, root, type Machine } from "../examples/machine.ts";
import { blocks, PAGES } from "./pages.ts";

const open: Machine[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

const running = PAGES.flatMap((page) => {
  const lines = blocks(page)
    .filter(({ run, language }) => run && language !== "ts")
    .flatMap(({ text }) => text.trim().split("\n"));
  return lines.length === 0 ? [] : [{ file: page.file, lines }];
});

describe("commands in the documentation", () => {
  test("exist on the pages for beginners", () => {
    expect(running.map(({ file }) => file)).toEqual(
      expect.arrayContaining([
        "docs/first-gate.md",
        "docs/policy.md",
        "docs/catalogue-updates.md",
        "docs/data.md",
        "docs/regulations.md",
      ]),
    );
  });

  test.each(running)("$file", { timeout: 60_000 }, ({ lines }) => {
    const runner = machine("clean.cdx.json");
    open.push(runner);
    for (const name of readdirSync(join(root, "examples")).filter((name) => /\.(?:json|xml|spdx)$/.test(name)))
      cpSync(join(root, "examples", name), join(runner.folder, name));
    for (const line of lines) {
      const [, command = "", expected = "0"] = /^(.*?)(?:\s+# exit (\d+))?$/.exec(line) ?? [];
      const { exit, printed } = runner.sh(command, {
        EOLGATE_CACHE: join(runner.folder, "cache"),
        EOLGATE_AS_OF: "2026-11-21",
      });
      expect(exit, `${command}\n${printed}`).toBe(Number(expected));
    }
  });
});
