/** The completion scripts offer the commands and flags of the command table, and each script runs in its shell. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { runCommand } from "./fake-io.ts";

const COMMANDS = await allCommands();

const folder = mkdtempSync(join(tmpdir(), "eolgate-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));
const SHELLS = ["bash", "zsh", "fish"] as const;
const hasShell = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

beforeAll(async () => {
  for (const shell of SHELLS) {
    const { out } = await runCommand(["completion", shell], { cwd: folder });
    writeFileSync(join(folder, `script.${shell}`), out);
  }
  // The scripts ask the program for the products.
  const { out } = await runCommand(["completion", "products"], { cwd: folder });
  expect(out.split("\n").length).toBeGreaterThan(1000);
  writeFileSync(
    join(folder, "eolgate"),
    `#!/bin/sh\n[ "$*" = "completion products" ] && printf '${out.slice(0, 40_000)}'`,
  );
  chmodSync(join(folder, "eolgate"), 0o755);
});

/** How each shell requests the completions of a line. One answer on each line; descriptions are left out. */
const COMPLETION_SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (words: readonly string[]) => string>> = {
  bash: (words) => `source script.bash
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_eolgate; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // The functions of zsh's completion system write to its terminal: these print their arguments.
  zsh: (words) => `compdef() { }
_files() { print -rl -- * }
_describe() { print -rl -- "\${(@P)2%%:*}" }
_arguments() {
  local specification flag="$words[CURRENT-1]"
  for specification in "$@"; do
    local name="\${\${specification#\\*}%%[\\[:]*}" action="\${specification##*:}"
    [[ -n "$name" && "$name" != "$flag" ]] && continue
    [[ -z "$name" && "$words[CURRENT]" == -* ]] && continue
    [[ -n "$name" && "$specification" != *'['*']:'* ]] && continue
    [[ "$action" == _files ]] && _files
    [[ "$action" == '('*')' ]] && print -rl -- \${=\${action#\\(}%\\)}
    return 0
  done
  for specification in "$@"; do print -r -- "\${\${specification#\\*}%%[\\[:]*}"; done
}
source script.zsh
words=(${words.map((word) => `'${word}'`).join(" ")}); CURRENT=${words.length}
_eolgate`,
  fish: (words) => `source script.fish; complete -C '${words.join(" ")}' | string replace -r '\\t.*' ''; true`,
};

function complete(shell: (typeof SHELLS)[number], line: string): readonly string[] {
  const { stdout, stderr, status } = spawnSync(shell, ["-c", COMPLETION_SCRIPTS[shell](line.split(" "))], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, HOME: folder },
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
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
    ["a file to check", "eolgate check scr", ["script.bash"], []],
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
  ])("completes %s", (_, line, offered, absent) => {
    const words = complete(shell, line);
    expect(words).toEqual(expect.arrayContaining(offered));
    for (const word of absent) expect(words).not.toContain(word);
  });

  test("completes every command and every flag", async () => {
    const { out } = await runCommand(["completion", shell], { cwd: folder });
    for (const { name, flags } of COMMANDS) {
      for (const word of name.split(" ")) expect(out).toContain(word);
      for (const { flags: each } of flags) {
        const long = /--([a-z0-9-]+)/.exec(each)?.[1] ?? "";
        expect(out).toMatch(new RegExp(shell === "fish" ? `-l ${long}\\b` : `--${long}\\b`));
      }
    }
  });
});

test.skipIf(!hasShell("bash"))("completes a value after an equals sign in bash", () => {
  // Bash passes --scope=run as three words.
  const line = `source script.bash
COMP_WORDS=(eolgate check --scope = run); COMP_CWORD=4; _eolgate; echo "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync("bash", ["-c", line], { cwd: folder, encoding: "utf8" });
  expect(stdout).toBe("runtime\n");
});

test("refuses other shells", async () => {
  expect(await runCommand(["completion", "tcsh"], { cwd: folder })).toMatchObject({
    exit: 2,
    out: "",
    err: expect.stringContaining("no completion script for the shell"),
  });
});
