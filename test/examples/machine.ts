/** A machine without the services: the shell steps of a pipeline run for real, with this checkout in place of a clone. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { runAction } from "../../src/cli/action/action.ts";
import { fakeIo } from "../cli/fake-io.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const catalogue = join(root, "test/fixtures/catalogue.json");
export const example = (name: string): string => readFileSync(join(root, "examples/ci", name), "utf8");

export interface Machine {
  readonly folder: string;
  /** Runs a script as a runner's shell does; answers with its exit code and what it printed. */
  sh(script: string, env?: Readonly<Record<string, string>>): { readonly exit: number; readonly printed: string };
  read(name: string): string;
  close(): void;
}

/** A folder with `bom.cdx.json` in it, and `git`, `npm` and `eolgate` of its own on the path. */
export function machine(document: string): Machine {
  const home = mkdtempSync(join(tmpdir(), "eolgate-pipeline-"));
  const [folder, bin] = [join(home, "work"), join(home, "bin")];
  for (const each of [folder, bin]) mkdirSync(each);
  copyFileSync(join(root, "examples", document), join(folder, "bom.cdx.json"));
  const eolgate = `exec "${process.execPath}" "${join(root, "bin/eolgate.js")}" "$@"`;
  // Anything but a clone of this repository is a mistake in the example.
  const clone = "clone --quiet --depth 1 https://github.com/eolgate/eolgate .eolgate";
  const git = `[ "$1" = clone ] || exec /usr/bin/git "$@"\n[ "$*" = "${clone}" ] || exit 99\n[ -z "\${GIT_EXIT:-}" ] || exit "$GIT_EXIT"\nmkdir -p .eolgate/bin\nln -sf "${join(root, "bin/eolgate.js")}" .eolgate/bin/eolgate.js`;
  const sbom = `[ "$*" = "sbom --sbom-format cyclonedx --package-lock-only" ] || exit 99\ncat "${join(root, "examples", document)}"`;
  const npm = `[ "$*" = "ci --silent" ] && exit "\${NPM_EXIT:-0}"\n${sbom}`;
  for (const [name, text] of Object.entries({ eolgate, git, npm })) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return {
    folder,
    sh: (script, env = {}) => {
      const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
        cwd: folder,
        encoding: "utf8",
        env: {
          PATH: [bin, dirname(process.execPath), process.env["PATH"]].join(":"),
          EOLGATE_CATALOGUE: catalogue,
          ...env,
        },
      });
      return { exit: status ?? -1, printed: `${stdout}${stderr}` };
    },
    read: (name) => readFileSync(join(folder, name), "utf8"),
    close: () => rmSync(home, { recursive: true }),
  };
}

/** The shell scripts of a pipeline, in their order. */
export const SCRIPTS = {
  gitlab: (text: string): readonly string[] => {
    const { eolgate: job } = parse(text);
    return [...job.before_script, ...job.script];
  },
  jenkins: (text: string): readonly string[] =>
    [...text.matchAll(/\bsh[ (][^'\n]*'''([^]*?)'''/g)].map(([, script = ""]) => script),
  azure: (text: string): readonly string[] =>
    parse(text).steps.flatMap(({ script }: { readonly script?: string }) => script ?? []),
};

/** Runs the Action with these inputs. */
export async function playAction(
  { folder }: Machine,
  given: Readonly<Record<string, string>>,
): Promise<{ readonly exit: number; readonly outputs: ReadonlyMap<string, string> }> {
  const output = join(folder, "..", "output");
  writeFileSync(output, "");
  const inputs = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const { io } = fakeIo({
    cwd: folder,
    env: {
      EOLGATE_CATALOGUE: catalogue,
      RUNNER_TEMP: join(folder, ".."),
      GITHUB_OUTPUT: output,
      ...Object.fromEntries(inputs),
    },
  });
  const exit = await runAction(io);
  const written = readFileSync(output, "utf8").matchAll(/^([\w-]+)<<(?:\S+)\n(.*)\n\S+$/gm);
  return { exit, outputs: new Map([...written].map(([, name = "", value = ""]) => [name, value])) };
}
