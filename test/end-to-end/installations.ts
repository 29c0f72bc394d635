/**
 * The ways in which users get the program: each is a command that starts it. `EOLGATE_COMMAND` adds one, for example an
 * executable that was built elsewhere; its parts are separated by spaces.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import sea from "node:sea";

export const root = join(import.meta.dirname, "../..");

export interface Installation {
  readonly name: string;
  /** False where it cannot be built. */
  readonly isSupported?: boolean;
  /** Prepares it in an empty folder and returns the command. */
  readonly prepare: (folder: string) => readonly string[];
}

const given = process.env["EOLGATE_COMMAND"]?.split(" ");

/** Versions of Node before 24.8 cannot list the assets of an executable. */
const CAN_LIST_ASSETS = "getAssetKeys" in sea;

export const INSTALLATIONS: readonly Installation[] = given
  ? [{ name: "EOLGATE_COMMAND", prepare: () => given }]
  : [
      { name: "the checkout", prepare: () => [process.execPath, join(root, "bin/eolgate.js")] },
      { name: "the package", prepare: installPackage },
      { name: "the executable", prepare: buildExecutable, isSupported: CAN_LIST_ASSETS },
    ];

/** Unpacks what `npm pack` gives, with the dependencies that its manifest names and no others next to it. */
function installPackage(folder: string): readonly string[] {
  // `npm run build` has built it; building again would change files under tests that run at the same time.
  run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder]);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  const home = join(folder, "node_modules", "eolgate");
  mkdirSync(home, { recursive: true });
  run("tar", ["-xzf", join(folder, tarball), "-C", home, "--strip-components=1"]);
  const { dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link, "junction");
  }
  return [process.execPath, join(home, "bin/eolgate.js")];
}

function buildExecutable(folder: string): readonly string[] {
  const file = join(folder, process.platform === "win32" ? "eolgate.exe" : "eolgate");
  run(process.execPath, [join(root, "tools/executable/build.ts"), file]);
  return [file];
}

function run(program: string, parameters: readonly string[]): void {
  const shell = process.platform === "win32" && program === "npm";
  const { status, stderr, error } = spawnSync(program, parameters, { cwd: root, encoding: "utf8", shell });
  if (status !== 0) throw new Error(`${program} ${parameters.join(" ")}: ${error?.message ?? stderr}`);
}
