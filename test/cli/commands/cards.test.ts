/** The answers about single release cycles in a terminal have the symbols and the words of the table. */
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { runCommand } from "../fake-io.ts";

const CARDS: readonly (readonly [command: string, argv: readonly string[]])[] = [
  ["explain", ["pkg:npm/%40angular/core@14.2.0"]],
  ["explain", ["debian:11"]],
  ["score", ["nodejs", "18"]],
  ["product", ["nodejs"]],
  ["batch", ["nodejs:18", "python:3.9", "no-such-product:1"]],
];

const textOf = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await runCommand([...argv], { cwd: tmpdir(), env, today: "2026-09-01" })).out;

describe.each(CARDS)("%s %s", (command, subjects) => {
  const argv = [command, ...subjects];

  test("has only ASCII where the locale has no more, in the same columns", async () => {
    const [plain, ascii] = [await textOf(argv), await textOf(argv, { LC_ALL: "C" })];
    expect(plain).toMatch(/[━╌]/u);
    expect(ascii).toMatch(/^[\n -~]+$/);
    expect(ascii.split("\n").map(({ length }) => length)).toEqual(plain.split("\n").map(({ length }) => length));
  });

  test("names the band of a score, and neither its letter nor the kind of a source as programs read it", async () => {
    const text = await textOf(argv);
    expect(text).toMatch(/\d, (?:Critical|High|Medium|Low)$/m);
    expect(text).not.toMatch(/\d [A-F]\b|grade|band |vendor-feed|  upstream |, (?:rule|absence|declared),/);
  });
});
