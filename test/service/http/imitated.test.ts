/** The whole catalogue in each form of another interface, against its published schema. */
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { TSchema } from "typebox";
import { describe, expect, test, vi } from "vitest";
import { createLocal } from "../../../src/api/operations/local.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { toCle } from "../../../src/catalogue/own/cle.ts";
import { ENDOFLIFE_OPERATIONS, groupsOf, type PublishedOperation } from "../../../src/service/http/endoflife.ts";
import { TEA_OPERATIONS, uuidsOf } from "../../../src/service/http/tea.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { badge } from "../../../src/wire/product.ts";
import { linksUnder } from "../../../src/wire/links.ts";
import * as schemas from "./imitated-schemas.ts";

// Each test reads the whole catalogue.
vi.setConfig({ testTimeout: 180_000 });

const catalogue = loadCatalogue();
const products = catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
const links = linksUnder("https://eol.example.org");
const local = createLocal({ catalogue, asOf: asIsoDate("2026-11-28"), links });

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

/** The violations of a schema by a value, with their place in it. */
function violationsOf(schema: TSchema): (value: unknown, name: string) => readonly string[] {
  const validate = ajv.compile(schema);
  return (value, name) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message ?? ""}`);
}

const rowOf = (table: Readonly<Record<string, PublishedOperation>>, path: string): PublishedOperation => {
  const row = Object.values(table).find((each) => each.path === path);
  if (row === undefined) throw new Error(`no route ${path}`);
  return row;
};

/** The answers of a route to each set of parameters. */
async function violations(
  table: Readonly<Record<string, PublishedOperation>>,
  path: string,
  schema: TSchema,
  params: Iterable<Readonly<Record<string, unknown>>> = [{}],
): Promise<readonly string[]> {
  const row = rowOf(table, path);
  const check = violationsOf(schema);
  const found: string[] = [];
  let count = 0;
  for (const each of params) {
    count += 1;
    // What is serialized is checked: a member that is undefined is absent.
    const value: unknown = JSON.parse(JSON.stringify(await row.make(local, each)));
    if (found.length < 20) found.push(...check(value, Object.values(each).join(" ")));
  }
  expect(count).toBeGreaterThan(0);
  return found;
}

const slugs = products.map(({ slug }) => ({ slug }));
const cycles = products.flatMap(({ slug, cycles: own }) => own.map(({ name }) => ({ slug, version: name })));
const groups = (path: string) => groupsOf(path, products).map((group) => ({ group }));

describe("endoflife.date", () => {
  test.each([
    ["/api/:slug.json", schemas.oldCycles, slugs],
    ["/api/:slug/:version.json", schemas.oldCycle, cycles],
    ["/api/v1", schemas.listOf(schemas.link), [{}]],
    ["/api/v1/products", schemas.listOf(schemas.productSummary), [{}]],
    ["/api/v1/products/full", schemas.listOf(schemas.productDetails), [{}]],
    ["/api/v1/products/:slug", schemas.answerOf(schemas.productDetails), slugs],
    ["/api/v1/products/:slug/releases/:version", schemas.answerOf(schemas.productRelease), cycles],
    ["/api/v1/categories/:group", schemas.listOf(schemas.productSummary), groups("/categories/:group")],
    ["/api/v1/tags/:group", schemas.listOf(schemas.productSummary), groups("/tags/:group")],
  ])("%s", async (path, schema, params) => {
    expect(await violations(ENDOFLIFE_OPERATIONS, path, schema, params)).toEqual([]);
  });
});

describe("the Transparency Exchange API", () => {
  const uuids = (path: string) => uuidsOf(path, products).map((uuid) => ({ uuid }));
  const whole = { pageSize: Number.MAX_SAFE_INTEGER };
  test.each([
    ["/products", schemas.teaPage(schemas.teaProduct), [whole]],
    ["/productReleases", schemas.teaPage(schemas.teaRelease), [whole]],
    ["/product/:uuid/cle", schemas.teaCle, uuids("/product/:uuid")],
  ])("%s", async (path, schema, params) => {
    expect(await violations(TEA_OPERATIONS, `/tea/v0.4.0${path}`, schema, params)).toEqual([]);
  });
});

test("CLE: events are valid, and each refers to a defined support", () => {
  const check = violationsOf(schemas.cleDocument);
  const documents = products.map(toCle);
  expect(documents.flatMap((document, at) => check(document, products[at]?.slug ?? "")).slice(0, 20)).toEqual([]);
  for (const { events, definitions, identifier } of documents) {
    const defined = (definitions?.support ?? []).map(({ id }) => id);
    expect(new Set(defined).size, String(identifier)).toBe(defined.length);
    for (const { supportId } of events) if (supportId !== undefined) expect(defined).toContain(supportId);
  }
});

test("the endpoint badge of shields.io", () => {
  const check = violationsOf(schemas.endpointBadge);
  const all = local.everyAssessment();
  expect(all.length).toBeGreaterThan(19_000);
  expect(all.flatMap((each) => check(badge(each), each.releaseCycle.product)).slice(0, 20)).toEqual([]);
});

test("a value of another form is a violation", () => {
  expect(violationsOf(schemas.oldCycle)({ eol: null, lts: false }, "x")).not.toEqual([]);
  expect(violationsOf(schemas.productRelease)({ ...catalogue, releaseDate: null }, "x")).not.toEqual([]);
});
