/** The pipelines in examples/ci, run as far as a machine without those services can. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseXml } from "@rgrove/parse-xml";
import { afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { allCommands } from "../../src/cli/commands.ts";
import { PIN_KINDS } from "../../src/files/pins/kinds.ts";
import { actionManifest } from "../../tools/action-manifest.ts";
import { published } from "../published.ts";
import { example, machine, playAction, root, SCRIPTS, type Machine } from "./machine.ts";

const COMMANDS = await allCommands();

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
const open: Machine[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});
function on(document: string): Machine {
  const made = machine(document);
  open.push(made);
  return made;
}

/** [document, exit]: the gate passes, fails, and gives no verdict. */
const OUTCOMES = [
  ["clean.cdx.json", 0],
  ["web-shop.cdx.json", 1],
  ["eolgate.config.yaml", 3],
] as const;

test.each([
  ["examples/ci/github.yml", "workflow"],
  ["examples/ci/github-path.yml", "workflow"],
  ["examples/ci/github-image.yml", "workflow"],
  ["examples/ci/github-attest.yml", "workflow"],
  [".github/workflows/refresh-catalogue.yml", "workflow"],
  ["examples/ci/gitlab.yml", "gitlab"],
  ["examples/ci/gitlab-image.yml", "gitlab"],
  ["examples/ci/gitlab-attest.yml", "gitlab"],
  ["examples/ci/azure-pipelines.yml", "azure"],
  ["examples/ci/pre-commit-config.yaml", "hooksConfig"],
  [".pre-commit-hooks.yaml", "hooks"],
] as const)("%s is valid by the published schema", (path, name) => {
  const troubles = published(name);
  expect(troubles(parse(readFileSync(join(root, path), "utf8")))).toEqual([]);
  expect(troubles("nonsense")).not.toEqual([]);
});

test("each pipeline uses existing flags and the current version", () => {
  const known = new Set(
    COMMANDS.find(({ name }) => name === "check")?.flags.map(({ flags }) => /--[a-z-]+/.exec(flags)?.[0]),
  );
  for (const name of readdirSync(join(root, "examples/ci"))) {
    const text = example(name);
    for (const [line] of text.matchAll(/eolgate\.js check.*(?:\n\s+--.*)*/g))
      for (const [flag] of line.matchAll(/--[a-z-]+/g)) expect([...known], `${name}: ${flag}`).toContain(flag);
    for (const [, printed] of text.matchAll(/(?:eolgate(?:\/eolgate)?@|rev: )v?([\d.]+)/g))
      expect(printed, name).toBe(version);
  }
});

describe("GitLab", () => {
  const { eolgate: job } = parse(example("gitlab.yml"));
  const script = SCRIPTS.gitlab(example("gitlab.yml")).join("\n");
  test.each(OUTCOMES)("%s: exits with code %d and writes the files of the widgets", (document, exit) => {
    const runner = on(document);
    const outcome = runner.sh(script);
    expect(outcome.exit, outcome.printed).toBe(exit);
    const { codequality, junit } = job.artifacts.reports;
    const issues = JSON.parse(runner.read(codequality));
    expect(issues.length > 0).toBe(exit !== 0);
    for (const issue of issues)
      expect(issue).toMatchObject({ fingerprint: expect.any(String), location: { path: "bom.cdx.json" } });
    expect(parseXml(runner.read(junit)).root?.name).toBe("testsuites");
    for (const path of job.artifacts.paths) expect(runner.read(path)).toMatch(/^<!doctype html>/i);
  });
  test.each(["gitlab.yml", "gitlab-image.yml", "gitlab-attest.yml"])(
    "%s: a failed installation does not have the code of the gate",
    (name) => {
      const { before_script: install } = Object.values(parse(example(name))).find(isJob) ?? expect.unreachable();
      for (const failure of ["NPM_EXIT", "GIT_EXIT"])
        expect(on("clean.cdx.json").sh(install.join("\n"), { [failure]: "1" }).exit).toBe(5);
      expect(on("clean.cdx.json").sh(install.join("\n")).exit).toBe(0);
    },
  );
});

const isJob = (value: unknown): value is { readonly before_script: readonly string[] } =>
  typeof value === "object" && value !== null && "before_script" in value;

describe("Jenkins", () => {
  const text = example("Jenkinsfile");
  const [install = "", check = ""] = SCRIPTS.jenkins(text);
  test.each(OUTCOMES)("%s: exits with code %d", (document, exit) => {
    const runner = on(document);
    expect(runner.sh(install).exit).toBe(0);
    expect(runner.sh(check).exit).toBe(exit);
    const [, junit = ""] = /junit testResults: '([^']+)'/.exec(text) ?? [];
    const [, html = ""] = /archiveArtifacts artifacts: '([^']+)'/.exec(text) ?? [];
    expect(parseXml(runner.read(junit)).root?.name).toBe("testsuites");
    expect(runner.read(html)).toContain("<html");
  });
  test("only the exit code of the check is read as a verdict, and the braces match", () => {
    expect(text).toMatch(/code == 1\) \{ error/);
    expect(text).toMatch(/code != 0\) \{ error/);
    expect(text).toMatch(/^ +sh '''\n[^']*npm ci/m);
    expect(check.trim()).toMatch(/^node \S+ check /);
    const code = text.replaceAll(/'''[^]*?'''|'[^']*'|"[^"]*"|\/\/.*$/gm, "");
    for (const [left, right] of ["{}", "()"]) {
      expect(code.split(left ?? "").length).toBe(code.split(right ?? "").length);
    }
  });
});

describe("Azure", () => {
  const { steps } = parse(example("azure-pipelines.yml"));
  const [install = "", check = ""] = SCRIPTS.azure(example("azure-pipelines.yml"));
  test.each(OUTCOMES)("%s: exits with code %d and publishes the expected files", (document, exit) => {
    const runner = on(document);
    expect(runner.sh(install).exit).toBe(0);
    expect(runner.sh(check).exit).toBe(exit);
    const published = steps.flatMap(
      ({ publish, inputs }: Record<string, never>) => publish ?? inputs?.["testResultsFiles"] ?? [],
    );
    expect(published).toEqual(["eolgate.junit.xml", "eolgate.html"]);
    for (const file of published) expect(runner.read(file).length).toBeGreaterThan(100);
  });
  test("the check is a step of its own, after which findings are published also where the gate fails", () => {
    expect(check.trim()).toMatch(/^node \S+ check /);
    const after = steps.slice(steps.findLastIndex((step: object) => "script" in step) + 1);
    expect(after.map(({ condition }: { condition: string }) => condition)).toEqual([
      "succeededOrFailed()",
      "succeededOrFailed()",
    ]);
  });
});

describe("GitHub", () => {
  interface Step {
    readonly id?: string;
    readonly if?: string;
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, string | boolean>>;
    readonly env?: Readonly<Record<string, string>>;
  }
  const workflow = parse(example("github.yml"));
  const steps: readonly Step[] = workflow.jobs.eolgate.steps;

  interface Run {
    readonly runner: Machine;
    readonly event: "push" | "pull_request";
    readonly outputs: Map<string, string>;
  }
  const has = ({ runner }: Run, file: string): boolean => existsSync(join(runner.folder, file));
  /** The conditions and expressions of the file, by their text. Add new ones here. */
  const CONDITIONS: Readonly<Record<string, (run: Run) => boolean>> = {
    "github.event_name == 'pull_request'": ({ event }) => event === "pull_request",
    "always() && hashFiles('eolgate.sarif') != ''": (run) => has(run, "eolgate.sarif"),
    "always() && github.event_name == 'push' && steps.gate.outputs.json-report != ''": ({ event, outputs }) =>
      event === "push" && outputs.has("json-report"),
  };
  const EXPRESSIONS: Readonly<Record<string, (run: Run) => string>> = {
    "github.token": () => "token",
    "github.sha": () => "abc",
    "github.event.pull_request.base.sha": () => "abc",
    "runner.temp": ({ runner }) => runner.folder,
    "steps.known.outputs.cache-matched-key != '' && format('{0}/eolgate.baseline.json', runner.temp) || ''": (run) =>
      has(run, "eolgate.baseline.json") ? join(run.runner.folder, "eolgate.baseline.json") : "",
    "steps.gate.outputs.json-report": ({ outputs }) => outputs.get("json-report") ?? "",
  };
  const filled = (run: Run, text: string): string =>
    text.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
      const value = EXPRESSIONS[expression];
      if (value === undefined) throw new Error(`no value for ${expression}`);
      return value(run);
    });

  /** The first failing step decides, as on a runner; later ones run when they say `always()`. */
  async function play(run: Run): Promise<number> {
    let exit = 0;
    for (const step of steps) {
      const condition = step.if === undefined ? undefined : CONDITIONS[step.if];
      if (step.if !== undefined && condition === undefined) throw new Error(`no answer for ${step.if}`);
      if (condition?.(run) === false || (exit !== 0 && step.if?.startsWith("always()") !== true)) continue;
      const code = await one(run, step);
      exit ||= code;
    }
    return exit;
  }

  async function one(run: Run, step: Step): Promise<number> {
    if (step.run !== undefined) {
      const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(run, value)]));
      const { exit, printed } = run.runner.sh(step.run, { RUNNER_TEMP: run.runner.folder, ...env });
      expect(exit, printed).toBe(0);
      return exit;
    }
    for (const value of Object.values(step.with ?? {})) filled(run, String(value));
    if (step.uses?.startsWith("github/codeql-action/upload-sarif@")) {
      expect(JSON.parse(run.runner.read(String(step.with?.["sarif_file"])))).toMatchObject({ version: "2.1.0" });
    }
    return step.uses?.startsWith("eolgate/") === true ? action(run, step) : 0;
  }

  async function action(run: Run, step: Step): Promise<number> {
    const inputs = Object.entries(step.with ?? {}).map(([name, value]) => [name, filled(run, String(value))]);
    const { exit, outputs } = await playAction(run.runner, Object.fromEntries(inputs));
    for (const [name, value] of outputs) run.outputs.set(name, value);
    return exit;
  }

  test("the Action has every input that is used", () => {
    const known = Object.keys(parse(actionManifest()).inputs);
    for (const { uses, with: given } of steps)
      if (uses?.startsWith("eolgate/") === true)
        for (const name of Object.keys(given ?? {})) expect(known).toContain(name);
  });

  test.each([
    ["clean.cdx.json", 0],
    ["web-shop.cdx.json", 1],
  ] as const)("a push with %s: exits with code %d and stores the report as baseline", async (document, exit) => {
    const run: Run = { runner: on(document), event: "push", outputs: new Map() };
    expect(await play(run)).toBe(exit);
    expect(run.outputs.get("exit-code")).toBe(String(exit));
    expect(JSON.parse(run.runner.read("eolgate.baseline.json"))).toMatchObject({ components: expect.any(Number) });
  });

  test("a pull request fails only on new findings", async () => {
    const runner = on("web-shop.cdx.json");
    expect(await play({ runner, event: "pull_request", outputs: new Map() })).toBe(1);
    expect(await play({ runner, event: "push", outputs: new Map() })).toBe(1);
    // The cache restores the same file.
    const again: Run = { runner, event: "pull_request", outputs: new Map() };
    expect(await play(again)).toBe(0);
    expect(again.outputs.get("verdict")).toBe("warn");
  });
});

describe("pre-commit", () => {
  interface Hook {
    readonly id: string;
    readonly entry: string;
    readonly files: string;
    readonly pass_filenames?: boolean;
  }
  const hooks: readonly Hook[] = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"));
  const hook = (id: string): Hook => hooks.find((each) => each.id === id) ?? expect.unreachable(id);
  /** Python's inline flag, as JavaScript has it. */
  const pattern = ({ files }: Hook): RegExp =>
    new RegExp(files.replace("(?i)", ""), files.startsWith("(?i)") ? "i" : "");

  test("the example uses existing hooks", () => {
    const { repos } = parse(example("pre-commit-config.yaml"));
    for (const { hooks: used } of repos) for (const { id } of used) hook(id);
  });

  test.each([
    ["bom.json", true],
    ["a/web.cdx.json", true],
    ["a/web.cdx.xml", true],
    ["x.spdx", true],
    ["x.spdx.json", true],
    ["package.json", false],
    ["bomb.json", false],
  ])("%s is an SBOM: %s", (path, expected) => {
    expect(pattern(hook("eolgate")).test(path)).toBe(expected);
  });

  test.each([
    [".nvmrc", "nvmrc"],
    ["a/.node-version", "node-version"],
    [".python-version", "python-version"],
    [".ruby-version", "ruby-version"],
    [".go-version", "go-version"],
    [".java-version", "java-version"],
    [".php-version", "php-version"],
    [".terraform-version", "terraform-version"],
    [".tool-versions", "tool-versions"],
    [".sdkmanrc", "sdkmanrc"],
    ["runtime.txt", "runtime.txt"],
    [".config/mise/config.toml", "mise.toml"],
    ["rust-toolchain.toml", "rust-toolchain"],
    ["a/package.json", "package.json"],
    ["composer.json", "composer.json"],
    ["global.json", "global.json"],
    ["go.mod", "go.mod"],
    ["Gemfile", "Gemfile"],
    ["pom.xml", "pom.xml"],
    ["build.gradle.kts", "gradle"],
    ["gradle/wrapper/gradle-wrapper.properties", "gradle-wrapper"],
    [".mvn/wrapper/maven-wrapper.properties", "maven-wrapper"],
    ["web.Dockerfile", "Dockerfile"],
    ["docker-compose.prod.yml", "compose"],
    [".github/workflows/refresh-catalogue.yml", "workflow"],
    ["deploy/app.yaml", "kubernetes"],
  ] as const)("%s starts the hook for version pins", (path, kind) => {
    expect(PIN_KINDS[kind].path.test(path)).toBe(true);
    expect(pattern(hook("eolgate-pins")).test(path)).toBe(true);
  });

  test.each(OUTCOMES)("%s: exits with code %d", (document, exit) => {
    expect(on(document).sh(`${hook("eolgate").entry} bom.cdx.json`).exit).toBe(exit);
  });

  test("ended version pins block the commit, others do not", () => {
    const runner = on("clean.cdx.json");
    writeFileSync(join(runner.folder, ".nvmrc"), "24\n");
    expect(runner.sh(hook("eolgate-pins").entry).exit).toBe(0);
    writeFileSync(join(runner.folder, ".nvmrc"), "16\n");
    expect(runner.sh(hook("eolgate-pins").entry).exit).toBe(1);
  });

  test("the hooks run the program that is installed", () => {
    for (const { entry } of hooks) expect(entry).toMatch(/^eolgate check/);
  });

  test.runIf(spawnSync("pre-commit", ["--version"]).status === 0)(
    "pre-commit runs the hooks in a separate repository",
    { timeout: 60_000 },
    () => {
      const runner = on("web-shop.cdx.json");
      const from = join(runner.folder, "..", "hooks");
      const script = `export HOME="$PWD/.." GIT_CONFIG_GLOBAL=/dev/null
        git init -q "${from}" && cp "${join(root, ".pre-commit-hooks.yaml")}" "${from}" && cd "${from}" && git add -A &&
        git -c user.name=a -c user.email=a@example.org commit -qm hooks && cd - >/dev/null
        git init -q . && echo 24 > .nvmrc && git add -A
        pre-commit try-repo "${from}" --all-files`;
      const { exit, printed } = runner.sh(script);
      expect(exit, printed).toBe(1);
      expect(printed).toMatch(/end of life in SBOMs\.+Failed[^]*exit code: 1/);
      expect(printed).toMatch(/end of life in version pins\.+Passed/);
    },
  );
});
