/** The Action through its own entry point, with the runner's variables and files: outputs, summary, annotations, comment. */
import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runAction } from "../../../src/cli/action/action.ts";
import { actionManifest } from "../../../tools/action-manifest.ts";
import { BASE, buildImage, indexOf, layoutFiles, writeFiles } from "../../images/build.ts";
import { isInstalled } from "../../programs.ts";
import { fakeIo } from "../fake-io.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** Relative, as a user would give it: reports contain the path. */
const catalogue = "test/fixtures/catalogue.json";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "eolgate-action-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The environment variables that the runner sets for `with:`. */
const inputs = (given: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));

async function runWith(given: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const { io, captured } = fakeIo({
    cwd: root,
    env: {
      EOLGATE_CATALOGUE: catalogue,
      RUNNER_TEMP: folder,
      GITHUB_ACTIONS: "true",
      ...files,
      ...inputs(given),
      ...env,
    },
  });
  const exit = await runAction(io);
  const clean = (text: string): string =>
    text
      .replaceAll(/eolgate-[0-9a-f-]{36}/g, "<delimiter>")
      .replaceAll(/\S*\/eolgate-\w{6}\//g, "<temp>/")
      .replaceAll(folder, "<temp>")
      .replaceAll(root, "<root>/");
  return {
    exit,
    out: clean(captured().out),
    err: clean(captured().err),
    output: clean(readFileSync(files.GITHUB_OUTPUT, "utf8")),
    summary: clean(readFileSync(files.GITHUB_STEP_SUMMARY, "utf8")),
  };
}

describe("golden", () => {
  test.each([
    { name: "pass", given: { sbom: "examples/clean.cdx.json" } },
    {
      name: "warn",
      given: { sbom: "examples/web-shop.cdx.json", "exit-zero": "true", "fail-on": "kev", support: "extended" },
    },
    { name: "fail", given: { sbom: "examples/web-shop.cdx.json\n\nexamples/clean.cdx.json", "fail-on": "eol\nkev" } },
    { name: "bad-input", given: { sbom: "README.md" } },
    { name: "missing-file", given: { sbom: "nowhere.json" } },
    { name: "nothing-to-assess", given: {} },
    { name: "bad-policy", given: { sbom: "examples/clean.cdx.json", "warn-days": "soon; rm -rf /" } },
    { name: "hostile-name", given: { sbom: "no\u001b[31m$(touch pwned)::error::x.json" } },
    { name: "path", given: { path: "test/fixtures/repositories/platform\nDockerfile" } },
    { name: "stack", given: { stack: "nodejs:18,python:3.13" } },
  ])("$name", async ({ name, given }) => {
    const { exit, out, err, output, summary } = await runWith(given);
    await expect(
      `[exit ${exit}]\n--- log\n${out}--- err\n${err}--- GITHUB_OUTPUT\n${output}--- GITHUB_STEP_SUMMARY\n${summary}`,
    ).toMatchFileSnapshot(`../../golden/action/${name}.txt`);
  });
});

test.each([
  ["sbom", "examples/web-shop.cdx.json\n--exit-zero", 3],
  ["sbom", "--version", 3],
  ["path", "--exit-zero", 3],
  ["stack", "--exit-zero", 2],
  ["image", "--exit-zero", 2],
])("does not interpret an input as a flag: %s: %j", async (name, value, exit) => {
  expect((await runWith({ [name]: value })).exit).toBe(exit);
});

test("passes no name in an input to a shell", () => {
  expect(readdirSync(root)).not.toContain("pwned");
});

test("checks images, one per line, with the inputs of their flags", async () => {
  const image = await buildImage([BASE], { env: ["NODE_VERSION=16.20.0"] });
  const layout = writeFiles(join(folder, "image"), layoutFiles(indexOf([image.manifest]), [image]));
  const { exit, summary } = await runWith({ image: `oci:${layout}\noci-archive:none.tar`, platform: "linux/amd64" });
  expect([exit, summary.includes("Node.js 16"), summary.includes("linux/amd64")]).toEqual([3, true, true]);
  expect((await runWith({ image: `oci:${layout}`, platform: "linux/arm64" })).exit).toBe(2);
});

test("writes statement-file to the given path, signed with attest-key, and names it as an output", async () => {
  const [statement, key] = [join(folder, "verdict.json"), join(folder, "team.key")];
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  const unsigned = await runWith({ sbom: "examples/web-shop.cdx.json", "statement-file": statement });
  expect(unsigned.output).toContain("verdict-statement<<<delimiter>\n<temp>/verdict.json\n");
  expect(JSON.parse(readFileSync(statement, "utf8"))).toMatchObject({ predicate: { verdict: "fail" } });
  await runWith({ sbom: "examples/web-shop.cdx.json", "statement-file": statement, "attest-key": key });
  expect(JSON.parse(readFileSync(statement, "utf8"))).toMatchObject({ dsseEnvelope: { signatures: [{}] } });
});

test("writes sarif-file to the given path", async () => {
  const sarif = join(folder, "eol.sarif");
  expect((await runWith({ sbom: "examples/web-shop.cdx.json", "sarif-file": sarif })).exit).toBe(1);
  expect(JSON.parse(readFileSync(sarif, "utf8"))).toMatchObject({ version: "2.1.0" });
});

test("enrich writes into the document and keeps the verdict", async () => {
  const document = join(folder, "bom.json");
  writeFileSync(document, readFileSync(join(root, "examples/web-shop.cdx.json")));
  expect((await runWith({ sbom: document, enrich: "true" })).exit).toBe(1);
  expect(readFileSync(document, "utf8")).toContain("lifecycle:status");
});

test("reports a failed enrichment in spite of the verdict", async () => {
  const document = join(folder, "signed.json");
  const shop: unknown = JSON.parse(readFileSync(join(root, "examples/web-shop.cdx.json"), "utf8"));
  writeFileSync(document, JSON.stringify({ ...Object(shop), signature: { value: "x" } }));
  const { exit, output } = await runWith({ sbom: document, enrich: "true" });
  expect(exit).toBe(3);
  expect(output.slice(output.lastIndexOf("exit-code<<"))).toMatch(/^exit-code<<.*\n3\n/);
});

test("action.yml is current (npm run generate)", () => {
  expect(readFileSync(join(root, "action.yml"), "utf8")).toBe(actionManifest());
});

describe("pull request comment", () => {
  interface SentRequest {
    readonly method: string;
    readonly url: string;
    readonly authorization: string;
    readonly body: string;
  }

  async function withGitHub<T>(
    comments: readonly { id: number; body: string; user?: { login: string } }[],
    status: number,
    use: (api: string, requests: readonly SentRequest[]) => Promise<T>,
  ): Promise<T> {
    const requests: SentRequest[] = [];
    const read = async (request: IncomingMessage): Promise<string> => Buffer.concat(await request.toArray()).toString();
    const server = createServer((request, response) => {
      void read(request).then((body) => {
        requests.push({
          method: request.method ?? "",
          url: request.url ?? "",
          authorization: request.headers.authorization ?? "",
          body,
        });
        response.writeHead(request.method === "GET" ? 200 : status, { "content-type": "application/json" });
        const viewer = { data: { viewer: { login: "github-actions[bot]" } } };
        response.end(JSON.stringify(request.url === "/graphql" ? viewer : request.method === "GET" ? comments : {}));
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    try {
      return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests);
    } finally {
      await new Promise((resolve) => void server.close(resolve));
    }
  }

  const event = (): Record<string, string> => {
    const path = join(folder, "event.json");
    writeFileSync(
      path,
      JSON.stringify({ pull_request: { number: 7, head: { repo: { id: 1 } }, base: { repo: { id: 1 } } } }),
    );
    return { GITHUB_EVENT_PATH: path, GITHUB_REPOSITORY: "acme/shop" };
  };
  const given = { sbom: "examples/clean.cdx.json", comment: "true", "github-token": "t0ken" };

  test("is created once", () =>
    withGitHub([], 201, async (api, requests) => {
      expect((await runWith(given, { ...event(), GITHUB_API_URL: api })).exit).toBe(0);
      expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
        "GET /repos/acme/shop/issues/7/comments?per_page=100&page=1",
        "POST /repos/acme/shop/issues/7/comments",
      ]);
      expect(requests[1]?.authorization).toBe("Bearer t0ken");
      expect(requests[1]?.body).toContain("<!-- eolgate -->");
    }));

  const marked = "<!-- eolgate -->\nold";
  const bot = { login: "github-actions[bot]" };
  test.each<readonly [string, Parameters<typeof withGitHub>[0], string]>([
    [
      "its own with the marker",
      [
        { id: 1, body: "hello", user: bot },
        { id: 2, body: marked, user: bot },
      ],
      "PATCH /repos/acme/shop/issues/comments/2",
    ],
    [
      "its own after one of somebody else with the marker",
      [
        { id: 1, body: marked, user: { login: "mallory" } },
        { id: 2, body: marked, user: bot },
      ],
      "PATCH /repos/acme/shop/issues/comments/2",
    ],
    [
      "none, and creates one, beside a marked one of somebody else",
      [{ id: 1, body: marked, user: { login: "github-actions" } }],
      "POST /repos/acme/shop/issues/7/comments",
    ],
    [
      "none, and creates one, beside a marked one without an author",
      [{ id: 1, body: marked }],
      "POST /repos/acme/shop/issues/7/comments",
    ],
    [
      "none, and creates one, beside its own without the marker",
      [{ id: 1, body: "hello", user: bot }],
      "POST /repos/acme/shop/issues/7/comments",
    ],
  ])("updates %s", (_, comments, expected) =>
    withGitHub(comments, 200, async (api, requests) => {
      const urls = { GITHUB_API_URL: api, GITHUB_GRAPHQL_URL: `${api}/graphql` };
      expect((await runWith(given, { ...event(), ...urls })).exit).toBe(0);
      const last = requests.at(-1);
      expect(`${last?.method} ${last?.url}`).toBe(expected);
    }),
  );

  test("exits with code 5 and an annotation when GitHub refuses the comment, without the token", () =>
    withGitHub([], 403, async (api) => {
      const { exit, out, err } = await runWith(given, { ...event(), GITHUB_API_URL: api });
      expect(exit).toBe(5);
      expect(out).toContain("::error");
      expect(out + err).not.toContain("t0ken");
    }));

  test("is not created on a push", () =>
    withGitHub([], 500, async (api, requests) => {
      expect((await runWith(given, { GITHUB_API_URL: api })).exit).toBe(0);
      expect(requests).toEqual([]);
    }));
});

describe.runIf(isInstalled("git"))("a pull request", () => {
  const git = (cwd: string, ...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();

  /** A merge commit of a base with an own catalogue or none, and a head that makes the check pass. */
  function checkout(): { readonly cwd: string; readonly base: string; readonly merge: string } {
    const cwd = mkdtempSync(join(folder, "checkout-"));
    const commit = (...files: readonly (readonly [string, string])[]): string => {
      for (const [name, text] of files) writeFileSync(join(cwd, name), text);
      git(cwd, "add", "--all");
      git(cwd, "commit", "--quiet", "--message", "x");
      return git(cwd, "rev-parse", "HEAD");
    };
    git(cwd, "init", "--quiet", "--initial-branch=main");
    const base = commit(["Dockerfile", "FROM node:16\n"]);
    git(cwd, "checkout", "--quiet", "-b", "change");
    commit(["eolgate.config.json", '{"exitZero": true}']);
    git(cwd, "checkout", "--quiet", "main");
    git(cwd, "merge", "--quiet", "--no-ff", "--message", "merge", "change");
    return { cwd, base, merge: git(cwd, "rev-parse", "HEAD") };
  }

  interface PullRequest {
    readonly from: number | null;
    readonly base: string;
    readonly to?: number;
  }

  async function runPull(
    cwd: string,
    { from, base, to = 1 }: PullRequest,
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly exit: number; readonly out: string }> {
    const event = join(folder, "event.json");
    const head = { sha: "0".repeat(40), repo: from === null ? null : { id: from } };
    writeFileSync(event, JSON.stringify({ pull_request: { number: 1, head, base: { sha: base, repo: { id: to } } } }));
    const { io, captured } = fakeIo({
      cwd,
      env: {
        RUNNER_TEMP: folder,
        GITHUB_EVENT_PATH: event,
        GITHUB_EVENT_NAME: "pull_request",
        ...inputs({ path: "." }),
        ...env,
      },
    });
    return { exit: await runAction(io), out: captured().out };
  }

  test.each([
    ["from the repository itself", 1, 0],
    ["from a fork", 2, 1],
    ["from a fork that was deleted", null, 1],
  ])("%s", async (_, from, exit) => {
    const { cwd, base } = checkout();
    expect((await runPull(cwd, { from, base })).exit).toBe(exit);
  });

  test.each([
    ["config-from", "HEAD", 0],
    ["config", "none", 1],
  ])("from a fork, with the input %s", async (name, value, exit) => {
    const { cwd, base } = checkout();
    expect((await runPull(cwd, { from: 2, base }, inputs({ [name]: value }))).exit).toBe(exit);
  });

  test("from a fork, with the base commit only as the parent of the merge", async () => {
    const { cwd, merge } = checkout();
    const lacking = { from: 2, base: "1".repeat(40) };
    expect((await runPull(cwd, lacking, { GITHUB_SHA: merge })).exit).toBe(1);
    // The commit of pull_request_target is none of the pull request, so its parent is not the base.
    const target = { GITHUB_SHA: merge, GITHUB_EVENT_NAME: "pull_request_target" };
    const { exit, out } = await runPull(cwd, lacking, target);
    expect([exit, out]).toEqual([2, expect.stringContaining("fetch-depth")]);
  });

  test("from a fork, in a checkout of one commit", async () => {
    const { cwd, base, merge } = checkout();
    const shallow = join(folder, "shallow");
    git(cwd, "clone", "--quiet", "--depth=1", `file://${cwd}`, shallow);
    const { exit, out } = await runPull(shallow, { from: 2, base }, { GITHUB_SHA: merge });
    expect([exit, out]).toEqual([2, expect.stringContaining("fetch-depth")]);
  });

  test("from a fork whose event names no commit", async () => {
    const { cwd } = checkout();
    expect((await runPull(cwd, { from: 2, base: "main" })).exit).toBe(2);
  });
});
