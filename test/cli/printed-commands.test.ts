/** Commands that reports, notes and the help print are run as a reader would run them, in a copy of the examples. */
import { generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { runCommand } from "./fake-io.ts";
import { GOLDEN_CATALOGUE } from "./golden-cases.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const fixture = join(root, GOLDEN_CATALOGUE);
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

/** The words of a command after the name of the program. */
const wordsOf = (line: string): readonly string[] => commandsIn(`  ${line}`)[0] ?? [];

/** Commands that cannot be used as they are printed end with a usage error or a bug. */
const UNUSABLE: ReadonlySet<number> = new Set([2, 70]);

describe.each([
  ["a failing SBOM", ["check", "web-shop.cdx.json"]],
  ["models", ["check", "ai.cdx.json"]],
  ["a passing SBOM with an old catalogue", ["check", "clean.cdx.json"]],
  ["the folder", ["check", "."]],
  ["a version older than those on record", ["check", "--stack", "commander:2.20.3"]],
  ["a version of which all builds have ended", ["check", "--stack", "java:9"]],
  ["a name with a space in it", ["check", "--stack", "windows-server:2012-r2"]],
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

describe("examples in the help", async () => {
  /** Other programs, services that run on, addresses of other machines, and digests that are left out. */
  const OUTSIDE = /^syft|^eolgate serve|[|>]|https:|--github|--image|--network|--database|DIGEST/;
  const examples = (await allCommands()).flatMap((command) => command.examples ?? []);
  const project = mkdtempSync(join(tmpdir(), "eolgate-examples-"));
  afterAll(() => rmSync(project, { recursive: true }));

  beforeAll(async () => {
    const boms = ["bom.json", "main.cdx.json", "branch.cdx.json", "bom.cdx.json"];
    for (const name of boms) cpSync(join(root, "examples/web-shop.cdx.json"), join(project, name));
    for (const folder of [".git", ".github/workflows", "services/api"])
      mkdirSync(join(project, folder), { recursive: true });
    for (const name of ["Dockerfile", "services/api/Dockerfile"]) writeFileSync(join(project, name), "FROM node:18\n");
    writeFileSync(join(project, ".github/workflows/a.yml"), "jobs:\n  a:\n    runs-on: ubuntu-20.04\n");
    writeFileSync(join(project, "stack.txt"), "nodejs:18\n");
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    for (const name of ["public.pem", "team.pub"])
      writeFileSync(join(project, name), publicKey.export({ type: "spki", format: "pem" }));
    writeFileSync(join(project, "key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    await runCommand(["catalogue", "export", "-o", "catalogue.json", "--sign-key", "key.pem"], { cwd: project });
    for (const name of ["old.json", "new.json"]) cpSync(join(project, "catalogue.json"), join(project, name));
    const signed = ["--format", "in-toto", "-o", "verdict.sigstore.json", "--attest-key", "key.pem"];
    await runCommand(["check", "bom.cdx.json", ...signed], { cwd: project });
    await runCommand(["signals", "export", "-o", "signals.ndjson"], { cwd: project, env: inProject });
  });
  const inProject = { ...env, EOLGATE_CACHE: join(project, "cache"), EOLGATE_DATA: join(project, "data") };

  test("of few commands need something outside of the folder", () => {
    expect(examples.filter((line) => OUTSIDE.test(line)).length).toBeLessThan(15);
  });

  // The bundled catalogue, of which the compression takes ten seconds, is published in update-before.test.ts.
  test.each(examples.filter((line) => !OUTSIDE.test(line)))("%s", { timeout: 60_000 }, async (line) => {
    const given = line.includes("catalogue publish") ? { ...inProject, EOLGATE_CATALOGUE: fixture } : inProject;
    const { exit, err } = await runCommand([...wordsOf(line)], { cwd: project, env: given });
    expect([exit, err]).toEqual([expect.toSatisfy((code) => !UNUSABLE.has(code) && code !== 3), err]);
  });
});
