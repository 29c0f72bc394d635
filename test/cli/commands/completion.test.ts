/** `completion words` offers what the command table has, and the script of each shell asks it and offers the answer. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allCommands } from "../../../src/cli/commands.ts";
import { runCommand } from "../fake-io.ts";

const COMMANDS = await allCommands();

const folder = mkdtempSync(join(tmpdir(), "eolgate-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));
const SHELLS = ["bash", "zsh", "fish"] as const;
const hasShell = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

const answerTo = async (words: readonly string[]): Promise<string> =>
  (await runCommand(["completion", "words", "--", ...words], { cwd: folder })).out;

beforeAll(async () => {
  for (const shell of SHELLS) {
    const { out } = await runCommand(["completion", shell], { cwd: folder });
    writeFileSync(join(folder, `script.${shell}`), out);
  }
  // The scripts ask the program: this one notes the question, and prints the answer that the test prepared.
  writeFileSync(join(folder, "eolgate"), '#!/bin/sh\nprintf "%s\\n" "$@" > question\ncat answer\n');
  chmodSync(join(folder, "eolgate"), 0o755);
  for (const name of ["my file.json", "*.spdx"]) writeFileSync(join(folder, name), "");
});

/** How each shell requests the completions of a line. One answer on each line; descriptions are left out. */
const COMPLETION_SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (words: readonly string[]) => string>> = {
  bash: (words) => `source script.bash
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_eolgate; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The functions of zsh's completion system write to its terminal: these print their arguments.
  zsh: (words) => `compdef() { }
compset() { }
_files() { print -rl -- * }
_describe() { print -rl -- "\${(@P)2%%:*}" }
source script.zsh
words=(${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length}
_eolgate`,
  fish: (words) => `source script.fish; complete -C '${words.join(" ")}' | string replace -r '\\t.*' ''; true`,
};

async function complete(shell: (typeof SHELLS)[number], line: string): Promise<readonly string[]> {
  const words = line.split(" ");
  writeFileSync(join(folder, "answer"), await answerTo(words.slice(1)));
  const { stdout, stderr, status } = spawnSync(shell, ["-c", COMPLETION_SCRIPTS[shell](words)], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, HOME: folder },
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(readFileSync(join(folder, "question"), "utf8").split("\n").slice(0, -1)).toEqual([
    "completion",
    "words",
    "--",
    ...words.slice(1),
  ]);
  return stdout.split("\n").filter(Boolean);
}

describe.each(SHELLS)("%s", (shell) => {
  test.skipIf(!hasShell(shell)).each([
    ["a command", "eolgate che", ["check"], ["examples"]],
    ["a subcommand", "eolgate catalogue ver", ["verify"], ["check"]],
    ["a flag of a command", "eolgate check --fail", ["--fail-on"], ["--from-sources"]],
    ["a flag of a subcommand", "eolgate catalogue update --from", ["--from-sources"], ["--fail-on"]],
    ["a flag of a command with subcommands", "eolgate waive --rea", ["--reason"], ["--fail-on"]],
    ["the choices of a flag", "eolgate check --scope run", ["runtime"], ["all-of-it"]],
    ["the formats of a report", "eolgate check --format js", ["json"], ["check"]],
    ["the values after a short flag", "eolgate check -f js", ["json"], ["check"]],
    ["the name of a shell", "eolgate completion ba", ["bash"], ["batch"]],
    ["a product to look up", "eolgate score nod", ["nodejs"], ["check"]],
    ["a product to explain", "eolgate explain pyth", ["python"], ["check"]],
    ["a product or a subcommand of waive", "eolgate waive deb", ["debian"], ["check"]],
    ["no product where none is accepted", "eolgate diff nod", [], ["nodejs"]],
    ["conditions", "eolgate check --fail-on ke", ["kev"], ["check"]],
    ["a value after an equals sign", "eolgate check --scope=run", ["--scope=runtime"], ["all-of-it"]],
    ["a flag after an argument", "eolgate check bom.json --fail", ["--fail-on"], ["--from-sources"]],
    ["a first word", "eolgate ", ["check", "catalogue", "--version"], ["--fail-on"]],
    ["a file to check", "eolgate check scr", ["script.bash"], []],
    ["a file with a space in its name", "eolgate check my", ["my file.json"], ["my", "file.json"]],
    ["a file after a file", "eolgate diff script.bash scr", ["script.bash"], []],
    ["a file of a subcommand", "eolgate catalogue import scr", ["script.bash"], []],
    ["a file as a value", "eolgate check --config scr", ["script.bash"], []],
    ["a file as a value of a short flag", "eolgate check -o scr", ["script.bash"], []],
    ["a key file", "eolgate catalogue verify --publisher-key scr", ["script.bash"], []],
    ["no file as a date", "eolgate check --as-of scr", [], ["script.bash"]],
    ["no file without its format", "eolgate check --report scr", [], ["script.bash"]],
    ["no file as a number", "eolgate check --top scr", [], ["script.bash"]],
    ["no file where there are fixed values", "eolgate check --scope scr", [], ["script.bash"]],
    ["no file as a version", "eolgate score nodejs scr", [], ["script.bash"]],
    ["no file as a search", "eolgate products scr", [], ["script.bash"]],
    ["no file for a command without arguments", "eolgate doctor scr", [], ["script.bash"]],
    ["no file for a subcommand without arguments", "eolgate catalogue info scr", [], ["script.bash"]],
  ])("completes %s", async (_, line, offered, absent) => {
    const words = await complete(shell, line);
    expect(words).toEqual(expect.arrayContaining(offered));
    for (const word of absent) expect(words).not.toContain(word);
  });
});

test("offers every command and every flag", async () => {
  for (const { name, flags } of COMMANDS) {
    const names = name.split(" ");
    for (const [at, word] of names.entries())
      expect(await answerTo([...names.slice(0, at), ""])).toMatch(new RegExp(`^${word}\\t.`, "m"));
    const offered = await answerTo([...names, "--"]);
    for (const { flags: each } of flags) {
      const long = /--[a-z0-9-]+/.exec(each)?.[0] ?? "";
      expect(offered).toMatch(new RegExp(`^${long}\\t.`, "m"));
    }
  }
});

test("offers all products", async () => {
  expect((await answerTo(["score", ""])).split("\n").length).toBeGreaterThan(1000);
});

test("a file is no word of eolgate, also as a value after an equals sign", async () => {
  for (const words of [
    ["check", ""],
    ["check", "--config", "a"],
    ["check", "--config=a"],
  ])
    expect(await answerTo(words)).toBe("<path>\t\n");
  expect(await answerTo(["check", "--scope="])).not.toContain("<path>");
});

test.skipIf(!hasShell("fish"))("completes a file after an equals sign in fish", async () => {
  expect(await complete("fish", "eolgate check --config=scr")).toContain("--config=script.bash");
});

test.skipIf(!hasShell("bash"))("does not complete a command like a folder of its name in bash", () => {
  const { stdout } = spawnSync("bash", ["-c", "source script.bash; complete -p eolgate"], { cwd: folder });
  expect(String(stdout)).toBe("complete -F _eolgate eolgate\n");
});

test.skipIf(!hasShell("bash"))("completes a value after an equals sign in bash", async () => {
  // Bash passes --scope=run as three words.
  writeFileSync(join(folder, "answer"), await answerTo(["check", "--scope", "=", "run"]));
  const line = `source script.bash
COMP_WORDS=(eolgate check --scope = run); COMP_CWORD=4; _eolgate; echo "\${COMPREPLY[@]}"`;
  const env = { PATH: `${folder}:${process.env["PATH"] ?? ""}` };
  const { stdout } = spawnSync("bash", ["-c", line], { cwd: folder, encoding: "utf8", env });
  expect(stdout).toBe("runtime\n");
});

test("refuses other shells", async () => {
  expect(await runCommand(["completion", "tcsh"], { cwd: folder })).toMatchObject({
    exit: 2,
    out: "",
    err: expect.stringContaining("no completion script for the shell"),
  });
});
