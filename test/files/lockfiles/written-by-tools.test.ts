/**
 * Lockfiles that current package managers write: the same packages as in the tool's own list, or in the other
 * tools' lockfiles. The tools come from the package registry; where it does not answer, the tests are reported as skipped.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readLockfile } from "../../../src/files/lockfiles/kinds.ts";
import type { LockfileKindName } from "../../../src/files/lockfiles/kinds.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-lockfiles-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Exact versions with a transitive tree of exact or narrow ranges, a scope, an alias, and a development dependency. */
const MANIFEST = {
  name: "app",
  version: "1.0.0",
  private: true,
  dependencies: { "cli-table3": "0.6.5", "@types/node": "18.19.0", chalk2: "npm:chalk@2.4.2" },
  devDependencies: { "strip-ansi": "6.0.1" },
};

interface Tool {
  readonly name: string;
  readonly kind: LockfileKindName;
  readonly file: string;
  /** The package in the registry, followed by the arguments. */
  readonly package: string;
  readonly argv: readonly string[];
}

const TOOLS: readonly Tool[] = [
  ...["1", "2", "3"].map((version) => ({
    name: `npm, lockfile version ${version}`,
    kind: "package-lock.json" as const,
    file: "package-lock.json",
    package: "",
    argv: [
      "npm",
      "install",
      "--package-lock-only",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      `--lockfile-version=${version}`,
    ],
  })),
  {
    name: "pnpm 9",
    kind: "pnpm-lock.yaml",
    file: "pnpm-lock.yaml",
    package: "pnpm@9.15.9",
    argv: ["pnpm", "install", "--lockfile-only", "--ignore-scripts"],
  },
  {
    name: "pnpm 7",
    kind: "pnpm-lock.yaml",
    file: "pnpm-lock.yaml",
    package: "pnpm@7.33.7",
    argv: ["pnpm", "install", "--lockfile-only", "--ignore-scripts"],
  },
  {
    name: "yarn 1",
    kind: "yarn.lock",
    file: "yarn.lock",
    package: "yarn@1.22.22",
    argv: ["yarn", "install", "--ignore-scripts", "--non-interactive", "--no-progress"],
  },
  {
    name: "yarn berry",
    kind: "yarn.lock",
    file: "yarn.lock",
    package: "@yarnpkg/cli-dist@4.9.2",
    argv: ["yarn", "install", "--mode=update-lockfile"],
  },
];

const registry = (): string => execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();

/** Undefined if the tool or the registry cannot be reached. */
function writeLockfile(tool: Tool): { readonly text: string; readonly folder: string } | undefined {
  const at = join(folder, tool.name.replaceAll(/\W+/g, "-"));
  mkdirSync(at);
  writeFileSync(join(at, "package.json"), JSON.stringify(MANIFEST));
  const [command = "", ...rest] = tool.argv;
  const argv = tool.package === "" ? rest : ["exec", "--yes", `--package=${tool.package}`, "--", ...tool.argv];
  try {
    execFileSync(tool.package === "" ? command : "npm", argv, {
      cwd: at,
      stdio: "ignore",
      timeout: 60_000,
      env: {
        ...process.env,
        YARN_REGISTRY: registry(),
        YARN_NPM_REGISTRY_SERVER: registry(),
        YARN_ENABLE_TELEMETRY: "0",
        YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
      },
    });
  } catch {
    return undefined;
  }
  const path = join(at, tool.file);
  return existsSync(path) ? { text: readFileSync(path, "utf8"), folder: at } : undefined;
}

async function packagesOf(kind: LockfileKindName, text: string) {
  const { packages, direct } = await readLockfile(kind, text, (name) =>
    name === "package.json" ? JSON.stringify(MANIFEST) : undefined,
  );
  const named = packages.filter(({ version }) => version !== undefined);
  return {
    all: [...new Set(named.map(({ name, version = "" }) => `${name}@${version}`))].toSorted((a, b) => (a < b ? -1 : 1)),
    direct: packages
      .filter(({ id }) => direct?.includes(id))
      .map(({ name }) => name)
      .toSorted((a, b) => (a < b ? -1 : 1)),
    lines: named.map(
      ({ name, version = "", location }) =>
        [{ name, version }, text.slice(location.at).split("\n", 1)[0] ?? ""] as const,
    ),
  };
}

/** `name@version` of every package in the tree that npm reports. */
function npmList(at: string): readonly string[] {
  const out = execFileSync("npm", ["query", "*", "--package-lock-only"], { cwd: at, encoding: "utf8" });
  const nodes: readonly { readonly name: string; readonly version: string; readonly location: string }[] =
    JSON.parse(out);
  const names = nodes.filter(({ location }) => location !== "").map(({ name, version }) => `${name}@${version}`);
  return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));
}

describe("lockfiles written by package managers", () => {
  let expected: readonly string[] | undefined;

  test.for(TOOLS)("$name", { timeout: 120_000 }, async (tool, { skip }) => {
    const written = writeLockfile(tool);
    if (written === undefined) return skip("the tool or its registry cannot be reached");
    const { all, direct, lines } = await packagesOf(tool.kind, written.text);
    expected ??= npmList(written.folder);
    expect(all).toEqual(expected);
    expect(direct).toEqual(["@types/node", "chalk", "cli-table3", "strip-ansi"]);
    // The location of each package is a line with its name or its version.
    for (const [{ name, version }, line] of lines)
      expect(line.includes(name.split("/").at(-1) ?? name) || line.includes(version), `${name}: ${line}`).toBe(true);
  });
});
