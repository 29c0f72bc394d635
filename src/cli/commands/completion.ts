/** `eolgate completion SHELL`: prints a completion script that is generated from the table of commands. */
import { loadCatalogue } from "../../catalogue/load.ts";
import { EolgateError } from "../../messages/error.ts";
import { FAIL_ON_VALUES } from "../../policy/field-values.ts";
import { getOwn } from "../../text/values.ts";
import { REPORTERS } from "../../report/reporters.ts";
import type { CommandModule, CommandSpec } from "../command.ts";
import { type CompletionTable, bashScript, completionTable, fishScript, zshScript } from "../completion.ts";

const SCRIPTS: Readonly<Record<string, (table: CompletionTable) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Values of flags and arguments that have no fixed choices. */
const VALUES = { "<shell>": Object.keys(SCRIPTS), "--format": Object.keys(REPORTERS), "--fail-on": FAIL_ON_VALUES };

/** Returns the command for a table of commands and the summaries of its groups. */
export function completion(
  allCommands: () => Promise<readonly CommandSpec[]>,
  groups: Readonly<Record<string, string>>,
): CommandModule {
  return {
    name: "completion",
    arguments: "<shell>",
    summary: "print the completion script for bash, zsh or fish",
    flags: [],
    examples: ["eolgate completion bash > /etc/bash_completion.d/eolgate"],
    run: async ({ io, args }) => {
      const shell = args[0] ?? "";
      if (shell === "products") {
        await io.out(`${loadCatalogue(io).slugs().join("\n")}\n`);
        return 0;
      }
      const script = getOwn(SCRIPTS, shell);
      if (!script)
        throw EolgateError.of("invalid-value", {
          problem: `no completion script for the shell "${shell}"`,
          advice: "Use bash, zsh or fish.",
        }).at("shell");
      await io.out(script(completionTable({ commands: await allCommands(), groups, values: VALUES })));
      return 0;
    },
  };
}
