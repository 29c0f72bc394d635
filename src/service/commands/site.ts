/** `eolgate site export DIR`: the answers of the service as files for a static host, without a store and a port. */
import type { FastifyInstance } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import { linksUnder } from "../../wire/links.ts";
import { createApp } from "../http/app.ts";
import type { Clock } from "../clock.ts";
import { createDocuments } from "../documents/pool.ts";
import { type ServedCatalogue, createEditions } from "../http/editions.ts";
import { DEFAULT_TIERS } from "../keys/tiers.ts";
import { SILENT } from "../serve/log.ts";
import { pages } from "../pages/pages.ts";
import type { Services } from "../services.ts";
import { DEFAULT_SETTINGS } from "../http/app-context.ts";
import { resolve } from "node:path";
import { parseCatalogue } from "../../catalogue/load.ts";
import { formatCount, formatNumber } from "../../messages/format.ts";
import { VERSION } from "../../platform/version.ts";
import { type ExportedSite, SITE_PARTS, type SitePart, exportSite, siteEntries } from "../site/export.ts";
import type { Invocation } from "../../shell/command.ts";
import { isEnabled, listValue, stringValue, asOfDay, flagValues } from "../../shell/settings.ts";
import { deliverAnswer } from "../../shell/output.ts";
import { currentCatalogueFile } from "../../shell/catalogue-file.ts";
import { publicUrlOf } from "../serve/settings.ts";

export interface SiteOptions {
  readonly version: string;
  readonly served: ServedCatalogue;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Whether a server is available for search and forms, which the pages then contain. */
  readonly withServer: boolean;
}

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
  quotas: { take: absent, failedKey: () => false },
  watches: {
    watch: absent,
    mailLink: absent,
    lookUp: absent,
    confirm: absent,
    unsubscribe: absent,
    manage: absent,
    edit: absent,
    feed: absent,
  },
  anonymous: DEFAULT_TIERS.anonymous,
  free: DEFAULT_TIERS.free,
  tiers: DEFAULT_TIERS.all,
  checks: {},
};

export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const values = flagValues(invocation);
  const parts = partsOf(listValue(values["part"]));
  const publicUrl = publicUrlOf(stringValue(values["publicUrl"]));
  if (publicUrl === undefined)
    throw EolgateError.of("invalid-value", {
      problem: "--public-url is required, because pages and answers contain their own address",
    });
  const asOf = asOfDay(values["asOf"], io.today());
  const file = await currentCatalogueFile(invocation.io, values);
  const catalogue = parseCatalogue(file.bytes, file.origin);
  const app = createSiteApp({
    version: VERSION,
    served: { catalogue, bytes: () => file.bytes },
    clock: () => Date.parse(asOf),
    publicUrl,
    withServer: isEnabled(values["withServer"]),
  });
  const { date, digest } = catalogue.metadata;
  const site = await exportSite({
    app,
    entries: siteEntries(catalogue, parts),
    folder: resolve(io.cwd, args[0] ?? ""),
    about: {
      generator: "eolgate site export",
      version: VERSION,
      public_url: publicUrl,
      as_of: asOf,
      catalogue: { date, digest },
    },
  });
  await app.close();
  const { manifest: _, ...counts } = site;
  return deliverAnswer(invocation.io, values, counts, () => formatSummary(site, args[0] ?? ""));
}

function partsOf(names: readonly string[]): readonly SitePart[] {
  if (names.length === 0) return SITE_PARTS;
  return names.map((name) => {
    const part = SITE_PARTS.find((each) => each === name);
    if (part !== undefined) return part;
    throw EolgateError.of("invalid-value", { problem: `--part is one of ${SITE_PARTS.join(", ")}, not ${name}` });
  });
}

function formatSummary({ files, bytes, written, unchanged, removed }: ExportedSite, folder: string): string {
  const counts = `${formatNumber(written)} written, ${formatNumber(unchanged)} unchanged, ${formatNumber(removed)} removed`;
  return `${formatCount(files, "file")} in ${folder}, ${formatNumber(bytes)} bytes: ${counts}\n`;
}
