/** `eolgate init`: what it writes is valid, runs like the examples, and replaces nothing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PIPELINES } from "../../src/cli/init/pipelines.ts";
import { keysOf } from "../../src/text/values.ts";
import { actionManifest } from "../../tools/action-manifest.ts";
import { fakeIo, runCommand } from "../cli/fake-io.ts";
import { run as runWith } from "../../src/cli/main.ts";
import { published } from "../published.ts";
import { catalogue, machine, type Machine } from "./machine.ts";

const open: Machine[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

/** A project with a Node version, and further files. */
function project(node: string, files: Readonly<Record<string, string>> = {}): Machine {
  const made = machine("clean.cdx.json");
  open.push(made);
  for (const [name, text] of Object.entries({ ".nvmrc": `${node}\n`, ...files })) {
    mkdirSync(dirname(join(made.folder, name)), { recursive: true });
    writeFileSync(join(made.folder, name), text);
  }
  return made;
}
const init = (cwd: string, ...argv: readonly string[]) =>
  runCommand(["init", ...argv], { cwd, today: "2026-08-23", env: { EOLGATE_CATALOGUE: catalogue } });

/** The commands that each service runs, from its file. */
const SCRIPTS: Readonly<Record<string, (text: string) => string>> = {
  gitlab: (text) => {
    const { eolgate: job } = parse(text);
    return [...job.before_script, ...job.script].join("\n");
  },
  jenkins: (text) => (/script: '''([^]*?)'''/.exec(text)?.[1] ?? "").replaceAll(/^\s*#.*$/gm, ""),
  azure: (text) =>
    parse(text)
      .steps.map(({ script }: { script?: string }) => script ?? "")
      .join("\n"),
};
const SCHEMAS = { github: "workflow", gitlab: "gitlab", azure: "azure", "pre-commit": "hooksConfig" } as const;

describe.each(keysOf(PIPELINES))("%s", (name) => {
  const { path } = PIPELINES[name];

  test("the file is valid", async () => {
    const { folder, read } = project("24");
    expect((await init(folder, "--ci", name, "--yes")).exit).toBe(0);
    if (name === "jenkins") expect(read(path)).toContain("pipeline {");
    else expect(published(SCHEMAS[name])(parse(read(path)))).toEqual([]);
  });

  test.each([
    ["24", 0],
    ["18", 1],
  ])("the commands give a verdict on Node.js %s: exit %i", async (node, exit) => {
    const runner = project(node);
    await init(runner.folder, "--ci", name, "--yes");
    const script = SCRIPTS[name]?.(runner.read(path)) ?? "eolgate check .";
    const outcome = runner.sh(script);
    expect(outcome.exit, outcome.printed).toBe(exit);
  });

  test("an existing file stays as it is", async () => {
    const { folder, read } = project("24", { [path]: "mine\n" });
    const { exit, out } = await init(folder, "--ci", name, "--yes");
    expect([exit, read(path)]).toEqual([0, "mine\n"]);
    const again = await init(folder, "--ci", name, "--yes");
    expect(out + again.out).toContain(`  kept  ${path}: exists`);
  });
});

test("the inputs of the Action exist", () => {
  const { with: given } = parse(PIPELINES.github.text).jobs.eolgate.steps.at(-1);
  const known = Object.keys(parse(actionManifest()).inputs);
  for (const name of Object.keys(given)) expect(known).toContain(name);
});

test.each([
  ["nothing", {}, "no CI service was found"],
  ["a folder of GitHub", { ".github/CODEOWNERS": "" }, "would write  .github/workflows/eolgate.yml"],
  [
    "a remote of GitHub",
    { ".git/config": "url = git@github.com:a/b.git" },
    "would write  .github/workflows/eolgate.yml",
  ],
  ["a remote of GitLab", { ".git/config": "url = https://gitlab.example.org/a" }, "would write  .gitlab-ci.yml"],
  [
    "a pipeline of GitLab",
    { ".gitlab-ci.yml": "x: {}" },
    "would write  .gitlab/eolgate.yml: add to .gitlab-ci.yml: include",
  ],
  ["a Jenkinsfile", { Jenkinsfile: "x" }, "would write  Jenkinsfile.eolgate"],
])("finds %s, and --dry-run writes nothing", async (_, files, expected) => {
  const { folder } = project("18", files);
  const { exit, out } = await init(folder, "--dry-run");
  expect(exit).toBe(0);
  expect(out).toContain("FAIL     1 release cycle has reached end of life.");
  expect(out).toContain(expected);
  expect(existsSync(join(folder, "eolgate.config.yaml"))).toBe(false);
});

describe("--accept-until", () => {
  test("accepts what fails today, until the day", async () => {
    const { folder, read } = project("18");
    await init(folder, "--accept-until", "90d", "--yes");
    expect(parse(read("eolgate.config.yaml")).waivers).toMatchObject([{ target: "nodejs:18", expires: "2026-11-21" }]);
    const check = (today: string) =>
      runCommand(["check"], { cwd: folder, today, env: { EOLGATE_CATALOGUE: catalogue } });
    expect((await check("2026-08-23")).exit).toBe(0);
    writeFileSync(join(folder, ".python-version"), "3.8\n");
    expect((await check("2026-08-23")).exit).toBe(1);
    writeFileSync(join(folder, ".python-version"), "3.13\n");
    expect((await check("2026-11-22")).exit).toBe(1);
  });

  test("leaves an existing configuration as it is", async () => {
    const { folder, read } = project("18", { "eolgate.config.yaml": "warnDays: 3\n" });
    expect((await init(folder, "--accept-until", "90d", "--yes")).out).toContain(
      "eolgate.config.yaml: exists and is kept",
    );
    expect(read("eolgate.config.yaml")).toBe("warnDays: 3\n");
  });
});

test("without a terminal and --yes, nothing is written and the exit code is 2", async () => {
  const { folder } = project("24");
  expect((await init(folder)).exit).toBe(2);
  expect(existsSync(join(folder, "eolgate.config.yaml"))).toBe(false);
});

test.each([
  ["y", true],
  ["n", false],
  ["", false],
])("the answer %j on a terminal decides", async (answer, isWritten) => {
  const { folder } = project("24");
  const { io } = fakeIo({ cwd: folder, today: "2026-08-23", env: { EOLGATE_CATALOGUE: catalogue }, tty: true });
  const streams = io.streams();
  const asked = runWith(["init"], { ...io, streams: () => streams });
  if (!(streams.input instanceof PassThrough)) throw new TypeError("input that a test can write");
  streams.input.write(`${answer}\n`);
  expect(await asked).toBe(0);
  expect(existsSync(join(folder, "eolgate.config.yaml"))).toBe(isWritten);
});

test("an empty folder gets its files and a note", async () => {
  const { folder, read } = project("24");
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const { exit, err } = await init(empty, "--ci", "github", "--yes");
  expect([exit, err]).toEqual([0, expect.stringContaining("eolgate: ")]);
  expect(readFileSync(join(empty, ".github/workflows/eolgate.yml"), "utf8")).toBe(PIPELINES.github.text);
  expect(read(".nvmrc")).toBe("24\n");
});
