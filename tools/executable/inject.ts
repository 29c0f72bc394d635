/** Injects the blob of a single executable into a copy of Node, as Node's documentation describes for each platform. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withoutSignature } from "./signature.ts";

/** https://nodejs.org/api/single-executable-applications.html */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

export function inject(executable: string, blob: string): void {
  const isMac = process.platform === "darwin";
  // The signature does not cover the added blob, and macOS refuses to start a program with an invalid signature.
  if (isMac) run("codesign", ["--remove-signature", executable]);
  if (process.platform === "win32") writeFileSync(executable, withoutSignature(readFileSync(executable)));
  const postject = fileURLToPath(new URL("dist/cli.js", import.meta.resolve("postject/package.json")));
  const segment = isMac ? ["--macho-segment-name", "NODE_SEA"] : [];
  run(process.execPath, [postject, executable, "NODE_SEA_BLOB", blob, "--sentinel-fuse", FUSE, ...segment]);
  if (isMac) run("codesign", ["--sign", "-", executable]);
}

function run(program: string, parameters: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, parameters, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${parameters.join(" ")}: ${error?.message ?? `${stdout}${stderr}`}`);
}
