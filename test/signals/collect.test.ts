import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asIsoDate } from "../../src/text/ids.ts";
import type { SignalCache } from "../../src/signals/cache.ts";
import { openCache } from "../../src/signals/cache.ts";
import { collectSignals, type CollectOptions } from "../../src/signals/collect.ts";
import { createSources } from "../../src/signals/sources.ts";
import { createContext, packageOf, TODAY } from "./harness.ts";
import { type RecordedRequest, type Loopback, loopback, type Reply, status } from "./loopback.ts";

let folder = "";
let server: Loopback | undefined;
let cache: SignalCache | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-collect-"));
  cache = openCache(join(folder, "signals.db"));
});
afterEach(async () => {
  cache?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Batch {
  readonly requests: readonly { readonly purl?: string; readonly projectKey?: { readonly id: string } }[];
}
const batchOf = ({ body }: RecordedRequest): Batch => JSON.parse(body) as Batch;
const NPM = () => ({ base: new URL("http://127.0.0.1:9/") });

async function collect(
  purls: readonly string[],
  replies: Readonly<Record<string, Reply>>,
  more: Partial<CollectOptions> = {},
) {
  await server?.close();
  server = await loopback(replies);
  const context = createContext();
  const sources =
    more.sources ?? (await createSources("deps.dev", { env: { EOLGATE_DEPSDEV_URL: server.url.href }, npm: NPM }));
  const signals = await collectSignals(purls.map(packageOf), {
    ...context,
    maxAgeDays: 7,
    isOpen: () => false,
    ...(cache && { cache }),
    ...more,
    sources,
  });
  await context.close();
  return Object.fromEntries(
    [...signals].map(([purl, { evidence, unanswered, found }]) => [
      purl,
      [
        ...evidence.map(({ statement, aged }) => (aged === true ? `${statement} (aged)` : statement)),
        ...unanswered.map(({ source, reason }) => `${source}: ${reason}`),
        ...(found || unanswered.length > 0 ? [] : ["not found"]),
      ],
    ]),
  );
}

const versions =
  (version: object): Reply =>
  (request: RecordedRequest) => ({
    responses: batchOf(request).requests.map(({ purl }) => ({
      request: { purl },
      result: purl?.includes("absent") ? {} : { version },
    })),
  });
const related = { relatedProjects: [{ projectKey: { id: "github.com/a/mono" }, relationType: "SOURCE_REPO" }] };
const archived: Reply = (request: RecordedRequest) => ({
  responses: batchOf(request).requests.map(({ projectKey }) => ({
    request: { projectKey },
    project: {
      scorecard: { date: "2026-11-16", checks: [{ name: "Maintained", score: 0, reason: "project is archived" }] },
    },
  })),
});
const A = "pkg:npm/a@1.0.0";
const B = "pkg:npm/b@1.0.0";
const ABSENT = "pkg:npm/absent@1.0.0";

describe("collection of signals", () => {
  test("requests versions, then each of their repositories once", async () => {
    const found = await collect([A, B, A, ABSENT], {
      "/v3alpha/purlbatch": versions({ isDeprecated: true, ...related }),
      "/v3alpha/projectbatch": archived,
    });
    expect(found).toEqual({
      [A]: ["version-deprecated", "repository-archived"],
      [B]: ["version-deprecated", "repository-archived"],
      [ABSENT]: ["not found"],
    });
    expect(server?.received.map(({ path, body }) => [path, body])).toEqual([
      ["/v3alpha/purlbatch", JSON.stringify({ requests: [{ purl: A }, { purl: B }, { purl: ABSENT }] })],
      ["/v3alpha/projectbatch", JSON.stringify({ requests: [{ projectKey: { id: "github.com/a/mono" } }] })],
    ]);
  });

  test("requests the history of packages without an answer, once for all versions of a package", async () => {
    const found = await collect(
      [A, "pkg:npm/a@2.0.0", B, ABSENT],
      {
        "/v3alpha/purlbatch": versions({ publishedAt: "2019-01-01T00:00:00Z" }),
        "/v3/systems/npm/packages/a": { versions: [{ publishedAt: "2026-01-01T00:00:00Z" }] },
      },
      { isOpen: (purl) => purl.startsWith("pkg:npm/a@") },
    );
    expect(found).toEqual({
      [A]: ["version-released", "last-release"],
      "pkg:npm/a@2.0.0": ["version-released", "last-release"],
      [B]: ["version-released"],
      [ABSENT]: ["not found"],
    });
    expect(server?.received.map(({ path }) => path)).toEqual(["/v3alpha/purlbatch", "/v3/systems/npm/packages/a"]);
  });

  test("keeps partial results when the repositories are not available", async () => {
    const found = await collect([A], {
      "/v3alpha/purlbatch": versions({ isDeprecated: true, ...related }),
      "/v3alpha/projectbatch": status(503),
    });
    expect(found).toEqual({ [A]: ["version-deprecated", "deps.dev: source-unavailable"] });
  });

  test("reports its progress by group", async () => {
    const progress: (readonly number[])[] = [];
    const purls = Array.from({ length: 5001 }, (_, index) => `pkg:npm/p${index}@1.0.0`);
    await collect(
      purls,
      { "/v3alpha/purlbatch": versions({ isDeprecated: true }) },
      { onProgress: (done, total) => progress.push([done, total]) },
    );
    expect(progress).toEqual([
      [5000, 5001],
      [5001, 5001],
    ]);
  });
});

describe("cache during collection", () => {
  const replies = {
    "/v3alpha/purlbatch": versions({ isDeprecated: true, ...related }),
    "/v3alpha/projectbatch": archived,
  };
  const later = (days: number) => ({
    today: asIsoDate(new Date(Date.parse(TODAY) + days * 86_400_000).toISOString().slice(0, 10)),
  });

  test("returns answers for seven days without a request, including absent packages", async () => {
    const first = await collect([A, ABSENT], replies);
    expect(await collect([A, ABSENT], {}, later(7))).toEqual(first);
    expect(server?.received).toEqual([]);
  });

  test("requests an answer again after seven days", async () => {
    await collect([A], replies);
    expect(await collect([A], { "/v3alpha/purlbatch": versions({ publishedAt: "2026-11-20" }) }, later(8))).toEqual({
      [A]: ["version-released"],
    });
  });

  test("returns an old answer, marked as aged, when the source is not available", async () => {
    await collect([A], replies);
    expect(await collect([A, B], { "/": status(503) }, later(8))).toEqual({
      [A]: ["version-deprecated (aged)", "repository-archived (aged)"],
      [B]: ["deps.dev: source-unavailable"],
    });
  });

  test("does not store failures", async () => {
    await collect([A], { "/": status(503) });
    expect(cache?.info().entries).toBe(0);
    expect(await collect([A], replies)).toEqual({ [A]: ["version-deprecated", "repository-archived"] });
  });

  test("is the only source in cache mode and lists what it does not contain", async () => {
    await collect([A, ABSENT], replies);
    expect(await collect([A, B, ABSENT], replies, { sources: [] })).toEqual({
      [A]: ["version-deprecated", "repository-archived"],
      [B]: ["cache: not-cached"],
      [ABSENT]: ["not found"],
    });
    expect(server?.received).toEqual([]);
  });

  test("a write failure does not stop the collection", async () => {
    const failures: unknown[] = [];
    const broken = {
      read: () => new Map(),
      write: () => {
        throw new Error("disk full");
      },
    } as unknown as SignalCache;
    const found = await collect([A], replies, { cache: broken, onCacheFailure: (error) => failures.push(error) });
    expect(found).toEqual({ [A]: ["version-deprecated", "repository-archived"] });
    expect(failures.length).toBeGreaterThan(0);
  });
});

describe("table of signal sources", () => {
  const ids = async (mode: Parameters<typeof createSources>[0], env: Readonly<Record<string, string>> = {}) =>
    (await createSources(mode, { env, npm: NPM })).map(({ id }) => id);
  const DEPS_DEV = ["deps.dev", "deps.dev/projects", "deps.dev/packages"];
  const REGISTRIES = ["npm", "pypi", "packagist", "nuget", "goproxy", "rubygems", "maven"];
  const tokens = { GITHUB_TOKEN: "a" };

  test("selects the sources of each mode, and uses tokens only with all sources", async () => {
    expect(await ids("deps.dev", tokens)).toEqual(DEPS_DEV);
    expect(await ids("registry", tokens)).toEqual(REGISTRIES);
    expect(await ids("cache", tokens)).toEqual([]);
    const all = [...DEPS_DEV, ...REGISTRIES];
    expect(await ids("all")).toEqual(all);
    expect(await ids("all", tokens)).toEqual([...all, "github"]);
  });

  test("omits the Go proxy when Go is configured not to use one", async () => {
    expect(await ids("registry", { GOPROXY: "off" })).not.toContain("goproxy");
    expect(await ids("registry", { GOPROXY: "direct" })).not.toContain("goproxy");
    expect(await ids("registry", { GOPROXY: "direct,https://proxy.example" })).toContain("goproxy");
  });

  test.each(["ftp://example.com", "not an address", "file:///etc/passwd"])(
    "refuses %s as an address",
    async (address) => {
      await expect(ids("deps.dev", { EOLGATE_DEPSDEV_URL: address })).rejects.toMatchObject({
        code: "invalid-value",
        where: "EOLGATE_DEPSDEV_URL",
      });
    },
  );
});
