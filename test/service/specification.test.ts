/**
 * The tables of the interface specification, row by row, against the running service: fields, allowed values, endpoints,
 * errors and limits. A row that is added to a table without a case here fails.
 */
import { readFileSync } from "node:fs";
import type { LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Message } from "../../src/service/mail/message.ts";
import { describeWithShared } from "../shared.ts";
import { AFTER_CUT_OFF, BEFORE_CUT_OFF, startService, stopServices, type Service } from "./service.ts";
import { requiredNames, shapeIn, tableBelow, type Row } from "./specification-text.ts";

type Json = Readonly<Record<string, unknown>>;

let service: Service;
let headers: Record<string, string>;
beforeAll(async () => {
  const mails: Message[] = [];
  service = await startService({
    at: AFTER_CUT_OFF,
    store: { transport: { send: async (mail) => void mails.push(mail), close: () => undefined } },
  });
  headers = { "x-api-key": await service.key() };
});
afterAll(stopServices);

const json = async (url: string): Promise<Json> => (await service.get(url, headers)).json();
const everyScore = async (): Promise<readonly Json[]> => {
  const products = ["nodejs", "debian", "python", "openssl", "log4j", "frobos", "express", "openai-api"];
  const answers = await Promise.all(products.map((slug) => json(`/v1/product/${slug}`)));
  return answers.flatMap(({ versions }) => versions as readonly Json[]);
};

/** Fields that are present only where there is something to state. */
const OPTIONAL = new Set([
  "requested_version",
  "version_matched_by",
  "latest_release",
  "release_date",
  "eol_date_source_url",
  "eol_date_verified_at",
]);
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The type of a value in the column `Type`. */
function contradicts(type: string, value: unknown): boolean {
  if (value === null) return !type.includes("nullable") && !type.startsWith("integer");
  if (type.startsWith("integer")) return !Number.isInteger(value);
  if (type.startsWith("boolean")) return typeof value !== "boolean";
  if (type.startsWith("object")) return typeof value !== "object";
  if (typeof value !== "string") return true;
  if (type.includes("date")) return !DATE.test(value);
  return type.includes("URL") && !/^https?:\/\//.test(value);
}

const namesOf = ({ field = "" }: Row): readonly string[] =>
  field
    .replace(/\(.*\)/, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^\w+$/.test(name));

describeWithShared("the interface specification", "spec/interface.md", (url) => {
  const text = readFileSync(url, "utf8");

  test.each(tableBelow(text, "2.1 ").flatMap((row) => namesOf(row).map((name) => [name, row] as const)))(
    "a score has %s as described",
    async (name, { type = "" }) => {
      for (const score of await everyScore()) {
        if (score[name] === undefined && OPTIONAL.has(name)) continue;
        expect(
          contradicts(type, score[name]),
          `${JSON.stringify(score[name])} of ${JSON.stringify(score["product"])}`,
        ).toBe(false);
      }
    },
  );

  test("a score has the documented factors", async () => {
    const notes = tableBelow(text, "2.1 ").find((row) => row["field"] === "factors")?.["notes"] ?? "";
    const names = (/keys (.*)$/.exec(notes)?.[1] ?? "").split(", ");
    expect(names).toHaveLength(4);
    for (const { factors } of await everyScore()) expect(Object.keys(Object(factors))).toEqual(names);
  });

  test.each(tableBelow(text, "2.2 ").flatMap((row) => namesOf(row).map((name) => [name, row] as const)))(
    "a status has %s as described",
    async (name, { type = "" }) => {
      for (const version of ["18", "20.11.1", "24"]) {
        const value = (await json(`/v1/status/nodejs/${version}`))[name];
        if (type.startsWith("as in")) expect(value).toBe((await json(`/v1/score/nodejs/${version}`))[name]);
        else expect(contradicts(type, value), `${name}: ${JSON.stringify(value)}`).toBe(false);
      }
    },
  );

  test.each(tableBelow(text, "2.3 "))("$field has allowed values only", async (row) => {
    const { field = "", type = "", "allowed values and rule": rule = "" } = row;
    const plain = rule.replaceAll(/\([^)]*\)/g, "");
    const allowed = new Set([...plain.matchAll(/(?:^|[,.] )([a-z]+(?:-[a-z]+)?)(?=[,: ]|$)/g)].map(([, word]) => word));
    const isWord = type === "string" && field !== "";
    for (const score of await everyScore()) {
      const value = score[field];
      if (value === undefined && OPTIONAL.has(field)) continue;
      expect(contradicts(type, value), `${field}: ${JSON.stringify(value)}`).toBe(false);
      if (isWord) expect([...allowed], field).toContain(value);
    }
  });

  test("states are those of the specification", async () => {
    const states = tableBelow(text, "3. ").map((row) => row["state"]);
    for (const { status } of await everyScore()) expect(states).toContain(status);
  });

  test.each(tableBelow(text, "2.7 "))("every error has $field", async ({ field = "" }) => {
    for (const path of ["/v1/product/nowhere", "/v1/score/nodejs/999", "/nowhere", "/v1/metrics"])
      expect(typeof (await json(path))[field], path).toBe("string");
  });

  const SBOM = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [{ type: "library", name: "express", version: "3.1.0", purl: "pkg:npm/express@3.1.0" }],
  };
  const BODIES: Readonly<Record<string, object>> = {
    "/v1/batch": { products: [{ slug: "nodejs", version: "20" }] },
    "/v1/keys/free": { email: "ann@example.org" },
    "/v1/sbom": SBOM,
    "/v1/sbom/watch": { email: "bob@example.org", sbom: SBOM },
  };

  test.each(tableBelow(text, "4. Endpoints"))("$method $path answers", async ({ method = "", path = "" }) => {
    const address = path.replace("{slug}", "nodejs").replace("{version}", "20");
    const query = path === "/v1/metrics" ? "?stack=nodejs:20" : "";
    const answer =
      method === "GET"
        ? await service.get(address + query, headers)
        : await service.post(address, BODIES[path], headers);
    expect(answer.statusCode, answer.body.slice(0, 200)).toBeLessThan(300);
    const description = (await json("/openapi.json"))["paths"] as Readonly<Record<string, Json>>;
    expect(Object.keys(description[path] ?? {})).toContain(method.toLowerCase());
  });

  /** The request that causes the error of each row. */
  const ERRORS: Readonly<Record<string, () => Promise<LightMyRequestResponse>>> = {
    "POST /v1/keys/free with an invalid e-mail": () => service.post("/v1/keys/free", { email: "x" }),
    "data request without X-API-Key after the cut-off": () => service.get("/v1/score/nodejs/20"),
    "POST /v1/batch with more items than the tier allows": async () => {
      const free = { "x-api-key": await service.key("free") };
      return service.post("/v1/batch", { products: Array.from({ length: 6 }, () => ({ slug: "nodejs" })) }, free);
    },
    "GET /v1/product/{slug} with an unknown product": () => service.get("/v1/product/nowhere", headers),
    "POST /v1/keys/free when the signup limit is reached": async () => {
      const own = await startService({ at: AFTER_CUT_OFF });
      const sign = (count: number) => own.post("/v1/keys/free", { email: `ann${count}@example.org` });
      for (const count of [1, 2, 3, 4, 5]) await sign(count);
      return sign(6);
    },
  };
  test.each(tableBelow(text, "7. Errors"))("$status: $condition", async ({ status, condition = "" }) => {
    const answer = await ERRORS[condition]?.();
    expect(String(answer?.statusCode), condition).toBe(status);
    expect(answer?.json()).toMatchObject({ error: expect.any(String), docs: expect.stringContaining("http") });
  });

  test.each(tableBelow(text, "8. Limits").filter(({ tier = "" }) => !tier.startsWith("Enterprise")))(
    "has the documented limits of $tier",
    async (row) => {
      const tier = (row["tier"] ?? "").split(" ")[0]?.toLowerCase() ?? "";
      const key = tier === "anonymous" ? {} : { "x-api-key": await service.key(tier) };
      const own = tier === "anonymous" ? await startService({ at: BEFORE_CUT_OFF }) : service;
      const { limits } = (await own.get("/v1", key)).json<{ limits: Json }>();
      const numberIn = (cell = ""): number | null => {
        const digits = /[\d,]+/.exec(cell)?.[0];
        return digits === undefined ? null : Number(digits.replaceAll(",", ""));
      };
      expect(limits["requests_per_day"]).toBe(numberIn(row["requests per day"]));
      expect(limits["batch_items"]).toBe(numberIn(row["batch items per request"]));
      const scored = row["components scored per sbom request"] ?? "";
      if (!scored.startsWith("not stated")) expect(limits["sbom_components"]).toBe(numberIn(scored));
    },
  );
});

describeWithShared("the decisions on it", "spec/decisions.md", (url) => {
  const text = readFileSync(url, "utf8");

  /** Answers whose fields a row of the table of routes lists. */
  const ANSWERS: Readonly<Record<string, () => Promise<LightMyRequestResponse>>> = {
    "GET /v1": () => service.get("/v1", headers),
    "GET /v1/products": () => service.get("/v1/products", headers),
    "GET /v1/product/{slug}": () => service.get("/v1/product/nodejs", headers),
    "404 product": () => service.get("/v1/product/nowhere", headers),
    "404 version": () => service.get("/v1/score/nodejs/99", headers),
    "GET /v1/badge/…": () => service.get("/v1/badge/nodejs/20"),
    "POST /v1/keys/free": () => service.post("/v1/keys/free", { email: "cat@example.org" }),
    "POST /v1/sbom": () =>
      service.post(
        "/v1/sbom",
        {
          bomFormat: "CycloneDX",
          specVersion: "1.6",
          components: [{ type: "library", name: "nodejs", version: "18" }],
        },
        headers,
      ),
    "POST /v1/sbom/watch": () =>
      service.post(
        "/v1/sbom/watch",
        {
          email: "dan@example.org",
          sbom: {
            bomFormat: "CycloneDX",
            specVersion: "1.6",
            components: [{ type: "library", name: "nodejs", version: "22" }],
          },
        },
        headers,
      ),
  };
  const rows = new Map(tableBelow(text, "4. HTTP").map((row) => [row["route"] ?? "", row["shape"] ?? ""]));

  test.each(Object.keys(ANSWERS))("%s has the fields of its row", async (route) => {
    const required = requiredNames(shapeIn(rows.get(route) ?? ""));
    expect(required.length, `the row of ${route}`).toBeGreaterThan(1);
    const answer = (await ANSWERS[route]?.())?.json<Json>() ?? {};
    for (const name of required) expect(answer, route).toHaveProperty(name);
  });

  test("`products` is a list of plain strings, which published clients read", async () => {
    const { products, items } = await json("/v1/products");
    for (const slug of products as readonly unknown[]) expect(typeof slug).toBe("string");
    expect((items as readonly Json[]).map(({ slug }) => slug)).toEqual(products);
  });

  test("the limit without a key is a string before the cut-off", async () => {
    const earlier = await startService({ at: BEFORE_CUT_OFF });
    expect((await earlier.get("/v1")).json()).toMatchObject({ tier: "anonymous", rate_limit: "50 requests/day" });
  });
});
