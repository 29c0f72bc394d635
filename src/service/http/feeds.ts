/**
 * Static feeds, which need no key and are rendered once per catalogue and day. They have the formats that published
 * exporters, scanners and tools for models read; see docs/api.md.
 */
import type { Assessment } from "../../model/index.ts";
import { firstDay } from "../../lifecycle/days.ts";
import { byText } from "../../text/values.ts";
import { kevSummary } from "../../wire/edge-devices.ts";
import { dayOf } from "../../wire/lifecycle.ts";
import type { Links } from "../../wire/links.ts";
import { scoreEntry } from "../../wire/score.ts";
import type { Edition } from "./editions.ts";
import { purlKey } from "../../resolve/purl/key.ts";
import type { PurlMap } from "../../wire/schemas.ts";
import { JSON_TYPE } from "./replies.ts";
import { OPERATIONS } from "../../api/operations/operations.ts";
import { SERVICE_OPERATIONS } from "./service-operations.ts";

interface PublishedFeed {
  readonly type: string;
  /** Yields the feed in chunks, so that a large feed is never completely in memory. */
  readonly make: (edition: Edition, links: Links) => Iterable<string>;
}

const json = (make: (edition: Edition, links: Links) => object): PublishedFeed => ({
  type: JSON_TYPE,
  make: (edition, links) => [JSON.stringify(make(edition, links))],
});

/** Feeds by path. Each one also has a row in `service-operations.ts`, which describes it. */
export const FEEDS: Readonly<Record<string, PublishedFeed>> = {
  "/scores.json": { type: JSON_TYPE, make: scores },
  "/purl-map.json": json(purlMap),
  "/scanner-db.json": json(scannerDatabase),
  "/checker-db.json": json(checkerDatabase),
  "/kev-products.json": json(kevProducts),
  "/exploited-and-unpatchable.json": json(exploitedAndEnded),
  "/verification.json": json(verification),
  "/llms.txt": { type: "text/plain; charset=utf-8", make: (_, links) => [llmsText(links)] },
};

const head = ({ served, asOf }: Edition) => ({ date: served.catalogue.metadata.date, as_of: asOf });

/** `Object.fromEntries` with the type of its values. */
const record = <Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> =>
  Object.fromEntries(entries);

const grouped = ({ local }: Edition): ReadonlyMap<string, readonly Assessment[]> =>
  Map.groupBy(local.everyAssessment(), ({ releaseCycle }) => releaseCycle.product);

/** At the top level, one entry per product with its highest score; below `scores`, all release cycles. */
function* scores(edition: Edition, links: Links): Generator<string> {
  const products = grouped(edition);
  const count = edition.local.everyAssessment().length;
  const own = { ...head(edition), methodology_url: links.methodology, count };
  yield "{";
  for (const [slug, cycles] of products) {
    if (!Object.hasOwn(own, slug) && slug !== "scores") yield `${member(slug, summary(cycles))},`;
  }
  for (const [name, value] of Object.entries(own)) yield `${member(name, value)},`;
  yield '"scores":[';
  let separator = "";
  for (const cycles of products.values()) {
    yield separator + cycles.map((each) => JSON.stringify(scoreEntry(each, links))).join(",");
    separator = ",";
  }
  yield "]}";
}

const member = (name: string, value: unknown): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

/** The release cycle with the highest score; of several, the one that ended last. */
const riskiest = (cycles: readonly Assessment[]): Assessment | undefined =>
  cycles.toSorted((a, b) => b.score - a.score || byText(dayOf(b.eolDate) ?? "", dayOf(a.eolDate) ?? ""))[0];

function summary(cycles: readonly Assessment[]): object {
  const highest = riskiest(cycles);
  if (highest === undefined) return { score: null, grade: null, label: null, factors: {}, eolDate: null };
  const { eolRecency, attackSurface, cisaKevExposure, extendedSupport } = highest.factors;
  return {
    score: highest.score,
    grade: highest.grade,
    label: highest.gradeLabel,
    factors: { eol: eolRecency, surface: attackSurface, kev: cisaKevExposure, support: extendedSupport },
    eolDate: dayOf(highest.eolDate),
    name: highest.productName,
  };
}

/** The date of the end; true if it ended without a published date, false if no end is announced, null if unknown. */
const endOf = ({ eolDate, eolBoolean }: Assessment): string | boolean | null => dayOf(eolDate) ?? eolBoolean;

const byProduct = (edition: Edition, entryOf: (cycles: readonly Assessment[], slug: string) => object) =>
  record([...grouped(edition)].map(([slug, cycles]): readonly [string, object] => [slug, entryOf(cycles, slug)]));

function scannerDatabase(edition: Edition): object {
  const products = byProduct(edition, (cycles, slug) => ({
    name: cycles[0]?.productName ?? slug,
    cycles: cycles.map((each) => ({ c: each.releaseCycle.cycle, eol: endOf(each) })),
  }));
  return { ...head(edition), generated: `${edition.asOf}T00:00:00Z`, products };
}

function checkerDatabase(edition: Edition): object {
  const products = byProduct(edition, (cycles, slug) => ({
    name: cycles[0]?.productName ?? slug,
    ...newestFields(cycles),
    cycles: record(
      cycles.map((each): readonly [string, object] => [
        each.releaseCycle.cycle,
        { eol: endOf(each), status: each.status, score: each.score },
      ]),
    ),
  }));
  // Readers look a product up in the feed itself.
  return { ...byProduct(edition, newestFields), ...head(edition), products };
}

/** Readers show the newest supported cycle, its latest release, and what to do about an ended one. */
function newestFields(cycles: readonly Assessment[]): object {
  const supported = cycles.find(({ status }) => status === "active" || status === "approaching");
  const [newest] = supported ? [supported] : cycles;
  if (newest === undefined) return { latestCycle: null, latestVersion: null, recommendation: null };
  const { productName, cycle } = newest;
  return {
    latestCycle: cycle.name,
    latestVersion: cycle.latest?.name ?? null,
    recommendation: supported
      ? `Upgrade to ${productName} ${cycle.name}`
      : `No supported release cycle of ${productName} is recorded`,
  };
}

/** The form in which case and encoding of a purl make no difference. */
function keyOf(purl: string): string {
  const key = purlKey(purl);
  return key.kind === "purl" ? `pkg:${key.key}` : purl;
}

/** Each purl as it is published, and in the form in which clients that normalize purls look it up. */
function purlMap({ served: { catalogue } }: Edition): PurlMap {
  const pairs = catalogue
    .slugs()
    .flatMap((slug) =>
      (catalogue.product(slug)?.purls ?? []).flatMap((purl) => [[purl, slug] as const, [keyOf(purl), slug] as const]),
    );
  const lookup = record(pairs.sort(([a], [b]) => byText(a, b)));
  return { date: catalogue.metadata.purlMapDate, products: new Set(Object.values(lookup)).size, lookup };
}

/** Products with entries in CISA's catalogue of known exploited vulnerabilities, by slug. */
function kevProducts(edition: Edition): object {
  const { catalogue } = edition.served;
  const products = catalogue.slugs().flatMap((slug): readonly (readonly [string, object])[] => {
    const product = catalogue.product(slug);
    const entries = product?.kev?.entries ?? [];
    if (product === undefined || entries.length === 0) return [];
    const facts = {
      name: product.name,
      ...kevSummary(product),
      entries: entries.map(({ cve, added, ransomware }) => ({
        cve,
        date_added: added,
        known_ransomware_use: ransomware,
      })),
    };
    return [[slug, facts]];
  });
  const bySlug = record(products);
  const { kevVersion } = catalogue.metadata;
  return { ...bySlug, ...head(edition), kev_catalog_version: kevVersion, count: products.length, products: bySlug };
}

/** Release cycles that get no more fixes and of which a known exploited vulnerability affects releases, the highest score first. */
function exploitedAndEnded(edition: Edition): object {
  const ended = edition.local
    .everyAssessment()
    .filter(({ support, kevEntries }) => support.status === "eol" && kevEntries.length > 0)
    .toSorted((a, b) => b.score - a.score);
  const entries = ended.map((each) => ({
    product: each.releaseCycle.product,
    name: each.productName,
    cycle: each.releaseCycle.cycle,
    eol: endOf(each),
    score: each.score,
    cves: each.kevEntries.map(({ cve }) => cve),
  }));
  return { ...head(edition), count: entries.length, entries };
}

/** The provenance of every effective date, with counts by source and confidence. */
function verification(edition: Edition): object {
  const all = edition.local.everyAssessment();
  const count = (by: (assessment: Assessment) => string): Record<string, number> =>
    record(
      [...Map.groupBy(all, by)].map(([key, list]) => [key, list.length] as const).toSorted(([a], [b]) => byText(a, b)),
    );
  const products = byProduct(edition, (cycles) =>
    record(
      cycles.map(({ releaseCycle, provenance }): readonly [string, object] => {
        const { source, url, verifiedAt, status, agreement, confidence } = provenance;
        const verified_at = verifiedAt && firstDay(verifiedAt);
        return [releaseCycle.cycle, { source, url, verified_at, status, agreement, confidence }];
      }),
    ),
  );
  return {
    ...head(edition),
    count: all.length,
    by_source: count(({ provenance }) => provenance.source),
    by_confidence: count(({ provenance }) => provenance.confidence),
    products,
  };
}

// `/llms.txt`: a description of the service for language models, in the format of https://llmstxt.org.

function llmsText({ docs, methodology }: Links): string {
  const rows = Object.values({ ...OPERATIONS, ...SERVICE_OPERATIONS }).filter(({ method }) => method === "GET");
  const paths = rows.map(({ path, summary }) => `- \`GET ${path.replaceAll(/:(\w+)/g, "{$1}")}\`: ${summary}`);
  return [
    "# eolgate",
    "",
    "> End-of-life dates of software products, each with its source, the day on which it was checked, and a risk score from 0 to 100.",
    "",
    "The service never guesses: for an unknown product or version, the answer states that it is unknown. Look up the slug of a product first.",
    "",
    "## Documentation",
    "",
    `- [API](${docs})`,
    `- [How scores are calculated](${methodology})`,
    "",
    "## Endpoints",
    "",
    ...paths,
    "- `POST /mcp`: the same operations as tools of the Model Context Protocol",
    "",
  ].join("\n");
}
