/** The read side of the Transparency Exchange API, as a client uses it: discovery, releases, and their lifecycle. */
import type { TSchema } from "typebox";
import { Errors } from "typebox/value";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLocal } from "../../../src/api/operations/local.ts";
import type { Claim } from "../../../src/model/index.ts";
import { TEA_OPERATIONS } from "../../../src/service/http/tea.ts";
import { siteEntries } from "../../../src/service/site/export.ts";
import { pages } from "../../../src/service/pages/pages.ts";
import { asIsoDate, asStatementDay } from "../../../src/text/ids.ts";
import { linksUnder } from "../../../src/wire/links.ts";
import { teaCle, teaPage, teaProduct, teaRelease } from "./imitated-schemas.ts";
import { AFTER_CUT_OFF, PUBLIC_URL, served, startService, stopServices, type Service } from "../service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ at: AFTER_CUT_OFF, pages });
});
afterAll(stopServices);

const get = async (path: string) => {
  const answer = await service.get(path.replace(PUBLIC_URL, ""));
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const expectValid = (schema: TSchema, value: unknown): void =>
  expect([...Errors(schema, value)].map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([]);

/** The base address that a client derives from the well-known document. */
const base = async (): Promise<string> => {
  const { schemaVersion, endpoints } = await get("/.well-known/tea");
  expect([schemaVersion, endpoints]).toEqual([1, [{ url: `${PUBLIC_URL}/tea`, versions: ["0.4.0"] }]]);
  return `${endpoints[0].url}/v${endpoints[0].versions[0]}`;
};

test("a client goes from a package URL to the lifecycle of its release cycle", async () => {
  const root = await base();
  const tei = "urn:tei:purl:eol.example.org:pkg:npm/express@3.1.0";
  const [{ productReleaseUuid, servers }] = await get(`${root}/discovery?tei=${encodeURIComponent(tei)}`);
  expect(servers).toEqual([{ rootUrl: `${PUBLIC_URL}/tea`, versions: ["0.4.0"] }]);
  const release = await get(`${root}/productRelease/${productReleaseUuid}`);
  expectValid(teaRelease, release);
  expect(release).toMatchObject({ version: "3", components: [] });
  const lifecycle = await get(`${root}/productRelease/${productReleaseUuid}/cle`);
  expectValid(teaCle, lifecycle);
  const { eol_date: end } = (await service.get("/v1/status/express/3", { "x-api-key": await service.key() })).json();
  const ended = lifecycle.events.find(
    ({ type, supportId }: Record<string, string>) => type === "endOfSupport" && supportId === "standard",
  );
  expect(ended.effective).toBe(`${end}T23:59:59Z`);
  const ids = lifecycle.events.map(({ id }: { id: number }) => id);
  expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));

  const [named] = release.identifiers;
  expect(await get(`${root}/discovery?tei=${encodeURIComponent(named.idValue)}`)).toMatchObject([
    { productReleaseUuid },
  ]);
  const owner = await get(`${root}/product/${release.product}`);
  expectValid(teaProduct, owner);
  expect(owner.identifiers).toContainEqual({ idType: "PURL", idValue: "pkg:npm/express" });
  const releases = await get(`${root}/product/${release.product}/releases?pageSize=1000`);
  expectValid(teaPage(teaRelease), releases);
  expect(releases.results).toContainEqual(release);
  const whole = await get(`${root}/product/${release.product}/cle`);
  expectValid(teaCle, whole);
  expect(whole.events.length).toBeGreaterThan(lifecycle.events.length);
});

describe("queries", () => {
  test.each([
    ["products?idType=PURL&idValue=pkg:npm/express", 1],
    ["products?idType=PURL&idValue=pkg:npm/express@3.1.0", 1],
    ["products?idType=PURL&idValue=pkg:npm/left-pad", 0],
    ["products?idType=COMPLIANCE_DOCUMENT&idValue=SOC_3", 0],
    ["productReleases?idType=PURL&idValue=pkg:npm/express@3.1.0", 1],
    ["productReleases?idType=PURL&idValue=pkg:npm/express@999", 0],
    ["productReleases?idType=CPE&idValue=nonsense", 0],
    ["productReleases?idType=TEI&idValue=urn:tei:purl:x.org:pkg:npm/express@3.1.0", 1],
    ["productReleases?idType=TEI&idValue=urn:tei:swid:x.org:1", 0],
  ])("%s: %i results", async (query, count) => {
    const answer = await get(`${await base()}/${query}`);
    expectValid(teaPage(query.startsWith("products") ? teaProduct : teaRelease), answer);
    expect([answer.totalResults, answer.results.length]).toEqual([count, count]);
  });

  test("pages follow each other without a gap", async () => {
    const root = await base();
    const uuids = async (query: string): Promise<string[]> =>
      (await get(`${root}/products?${query}`)).results.map((each: { uuid: string }) => each.uuid);
    const all = await uuids("pageSize=1000");
    expect([...(await uuids("pageSize=3")), ...(await uuids("pageOffset=3&pageSize=3"))]).toEqual(all.slice(0, 6));
    expect(await get(`${root}/products`)).toMatchObject({ pageStartIndex: 0, pageSize: 100, totalResults: all.length });
  });
});

test.each([
  ["/product/00000000-0000-8000-8000-000000000000", 404],
  ["/productRelease/nonsense", 404],
  ["/discovery?tei=urn:tei:uuid:x.org:00000000-0000-8000-8000-000000000000", 404],
  ["/discovery?tei=urn:tei:swid:x.org:1", 404],
  ["/discovery?tei=pkg:npm/express@3.1.0", 400],
  ["/discovery?tei=urn:tei:purl:x.org:nonsense", 400],
  ["/discovery", 400],
  ["/products?pageSize=0", 400],
  ["/products?pageOffset=x", 400],
])("%s answers %i", async (path, status) => {
  expect((await service.get(`/tea/v0.4.0${path}`)).statusCode).toBe(status);
});

test.each([
  ["idType=PURL", "idValue is missing"],
  ["idValue=pkg:npm/express", "idType is missing"],
  ["idType=PURL&idValue=nonsense", '"nonsense" is not a package URL'],
  ["idType=PURL&idValue=pkg:npm", '"pkg:npm" is not a package URL'],
  ["idType=SWID&idValue=pkg:npm/express", "idType"],
  ["idType=purl&idValue=pkg:npm/express", "idType"],
  ["idType=TEI&idValue=pkg:npm/express", '"pkg:npm/express" is not a TEI'],
  ["idType=TEI&idValue=urn:tei:purl:x.org:npm/express", '"npm/express" is not a package URL'],
])("refuses ?%s with an error that names it", async (query, problem) => {
  for (const path of ["products", "productReleases"]) {
    const answer = await service.get(`/tea/v0.4.0/${path}?${query}`);
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: "invalid-request" }]);
    expect(answer.body).toContain(JSON.stringify(problem).slice(1, -1));
  }
});

test.each([
  ["2026", "2026-01-01T00:00:00Z"],
  ["2026-05", "2026-05-01T00:00:00Z"],
  ["2026-05-07", "2026-05-07T00:00:00Z"],
])("a release that was read in %s is dated %s", async (read, created) => {
  const { catalogue } = served;
  const product = (slug: string) => {
    const found = catalogue.product(slug);
    return found && { ...found, cycles: found.cycles.map((cycle) => ({ ...cycle, claims: cycle.claims.map(readOn) })) };
  };
  const readOn = (claim: Claim): Claim => ({ ...claim, retrievedAt: asStatementDay(read) });
  const local = createLocal({
    catalogue: { ...catalogue, product },
    asOf: asIsoDate("2026-12-01"),
    links: linksUnder(PUBLIC_URL),
  });
  const releases = await TEA_OPERATIONS["TeaV040ProductReleases"]?.make(local, { pageSize: 5 });
  expectValid(teaPage(teaRelease), releases);
  expect(releases).toMatchObject({ results: Array.from({ length: 5 }, () => ({ createdDate: created })) });
});

test("a product or release has the same UUID in every edition, and no other has it", async () => {
  const { results } = await get(`${await base()}/productReleases?pageSize=1000`);
  const uuids = results.map((each: { uuid: string }) => each.uuid);
  expect(new Set(uuids).size).toBe(uuids.length);
  const { uuid: express } = (await get("/tea/v0.4.0/products?idType=PURL&idValue=pkg:npm/express")).results[0];
  expect(express).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("the static export has a file for each product and release, and its lifecycle", () => {
  const { catalogue } = served;
  const cycles = catalogue.slugs().reduce((sum, slug) => sum + (catalogue.product(slug)?.cycles.length ?? 0), 0);
  const files = [...siteEntries(catalogue, ["tea"])].map(({ file }) => file);
  expect(files).toHaveLength(1 + 2 * catalogue.slugs().length + 2 * cycles);
  expect(files).toContain(".well-known/tea.json");
  expect(new Set(files).size).toBe(files.length);
  expect(Object.keys(TEA_OPERATIONS)).toHaveLength(9);
});

test("each product has its lifecycle as an ECMA-428 document", async () => {
  const document = await get("/feeds/express/cle.json");
  expect(document).toMatchObject({
    $schema: "https://ecma-tc54.github.io/ECMA-428/schema/cle-1.0.0.schema.json",
    identifier: expect.arrayContaining(["pkg:npm/express"]),
  });
  expectValid(teaCle, document);
});
