/** The man page contains every command, flag, exit code and variable, and man(1) formats it without a warning. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { VARIABLES } from "../../tools/variables.ts";
import { variableOf } from "../../src/shell/flag.ts";
import { EXITS } from "../../src/policy/exit.ts";
import { manPage, roff } from "../../tools/man/page.ts";

const COMMANDS = await allCommands();

const folder = mkdtempSync(join(tmpdir(), "eolgate-man-"));
afterAll(() => rmSync(folder, { recursive: true }));
const page = manPage("1.2.3");

test("contains every command, flag, exit code and variable", () => {
  const lines = new Set(page.split("\n"));
  for (const { name, flags } of COMMANDS) {
    expect(page).toContain(`.SS ${roff(`eolgate ${name}`)}`);
    for (const flag of flags) expect(lines).toContain(`.B ${roff(flag.flags)}`);
  }
  for (const code of Object.keys(EXITS)) expect(lines).toContain(`.B ${code}`);
  for (const { name } of VARIABLES) expect(lines).toContain(`.B ${name}`);
});

test("names the variable of each flag that has one", () => {
  const named = [...page.matchAll(/Environment: (\S+)\.$/gm)].map(([, name]) => name);
  expect(named).toEqual(COMMANDS.flatMap(({ flags }) => flags.flatMap((flag) => variableOf(flag) ?? [])));
  expect(named).toContain("EOLGATE_FAIL_ON");
});

test.each([
  [".so /etc/passwd", String.raw`\&.so /etc/passwd`],
  ["'quoted", String.raw`\&'quoted`],
  ["1 … 2", String.raw`1 \[u2026] 2`],
  [String.raw`a\b --c`, String.raw`a\eb \-\-c`],
])("keeps %j as text", (text, expected) => {
  expect(roff(text)).toBe(expected);
});

test.skipIf(spawnSync("groff", ["--version"]).status !== 0)("is formatted without a warning", () => {
  const path = join(folder, "eolgate.1");
  writeFileSync(path, page);
  const { stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", path], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toContain("eolgate 1.2.3");
});
