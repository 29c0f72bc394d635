/** What the steps of the rehearsal share: the commit that is released, folders, and programs that they start. */
import { spawnSync } from "node:child_process";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readObject } from "../json.ts";
import type { Source } from "./signatures.ts";

export interface Rehearsal {
  /** The clone whose commit is released. */
  readonly root: string;
  /** A folder for work that is not published. */
  readonly scratch: string;
  /** The files of the release. */
  readonly release: string;
  readonly source: Source;
  /** Signs in place of GitHub. No other run has it. */
  readonly testKey: KeyObject;
}

export interface Step {
  readonly name: string;
  /** @returns what was done, in a few words. Throws if a release would fail here. */
  readonly run: (rehearsal: Rehearsal) => string;
}

interface Manifest {
  readonly version: string;
  readonly repository: { readonly url: string };
  readonly engines: { readonly node: string };
}

/** @returns the rehearsal of the commit that is checked out in `root`, in new folders of `scratch`. */
export function prepare(root: string, scratch: string): Rehearsal {
  const { version, repository } = manifestOf(root);
  const release = join(scratch, "release");
  mkdirSync(release);
  const commit = git(root, "rev-parse", "HEAD");
  const source = { version, repository: repository.url.replaceAll(/^git\+|\.git$/g, ""), commit };
  return { root, scratch, release, source, testKey: generateKeyPairSync("ed25519").privateKey };
}

export function demand(isMet: boolean, problem: string): void {
  if (!isMet) throw new Error(problem);
}

export function manifestOf(folder: string): Manifest {
  const { version, repository, engines }: Partial<Manifest> = readObject(join(folder, "package.json"));
  if (version === undefined || repository === undefined || engines === undefined)
    throw new Error("package.json states no version, no repository or no engines");
  return { version, repository, engines };
}

interface Options {
  readonly cwd: string;
  /** Exit codes that are no failure. */
  readonly accepted?: readonly number[];
}

/** @returns standard output. Throws for an exit code that is not accepted. */
export function run(command: readonly string[], { cwd, accepted = [0] }: Options): string {
  const [program = "", ...parameters] = command;
  const shell = process.platform === "win32" && /^np[mx]$/.test(program);
  const options = { cwd, encoding: "utf8", shell, maxBuffer: 64 * 2 ** 20 } as const;
  const { status, stdout, stderr, error } = spawnSync(program, parameters, options);
  if (status !== null && accepted.includes(status)) return stdout;
  const output = error?.message ?? `${stdout}${stderr}`.trim().split("\n").slice(-20).join("\n");
  throw new Error(`${command.join(" ")}: exit code ${status}\n${output}`);
}

export const git = (root: string, ...parameters: readonly string[]): string =>
  run(["git", ...parameters], { cwd: root }).trim();

/** Runs a script of the clone. */
export const node = (root: string, ...script: readonly string[]): string =>
  run([process.execPath, ...script], { cwd: root });

/** Runs the gate of the clone on the release. Throws where it fails or has no verdict. */
export const gate = (root: string, ...parameters: readonly string[]): string =>
  node(root, "bin/eolgate.js", "check", ...parameters);

/** The command answers, passes and fails as documented. */
export function checkCommand(command: readonly string[], { root, source: { version } }: Rehearsal): void {
  const stated = run([...command, "--version"], { cwd: root }).trim();
  demand(stated === version, `${command.join(" ")} --version prints ${stated}, not ${version}`);
  run([...command, "check", "examples/clean.cdx.json"], { cwd: root });
  const report = run([...command, "check", "examples/web-shop.cdx.json"], { cwd: root, accepted: [1] });
  demand(report.includes("Node.js"), `${command.join(" ")} does not name what fails`);
}

const SYSTEM = process.platform === "win32" ? "win" : process.platform;
/** The npm package with a Node for this machine. */
export const nodePackage = `node-${SYSTEM}-${process.arch}`;
export const executableName = process.platform === "win32" ? "eolgate.exe" : "eolgate";
/** The name of the archive with the executable for this machine, without its extension. */
export const archiveName = ({ version }: Source): string => `eolgate-${version}-${SYSTEM}-${process.arch}`;
export const tarballName = ({ version }: Source): string => `eolgate-${version}.tgz`;
