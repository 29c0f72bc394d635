import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../../../src/api/operations/operations.ts";
import { exampleBody, ROUTE_GROUPS } from "../../../../src/service/http/openapi.ts";
import { type Example, curlLines, exampleOf, fieldsOf } from "../../../../src/service/pages/docs/docs.ts";
import { queryOf } from "../../../../src/service/http/service-operations.ts";
import { PUBLIC_URL, stopServices, type Service } from "../../service.ts";
import { BROWSER, startPages } from "../page-fixtures.ts";

const ROWS: [string, Operation][] = Object.values(ROUTE_GROUPS).flatMap((rows) => Object.entries(rows));

let service: Service;
let example: Example;
let docs: string;
beforeAll(async () => {
  service = await startPages({ settings: { open: true } });
  example = exampleOf(service.editions.current().served.catalogue, PUBLIC_URL);
  docs = (await service.get("/docs", BROWSER)).body;
});
afterAll(stopServices);

describe.each(ROWS)("%s", (name, row) => {
  test("is documented with every parameter", () => {
    expect(docs).toContain(`id="${name}"`);
    const section = docs.slice(docs.indexOf(`<section class="route" id="${name}"`)).split("</section>")[0] ?? "";
    expect(section).toContain(row.path.replaceAll(/:(\w+)/g, "{$1}"));
    for (const { name: field } of [...fieldsOf(row.params), ...fieldsOf(queryOf(name, row))]) {
      expect(section).toContain(`<code>${field}</code>`);
    }
  });

  test("has a working example request", async () => {
    const lines = curlLines(name, row, example);
    if (name === "webhook") return expect(lines).toEqual([]);
    const address = new RegExp(`${PUBLIC_URL.replaceAll(".", "\\.")}[^' ]*`).exec(lines.join(" "))?.[0] ?? "";
    if (row.method === "GET") expect((await service.get(address.slice(PUBLIC_URL.length))).statusCode).toBe(200);
    const body = exampleBody(name, example);
    if (row.body !== undefined && row.body !== "document") {
      expect(new Ajv({ strict: false }).validate(row.body, body)).toBe(true);
    }
  });
});

test("shows the tiers and limits in use", async () => {
  const other = await startPages({ tiers: { free: { requests_per_day: 500 }, acme: { batch_items: 77 } } });
  const html = (await other.get("/docs", BROWSER)).body;
  expect(html).toContain('<tr><th scope="row">free</th><td>500</td>');
  expect(html).toContain('<tr><th scope="row">acme</th><td>unlimited</td><td>77</td>');
  expect(html).toContain("2026-11-16T00:00:00Z");
  expect(docs).toContain("This server needs no key and has no quota");
});

test("names the fields of objects and of the objects in their arrays", () => {
  const items = { type: "object", required: ["slug"], properties: { slug: { type: "string", description: "a slug" } } };
  expect(fieldsOf({ type: "object", properties: { products: { type: "array", items } } })).toEqual([
    { name: "products", required: false, meaning: "" },
    { name: "products[].slug", required: true, meaning: "a slug" },
  ]);
});
