/** `eolgate init`: what it writes is valid, runs like the examples, and replaces nothing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { PIPELINES, type PipelineRow } from "../../../src/cli/init/pipelines.ts";
import { keysOf } from "../../../src/text/values.ts";
import { actionManifest } from "../../../tools/action-manifest.ts";
import { fakeIo, runCommand } from "../fake-io.ts";
import { run as runWith } from "../../../src/cli/main.ts";
import { published } from "../../published.ts";
import { catalogue, example, machine, playAction, root, SCRIPTS, type Machine } from "../../examples/machine.ts";

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

/** The exit code of what a service runs, from its file. */
const PLAYERS: Readonly<Record<keyof typeof PIPELINES, (text: string, runner: Machine) => Promise<number>>> = {
  github: async (text, runner) => (await playAction(runner, parse(text).jobs.eolgate.steps.at(-1).with)).exit,
  gitlab: (text, { sh }) => Promise.resolve(sh(SCRIPTS.gitlab(text).join("\n")).exit),
  jenkins: (text, { sh }) => Promise.resolve(sh(SCRIPTS.jenkins(text).join("\n")).exit),
  azure: (text, { sh }) => Promise.resolve(sh(SCRIPTS.azure(text).join("\n")).exit),
  "pre-commit": (text, { sh }) => {
    const hooks: readonly { id: string; entry: string }[] = parse(
      readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"),
    );
    const used: readonly { id: string }[] = parse(text).repos[0].hooks;
    const entries = used.map(({ id }) => hooks.find((hook) => hook.id === id)?.entry ?? "exit 99");
    return Promise.resolve(sh(entries.join(" bom.cdx.json\n")).exit);
  },
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
    expect(await PLAYERS[name](runner.read(path), runner)).toBe(exit);
  });

  test("the file is the one of examples/ci", async () => {
    const { folder, read } = project("24");
    await init(folder, "--ci", name, "--yes");
    expect(read(path)).toBe(example(PIPELINES[name].example));
  });

  test("existing files stay as they are", async () => {
    const row: PipelineRow = PIPELINES[name];
    const mine = [path, ...(row.otherPath === undefined ? [] : [row.otherPath])];
    const { folder, read } = project("24", Object.fromEntries(mine.map((file) => [file, `# ${file}\n`])));
    const { exit, out } = await init(folder, "--ci", name, "--yes");
    expect([exit, ...mine.map(read)]).toEqual([0, ...mine.map((file) => `# ${file}\n`)]);
    expect(out).toContain(`  kept  ${path}: exists`);
  });
});

test("the inputs of the Action exist", () => {
  const { with: given } = parse(example(PIPELINES.github.example)).jobs.eolgate.steps.at(-1);
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

  test.each([
    ["eolgate.config.yaml", "warnDays: 3 # days\n"],
    ["eolgate.config.yml", "warnDays: 3\nwaivers:\n  - { target: 'python:3.8', reason: x, expires: 2027-01-01 }\n"],
    ["eolgate.config.json", '{"warnDays": 3}\n'],
    ["settings.yaml", "failOn: [eol, unknown]\n", "--config", "settings.yaml"],
  ])("adds the waivers to %s", async (name, text, ...flags) => {
    const { folder, read } = project("18", { [name]: text });
    const { out } = await init(folder, "--accept-until", "90d", "--yes", ...flags);
    expect(out).toContain(`  write  ${name}: exists and gets 1 waiver until 2026-11-21\n`);
    const { waivers: written, ...others } = parse(read(name));
    const { waivers: before = [], ...kept } = parse(text);
    expect(others).toEqual(kept);
    expect(written).toMatchObject([...before, { target: "nodejs:18", expires: "2026-11-21" }]);
    const check = await runCommand(["check", ".nvmrc", ...flags], {
      cwd: folder,
      today: "2026-08-23",
      env: { EOLGATE_CATALOGUE: catalogue },
    });
    expect(check.exit).toBe(0);
    expect(existsSync(join(folder, "eolgate.config.yaml"))).toBe(name === "eolgate.config.yaml");
  });

  test.each([
    ["where nothing fails", "24", ["--accept-until", "90d"]],
    ["without the flag", "18", []],
  ])("leaves the configuration as it is %s", async (_, node, flags) => {
    const { folder, read } = project(node, { "eolgate.config.yaml": "warnDays: 3\n" });
    const { out } = await init(folder, "--yes", ...flags);
    expect(out).toContain("  kept  eolgate.config.yaml: exists and is kept");
    expect(read("eolgate.config.yaml")).toBe("warnDays: 3\n");
  });
});

describe("a file that cannot be read gives exit code 3, with", () => {
  test.each([["--dry-run"], ["--yes"]])("%s", async (flag) => {
    const { folder } = project("18", { "package-lock.json": "{" });
    const { exit, out, err } = await init(folder, flag, "--ci", "github");
    expect([exit, existsSync(join(folder, "eolgate.config.yaml"))]).toEqual([3, flag === "--yes"]);
    expect(out).toContain("Node.js");
    expect(err).toContain("package-lock.json");
  });
});

test.each([
  [".git/config", "sub", 2],
  [".git", "sub/deeper", 2],
  [".git/config", ".", 0],
  [".gitignore", "sub", 0],
])("with %s at the root, init in %s exits with %i", async (mark, at, code) => {
  const { folder } = project("24", { [mark]: "", "sub/deeper/.nvmrc": "24\n" });
  const { exit, err } = await init(join(folder, at), "--ci", "github", "--yes");
  expect(exit).toBe(code);
  expect(existsSync(join(folder, at, ".github"))).toBe(code === 0);
  if (code === 2) expect(err).toContain(`belong to the root of the repository, ${folder}`);
});

describe("what keeps the gate red", () => {
  const next = (out: string): readonly string[] => out.split("\n").filter((line) => line.startsWith("  next   "));
  const accept = "  next   the gate fails today; --accept-until 90d accepts what fails, until then";
  const unreadable = (names: string) => `  next   files that cannot be read fail the gate; for test data: ${names}`;

  test.each([
    ["a release cycle that has ended", "18", {}, [accept]],
    ["nothing", "24", {}, []],
    [
      "a damaged document",
      "24",
      { "test/a.cdx.json": "{", "b c.spdx.json": "x" },
      [unreadable("--exclude 'b c.spdx.json' --exclude test/a.cdx.json")],
    ],
    ["both", "18", { "bad.cdx.json": "{" }, [accept, unreadable("--exclude bad.cdx.json")]],
  ])("%s", async (_, node, files, steps) => {
    const { folder } = project(node, files);
    expect(next((await init(folder, "--dry-run")).out)).toEqual(steps);
  });

  test("--accept-until and --exclude leave nothing, and the written configuration passes", async () => {
    const { folder, read } = project("18", { "test/bad.cdx.json": "{" });
    const { exit, out } = await init(folder, "--accept-until", "90d", "--exclude", "test/bad.cdx.json", "--yes");
    expect([exit, next(out)]).toEqual([0, []]);
    expect(parse(read("eolgate.config.yaml"))).toMatchObject({ exclude: ["test/bad.cdx.json"] });
    const check = await runCommand(["check"], {
      cwd: folder,
      today: "2026-08-23",
      env: { EOLGATE_CATALOGUE: catalogue },
    });
    expect(check.exit).toBe(0);
  });

  test("the file of GitHub names what has to exist", async () => {
    const { folder } = project("24");
    expect((await init(folder, "--ci", "github", "--dry-run")).out).toContain(
      "once the release that it names is published",
    );
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
  expect(readFileSync(join(empty, ".github/workflows/eolgate.yml"), "utf8")).toBe(example(PIPELINES.github.example));
  expect(read(".nvmrc")).toBe("24\n");
});
