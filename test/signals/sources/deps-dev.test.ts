import { afterEach, describe, expect, test } from "vitest";
import { depsDevHistory, depsDevProjects, depsDevVersions } from "../../../src/signals/sources/deps-dev.ts";
import { query, formatOutcome, subjectOf } from "../harness.ts";
import {
  type RecordedRequest,
  truncated,
  inSequence,
  type Loopback,
  loopback,
  page,
  type Reply,
  noReply,
  status,
} from "../loopback.ts";

let server: Loopback | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});
const serve = async (replies: Readonly<Record<string, Reply>>): Promise<Loopback> => (server = await loopback(replies));

interface Batch {
  readonly requests: readonly { readonly purl: string }[];
  readonly pageToken?: string;
}
const batchOf = ({ body }: RecordedRequest): Batch => JSON.parse(body) as Batch;
const versionOf = (purl: string, version: object) => ({ request: { purl }, result: { version } });

const REQUEST = "pkg:npm/request@2.88.2";
const VITE = "pkg:npm/vite@7.1.0";

describe("versions from deps.dev", () => {
  test("contain deprecation, project status, release and repository", async () => {
    const purls = ["pkg:pypi/nose@1.3.7", REQUEST, VITE, "pkg:pypi/bad@1.0", "pkg:cargo/unknown@1.0.0"];
    const { url } = await serve({
      "/v3alpha/purlbatch": {
        responses: [
          versionOf("pkg:pypi/nose@1.3.7", {
            publishedAt: "2015-06-02T09:12:00Z",
            isDefault: true,
            projectStatus: { status: "archived", reason: "finished" },
          }),
          versionOf(REQUEST, {
            publishedAt: "2020-02-11T16:35:36Z",
            isDeprecated: true,
            deprecatedReason: "see #3142",
          }),
          versionOf(VITE, {
            publishedAt: "2025-08-01T23:59:59-04:00",
            isDefault: true,
            relatedProjects: [
              { projectKey: { id: "github.com/vitejs/vite-issues" }, relationType: "ISSUE_TRACKER" },
              { projectKey: { id: "github.com/vitejs/vite" }, relationType: "SOURCE_REPO" },
            ],
          }),
          versionOf("pkg:pypi/bad@1.0", { projectStatus: { status: "quarantined" } }),
          { request: { purl: "pkg:cargo/unknown@1.0.0" }, result: {} },
        ],
      },
    });
    const outcomes = await query(depsDevVersions(url), purls.map(subjectOf));
    expect(Object.fromEntries([...outcomes].map(([key, outcome]) => [key, formatOutcome(outcome)]))).toEqual({
      "pkg:pypi/nose@1.3.7": ["project-archived (finished)", "default-version-released 2015-06-02"],
      [REQUEST]: ["version-deprecated (see #3142)", "version-released 2020-02-11"],
      [VITE]: ["default-version-released 2025-08-02"],
      "pkg:pypi/bad@1.0": ["project-quarantined"],
      "pkg:cargo/unknown@1.0.0": ["not found"],
    });
    expect(outcomes.get(VITE)).toMatchObject({ answer: { repository: "github.com/vitejs/vite" } });
  });

  test("are matched by the repeated request, in any order and in the registry's spelling", async () => {
    const purls = ["pkg:pypi/annotated-types@0.7.0", "pkg:nuget/Newtonsoft.Json@5.0", VITE];
    const { url } = await serve({
      "/v3alpha/purlbatch": {
        responses: [
          versionOf(VITE, { purl: "pkg:npm/other@1.0.0", publishedAt: "2025-01-01T00:00:00Z" }),
          versionOf("pkg:nuget/Newtonsoft.Json@5.0", { purl: "pkg:nuget/newtonsoft.json@5.0.0", isDeprecated: true }),
          versionOf("pkg:pypi/annotated-types@0.7.0", { publishedAt: "2024-05-20T00:00:00Z" }),
        ],
      },
    });
    const outcomes = await query(depsDevVersions(url), purls.map(subjectOf));
    expect(purls.map((purl) => formatOutcome(outcomes.get(purl)))).toEqual([
      ["version-released 2024-05-20"],
      ["version-deprecated"],
      ["version-released 2025-01-01"],
    ]);
  });

  test("are read page by page with the same request", async () => {
    const { url, received } = await serve({
      "/v3alpha/purlbatch": (request: RecordedRequest) =>
        batchOf(request).pageToken === undefined
          ? { responses: [versionOf(REQUEST, { isDeprecated: true })], nextPageToken: "two" }
          : { responses: [versionOf(VITE, { publishedAt: "2025-01-01T00:00:00Z" })], nextPageToken: "" },
    });
    const outcomes = await query(depsDevVersions(url), [REQUEST, VITE].map(subjectOf));
    expect([formatOutcome(outcomes.get(REQUEST)), formatOutcome(outcomes.get(VITE))]).toEqual([
      ["version-deprecated"],
      ["version-released 2025-01-01"],
    ]);
    expect(received.map(batchOf)).toEqual([
      { requests: [{ purl: REQUEST }, { purl: VITE }] },
      { requests: [{ purl: REQUEST }, { purl: VITE }], pageToken: "two" },
    ]);
  });

  test("are unanswered, not absent, when a page omits them", async () => {
    const { url } = await serve({
      "/v3alpha/purlbatch": { responses: [versionOf(VITE, {})], nextPageToken: "again" },
    });
    const outcomes = await query(depsDevVersions(url), [REQUEST, VITE].map(subjectOf));
    expect(formatOutcome(outcomes.get(REQUEST))).toEqual(["unanswered: its answer leaves the entry out"]);
    expect(formatOutcome(outcomes.get(VITE))).toEqual([]);
  });

  test("are found by halving the batch when the service refuses it", async () => {
    const purls = Array.from({ length: 9 }, (_, index) => `pkg:npm/p${index}@1.0.0`);
    const { url, received } = await serve({
      "/v3alpha/purlbatch": (request: RecordedRequest, response) => {
        const { requests } = batchOf(request);
        if (requests.some(({ purl }) => purl === "pkg:npm/p4@1.0.0")) return response.writeHead(400).end();
        return { responses: requests.map(({ purl }) => versionOf(purl, { isDeprecated: true })) };
      },
    });
    const outcomes = await query(depsDevVersions(url), purls.map(subjectOf));
    expect(purls.map((purl) => formatOutcome(outcomes.get(purl))[0])).toEqual(
      purls.map((purl) => (purl.includes("p4") ? "not found" : "version-deprecated")),
    );
    expect(received.length).toBeLessThan(12);
  });

  test("are requested in batches of 5,000", async () => {
    const { url, received } = await serve({
      "/v3alpha/purlbatch": (request: RecordedRequest) => ({
        responses: batchOf(request).requests.map(({ purl }) => versionOf(purl, { isDeprecated: true })),
      }),
    });
    const outcomes = await query(
      depsDevVersions(url),
      Array.from({ length: 5001 }, (_, index) => subjectOf(`pkg:npm/p${index}@1.0.0`)),
    );
    expect(outcomes.size).toBe(5001);
    expect(received.map((request) => batchOf(request).requests.length)).toEqual([5000, 1]);
  });

  const failures: readonly (readonly [name: string, reply: Reply, detail: RegExp])[] = [
    ["an HTML page", page, /a page instead of data/],
    ["an interrupted response", truncated, /no answer|broke off/],
    ["an unexpected structure", { responses: "none" }, /another shape/],
    ["a server that stays busy", status(429, { "retry-after": "1" }), /HTTP 429/],
    ["a pause that is too long", status(429, { "retry-after": "3600" }), /HTTP 429/],
    ["a failing server", status(500), /HTTP 500/],
    ["a batch address that does not exist", status(404), /HTTP 404/],
    ["a missing permission", status(403), /HTTP 403/],
    ["a redirect to another host", status(302, { location: "http://localhost:1/" }), /another host/],
  ];
  test.each(failures)("are unanswered after %s", async (_name, reply, detail) => {
    const { url } = await serve({ "/v3alpha/purlbatch": reply });
    const outcome = (await query(depsDevVersions(url), [subjectOf(REQUEST)])).get(REQUEST);
    expect(formatOutcome(outcome)[0]).toMatch(detail);
  });

  test("are unanswered after a timeout", async () => {
    const { url } = await serve({ "/v3alpha/purlbatch": noReply });
    const outcome = (await query(depsDevVersions(url), [subjectOf(REQUEST)], { timeout: 40 })).get(REQUEST);
    expect(formatOutcome(outcome)[0]).toMatch(/no answer within 0.04 s/);
  });

  test("are requested again after 429 and after a server error", async () => {
    const good = { responses: [versionOf(REQUEST, { isDeprecated: true })] };
    const pauses: number[] = [];
    const { url, received } = await serve({
      "/v3alpha/purlbatch": inSequence(status(429, { "retry-after": "7" }), status(503), good),
    });
    const outcomes = await query(depsDevVersions(url), [subjectOf(REQUEST)], {
      pause: async (milliseconds) => pauses.push(milliseconds),
    });
    expect(formatOutcome(outcomes.get(REQUEST))).toEqual(["version-deprecated"]);
    expect(received).toHaveLength(3);
    expect(pauses[0]).toBe(7000);
  });

  test("are read again completely after an interrupted response", async () => {
    const { url } = await serve({
      "/v3alpha/purlbatch": inSequence(truncated, { responses: [versionOf(REQUEST, { isDeprecated: true })] }),
    });
    expect(formatOutcome((await query(depsDevVersions(url), [subjectOf(REQUEST)])).get(REQUEST))).toEqual([
      "version-deprecated",
    ]);
  });

  test("are unanswered without a request after the time budget is used up", async () => {
    const { url, received } = await serve({ "/v3alpha/purlbatch": { responses: [] } });
    const outcomes = await query(depsDevVersions(url), [subjectOf(REQUEST)], { outOfTime: AbortSignal.abort() });
    expect(outcomes.get(REQUEST)).toMatchObject({ unanswered: { reason: "time-budget" } });
    expect(received).toEqual([]);
  });

  test("throw the reason of a cancelled run", async () => {
    const { url } = await serve({ "/v3alpha/purlbatch": { responses: [] } });
    const cancelled = AbortSignal.abort(new Error("stopped by hand"));
    await expect(query(depsDevVersions(url), [subjectOf(REQUEST)], { cancelled })).rejects.toThrow("stopped by hand");
  });

  test("truncate the maintainers' message at 500 characters", async () => {
    const { url } = await serve({
      "/v3alpha/purlbatch": {
        responses: [versionOf(REQUEST, { isDeprecated: true, deprecatedReason: "x".repeat(9000) })],
      },
    });
    const outcome = (await query(depsDevVersions(url), [subjectOf(REQUEST)])).get(REQUEST);
    expect(outcome).toMatchObject({ answer: { evidence: [{ message: `${"x".repeat(499)}…` }] } });
  });
});

describe("repositories from deps.dev", () => {
  const check = (score: number | string | undefined, reason: string) => ({
    scorecard: {
      date: "2026-11-16T00:00:00Z",
      checks: [
        { name: "License", score: "10" },
        { name: "Maintained", reason, ...(score !== undefined && { score }) },
      ],
    },
  });
  const cases: readonly (readonly [project: object | undefined, evidence: readonly string[]])[] = [
    [check("10", "30 commit(s) and 2 issue activity found in the last 90 days"), ["repository-active 2026-11-16"]],
    [check(10, "30 commit(s) out of 30 found in the last 90 days"), ["repository-active 2026-11-16"]],
    [check(3, "0 commit(s) and 4 issue activity found in the last 90 days"), ["repository-inactive 2026-11-16"]],
    [check("0", "project is archived"), ["repository-archived 2026-11-16"]],
    [check(undefined, "repo is marked as archived"), ["repository-archived 2026-11-16"]],
    [check(0, "project was created in last 90 days. please review its contents carefully"), []],
    [check(-1, "internal error"), []],
    [{ scorecard: { checks: [] } }, []],
    [{}, []],
    [undefined, ["not found"]],
  ];
  test.each(cases)("with the Scorecard %j contain %j", async (project, evidence) => {
    const id = "github.com/request/request";
    const { url } = await serve({
      "/v3alpha/projectbatch": {
        responses: [{ request: { projectKey: { id: "github.com/Request/request" } }, project }],
      },
    });
    const outcomes = await query(depsDevProjects(url), [{ key: id, repository: { id } }]);
    expect(formatOutcome(outcomes.get(id))).toEqual(evidence);
  });
});

const REPOSITORY = { key: "github.com/a/b", repository: { id: "github.com/a/b" } };
const OTHERS = [
  ["repositories", depsDevProjects, REPOSITORY],
  ["histories", depsDevHistory, subjectOf("pkg:npm/a@1.0.0")],
] as const;
const BROKEN = [
  ["an HTML page", page],
  ["an interrupted response", truncated],
  ["429", status(429, { "retry-after": "1" })],
  ["a failing server", status(500)],
  ["an unexpected structure", { responses: "none", versions: "none" }],
] as const;
test.each(
  OTHERS.flatMap(([name, create, subject]) =>
    BROKEN.map((broken) => [name, broken[0], create, subject, broken[1]] as const),
  ),
)("%s of deps.dev are unanswered after %s", async (_name, _reply, create, subject, reply) => {
  const { url } = await serve({ "/": reply });
  expect(formatOutcome((await query(create(url), [subject])).get(subject.key))[0]).toMatch(/^unanswered: /);
});

test.each(OTHERS)("%s of deps.dev are unanswered after a timeout", async (_name, create, subject) => {
  const { url } = await serve({ "/": noReply });
  const outcomes = await query(create(url), [subject], { timeout: 40 });
  expect(formatOutcome(outcomes.get(subject.key))).toEqual(["unanswered: no answer within 0.04 s"]);
});

describe("package history", () => {
  test.each([
    ["pkg:npm/%40babel/core@7.0.0", "/v3/systems/npm/packages/%40babel%2Fcore"],
    ["pkg:maven/log4j/log4j@1.2.17", "/v3/systems/maven/packages/log4j%3Alog4j"],
    ["pkg:golang/github.com/Masterminds/semver@1.5.0", "/v3/systems/go/packages/github.com%2FMasterminds%2Fsemver"],
    ["pkg:gem/rails@4.2.0", "/v3/systems/rubygems/packages/rails"],
  ])("of %s is requested from %s", async (purl, path) => {
    const { url, received } = await serve({
      [path]: { versions: [{ publishedAt: "2019-01-01T00:00:00Z" }, { publishedAt: "2024-12-31T23:00:00Z" }, {}] },
    });
    const subject = subjectOf(purl);
    const outcomes = await query(depsDevHistory(url), [subject]);
    expect(received[0]?.path).toBe(path);
    expect(formatOutcome(outcomes.get(subject.key))).toEqual(["last-release 2024-12-31"]);
  });

  test("reports a deprecation only when every version is deprecated", async () => {
    const versions = [
      { publishedAt: "2019-01-01T00:00:00Z", isDeprecated: true },
      { publishedAt: "2020-01-01T00:00:00Z", isDeprecated: true },
    ];
    const { url } = await serve({
      "/v3/systems/npm/packages/request": { versions },
      "/v3/systems/npm/packages/vite": { versions: [...versions, { publishedAt: "2021-01-01T00:00:00Z" }] },
    });
    const outcomes = await query(depsDevHistory(url), [subjectOf(REQUEST), subjectOf(VITE)]);
    expect(formatOutcome(outcomes.get(REQUEST))).toEqual(["package-deprecated", "last-release 2020-01-01"]);
    expect(formatOutcome(outcomes.get(VITE))).toEqual(["last-release 2021-01-01"]);
  });
});
