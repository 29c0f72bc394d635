/** Actions of GitHub and images of runners: what a workflow names, and what the gate makes of it. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../cli/fake-io.ts";
import { type Files, writeFiles } from "../../images/build.ts";

interface Shown {
  readonly name: string;
  readonly cycle: string | null;
  readonly product: string | null;
  readonly reason?: string;
  readonly outcome: { readonly severity: string; readonly condition: string };
}

async function check(files: Files, ...args: readonly string[]) {
  const cwd = writeFiles(mkdtempSync(join(tmpdir(), "eolgate-actions-")), files);
  const { exit, out } = await runCommand(["check", ".", "--format", "json", "--as-of", "2026-11-23", ...args], { cwd });
  const { documents } = JSON.parse(out) as {
    documents: readonly { findings: readonly Shown[]; unmatched: readonly { component: string; reason: string }[] }[];
  };
  const found = documents.flatMap(({ findings, unmatched }) => [
    ...findings.map(
      ({ name, product, cycle, outcome }) =>
        `${name} → ${product ?? ""}:${cycle ?? ""} ${outcome.severity} ${outcome.condition}`,
    ),
    ...unmatched.map(({ component, reason }) => `${component} ? ${reason}`),
  ]);
  return { exit, found };
}

const workflow = (uses: string): Files => ({
  ".github/workflows/ci.yml": `jobs:\n  a:\n    runs-on: self-hosted\n    steps:\n      - uses: ${uses}\n`,
});
const COMMIT = "11bd71901bbe5b1630ceea73d27597364c9af683";

describe("actions", () => {
  test.each<readonly [string, number, readonly string[]]>([
    ["actions/checkout@v2", 0, ["actions/checkout → github-actions-runtime:12 warn superseded"]],
    ["actions/checkout@v3.6.0", 0, ["actions/checkout → github-actions-runtime:16 warn superseded"]],
    ["Actions/Checkout@v4", 0, ["Actions/Checkout → github-actions-runtime:20 pass superseded"]],
    ["actions/checkout@v5", 0, ["actions/checkout → github-actions-runtime:24 pass none"]],
    ["actions/cache@v2", 1, ["actions/cache → github-actions-cache:2 fail eol"]],
    ["actions/cache@v3.3.1", 1, ["actions/cache → github-actions-cache:3.3 fail eol"]],
    ["actions/cache@v3.4.0", 0, ["actions/cache → github-actions-runtime:16 warn superseded"]],
    ["actions/cache@v3", 0, ["actions/cache → github-actions-runtime:16 warn superseded"]],
    ["actions/cache@v4.1.2", 1, ["actions/cache → github-actions-cache:4.1 fail eol"]],
    ["actions/upload-artifact@v3", 1, ["actions/upload-artifact → github-actions-upload-artifact:3 fail eol"]],
    ["github/codeql-action/init@v2", 1, ["github/codeql-action/init → codeql-action:2 fail eol"]],
    ["github/codeql-action/init@v4", 0, ["github/codeql-action/init → codeql-action:4 pass none"]],
  ])("%s", async (uses, code, expected) => {
    const { exit, found } = await check(workflow(uses));
    expect(found.toSorted()).toEqual([...expected].toSorted());
    expect(exit).toBe(code);
  });

  test.each<readonly [string, readonly string[]]>([
    ["nobody/unknown@v1", ["nobody/unknown ? purl-not-tracked"]],
    ["org/team/.github/workflows/build.yml@main", ["org/team/.github/workflows/build.yml ? purl-not-tracked"]],
    [`actions/checkout@${COMMIT} # v4.2.2`, ["actions/checkout ? no-version"]],
    [`actions/cache@${COMMIT}`, ["actions/cache ? no-version"]],
    ["actions/checkout@some-branch", ["actions/checkout ? no-version"]],
    ["./.github/actions/build", []],
    ["docker://scratchpad", ["scratchpad ? purl-not-tracked"]],
    ["actions/checkout", []],
    ['"@"', []],
  ])("%s is listed with its reason, or is no action of another repository", async (uses, expected) => {
    const { found } = await check(workflow(uses));
    expect(found).toEqual(expected);
  });

  test.each<readonly [string, string, readonly string[]]>([
    ["node16", "node16", ["node16 → github-actions-runtime:16 warn superseded"]],
    ["node24", "node24", ["node24 → github-actions-runtime:24 pass none"]],
    ["an image", "docker", []],
    ["other actions", "composite", []],
  ])("an action of the project that runs by %s", async (_, using, expected) => {
    const { found } = await check({ "action.yml": `name: x\nruns:\n  using: ${using}\n`, ".nvmrc": "24\n" });
    expect(found.filter((each) => !each.startsWith("node →"))).toEqual(expected);
  });

  test("used by steps of a composite action are read", async () => {
    const steps = "runs:\n  using: composite\n  steps:\n    - uses: actions/cache@v1\n";
    const { exit, found } = await check({ ".github/actions/a/action.yaml": steps });
    expect([exit, found[0]]).toEqual([1, "actions/cache → github-actions-cache:1 fail eol"]);
  });

  test("are pins of development: --scope runtime leaves them out", async () => {
    const { exit } = await check({ ...workflow("actions/cache@v2"), ".nvmrc": "24\n" }, "--scope", "runtime");
    expect(exit).toBe(0);
  });

  test("in a workflow that is no YAML are refused with the position", async () => {
    const { exit } = await check({ ".github/workflows/ci.yml": "jobs: [\n  uses: actions/cache@v2\n" });
    expect(exit).toBe(3);
  });
});

describe("images of runners", () => {
  const github = (label: string): Files => ({ ".github/workflows/ci.yml": `jobs:\n  a:\n    runs-on: ${label}\n` });
  const azure = (label: string): Files => ({ "azure-pipelines.yml": `pool:\n  vmImage: ${label}\n` });
  test.each<readonly [string, Files, readonly string[]]>([
    [
      "windows-2019 of GitHub",
      github("windows-2019"),
      ["windows server → windows-server:2019 pass none", "windows-2019 → github-hosted-runner:windows-2019 fail eol"],
    ],
    [
      "windows-2019 of Azure, whose day is not known",
      azure("windows-2019"),
      ["windows server → windows-server:2019 pass none"],
    ],
    [
      "ubuntu-18.04 of Azure",
      azure("ubuntu-18.04"),
      ["ubuntu → ubuntu:18.04 fail eol", "ubuntu-18.04 → azure-pipelines-agent:ubuntu-18.04 fail eol"],
    ],
    ["ubuntu-24.04, which has no day", github("ubuntu-24.04"), ["ubuntu → ubuntu:24.04 pass none"]],
    ["a label of one's own", github("ubuntu-20.04-of-ours"), ["ubuntu → ubuntu:20.04 fail eol"]],
  ])("%s", async (_, files, expected) => {
    const { found } = await check(files);
    expect(found.map((each) => each.replace(/-ltsc|-lts/g, "")).toSorted()).toEqual([...expected].toSorted());
  });
});
