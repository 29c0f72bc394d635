/** Commands that reports and notes print are run as a reader would run them, in a copy of the examples. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), "eolgate-printed-"));
cpSync(join(root, "examples"), cwd, { recursive: true });
afterAll(() => rmSync(cwd, { recursive: true }));

/** Sources that refuse every connection: an update is started, and ends with a network error. */
const env = { EOLGATE_SOURCE_BASE: "http://127.0.0.1:9" };
const run = (...argv: readonly string[]) => runCommand([...argv], { cwd, env });

/** Every command in a text, as the words that a shell passes on. */
const commandsIn = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/(?:^|: | {2})eolgate ([a-z][^\n]*)$/gm)].map(([, line = ""]) =>
    [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      ([, double, single, plain]) => double ?? single ?? plain ?? "",
    ),
  );

/** Commands that cannot be used as they are printed end with a usage error or a bug. */
const UNUSABLE: ReadonlySet<number> = new Set([2, 70]);

describe.each([
  ["a failing SBOM", ["check", "web-shop.cdx.json"]],
  ["models", ["check", "ai.cdx.json"]],
  ["a passing SBOM with an old catalogue", ["check", "clean.cdx.json"]],
  ["the folder", ["check", "."]],
  ["an old catalogue, in a note", ["check", "clean.cdx.json", "--format", "json"]],
])("%s", (_, argv) => {
  test("prints commands that work", async () => {
    const { out, err } = await run(...argv);
    const commands = commandsIn(`${out}\n${err}`);
    for (const command of commands) {
      const { exit, err: problem } = await run(...command);
      expect([command, UNUSABLE.has(exit) ? problem : ""]).toEqual([command, ""]);
    }
  });
});

test("finds a command that does not work", async () => {
  const [command = []] = commandsIn("  why      eolgate explain debian:11 --no-such-flag\n");
  expect(command).toEqual(["explain", "debian:11", "--no-such-flag"]);
  expect((await run(...command)).exit).toBe(2);
  const planted = commandsIn("  catalogue of 2026-08-22, 93 days: eolgate catalogue update\n");
  expect(planted).toEqual([["catalogue", "update"]]);
  expect((await runCommand(["catalogue", "update"], { cwd })).exit).toBe(2);
});

test("the table of a failing SBOM prints three commands", async () => {
  const { out } = await run("check", "web-shop.cdx.json");
  expect(commandsIn(out).map(([name]) => name)).toEqual(["explain", "waive", "catalogue"]);
});
