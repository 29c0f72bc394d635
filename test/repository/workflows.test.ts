/** The files under .github are valid, and every workflow follows the rules that keep a pipeline from being taken over. */
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { published } from "../published.ts";
import { workflowProblems } from "./workflow-rules.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const list = (folder: string): readonly string[] => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);

const workflows = list(".github/workflows");
const forms = list(".github/ISSUE_TEMPLATE").filter((path) => !path.endsWith("/config.yml"));

test.each([
  ...workflows.map((path) => [path, "workflow"] as const),
  ...forms.map((path) => [path, "issueForm"] as const),
  [".github/ISSUE_TEMPLATE/config.yml", "issueConfig"] as const,
  [".github/dependabot.yml", "dependabot"] as const,
])("%s is valid by the published schema %s", (path, schema) => {
  const validate = published(schema);
  expect(validate(parse(read(path)))).toEqual([]);
  expect(validate("not a document")).not.toEqual([]);
});

describe.each(workflows)("%s", (path) => {
  test("follows the rules for workflows", () => {
    expect(workflowProblems(parse(read(path)), read(path))).toEqual([]);
  });

  test("has shell scripts without syntax errors", () => {
    const scripts = Object.values<{ steps?: readonly { run?: string }[] }>(parse(read(path)).jobs)
      .flatMap(({ steps = [] }) => steps)
      .flatMap(({ run }) => run ?? []);
    const failed = scripts.filter((script) => spawnSync("bash", ["-n"], { input: script }).status !== 0);
    expect(failed).toEqual([]);
  });
});

describe("rules for workflows", () => {
  const sha = "0123456789abcdef0123456789abcdef01234567";
  const job = { "runs-on": "ubuntu-latest", "timeout-minutes": 5, permissions: {}, steps: [{ run: "true" }] };
  const good = { permissions: {}, concurrency: { group: "a" }, jobs: { a: job } };
  const checkout = { uses: `actions/checkout@${sha}`, with: { "persist-credentials": false } };
  const withStep = (step: object) => ({ ...good, jobs: { a: { ...job, steps: [step] } } });
  const pinned = `uses: actions/checkout@${sha} # v1.2.3`;

  test("accept a workflow that follows them", () => {
    expect(workflowProblems(good, "")).toEqual([]);
    expect(workflowProblems(withStep(checkout), pinned)).toEqual([]);
    expect(workflowProblems(withStep({ uses: "./" }), "")).toEqual([]);
    expect(workflowProblems(withStep({ run: "true || false" }), "")).toEqual([]);
    const named = { ...withStep({ run: "npm test | tee log" }), defaults: { run: { shell: "bash" } } };
    expect(workflowProblems(named, "")).toEqual([]);
  });

  test.each([
    ["an action that is pinned by a tag", withStep({ uses: "actions/setup-node@v7" }), "", "pinned"],
    ["a pinned action without its version", withStep(checkout), `uses: actions/checkout@${sha}`, "version"],
    [
      "a checkout that keeps its credentials",
      withStep({ uses: `actions/checkout@${sha}` }),
      pinned,
      "persist-credentials",
    ],
    ["permissions of the whole workflow", { ...good, permissions: { contents: "write" } }, "", "permissions"],
    ["no permissions at all", { ...good, permissions: undefined }, "", "permissions"],
    ["a job without permissions", { ...good, jobs: { a: { ...job, permissions: undefined } } }, "", "permissions"],
    ["no concurrency", { ...good, concurrency: undefined }, "", "concurrency"],
    ["a job without a time limit", { ...good, jobs: { a: { ...job, "timeout-minutes": undefined } } }, "", "timeout"],
    ["an expression in a script", withStep({ run: "echo ${{ github.head_ref }}" }), "", "expression"],
    ["a job that needs an unknown job", { ...good, jobs: { a: { ...job, needs: ["b"] } } }, "", "needs"],
    ["a pipe in the default shell, which has no pipefail", withStep({ run: "npm test | tee log" }), "", "pipe"],
    [
      "a job with a private key that installs packages",
      withStep({ env: { KEY: "${{ secrets.SIGN_KEY }}" }, run: "npm ci" }),
      "",
      "nothing but signing",
    ],
    [
      "a job with a private key that may write",
      {
        ...good,
        jobs: {
          a: {
            ...job,
            permissions: { contents: "write" },
            steps: [{ env: { KEY: "${{ secrets.SIGN_KEY }}" }, run: "true" }],
          },
        },
      },
      "",
      "no right to write",
    ],
    [
      "a job with a private key that runs what another job built",
      withStep({
        env: { KEY: "${{ secrets.SIGN_KEY }}" },
        run: "tar -xzf signer.tar.gz\nnode tools/sign-channel.ts a b",
      }),
      "",
      "of the checkout",
    ],
    [
      "a job with a private key that signs with the bundled command",
      withStep({ env: { KEY: "${{ secrets.SIGN_KEY }}" }, run: "node bin/eolgate.js catalogue publish a" }),
      "",
      "of the checkout",
    ],
    [
      "an artifact that can replace files of the checkout beside a private key",
      {
        ...good,
        jobs: {
          a: {
            ...job,
            env: { KEY: "${{ secrets.SIGN_KEY }}" },
            steps: [{ uses: `actions/download-artifact@${sha}`, with: { name: "refreshed" } }],
          },
        },
      },
      `actions/download-artifact@${sha} # v1.2.3`,
      "outside of the checkout",
    ],
    [
      "a channel that is read without its key",
      withStep({ run: "eolgate catalogue update --allow-unsigned" }),
      "",
      "public key",
    ],
    ["pull_request_target", { ...good, on: { pull_request_target: null } }, "", "pull_request_target"],
  ])("refuse %s", (_, workflow, text, word) => {
    expect(workflowProblems(workflow, text).join("\n")).toContain(word);
  });
});
