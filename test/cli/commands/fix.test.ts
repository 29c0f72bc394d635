/** `eolgate fix`: what it writes passes the check, and nothing else of a file changes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { isInstalled } from "../../programs.ts";
import { runCommand } from "../fake-io.ts";

const EOLGATE_CATALOGUE = fileURLToPath(new URL("../../fixtures/catalogue.json", import.meta.url));
const base = mkdtempSync(join(tmpdir(), "eolgate-fix-"));
afterAll(() => rmSync(base, { recursive: true }));

function project(files: Readonly<Record<string, string>>): string {
  const cwd = mkdtempSync(join(base, "p-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(cwd, dirname(name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  return cwd;
}
const run = (cwd: string, ...argv: readonly string[]) =>
  runCommand([...argv, "--as-of", "2026-08-22"], { cwd, env: { EOLGATE_CATALOGUE } });

/** The text of one file after `fix --write`, and the messages. */
async function fixed(name: string, text: string, ...flags: readonly string[]) {
  const cwd = project({ [name]: text });
  const { exit, err } = await run(cwd, "fix", "--write", ...flags);
  return { exit, err, text: readFileSync(join(cwd, name), "utf8"), cwd };
}

const job = (matrix: string, version = "${{ matrix.node }}"): string =>
  `jobs:\n  test:\n    strategy:\n      matrix:\n${matrix}    steps:\n      - uses: actions/setup-node@v4\n        with:\n          node-version: ${version}\n`;

test("names a supported model and leaves the id, because a model is chosen by its use", async () => {
  const cwd = project({ ".aider.conf.yml": "model: gpt-4-0314\n" });
  const { exit, err } = await runCommand(["fix", "--write", "--as-of", "2026-11-22"], { cwd, env: {} });
  expect(exit).toBe(0);
  expect(err).toContain(".aider.conf.yml:1: gpt-4-0314 not changed: a model is chosen by its use");
  expect(readFileSync(join(cwd, ".aider.conf.yml"), "utf8")).toBe("model: gpt-4-0314\n");
});

test("writes no version into a repository that has moved, and names the new one", async () => {
  const cwd = project({ Dockerfile: "FROM mcr.microsoft.com/dotnet/core/aspnet:3.1\n" });
  const { err } = await runCommand(["fix", "--write", "--as-of", "2026-11-22"], { cwd, env: {} });
  expect(err).toContain("not changed: it is replaced by mcr.microsoft.com/dotnet/aspnet");
  expect(readFileSync(join(cwd, "Dockerfile"), "utf8")).toBe("FROM mcr.microsoft.com/dotnet/core/aspnet:3.1\n");
});

describe("moves pins that fail and leaves the others", () => {
  test.each([
    [".nvmrc", "v18.20.4\n", "v24.19.0\n"],
    [".nvmrc", "\ufeff18\r\n", "\ufeff24\r\n"],
    [".nvmrc", "24.1.0\n", "24.1.0\n"],
    [".python-version", "3.8.1\n3.13\n", "3.11.16\n3.13\n"],
    [".tool-versions", "nodejs 16.1.0 # läuft\npython 3.9\n", "nodejs 24.19.0 # läuft\npython 3.11\n"],
    [
      "Dockerfile",
      "FROM node:18-alpine AS a\nRUN node:18 # 18\nFROM postgres:15\n",
      "FROM node:24-alpine AS a\nRUN node:18 # 18\nFROM postgres:15\n",
    ],
    ["Dockerfile", "ARG V=16\nARG W=16\nFROM node:${V}-slim\n", "ARG V=24\nARG W=16\nFROM node:${V}-slim\n"],
    ["Dockerfile", "ARG BASE=node:16\nFROM $BASE\n", "ARG BASE=node:24\nFROM $BASE\n"],
    ["compose.yaml", "services:\n  a:\n    image: node:${TAG:-16}\n", "services:\n  a:\n    image: node:${TAG:-24}\n"],
    [".github/workflows/ci.yml", job('        node: [16, "18", 24, lts/*]\n'), job("        node: [24, lts/*]\n")],
    [
      ".github/workflows/ci.yml",
      job("        node:\n          - 16\n          - 18\n"),
      job("        node:\n          - 24\n"),
    ],
    [
      ".github/workflows/ci.yml",
      "jobs:\n  a:\n    runs-on: ubuntu-20.04\n    container: python:3.8\n",
      "jobs:\n  a:\n    runs-on: ubuntu-24.04\n    container: python:3.11\n",
    ],
    [
      "package.json",
      '{"engines": {"node": "16"}, "volta": {"node": "18.1.0"}}',
      '{"engines": {"node": "24"}, "volta": {"node": "24.19.0"}}',
    ],
    ["package.json", '{"engines": {"node": ">=16"}}', '{"engines": {"node": ">=16"}}'],
  ])("%s %j", async (name, text, expected) => {
    const { exit, text: after, cwd } = await fixed(name, text);
    expect([exit, after]).toEqual([0, expected]);
    expect((await run(cwd, "check")).exit).not.toBe(1);
  });

  test("and lower bounds, where the policy fails on them", async () => {
    const text = '{"engines": {"node": ">=16"}}\n';
    expect((await fixed("package.json", text, "--fail-on", "eol,minimum")).text).toBe(text.replace("16", "24"));
  });
});

describe("lists what it does not change, with the reason", () => {
  test.each([
    ["Dockerfile", "FROM python:3.8-slim-buster\n", "it names several products: choose a tag with Python 3.11"],
    ["Dockerfile", `FROM node:18@sha256:${"a".repeat(64)}\n`, "it is pinned by a digest"],
    ["Dockerfile", "FROM node:18_4\n", "its version is not written in a form that can be moved to 24"],
    [
      "pod.yaml",
      "kind: Pod\napiVersion: v1\nmetadata: { x: &x node, y: &y 'node:16@sha256:" +
        "a".repeat(64) +
        "' }\nspec:\n  containers:\n    - image: *y\n",
      "it is pinned by a digest",
    ],
    [".nvmrc", "lts/hydrogen\n", "its version is not written in a form that can be moved to 24"],
    [
      ".gitlab-ci.yml",
      "image: node:$V\nvariables:\n  V: '18'\n",
      "its version comes from a variable: set the variable to 24",
    ],
  ])("%s %j", async (name, text, reason) => {
    const { exit, err, text: after } = await fixed(name, text);
    expect([exit, after]).toEqual([0, text]);
    expect(err).toContain(`not changed: ${reason}`);
    expect(err).toContain("no version pin to change, 1 not changed\n");
  });
});

test("prints a diff and changes nothing without --write", async () => {
  const files = { ".nvmrc": "18\n", "app/Dockerfile": "FROM node:16\nRUN x\n" };
  const cwd = project(files);
  const { exit, out, err } = await run(cwd, "fix");
  expect(exit).toBe(0);
  expect(readFileSync(join(cwd, ".nvmrc"), "utf8")).toBe("18\n");
  expect(err).toContain("app/Dockerfile:1: node:16 → node:24\n  Node.js 16 ended 2023-09-11 (https://");
  expect(err).toMatch(/checked on \d{4}-\d\d-\d\d\); Node\.js 24 supported until 2028-04-30\n/);
  expect(err).toContain("2 version pins to change; nothing written: add --write\n");
  expect(out).toContain("\n-FROM node:16\n+FROM node:24\n");
});

test.skipIf(!isInstalled("patch"))("patch applies the diff", async () => {
  const cwd = project({ ".nvmrc": "18\n", "app/Dockerfile": "FROM\tnode:16\t# x\nRUN x\n" });
  execFileSync("patch", ["-p0"], { cwd, input: (await run(cwd, "fix")).out });
  expect(readFileSync(join(cwd, "app/Dockerfile"), "utf8")).toBe("FROM\tnode:24\t# x\nRUN x\n");
  expect((await run(cwd, "check")).exit).toBe(0);
});

test.each([
  [
    "a waived pin",
    { "eolgate.config.yaml": "waivers: [{ target: 'nodejs:18', reason: x, expires: 2027-01-01 }]\n" },
    [],
  ],
  ["an excluded file", {}, ["--exclude", ".nvmrc"]],
])("leaves %s", async (_, files, flags) => {
  const cwd = project({ ".nvmrc": "18\n", ...files });
  expect((await run(cwd, "fix", "--write", ...flags)).err).toBe("no version pin to change\n");
});

describe("moves the value of a variable of Terraform", () => {
  const lambda = (runtime: string): string =>
    `resource "aws_lambda_function" "a" {\n  runtime = ${runtime}\n}\nvariable "other" { default = "nodejs16.x" }\n`;
  // The bundled catalogue, because the one of the tests has no AWS Lambda.
  const fix = async (text: string, files = {}) => {
    const cwd = project({ "main.tf": text, ...files });
    const { err } = await runCommand(["fix", "--write", "--as-of", "2026-11-22"], { cwd });
    return { err, after: readFileSync(join(cwd, "main.tf"), "utf8") };
  };

  test.each([
    `variable "x" {\n  type = string\n  default = "nodejs16.x"\n}\n${lambda("var.x")}`,
    `${lambda("var.x")}variable "x" {\n  validation {\n    condition = true\n  }\n  default = "nodejs16.x"\n}\n`,
    `${lambda('"${var.x}"')}variable "x" { default = "nodejs16.x" }\n`,
    `${lambda("local.x")}locals {\n  y = "nodejs16.x"\n  x = "nodejs16.x" # x\n}\n`,
  ])("%j", async (text) => {
    const { err, after } = await fix(text);
    const [, moved = ""] = / → (nodejs\d+\.x)\n/.exec(err) ?? expect.fail(err);
    const at = /(?: x = |"x" \{(?:(?!^\})[^])*?default = )"()/dm.exec(text)?.indices?.[1]?.[0] ?? 0;
    expect(after).toBe(text.slice(0, at) + moved + text.slice(at + "nodejs16.x".length));
  });

  test.each([
    ["another file sets it", lambda("var.x"), { "variables.tf": 'variable "x" {\n  default = "nodejs16.x"\n}\n' }],
    ["it is the value of another one", `locals {\n  x = var.other\n}\n${lambda("local.x")}`, {}],
  ])("not where %s", async (_, text, files) => {
    const { err, after } = await fix(text, files);
    expect(err).toMatch(/not changed: its version comes from a variable: set the variable to nodejs\d+\.x\n/);
    expect(after).toBe(text);
  });
});

test("moves an action that uses a removed service, with the bundled catalogue", async () => {
  const name = ".github/workflows/a.yml";
  const steps = (version: string): string => `jobs:\n  a:\n    steps:\n      - uses: actions/cache@${version}\n`;
  const cwd = project({ [name]: steps("v1") });
  const { err } = await runCommand(["fix", "--write", "--as-of", "2026-11-22"], { cwd });
  const [, moved = ""] = / → actions\/cache@(v\d+)\n/.exec(err) ?? expect.fail(err);
  expect(readFileSync(join(cwd, name), "utf8")).toBe(steps(moved));
  expect((await runCommand(["check", "--as-of", "2026-11-22"], { cwd })).exit).not.toBe(1);
});

describe("reads a file as the folder does", () => {
  const pipeline = "build:\n  image: node:16\n";
  test.each([
    ["a pipeline of GitLab includes it", { ".gitlab-ci.yml": "include: ci/b.yml\n", "ci/b.yml": pipeline }],
    ["nothing includes it", { ".gitlab-ci.yml": "include: ci/c.yml\n", "ci/b.yml": pipeline, "ci/c.yml": "" }],
    [
      "a compose file includes it",
      { "compose.yaml": "include: [ci/b.yml]\n", "ci/b.yml": "services:\n  a:\n    image: node:16\n" },
    ],
  ])("where %s", async (_, files) => {
    const cwd = project(files);
    expect((await run(cwd, "check")).exit).toBe(1);
    expect((await run(cwd, "fix", "--write")).exit).toBe(0);
    expect(readFileSync(join(cwd, "ci/b.yml"), "utf8")).toContain("image: node:24\n");
  });
});

describe("shows paths relative to the working directory", () => {
  test.each([
    [["app/.nvmrc"], "app/.nvmrc"],
    [["/app/.nvmrc"], "app/.nvmrc"],
    [["/app"], "app/.nvmrc"],
    [["/"], "app/.nvmrc"],
    [["./app"], "app/.nvmrc"],
  ])("of %j", async (targets, shown) => {
    const cwd = project({ "app/.nvmrc": "18\n" });
    const { out, err } = await run(cwd, "fix", ...targets.map((name) => name.replace(/^\//, `${cwd}/`)));
    expect(out).toMatch(`--- ${shown}\n+++ ${shown}\n`);
    expect(err).toMatch(`${shown}:1: 18 → 24\n`);
  });
});

describe("a file that is not read is listed, and the exit code is 3", () => {
  const broken = "<<<<<<< a\n18\n=======\n20\n>>>>>>> b\n";
  test.each([
    [
      "a damaged one",
      { ".node-version": broken },
      [],
      "eolgate: the file has unresolved merge conflict markers (.node-version, line 1)",
    ],
    [
      "an include that does not exist",
      { ".gitlab-ci.yml": "include: ci/b.yml\n" },
      [],
      "not read: files that gitlab-ci",
    ],
    ["one that does not exist", {}, [".nvmrc", "nope"], "eolgate: no such file (nope)"],
    ["a folder that does not exist", {}, [".nvmrc", "nope/"], "eolgate: no such file (nope/)"],
  ])("%s", async (_, files, targets, message) => {
    const cwd = project({ ".nvmrc": "18\n", ...files });
    const { exit, err } = await run(cwd, "fix", ...targets);
    expect(err).toContain(".nvmrc:1: 18 → 24");
    expect(err).toContain(message);
    expect(exit).toBe(3);
  });

  test.each([
    ["an excluded one", { ".node-version": broken }, ["--exclude", ".node-version"]],
    ["a lockfile", { "Podfile.lock": "x" }, []],
  ])("but not %s", async (_, files, flags) => {
    const cwd = project({ ".nvmrc": "18\n", ...files });
    const { exit, err } = await run(cwd, "fix", ...flags);
    expect([exit, err]).toEqual([0, expect.not.stringContaining("not read")]);
  });
});

test.each([
  ["README.md", "the file has no version pins that can be read"],
  ["bom.json", "the file has no version pins that can be read"],
  ["package-lock.json", "the file has no version pins that can be read"],
  ["image.tar", "the file has no version pins that can be read"],
  ["-", "standard input cannot be changed"],
])("%s is a usage error", async (name, message) => {
  const cwd = project({ "README.md": "x", "bom.json": "{}", "package-lock.json": "{}", "image.tar": "x" });
  const { exit, err } = await run(cwd, "fix", name);
  expect([exit, err]).toEqual([2, expect.stringContaining(`${message} (${name})\n`)]);
});

describe("for any file", () => {
  const foreign = fc.constantFrom("# 18 ünïcode 😀", "RUN echo node:16", "", "LABEL node=18", "ENV V=3.8", "COPY . .");
  const image = fc
    .tuple(
      fc.constantFrom("node", "python", "postgres", "debian", "ubuntu", "redis", "example.org:5000/x/node"),
      fc.constantFrom(
        "8",
        "10",
        "12",
        "16",
        "18.1",
        "18.20.4",
        "20.04",
        "24",
        "3.8",
        "3.9.1",
        "buster",
        "trixie",
        "lts",
      ),
      fc.constantFrom("", "-slim", "-alpine", "-alpine3.18", "-bookworm"),
      fc.constantFrom("FROM ", "COPY --from="),
    )
    .map(([name, tag, suffix, word]) => `${word}${name}:${tag}${suffix}${word === "FROM " ? "" : " /a /b"}`);

  test("only versions change, what is changed passes, and a second run changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(foreign, image), { minLength: 1, maxLength: 8 }),
        fc.constantFrom("\n", "\r\n"),
        async (lines, end) => {
          const { exit, err, text, cwd } = await fixed("Dockerfile", lines.join(end));
          expect(exit).toBe(0);
          const after = text.split(end);
          expect(after).toHaveLength(lines.length);
          const changed = new Set([...err.matchAll(/^Dockerfile:(\d+): \S+ → /gm)].map(([, line]) => Number(line) - 1));
          for (const [index, line] of lines.entries()) {
            if (!changed.has(index)) expect(after[index]).toBe(line);
            else expect(after[index]?.replace(/:[\d.a-z]+/g, "")).toBe(line.replace(/:[\d.a-z]+/g, ""));
          }
          const left = err.includes("not changed");
          const checked = await run(cwd, "check", "Dockerfile");
          if (!left) expect(checked.exit).not.toBe(1);
          expect((await run(cwd, "fix")).out).toBe("");
        },
      ),
      { numRuns: 40 },
    );
  });
});
