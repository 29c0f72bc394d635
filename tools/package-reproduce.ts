/**
 * Builds and packs the package twice and compares the tarballs byte by byte.
 * Run: npm run package:reproduce [-- FOLDER] With a folder, the tarball is written to it.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "eolgate-package-"));

function run(command: string): void {
  const { status } = spawnSync(command, { cwd: root, shell: true, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${command}: exit code ${status}`);
}

function pack(attempt: string): { readonly path: string; readonly digest: string } {
  const folder = join(scratch, attempt);
  mkdirSync(folder);
  // Files of an earlier build must not get into the package.
  rmSync(join(root, "dist"), { recursive: true, force: true });
  run("npm run build");
  run(`npm pack --ignore-scripts --pack-destination "${folder}"`);
  const [name = ""] = readdirSync(folder);
  const path = join(folder, name);
  return { path, digest: createHash("sha256").update(readFileSync(path)).digest("hex") };
}

try {
  const [first, second] = [pack("first"), pack("second")];
  if (first.digest !== second.digest) {
    process.stderr.write(`package: two builds differ: ${first.digest} and ${second.digest}\n`);
    process.exitCode = 1;
  } else {
    const target = process.argv[2];
    if (target !== undefined) {
      mkdirSync(target, { recursive: true });
      copyFileSync(first.path, join(target, first.path.split(/[\\/]/).at(-1) ?? ""));
    }
    process.stdout.write(`package: two builds are identical, sha256 ${first.digest}\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
