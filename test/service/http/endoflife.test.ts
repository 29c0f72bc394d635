/** The answers of endoflife.date's paths, as its published clients read them. */
import { Type } from "typebox";
import { Errors } from "typebox/value";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AFTER_CUT_OFF, PUBLIC_URL, startService, stopServices, type Service } from "../service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ at: AFTER_CUT_OFF });
});
afterAll(stopServices);

const day = Type.String({ pattern: String.raw`^\d{4}-\d{2}-\d{2}$` });
const dayOrFlag = Type.Union([day, Type.Boolean()]);
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** `Cycle` of `assets/openapi.yml`. */
const oldCycle = Type.Object({
  eol: dayOrFlag,
  lts: dayOrFlag,
  latest: Type.Optional(Type.String()),
  releaseDate: Type.Optional(day),
  latestReleaseDate: Type.Optional(day),
  support: Type.Optional(dayOrFlag),
  extendedSupport: Type.Optional(dayOrFlag),
});

const link = Type.Object({ name: Type.String(), uri: Type.String({ pattern: "^https://eol.example.org/api/v1/" }) });
const summary = Type.Object({
  name: Type.String(),
  aliases: Type.Array(Type.String()),
  label: Type.String(),
  category: Type.String(),
  tags: Type.Array(Type.String()),
  uri: Type.String(),
});
/** `ProductRelease` of `api_v1/openapi.yml`. */
const release = Type.Object({
  name: Type.String(),
  codename: orNull(Type.String()),
  label: Type.String(),
  releaseDate: orNull(day),
  isLts: Type.Boolean(),
  ltsFrom: orNull(day),
  isEoas: orNull(Type.Boolean()),
  eoasFrom: orNull(day),
  isEol: Type.Boolean(),
  eolFrom: orNull(day),
  isEoes: orNull(Type.Boolean()),
  eoesFrom: orNull(day),
  isMaintained: Type.Boolean(),
  latest: orNull(Type.Object({ name: Type.String(), date: orNull(day), link: orNull(Type.String()) })),
  custom: Type.Null(),
});
const details = Type.Object({
  name: Type.String(),
  label: Type.String(),
  category: Type.String(),
  versionCommand: Type.Null(),
  identifiers: Type.Array(Type.Object({ type: Type.String(), id: Type.String() })),
  labels: Type.Object({ eol: Type.String(), eoas: orNull(Type.String()), eoes: orNull(Type.String()) }),
  links: Type.Object({ html: Type.String(), icon: Type.Null(), releasePolicy: orNull(Type.String()) }),
  releases: Type.Array(release),
});
const frame = <Schema extends Type.TSchema>(result: Schema) =>
  Type.Object({ schema_version: Type.String(), generated_at: Type.String(), result });
const list = <Schema extends Type.TSchema>(result: Schema) =>
  Type.Object({
    schema_version: Type.String(),
    generated_at: Type.String(),
    total: Type.Integer(),
    result: Type.Array(result),
  });

describe("every path has the published form, without a key", () => {
  test.each([
    ["/api/all.json", Type.Array(Type.String())],
    ["/api/nodejs.json", Type.Array(Type.Intersect([oldCycle, Type.Object({ cycle: Type.String() })]))],
    ["/api/nodejs/18.json", oldCycle],
    ["/api/frobos/12.0.json", oldCycle],
    ["/api/v1", list(link)],
    ["/api/v1/products", list(summary)],
    ["/api/v1/products/full", list(details)],
    ["/api/v1/products/nodejs", frame(details)],
    ["/api/v1/products/nodejs/releases/18", frame(release)],
    ["/api/v1/products/nodejs/releases/latest", frame(release)],
    ["/api/v1/categories", list(link)],
    ["/api/v1/categories/os", list(summary)],
    ["/api/v1/tags", list(link)],
    ["/api/v1/identifiers", list(link)],
    ["/api/v1/identifiers/purl", list(Type.Object({ identifier: Type.String(), product: link }))],
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
