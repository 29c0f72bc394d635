/** The answers of endoflife.date's paths, as its published clients read them. */
import { Type } from "typebox";
import { Errors } from "typebox/value";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  answerOf,
  link,
  listOf,
  oldCycle,
  oldCycles,
  productDetails,
  productRelease,
  productSummary,
} from "./imitated-schemas.ts";
import { AFTER_CUT_OFF, PUBLIC_URL, startService, stopServices, type Service } from "../service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ at: AFTER_CUT_OFF });
});
afterAll(stopServices);

describe("every path has the published form, without a key", () => {
  test.each([
    ["/api/all.json", Type.Array(Type.String())],
    ["/api/nodejs.json", oldCycles],
    ["/api/nodejs/18.json", oldCycle],
    ["/api/frobos/12.0.json", oldCycle],
    ["/api/v1", listOf(link)],
    ["/api/v1/products", listOf(productSummary)],
    ["/api/v1/products/full", listOf(productDetails)],
    ["/api/v1/products/nodejs", answerOf(productDetails)],
    ["/api/v1/products/nodejs/releases/18", answerOf(productRelease)],
    ["/api/v1/products/nodejs/releases/latest", answerOf(productRelease)],
    ["/api/v1/categories", listOf(link)],
    ["/api/v1/categories/os", listOf(productSummary)],
    ["/api/v1/tags", listOf(link)],
    ["/api/v1/identifiers", listOf(link)],
    ["/api/v1/identifiers/purl", listOf(Type.Object({ identifier: Type.String(), product: link }))],
  ])("%s", async (url, schema) => {
    const answer = await service.get(url);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=3600",
    });
    expect([...Errors(schema, answer.json())]).toEqual([]);
    const again = await service.get(url, { "if-none-match": String(answer.headers["etag"]) });
    expect(again.statusCode).toBe(304);
    // Its own addresses end with a slash.
    expect((await service.get(`${url}/`)).json()).toEqual(answer.json());
  });

  test.each(["/api/nowhere.json", "/api/nodejs/0.0.json", "/api/v1/products/nowhere", "/api/v1/tags/nowhere"])(
    "%s is not found",
    async (url) => expect((await service.get(url)).statusCode).toBe(404),
  );

  test("every link of version 1 leads to an answer", async () => {
    const entries = async (url: string): Promise<readonly { readonly uri: string }[]> =>
      (await service.get(url)).json().result;
    for (const url of ["/api/v1", "/api/v1/products", "/api/v1/categories", "/api/v1/tags", "/api/v1/identifiers"])
      for (const { uri } of await entries(url))
        expect((await service.get(uri.slice(PUBLIC_URL.length))).statusCode, uri).toBe(200);
  });
});

describe("the facts are those of the API", () => {
  test("end, latest release and long-term support of a release cycle", async () => {
    const status = (await service.get("/v1/status/nodejs/18", { "x-api-key": await service.key() })).json();
    const old = (await service.get("/api/nodejs/18.json")).json();
    const { result } = (await service.get("/api/v1/products/nodejs/releases/18")).json();
    expect(old).toMatchObject({ eol: status.eol_date, latest: status.latest_release, eolgate: { status: "eol" } });
    expect(result).toMatchObject({ isEol: true, eolFrom: status.eol_date, latest: { name: status.latest_release } });
  });
});

describe("published clients", () => {
  /** Renovate's datasource endoflife-date: `cycle`, `latest`, `releaseDate`, `eol` and `discontinued` of each entry. */
  test("Renovate's reading gives releases, of which the ended ones are deprecated", async () => {
    interface Entry {
      readonly cycle: string;
      readonly latest?: string;
      readonly releaseDate?: string;
      readonly eol: string | boolean;
      readonly discontinued?: string | boolean;
    }
    const isPast = (value: string | boolean | undefined): boolean =>
      typeof value === "string" ? Date.parse(value) <= Date.parse(AFTER_CUT_OFF) : value === true;
    const entries: readonly Entry[] = (await service.get("/api/nodejs.json")).json();
    const releases = entries.map(({ cycle, latest, releaseDate, eol, discontinued }) => ({
      version: latest ?? cycle,
      releaseTimestamp: releaseDate,
      isDeprecated: isPast(eol) || isPast(discontinued),
    }));
    expect(releases.find(({ version }) => version.startsWith("18."))).toMatchObject({ isDeprecated: true });
    expect(releases.find(({ version }) => version.startsWith("24."))).toMatchObject({ isDeprecated: false });
  });
});
