/**
 * Last part of `npm run build`: notes from which files it was made. With `--build`, it runs the build if one of them has
 * changed since then, or if a part of the build is gone, so that `npm test` builds only when it has to.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const note = join(root, "node_modules/.cache/eolgate-build-inputs.txt");

const INPUTS = ["src", "tools", "bin", "schemas", "package.json", "package-lock.json", "tsconfig.json"];
const OTHER_INPUTS = ["tsconfig.build.json", "LICENSE", "NOTICE"];

/** All that the build writes: whether it is there is a part of the note. */
const OUTPUTS = ["command", "library", "types", "curated.json.br", "catalogue.pages", "eolgate.1"];

function filesOf(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .sort();
}

const hash = createHash("sha256").update(process.version);
for (const file of [...INPUTS, ...OTHER_INPUTS].flatMap((name) => filesOf(join(root, name))))
  hash.update(file).update("\0").update(readFileSync(file)).update("\0");
for (const name of OUTPUTS) hash.update(String(existsSync(join(root, "dist", name))));
const digest = hash.digest("hex");

const isCurrent = (): boolean => existsSync(note) && readFileSync(note, "utf8") === digest;

if (!process.argv.includes("--build")) {
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, digest);
} else if (!isCurrent()) {
  process.exitCode = spawnSync("npm run build", { cwd: root, shell: true, stdio: "inherit" }).status ?? 1;
}
