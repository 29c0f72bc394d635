/** The application for a static export: the handlers of `eolgate serve` without a store and a port. */
import type { FastifyInstance } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import { linksUnder } from "../../wire/links.ts";
import { createApp } from "../http/app.ts";
import type { Clock } from "../clock.ts";
import { createDocuments } from "../documents/pool.ts";
import { createEditions, type ServedCatalogue } from "../http/editions.ts";
import { DEFAULT_TIERS } from "../keys/tiers.ts";
import { SILENT } from "../serve/log.ts";
import { pages } from "../pages/pages.ts";
import type { Services } from "../services.ts";
import { DEFAULT_SETTINGS } from "../http/app-context.ts";

export interface SiteOptions {
  readonly version: string;
  readonly served: ServedCatalogue;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Whether a server is available for search and forms, which the pages then contain. */
  readonly withServer: boolean;
}

/** Headers of requests to the application. The key has no limits. */
export const EXPORT_HEADERS = { "x-api-key": "export" } as const;

export function createSiteApp({ version, served, clock, publicUrl, withServer }: SiteOptions): FastifyInstance {
  const editions = createEditions(served, { links: linksUnder(publicUrl), version }, clock);
  return createApp(
    {
      version,
      settings: { ...DEFAULT_SETTINGS, publicUrl, open: !withServer, interactive: withServer },
      services: SERVICES,
      editions,
      documents: createDocuments({ editions, publicUrl }),
      clock,
      log: SILENT,
      telemetry: { observe: () => undefined, lateness: () => 0 },
    },
    pages,
  );
}

const absent = (): Promise<never> =>
  Promise.reject(EolgateError.of("internal", { problem: "a static export has no keys and no watch lists" }));

const SERVICES: Services = {
  keys: {
    authenticate: () => ({
      id: "export",
      tier: { name: "export", requestsPerDay: null, batchItems: null, sbomComponents: null },
    }),
    mailFree: absent,
    recover: absent,
  },
  quotas: { take: absent, failedKey: absent },
  watches: {
    watch: absent,
    mailLink: absent,
    lookUp: absent,
    confirm: absent,
    unsubscribe: absent,
    manage: absent,
    edit: absent,
    setPaused: absent,
    feed: absent,
  },
  anonymous: DEFAULT_TIERS.anonymous,
  free: DEFAULT_TIERS.free,
  tiers: DEFAULT_TIERS.all,
  checks: {},
};
