/** `check --github`: a repository and an organisation through the API of GitHub, including its failures. */
import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createGithubClient } from "../../../src/api/github/client.ts";
import { readRepository } from "../../../src/api/github/repository.ts";
import { archiveOf, startGithub, type FakeRepository, type GithubServer } from "../../api/github/server.ts";
import { runCommand } from "../fake-io.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";

const FACTS = loadCatalogue().facts;

const LOCKFILE = JSON.stringify({
  name: "app",
  lockfileVersion: 3,
  packages: {
    "": { dependencies: { "@angular/core": "14.2.0" } },
    "node_modules/@angular/core": { version: "14.2.0" },
  },
});
const REPOSITORIES: Readonly<Record<string, FakeRepository>> = {
  "acme/web": {
    graph: ["pkg:npm/%40angular/core@14.2.0", "pkg:npm/lodash@4.17.21"],
    files: {
      "package-lock.json": LOCKFILE,
      "docker/Dockerfile": "FROM node:18\n",
      "vendor/x/Dockerfile": "FROM node:8\n",
      "vendor/modules.txt": "# example.org/x v1.0.0\n",
    },
  },
  "acme/api": { files: { "package-lock.json": LOCKFILE, ".nvmrc": "24.1.0\n", "README.md": "# api\n" } },
  "acme/docs": { files: { "README.md": "# docs\n" } },
  "acme/old": { archived: true },
  "acme/copy": { fork: true },
  "acme/nothing": { empty: true },
};

let server: GithubServer;
let folder = "";
beforeAll(async () => {
  server = await startGithub(REPOSITORIES);
  folder = mkdtempSync(join(tmpdir(), "eolgate-github-"));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  server.requests.length = 0;
});
afterEach(() => {
  server.failures.length = 0;
  server.repositories = REPOSITORIES;
});

const check = (target: string, ...flags: string[]) =>
  runCommand(["check", "--github", target, ...flags], {
    cwd: folder,
    env: { GITHUB_API_URL: server.url, GITHUB_TOKEN: "ghs_secret" },
  });
const records = (text: string): readonly Record<string, unknown>[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const places = (text: string) =>
  records(text)
    .filter(({ record }) => record === "finding")
    .map(({ file, line, product, cycle }) => `${String(file)}:${String(line)} ${String(product)} ${String(cycle)}`);

describe("a repository", () => {
  test("returns the packages of its dependency graph and the version pins of its default branch", async () => {
    const { out, exit } = await check("acme/web", "--format", "ndjson");
    expect(places(out)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^acme\/web\/dependency-graph:1 angular 14$/),
        "acme/web/docker/Dockerfile:1 nodejs 18",
      ]),
    );
    // The lockfile is in the graph, and installed packages are not entered.
    expect(out).not.toContain("package-lock.json");
    expect(out).not.toContain("vendor/x");
    expect(exit).toBe(1);
    expect(server.requests).toEqual([
      "GET /repos/acme/web/dependency-graph/sbom/generate-report (token)",
      "GET /repos/acme/web/dependency-graph/sbom/fetch-report/c0ffee-1 (token)",
      "report /acme/web?signature=secret",
      "GET /repos/acme/web/tarball (token)",
      "archive /acme/web/?token=secret",
    ]);
  });

  test("without a dependency graph is read from its lockfiles", async () => {
    const { out, exit } = await check("acme/api", "--format", "ndjson");
    expect(places(out)).toEqual(["acme/api/.nvmrc:1 nodejs 24", "acme/api/package-lock.json:1 angular 14"]);
    expect(exit).toBe(1);
  });

  test("at a ref is read from its lockfiles, because the graph describes the default branch", async () => {
    const { out } = await check("acme/web@release/1.0", "--format", "ndjson");
    expect(places(out)).toContain("acme/web/package-lock.json:1 angular 14");
    expect(server.requests).toContain("GET /repos/acme/web/tarball/release/1.0 (token)");
    expect(server.requests.join()).not.toContain("dependency-graph");
  });

  test("reports which files were read, without those that --exclude matches", async () => {
    const { out } = await check("acme/web", "--exclude", "docker/");
    expect(out).toContain("GitHub dependency graph");
    expect(out).not.toContain("nodejs");
  });

  test.each([
    ["acme/unknown", 3, "GitHub has no repository acme/unknown"],
    ["acme/nothing", 3, "has no commit"],
    ["acme/web@missing", 3, "the ref does not exist"],
    ["acme/docs", 3, "acme/docs"],
    ["acme/../web", 2, "is not a repository"],
    ["https://github.com/acme/web", 2, "is not a repository"],
    ["acme/web@", 2, "is not a repository"],
  ])("%s exits with code %i", async (target, exit, text) => {
    const outcome = await check(target);
    expect(outcome.exit).toBe(exit);
    expect(outcome.err + outcome.out).toContain(text);
  });
});

describe("an organisation", () => {
  test("has one line per repository and names the repositories that were not read", async () => {
    const { out, err, exit } = await check("acme");
    expect(err).toContain("acme: 3 repositories; not checked: 1 archived, 1 forked, 1 empty");
    expect(out).toMatch(/fail +acme\/api/);
    expect(out).toMatch(/fail +acme\/web/);
    expect(out).toMatch(/empty +acme\/docs +no components/);
    expect(out).toMatch(/2 of 3 documents fail, 1 without components/);
    expect(out).toMatch(/^ +2 +2 {2}Angular 14 +\S/m);
    expect(exit).toBe(1);
  });

  test("that is a user account is listed the same way", async () => {
    server.repositories = { "ada/tool": { files: { ".nvmrc": "24.1.0\n" } } };
    const { out, exit } = await check("ada");
    expect(out).toMatch(/pass +ada\/tool/);
    expect(exit).toBe(0);
  });

  test("with more than one page is read completely", async () => {
    server.repositories = Object.fromEntries(
      Array.from({ length: 230 }, (_, index) => [
        `acme/r${String(index).padStart(3, "0")}`,
        { archived: index > 1, files: { ".nvmrc": "24\n" } },
      ]),
    );
    const { err } = await check("acme");
    expect(err).toContain("2 repositories; not checked: 228 archived");
  });

  test("is read completely when pages are short", async () => {
    server.repositories = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `acme/r${String(index).padStart(3, "0")}`,
        { archived: true, isHidden: index < 90 },
      ]),
    );
    const { err } = await check("acme");
    expect(err).toContain("0 repositories; not checked: 30 archived");
    expect(server.requests.filter((request) => request.includes("/repos?"))).toHaveLength(2);
  });

  test("fails without any component", async () => {
    server.repositories = { "acme/docs": { files: { "README.md": "" } } };
    const { exit, err } = await check("acme");
    expect(exit).toBe(3);
    expect(err).toContain("acme");
  });

  test("reports a repository with a broken lockfile and assesses the others", async () => {
    server.repositories = { ...REPOSITORIES, "acme/broken": { files: { "package-lock.json": "{", ".nvmrc": "18\n" } } };
    const { out, exit } = await check("acme", "--format", "ndjson");
    expect(exit).toBe(3);
    expect(records(out).find(({ record }) => record === "failed")).toMatchObject({
      file: "acme/broken/package-lock.json",
    });
    expect(places(out)).toContain("acme/broken/.nvmrc:1 nodejs 18");
    expect(places(out)).toContain("acme/web/docker/Dockerfile:1 nodejs 18");
  });

  test("is read with the files that others take values from", async () => {
    server.repositories = {
      "acme/web": {
        files: {
          "compose.yml": 'services: { a: { image: "postgres:$PG" } }\n',
          ".env": "PG=11\n",
          "app/build.gradle": 'plugins { id "org.springframework.boot" version "$boot" }\n',
          "gradle.properties": "boot=2.5.0\n",
          "main.tf": 'resource "aws_db_instance" "a" {\n  engine = "postgres"\n  engine_version = var.pg\n}\n',
          "terraform.tfvars": 'pg = "12"\n',
        },
      },
    };
    const { out, exit } = await check("acme", "--format", "ndjson");
    expect(exit).toBe(1);
    expect(places(out)).toEqual(
      expect.arrayContaining([
        "acme/web/compose.yml:1 postgresql 11",
        "acme/web/app/build.gradle:1 spring-boot 2.5",
        "acme/web/main.tf:3 amazon-rds-postgresql 12",
      ]),
    );
  });

  test.each([
    ["nobody", [], 3],
    ["acme/web", ["--jobs", "2"], 2],
    ["acme", ["--image", "oci:x"], 2],
    ["acme", ["--format", "html"], 2],
    ["acme", ["--stack", "nodejs:18"], 2],
    ["acme", ["--baseline", "x.json"], 2],
  ])("%s %j exits with an error", async (owner, flags, exit) => {
    expect((await check(owner, ...flags)).exit).toBe(exit);
  });
});

describe("failures of the service", () => {
  const status =
    (code: number, headers: Record<string, string> = {}, body = "{}") =>
    (response: ServerResponse): void => {
      response.writeHead(code, headers);
      response.end(body);
    };

  test.each([
    ["an invalid token", [status(401)], 5, "HTTP 401"],
    ["a redirect to plain http on another host", [status(302, { location: "http://example.org/x" })], 5, "not https"],
  ])("%s exits with code 5", async (_, failures, exit, text) => {
    server.failures.push(...failures);
    // A ref has no dependency graph: the first request is the one for the archive.
    const outcome = await check("acme/web@main");
    expect(outcome.exit).toBe(exit);
    expect(outcome.err).toContain(text);
    expect(outcome.out + outcome.err).not.toContain("ghs_secret");
  });
  test.each([
    ["HTML instead of a list", status(200, {}, "<html>"), "the answer is not JSON"],
    ["a list of another shape", status(200, {}, '[{"name":1}]'), "refused"],
    [
      "a list that continues at another host",
      status(200, { link: '<https://example.org/orgs/acme/repos?page=2>; rel="next"' }, "[]"),
      "continues at another address",
    ],
  ])("an organisation with %s exits with code 5", async (_, failure, text) => {
    server.failures.push(status(200), failure);
    const outcome = await check("acme");
    expect(outcome.exit).toBe(5);
    expect(outcome.err).toContain(text);
  });

  describe("the report of the dependency graph", () => {
    const created = (address: string) => status(201, {}, JSON.stringify({ sbom_url: address }));
    const requested = created("https://example.org/repos/acme/web/dependency-graph/sbom/fetch-report/c0ffee-1");
    const preparing = status(202, { "retry-after": "3" });
    const open = () => {
      const pauses: number[] = [];
      const notes: string[] = [];
      const client = createGithubClient({
        env: { GITHUB_API_URL: server.url, GITHUB_TOKEN: "ghs_secret" },
        now: () => 0,
        onNote: (note) => notes.push(note),
        pause: (milliseconds) => Promise.resolve(pauses.push(milliseconds)),
      });
      return { client, pauses, notes };
    };
    const readWeb = async () => {
      const { client, pauses, notes } = open();
      try {
        const { inputs } = await readRepository(
          client,
          { owner: "acme", name: "web", ref: undefined },
          { exclude: [], facts: FACTS },
        );
        return { files: inputs.map(({ file }) => file), pauses, notes };
      } finally {
        await client.close();
      }
    };

    test.each([
      ["is ready at once", [], []],
      ["is prepared with 201", [requested, status(201), status(201), status(201)], [2000, 4000, 8000]],
      ["is prepared with 202 and Retry-After", [requested, preparing, preparing], [3000, 3000]],
      ["is prepared with Retry-After 0", [requested, status(202, { "retry-after": "0" })], [2000]],
      ["has a pause that is too long", [requested, status(202, { "retry-after": "900" })], [30_000]],
      ["is requested again after 502", [status(502), requested, status(503)], [1000, 1000]],
    ])("is read when it %s", async (_, failures, expected) => {
      server.failures.push(...failures);
      const { files, pauses, notes } = await readWeb();
      expect(files).toContain("acme/web/dependency-graph");
      expect(files.join()).not.toContain("package-lock.json");
      expect(notes).toEqual([]);
      expect(pauses).toEqual(expected);
      // The host of the report gets no token, and the address that GitHub names is not used.
      expect(server.requests.filter((request) => request.startsWith("report"))).toEqual([
        "report /acme/web?signature=secret",
      ]);
    });

    test.each([
      ["is turned off", [status(404)], "HTTP status 404"],
      ["is refused", [status(403)], "HTTP status 403"],
      ["was closed", [status(410)], "HTTP status 410"],
      ["is not supported", [status(200, {}, "{}")], "HTTP status 200"],
      ["cannot be requested", Array.from({ length: 4 }, () => status(500)), "HTTP 500"],
      ["cannot be requested in time", [status(429, { "retry-after": "9000" })], "rate limit"],
      ["is announced with HTML", [status(201, {}, "<html>")], "not JSON"],
      ["has no address", [status(201, {}, "{}")], "no address"],
      ["has an address without an id", [created("https://example.org/fetch-report/")], "no address"],
      ["has an address with a path as its id", [created("https://example.org/fetch-report/..%2fx")], "no address"],
      ["expired", [requested, status(404)], "HTTP status 404"],
      ["cannot be prepared", [requested, ...Array.from({ length: 4 }, () => status(500))], "HTTP 500"],
      ["redirects to plain http", [requested, status(302, { location: "http://example.org/x" })], "not https"],
      ["is HTML", [requested, status(200, {}, "<html>")], "not JSON"],
      ["is JSON of another shape", [requested, status(200, {}, "[]")], "not an SBOM"],
      [
        "has the repository only",
        [requested, status(200, {}, '{"spdxVersion":"SPDX-2.3","packages":[{}]}')],
        "no packages",
      ],
      ["is not SPDX", [requested, status(200, {}, '{"packages":[{},{}]}')], "not an SBOM"],
    ])("that %s is replaced by the lockfiles, with a note", async (_, failures, reason) => {
      server.failures.push(...failures);
      const { files, notes } = await readWeb();
      expect(files).toContain("acme/web/package-lock.json");
      expect(files).not.toContain("acme/web/dependency-graph");
      expect(notes).toEqual([expect.stringContaining(reason)]);
      expect(notes[0]).toContain("acme/web: lockfiles are read");
    });

    test("that is never prepared is given up after five minutes of pauses", async () => {
      server.failures.push(requested, ...Array.from({ length: 100 }, () => status(202, { "retry-after": "30" })));
      const { client, pauses, notes } = open();
      const read = readRepository(
        client,
        { owner: "acme", name: "web", ref: undefined },
        { exclude: [], facts: FACTS },
      );
      // The archive is requested after the report was given up.
      await expect(read).rejects.toMatchObject({ code: "github-api-refused" });
      expect(pauses.reduce((sum, each) => sum + each, 0)).toBe(300_000);
      expect(notes).toEqual([expect.stringContaining("in time")]);
      await client.close();
    });

    test.each([
      ["the request", [status(401)]],
      ["the report", [requested, status(401)]],
    ])("ends the run when the token is invalid for %s", async (__, failures) => {
      server.failures.push(...failures);
      await expect(readWeb()).rejects.toMatchObject({ code: "github-api-refused", exit: 5 });
    });
  });

  test("a damaged archive exits with code 5", async () => {
    const whole = await archiveOf({ ".nvmrc": "18\n" });
    for (const archive of [
      whole.slice(0, whole.length - 20),
      Buffer.from("no gzip"),
      gzipSync("no tar archive".repeat(100)),
    ]) {
      server.repositories = { "acme/web": { archive } };
      const { exit, err } = await check("acme/web");
      expect([exit, err]).toEqual([5, expect.stringContaining("the archive of the repository cannot be read")]);
    }
  });

  test("ignores a path outside the archive", async () => {
    server.repositories = {
      "acme/web": { archive: await archiveOf({ "../../.nvmrc": "18\n", ".node-version": "24\n" }) },
    };
    const { out } = await check("acme/web", "--format", "ndjson");
    expect(places(out)).toEqual(["acme/web/.node-version:1 nodejs 24"]);
  });

  describe("client", () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    const open = () => {
      const pauses: number[] = [];
      const notes: string[] = [];
      const client = createGithubClient({
        env: { GITHUB_API_URL: server.url },
        now: () => now,
        onNote: (note) => notes.push(note),
        pause: (milliseconds) => Promise.resolve(pauses.push(milliseconds)),
      });
      return { client, pauses, notes };
    };

    test.each([
      ["a 502", [status(502)], [1000], 0],
      ["two 503", [status(503), status(503)], [1000, 2000], 0],
      ["Retry-After", [status(403, { "retry-after": "7" })], [7000], 0],
      [
        "an exhausted rate limit",
        [status(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 + 900) })],
        [900_000],
        1,
      ],
      ["429 without a time", [status(429)], [60_000], 1],
    ])("waits after %s and retries", async (_, failures, expected, count) => {
      server.failures.push(...failures);
      const { client, pauses, notes } = open();
      expect((await client.json("/repos/acme/web")).value).toMatchObject({ name: "web" });
      expect(pauses).toEqual(expected);
      expect(notes).toHaveLength(count);
      await client.close();
    });

    test.each([
      ["a rate limit of more than an hour", [status(429, { "retry-after": "7200" })], "github-rate-limit"],
      [
        "a persistent rate limit",
        Array.from({ length: 4 }, () => status(429, { "retry-after": "1" })),
        "github-rate-limit",
      ],
      ["an unavailable service", Array.from({ length: 4 }, () => status(500)), "no-answer"],
      [
        "a failing connection",
        Array.from({ length: 4 }, () => (response: ServerResponse) => response.destroy()),
        "no-answer",
      ],
    ])("%s ends the run", async (_, failures, code) => {
      server.failures.push(...failures);
      const { client } = open();
      await expect(client.json("/repos/acme/web")).rejects.toMatchObject({ code });
      await client.close();
    });

    test.each(["http://github.example.org", "ftp://x", "https://user:secret@github.example.org", "nonsense"])(
      "%s is an invalid address",
      (url) => {
        expect(() =>
          createGithubClient({ env: { GITHUB_API_URL: url }, now: () => now, onNote: () => undefined }),
        ).toThrow(/address of the GitHub API/);
      },
    );
  });
});
