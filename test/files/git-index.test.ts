/** The index is written by git itself, in every version. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { walkFolder } from "../../src/api/inventory/walk.ts";
import { readGitIndex } from "../../src/files/git-index.ts";
import { mayBeInput } from "../../src/files/read.ts";
import { isInstalled } from "../programs.ts";
import { PIPELINES } from "./pins/cases.ts";

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const PATHS = ["Dockerfile", "build/Dockerfile", "build/deep/package.json", `long/${"n".repeat(200)}.txt`, "ü/é.nvmrc"];

function repository(...init: readonly string[]): { readonly root: string; git(...args: readonly string[]): void } {
  const root = mkdtempSync(join(tmpdir(), "eolgate-index-"));
  folders.push(root);
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", root, ...args], { stdio: "pipe" });
  git("init", "--quiet", ...init);
  for (const path of PATHS) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), "FROM node:14\n");
  }
  git("add", "--all");
  return { root, git };
}
const indexOf = (root: string): Uint8Array => readFileSync(join(root, ".git/index"));

describe.skipIf(!isInstalled("git"))("an index that git wrote", () => {
  test.each([
    ["2", []],
    ["3", ["--intent-to-add"]],
    ["4", []],
  ])("reads an index of version %s", (version, flags) => {
    const { root, git } = repository();
    writeFileSync(join(root, "new.tf"), "");
    if (flags.length > 0) git("add", ...flags, "new.tf");
    else git("update-index", "--index-version", version);
    const bytes = indexOf(root);
    expect(Buffer.from(bytes).readUInt32BE(4)).toBe(Number(version));
    const { files, folders: found } = readGitIndex(bytes) ?? {};
    expect([...(files ?? [])].sort()).toEqual([...PATHS, ...(flags.length > 0 ? ["new.tf"] : [])].sort());
    expect([...(found ?? [])].sort()).toEqual(["build", "build/deep", "long", "ü"]);
  });

  test("reads an index with SHA-256", () => {
    const { root } = repository("--object-format=sha256");
    expect([...(readGitIndex(indexOf(root), 32)?.files ?? [])].sort()).toEqual(PATHS.toSorted());
  });

  test.each<readonly [string, (bytes: Buffer) => Uint8Array]>([
    ["an empty file", () => new Uint8Array()],
    ["another file", () => new TextEncoder().encode("not an index at all")],
    ["an index of a later version", (bytes) => (bytes.writeUInt32BE(5, 4), bytes)],
    ["a truncated index", (bytes) => bytes.subarray(0, 200)],
    ["an index with too high a count", (bytes) => (bytes.writeUInt32BE(1_000_000, 8), bytes)],
    ["hashes of another length", (bytes) => (bytes.writeUInt16BE(0, 12 + 60), bytes)],
  ])("does not read %s", (_, damage) => {
    expect(readGitIndex(damage(Buffer.from(indexOf(repository().root))))).toBeUndefined();
  });

  test("does not read a split index, whose entries are in another file", () => {
    const { root, git } = repository();
    git("update-index", "--split-index");
    expect(readGitIndex(indexOf(root))).toBeUndefined();
  });

  test.each<readonly [string, readonly string[], readonly string[], readonly string[]]>([
    ["build/\n", [], ["Dockerfile", "build/Dockerfile", "build/deep/package.json", "untracked.tf"], []],
    ["Dockerfile\n", [], ["Dockerfile", "build/Dockerfile", "build/deep/package.json", "untracked.tf"], []],
    ["*\n", [], ["Dockerfile", "build/Dockerfile", "build/deep/package.json"], ["untracked.tf"]],
    ["", ["build/"], ["Dockerfile", "untracked.tf"], []],
    ["*.tf\n", ["build/Dockerfile"], ["Dockerfile", "build/deep/package.json"], ["build/Dockerfile", "untracked.tf"]],
  ])("with %j in .gitignore and without %j, tracked files are read", (gitignore, exclude, expected, omitted) => {
    const { root } = repository();
    writeFileSync(join(root, ".gitignore"), gitignore);
    writeFileSync(join(root, "untracked.tf"), "");
    writeFileSync(join(root, "build/untracked.lock"), "");
    const found = walkFolder(root, { base: root, patterns: exclude });
    const known = (paths: readonly string[]) =>
      paths.filter((path) => /^(?:Dockerfile|untracked\.tf|build\/(?!untracked))/.test(path));
    expect([known(found.files), known(found.omitted)]).toEqual([expected, omitted]);
  });

  test("tracked files are read in a folder below the root, and in another work tree", () => {
    const { root, git } = repository();
    writeFileSync(join(root, ".gitignore"), "deep/\n");
    expect(walkFolder(join(root, "build")).files).toEqual(["Dockerfile", "deep/package.json"]);
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "x");
    git("worktree", "add", "--quiet", join(root, "tree"));
    writeFileSync(join(root, "tree/.gitignore"), "deep/\n");
    expect(walkFolder(join(root, "tree/build")).files).toEqual(["Dockerfile", "deep/package.json"]);
  });
});

test.each([
  ...PIPELINES.map(([path]) => path),
  "Dockerfile.prod",
  "api.Dockerfile",
  "Jenkinsfile.groovy",
  ".nvmrc",
  "setup.py",
  "conanfile.py",
  "App.csproj",
  "a/pom.xml",
  "build.gradle.kts",
  "x.gemspec",
  "go.sum",
  "requirements.in",
  "bom.cdx.json.gz",
  "Package.resolved",
])("%s may be an input", (path) => {
  expect(mayBeInput(path)).toBe(true);
});

test.each(["src/index.ts", "a/b.md", "main.py", "x.go", "logo.png"])("%s is no input", (path) => {
  expect(mayBeInput(path)).toBe(false);
});
