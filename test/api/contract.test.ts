/** One set of operations with two backends: the catalogue here, and a service over HTTP. Equal answers, byte for byte. */
import { effectiveClaim } from "../../src/lifecycle/ends.ts";
import { isMaintenanceOnly } from "../../src/lifecycle/status.ts";
import type { Dispatcher } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { ERRORS } from "../../src/messages/errors/index.ts";
import type { ErrorRow } from "../../src/messages/errors/row.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { createLocal } from "../../src/api/operations/local.ts";
import { OPERATIONS, type Engine, type OperationName } from "../../src/api/operations/operations.ts";
import { createRemote } from "../../src/api/remote/remote.ts";
import { PUBLIC_URL, served, startService, stopServices, type Service } from "../service/service.ts";
import { throughApp } from "../service/through-app.ts";

let local: Engine;
let remote: Engine;
let dispatcher: Dispatcher;
let key: string;
let service: Service;
beforeAll(async () => {
  service = await startService({ at: "2026-12-01T12:00:00Z" });
  key = await service.key();
  dispatcher = throughApp(service.app);
  const { asOf } = service.editions.current();
  local = createLocal({ catalogue: served.catalogue, asOf, links: linksUnder(PUBLIC_URL) });
  remote = createRemote({
    base: PUBLIC_URL,
    key,
    env: {},
    dispatcher,
    asOf,
    sendSbom: true,
    pause: async () => undefined,
  });
});
afterAll(stopServices);

const bytes = (document: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(document));
const BOM = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [
    { type: "library", "bom-ref": "a", name: "express", version: "3.1.0", purl: "pkg:npm/express@3.1.0" },
    { type: "library", "bom-ref": "b", name: "nodejs", version: "22.1.0" },
    { type: "library", "bom-ref": "c", name: "nobody-knows" },
  ],
};

type OperationFields = Readonly<Record<string, unknown>>;
const CASES: readonly [operation: OperationName, fields: OperationFields][] = [
  ["products", {}],
  ["product", { slug: "nodejs" }],
  ["product", { slug: "node" }],
  ["product", { slug: "pyhton" }],
  ["product", { slug: "a/../b" }],
  ["product", { slug: "Ünïcode \u0000 ?#&%" }],
  ["highestScore", { slug: "debian" }],
  ["highestScore", { slug: "nowhere" }],
  ["score", { slug: "nodejs", version: "20.11.1" }],
  ["score", { slug: "frobos", version: "13.0" }],
  ["score", { slug: "python", version: "99" }],
  ["score", { slug: "openai-api", version: "sora-2" }],
  ["status", { slug: "debian", version: "bookworm" }],
  ["status", { slug: "debian", version: "" }],
  ["score", { slug: "debian", version: "" }],
  ["batch", { products: [] }],
  ["batch", { products: [{ slug: "nodejs" }, { purl: "pkg:npm/express@3.1.0" }, { slug: "x", version: "1" }, {}] }],
  ["batch", { products: Array.from({ length: 40 }, (_, index) => ({ slug: "nodejs", version: String(index) })) }],
  ["metrics", { stack: "nodejs:20,nowhere:1,frobos:13.0" }],
  ["metrics", { stack: "nodejs:20", format: "openmetrics" }],
  ["metrics", { stack: "" }],
  ["badge", { slug: "nodejs", version: "20.1.1" }],
  ["badge", { slug: "frobos", version: "13.0" }],
  ["kev", { slug: "log4j" }],
  ["kev", { slug: "nowhere" }],
  ["upcoming", {}],
  ["upcoming", { days: 400, products: "nodejs,python", limit: 3 }],
  ["upcoming", { products: "nowhere" }],
  ["edgeDevices", {}],
  ["upgrade", { slug: "nodejs", version: "18.1.0" }],
  ["upgrade", { slug: "npm-request", version: "2.0.0" }],
  ["sbom", { document: bytes(BOM) }],
  ["sbom", { document: bytes(BOM), strict: "1", warn_days: 400 }],
  ["sbom", { document: bytes({ hello: "world" }) }],
  ["sbom", { document: bytes({ ...BOM, components: [] }) }],
  ["enrich", { document: bytes(BOM), warn_days: 400 }],
  ["enrich", { document: bytes({ ...BOM, specVersion: "1.2" }) }],
];

/** The answer's bytes, or the fields of the EolgateError. */
async function outcome(engine: Engine, operation: OperationName, fields: OperationFields): Promise<unknown> {
  // One table for all rows: the fields of each case are those of its row.
  const ask = engine[operation] as (fields: OperationFields) => Promise<unknown>;
  try {
    const answer = await ask(fields);
    return answer instanceof Uint8Array ? new TextDecoder().decode(answer) : JSON.stringify(answer);
  } catch (error) {
    if (!(error instanceof EolgateError)) throw error;
    const { kind, code, message, where, hint, details } = error;
    // The service's hints name no flag of the command line.
    return { kind, code, message, where, ...(hasOwnHttpHint(code) ? {} : { hint }), details };
  }
}

const ROWS: Readonly<Record<string, Pick<ErrorRow<unknown>, "httpHint">>> = ERRORS;
const hasOwnHttpHint = (code: string): boolean => ROWS[code]?.httpHint !== undefined;

describe("local and remote operations give the same results", () => {
  test.each(CASES)("%s %j", async (operation, fields) => {
    expect(await outcome(remote, operation, fields)).toEqual(await outcome(local, operation, fields));
  });

  test("dot segments are sent to the service unchanged", async () => {
    const base = await service.app.listen({ host: "127.0.0.1", port: 0 });
    const real = createRemote({ base, key, env: {}, asOf: asIsoDate("2026-12-01") });
    for (const [operation, fields] of [
      ["product", { slug: ".." }],
      ["score", { slug: "nodejs", version: ".." }],
      ["score", { slug: ".", version: "." }],
    ] as const) {
      expect(await outcome(real, operation, fields)).toEqual(await outcome(local, operation, fields));
    }
    await real.close();
  });

  test("every operation has a case", () => {
    expect(new Set(CASES.map(([operation]) => operation))).toEqual(new Set(Object.keys(OPERATIONS)));
  });

  test("remote assessments equal local ones", async () => {
    const releaseCycles = served.catalogue.slugs().flatMap((slug) => {
      const product = served.catalogue.product(slug);
      return (product?.cycles ?? []).map((cycle) => ({ product: slug, cycle: cycle.name }));
    });
    expect(releaseCycles.length).toBeGreaterThan(400);
    const [here, there] = [await local.assessCycles(releaseCycles), await remote.assessCycles(releaseCycles)];
    for (const [index, assessment] of here.entries()) {
      const { cycle, ...rest } = assessment;
      // What the wire does not contain: ends of active and extended support, which no gate and no score looks at. It
      // states whether active support has ended where no end is announced.
      const { eoasFrom: _, eoesFrom: __, claims, ...others } = cycle;
      const kept = { ...others, ...(isMaintenanceOnly(cycle, assessment.asOf) && { eoasFrom: { kind: "ended" } }) };
      const effective = effectiveClaim(claims);
      // The wire lists the effective claim first.
      const ordered = [...claims.filter((each) => each === effective), ...claims.filter((each) => each !== effective)];
      expect(there[index]).toEqual(JSON.parse(JSON.stringify({ ...rest, cycle: { ...kept, claims: ordered } })));
    }
  });
});

describe("data that is sent to the service", () => {
  test("consists of slugs and versions, and documents are sent only with permission", async () => {
    const shy = createRemote({ base: PUBLIC_URL, key, env: {}, dispatcher, asOf: asIsoDate("2026-12-01") });
    for (const ask of [shy.sbom, shy.enrich]) {
      await expect(ask({ document: bytes(BOM) })).rejects.toMatchObject({ kind: "usage", code: "send-sbom-needed" });
    }
  });

  test("a cycle that the service does not have is an error", async () => {
    const [line] = served.catalogue.slugs();
    if (line === undefined) throw new Error("the fixture is empty");
    await expect(remote.assessCycles([{ product: line, cycle: "no-such-line" }])).rejects.toMatchObject({
      kind: "network",
      code: "cycle-not-at-service",
    });
  });
});
