/** The complete application over an embedded store in a temporary folder, with a settable clock. No port is opened. */
import { readFileSync } from "node:fs";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { encodeCatalogue, readContent } from "../../src/catalogue/file.ts";
import type { StoredProduct } from "../../src/catalogue/schema.ts";
import { parseCatalogue } from "../../src/catalogue/load.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { createApp, type Pages } from "../../src/service/http/app.ts";
import { createDocuments, type PoolOptions } from "../../src/service/documents/pool.ts";
import { createEditions, type Editions, type ServedCatalogue } from "../../src/service/http/editions.ts";
import { DEFAULT_TIERS, parseTiers } from "../../src/service/keys/tiers.ts";
import { SILENT, type Log } from "../../src/service/serve/log.ts";
import {
  createStoreServices,
  type StoreServices,
  type StoreServicesOptions,
} from "../../src/service/serve/store-services.ts";
import { type AppContext, DEFAULT_SETTINGS, type ServerSettings } from "../../src/service/http/app-context.ts";
import { clockAt, SECRETS, testStore, type TestClock, type StoreFixture } from "./harness.ts";

export const PUBLIC_URL = "https://eol.example.org";

/** The shared test catalogue and one fictional firewall whose versions 13.0 and 12.0 are split. */
function fixture(): Buffer {
  const content = structuredClone(
    readContent(readFileSync(new URL("../fixtures/catalogue.json", import.meta.url)), "fixture"),
  );
  const products: Record<string, StoredProduct> = content.products;
  const names: Record<string, readonly string[]> = content.names;
  products["frobos"] = {
    name: "FrobOS",
    category: "os",
    surface: "high",
    edge: "firewall",
    record: "custom",
    read: 0,
    split: { "13.0": ["13.0-sp1", "13.0-sp2"], "12.0": ["12.0", "12.0-sp1"] },
    cycles: [
      { name: "13.0-sp2", eol: "2027-01-31" },
      { name: "13.0-sp1", eol: "2025-01-31" },
      { name: "12.0-sp1", eol: "2024-01-31" },
      { name: "12.0", eol: "2023-01-31" },
    ],
  };
  names["frobos"] = ["FrobOS"];
  return encodeCatalogue(content);
}
const bytes = fixture();

export const served: ServedCatalogue = { catalogue: parseCatalogue(bytes, "fixture"), bytes: () => bytes };

/** Before the cut-off of keyless access, after the day of the fixture's data. */
export const BEFORE_CUT_OFF = "2026-09-01T12:00:00Z";
export const AFTER_CUT_OFF = "2026-12-01T12:00:00Z";

export interface ServiceOptions {
  readonly at?: string;
  /** Version of the software. */
  readonly version?: string;
  readonly settings?: Partial<ServerSettings>;
  readonly tiers?: object;
  readonly log?: Log;
  readonly parts?: Partial<AppContext>;
  readonly pool?: Partial<PoolOptions>;
  readonly store?: Partial<StoreServicesOptions>;
  readonly pages?: Pages;
}

export interface Service {
  readonly app: FastifyInstance;
  readonly clock: TestClock;
  readonly over: StoreServices;
  readonly fixture: StoreFixture;
  readonly editions: Editions;
  /** Creates a key of a tier. */
  key(tier?: string): Promise<string>;
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<LightMyRequestResponse>;
  post(url: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<LightMyRequestResponse>;
  inject(options: InjectOptions): Promise<LightMyRequestResponse>;
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const clock = clockAt(options.at ?? BEFORE_CUT_OFF);
  const fixture = await testStore();
  const settings = { ...DEFAULT_SETTINGS, publicUrl: PUBLIC_URL, ...options.settings };
  const log = options.log ?? SILENT;
  const version = options.version ?? "0.0.0-test";
  const editions = createEditions(served, { links: linksUnder(settings.publicUrl), version }, clock);
  const over = createStoreServices({
    store: fixture.store,
    secrets: SECRETS,
    tiers: options.tiers === undefined ? DEFAULT_TIERS : parseTiers({ tiers: options.tiers }, "test"),
    clock,
    log,
    catalogue: () => editions.current().served.catalogue,
    transport: { send: async () => undefined, close: () => undefined },
    publicUrl: settings.publicUrl,
    mailDomain: "eol.example.org",
    ...options.store,
  });
  const documents = createDocuments({ editions, publicUrl: settings.publicUrl, ...options.pool });
  const parts: AppContext = {
    version,
    settings,
    services: over.services,
    editions,
    documents,
    clock,
    log,
    telemetry: { observe: () => undefined, lateness: () => 0 },
    ...options.parts,
  };
  const app = createApp(parts, options.pages);
  let emails = 0;
  const service: Service = {
    app,
    clock,
    over,
    fixture,
    editions,
    key: async (tier = "enterprise") => {
      emails += 1;
      return (await over.keys.create(`user${emails}@example.org`, tier)).text;
    },
    inject: (request) => app.inject(request),
    get: (url, headers = {}) => app.inject({ method: "GET", url, headers }),
    post: (url, body, headers = {}) =>
      app.inject({
        method: "POST",
        url,
        payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
        headers: { "content-type": "application/json", ...headers },
      }),
  };
  closers.push(async () => {
    await app.close();
    await documents.close();
    await over.close();
    await fixture.close();
  });
  return service;
}

const closers: (() => Promise<void>)[] = [];

/** Ends every service that was started: for `afterAll`. */
export async function stopServices(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}
