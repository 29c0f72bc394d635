/**
 * The surfaces of the service give the answer of `check --stack` for every product: the search of pages and tools, lists that
 * are pasted into a watch form, badges, `POST /v1/batch` and the tool `scan_stack`; of every tenth question also the routes and
 * tools for one version. Other commands are compared in `test/api/every-surface.test.ts`, purls in `same-answer.test.ts`.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLocal } from "../../src/api/operations/local.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { BUNDLED } from "../../src/catalogue/places.ts";
import { EolgateError } from "../../src/messages/error.ts";
import type { AssessedComponent, CycleRef, Product } from "../../src/model/index.ts";
import { readPackageFile } from "../../src/platform/package-files.ts";
import { assessAsked, createAssessContext } from "../../src/resolve/answer.ts";
import { namedCycles } from "../../src/resolve/typed.ts";
import { createSiteApp } from "../../src/service/commands/site.ts";
import { listedCycles } from "../../src/service/documents/listed.ts";
import { createMcpServer } from "../../src/service/mcp/server.ts";
import { withoutLimits } from "../../src/service/mcp/tools.ts";
import { searchCatalogue } from "../../src/service/pages/search/search.ts";
import { EXPORT_HEADERS } from "../../src/service/site/export.ts";
import { asIsoDate, cycleKey } from "../../src/text/ids.ts";
import { percentEncode } from "../../src/text/values.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { badge } from "../../src/wire/product.ts";
import { scoreObject } from "../../src/wire/score.ts";
import { versionsOf } from "../api/asked-versions.ts";

const asOf = asIsoDate("2026-11-28");
const catalogue = loadCatalogue();
const links = linksUnder("https://example.org");
const local = createLocal({ catalogue, asOf, links });
const answers = createAssessContext(catalogue, { strict: false, asOf });

const app = createSiteApp({
  version: "1.0.0",
  served: { catalogue, bytes: () => readPackageFile(BUNDLED) },
  clock: () => Date.parse(asOf),
  publicUrl: "https://example.org",
  withServer: false,
});
const client = new Client({ name: "test", version: "1.0.0" });
beforeAll(async () => {
  const tools = createMcpServer({
    version: "1.0.0",
    source: { url: "https://example.org", note: "test" },
    docs: "https://example.org/docs",
    context: withoutLimits(local, catalogue, asOf),
    admit: () => Promise.resolve(),
    onBug: () => undefined,
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([tools.connect(far), client.connect(near)]);
});
afterAll(async () => {
  await client.close();
  await app.close();
});

interface Asked {
  readonly product: Product;
  readonly version: string;
  readonly answer: AssessedComponent;
}
const ASKED: readonly Asked[] = catalogue.slugs().flatMap((slug) => {
  const product = catalogue.product(slug);
  if (product === undefined) return [];
  return versionsOf(product).map((version) => ({ product, version, answer: assessAsked(product, version, answers) }));
});

/** The parts of a score object that state the answer; of an item without one, that there is none. */
const FIELDS = [
  "product",
  "version",
  "status",
  "score",
  "kev_basis",
  "support_end_date",
  "support_track",
  "gate",
] as const;
const UNANSWERED = "no answer";
const stated = (object: unknown): string => {
  const fields: Readonly<Record<string, unknown>> = Object(object);
  return "score" in fields ? JSON.stringify(FIELDS.map((field) => fields[field])) : UNANSWERED;
};
const expected = ({ answer: { assessment } }: Asked): string =>
  assessment === undefined ? UNANSWERED : stated(scoreObject(assessment, links));

const nameOf = ({ product, version }: Asked): string => `${product.slug}:${version}`;
const keys = (cycles: readonly CycleRef[]): readonly string[] => cycles.map(cycleKey);

/** The answer comes first; behind it stand the other release cycles that the version of a component could mean. */
function isShown({ product, answer: { resolution, assessment } }: Asked, found: readonly string[]): boolean {
  const of = (cycles: readonly string[]) => keys(cycles.map((cycle) => ({ product: product.slug, cycle }))).join();
  if (resolution.kind === "resolved") {
    const meant = assessment?.cycle.meantCycles;
    if (meant) return found.join() === of(meant);
    return found[0] === cycleKey(resolution.releaseCycle) && found.every((key) => key.startsWith(`${found[0]}`));
  }
  const isAmbiguous = resolution.kind === "unmatched" && resolution.reason === "version-ambiguous";
  return found.join() === (isAmbiguous ? of(resolution.candidates ?? []) : "");
}

test("the search shows the release cycles of the answer", { timeout: 120_000 }, () => {
  const differences = ASKED.flatMap((asked, at) => {
    const query = `${asked.product.slug} ${asked.version}`;
    const found = keys(namedCycles(catalogue, query, asOf).cycles);
    // The pages and tools add the products whose names are similar, which takes milliseconds.
    if (at % 20 === 0) expect(keys(searchCatalogue(catalogue, query, asOf).cycles)).toEqual(found);
    return isShown(asked, found) ? [] : [`${nameOf(asked)}: ${found.join()}, answer ${expected(asked)}`];
  });
  expect(differences).toEqual([]);
  expect(ASKED.length).toBeGreaterThan(5_000);
});

test("a list of a watch form reads the release cycle of the answer", { timeout: 120_000 }, () => {
  const differences = ASKED.flatMap((asked) => {
    const { resolution } = asked.answer;
    const own = resolution.kind === "resolved" ? cycleKey(resolution.releaseCycle) : UNANSWERED;
    const read = readList(`${asked.product.slug} ${asked.version}`);
    return read === own ? [] : [`${nameOf(asked)}: ${read}, answer ${own}`];
  });
  expect(differences).toEqual([]);
});

function readList(text: string): string {
  try {
    return keys(listedCycles(text, catalogue, asOf).cycles).join();
  } catch (error) {
    if (error instanceof EolgateError) return UNANSWERED;
    throw error;
  }
}

const chunks = <T>(list: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));

async function overHttp(asked: readonly Asked[]): Promise<readonly unknown[]> {
  const payload = { products: asked.map(({ product, version }) => ({ slug: product.slug, version })) };
  const answer = await app.inject({ method: "POST", url: "/v1/batch", headers: EXPORT_HEADERS, payload });
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
  return answer.json();
}

async function callTool(name: string, args: Record<string, unknown>): Promise<Readonly<Record<string, unknown>>> {
  const { structuredContent, isError } = await client.callTool({ name, arguments: args });
  return isError === true ? {} : Object(structuredContent);
}

async function ofTool(asked: readonly Asked[]): Promise<readonly unknown[]> {
  const items = asked.map(({ product, version }) => ({ product: product.slug, version }));
  const { results } = await callTool("scan_stack", { items, max_characters: 1_000_000 });
  return Array.isArray(results) ? results : [];
}

test.each([
  ["POST /v1/batch", overHttp],
  ["the tool scan_stack", ofTool],
])("%s gives the answer", { timeout: 120_000 }, async (_, ask) => {
  const differences: string[] = [];
  for (const some of chunks(ASKED, 100)) {
    const given = await ask(some);
    for (const [at, asked] of some.entries()) {
      const is = stated(given[at]);
      if (is !== expected(asked)) differences.push(`${nameOf(asked)}: ${is}, answer ${expected(asked)}`);
    }
  }
  expect(differences).toEqual([]);
});

const get = async (path: string): Promise<unknown> => (await app.inject({ url: path, headers: EXPORT_HEADERS })).json();

const withoutScore = (text: string): string => {
  if (text === UNANSWERED) return text;
  const fields: readonly unknown[] = JSON.parse(text);
  return JSON.stringify(fields.filter((__, at) => FIELDS[at] !== "score" && FIELDS[at] !== "kev_basis"));
};

/** A status object has no score and no exploitation. */
function statedStatus(object: unknown): string {
  const fields: Readonly<Record<string, unknown>> = Object(object);
  return "gate" in fields ? withoutScore(stated({ ...fields, score: 0 })) : UNANSWERED;
}

test("routes and tools for one version give the answer", { timeout: 120_000 }, async () => {
  const differences: string[] = [];
  for (const asked of ASKED.filter((__, at) => at % 10 === 0)) {
    const { product, version, answer } = asked;
    const path = `${percentEncode(product.slug)}/${percentEncode(version)}`;
    const named = { slug: product.slug, version };
    const [own, ownStatus] = [expected(asked), withoutScore(expected(asked))];
    const ownBadge = answer.assessment && JSON.stringify(badge(answer.assessment));
    const given: readonly (readonly [surface: string, is: string | undefined, own: string | undefined])[] = [
      ["/v1/score", stated(await get(`/v1/score/${path}`)), own],
      ["/v1/status", statedStatus(await get(`/v1/status/${path}`)), ownStatus],
      ["get_risk_score", stated(await callTool("get_risk_score", named)), own],
      ["check_eol", statedStatus(await callTool("check_eol", named)), ownStatus],
      ...(ownBadge === undefined
        ? []
        : [["/v1/badge", JSON.stringify(await get(`/v1/badge/${path}`)), ownBadge] as const]),
    ];
    for (const [surface, is, other] of given)
      if (is !== other) differences.push(`${nameOf(asked)}: ${surface} ${String(is)}, answer ${String(other)}`);
  }
  expect(differences).toEqual([]);
});
