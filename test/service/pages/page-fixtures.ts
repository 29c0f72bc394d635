/** The service with its pages, over the reduced catalogue and one product with hostile text in every field. */
import { asIsoDate, asProductSlug } from "../../../src/text/ids.ts";
import type { Catalogue, Product } from "../../../src/model/index.ts";
import { pages } from "../../../src/service/pages/pages.ts";
import { date, end, releaseCycle, product, claim } from "../../lifecycle/builders.ts";
import { served, startService, type Service, type ServiceOptions } from "../service.ts";

/** Markup, attributes, bidirectional marks, terminal escapes, a template of another language, an address of script. */
export const EVIL =
  "\"><script>alert(1)</script><img src=x onerror=alert(2)> ' onmouseover='x' \u202e\u0000\u001b[31m ${7*7} {{x}}";
const EVIL_URL = "javascript:alert(document.domain)";

const statement = { ...claim("override", "2026-10-01"), source: EVIL, url: EVIL_URL, reason: EVIL };

export const HOSTILE: Product = product(
  [
    releaseCycle(
      [
        statement,
        { ...claim("vendor-feed", "2027-01"), source: EVIL, url: `https://x.test/"onload=alert(3)//${EVIL}` },
      ],
      {
        name: `1 ${EVIL}`,
        codename: EVIL,
        label: EVIL,
        lts: true,
        releaseDate: date("2020-01-01"),
        latest: { name: EVIL, date: asIsoDate("2026-01-01") },
        tracks: [{ name: EVIL, vendor: EVIL, cost: "free", end: date("2030-01"), url: EVIL_URL }],
        declaredBy: EVIL,
        successor: EVIL,
        eolNotBefore: date("2028-01"),
        eoesFrom: end("2031-01-01"),
      },
    ),
    releaseCycle("2021-01-01", { name: "0", successor: EVIL, rolling: true }),
    releaseCycle("ended", { name: "00", retired: true, declaredBy: EVIL }),
    releaseCycle("unknown", { name: "000" }),
    releaseCycle([], { name: "0000" }),
  ],
  {
    slug: asProductSlug("hostile"),
    name: `Evil ${EVIL}`,
    aliases: [EVIL],
    category: EVIL,
    tags: [EVIL],
    policyUrl: EVIL_URL,
    cpes: [EVIL],
    purls: Array.from({ length: 20 }, (_, index) => `pkg:npm/${EVIL}${index}`),
    kev: {
      basis: "bundle",
      entries: [
        { cve: EVIL, added: asIsoDate("2026-01-01"), ransomware: true, basis: "bundle" },
        ...Array.from({ length: 15 }, (_, index) => ({
          cve: `CVE-2026-${1000 + index}`,
          added: asIsoDate("2025-01-01"),
          ransomware: false,
          basis: "component" as const,
        })),
      ],
    },
  },
);

/** A product with no data except its name. */
export const EMPTY: Product = product([], { slug: asProductSlug("empty"), name: "Empty" });

export function withProducts(catalogue: Catalogue, more: readonly Product[]): Catalogue {
  const extra = new Map<string, Product>(more.map((each) => [each.slug, each]));
  return {
    metadata: catalogue.metadata,
    product: (slug) => extra.get(slug) ?? catalogue.product(slug),
    purl: (key) => catalogue.purl(key),
    named: (folded) => catalogue.named(folded),
    cpe: (name) => catalogue.cpe(name),
    model: (id) => catalogue.model(id),
    operatingSystem: (name) => catalogue.operatingSystem(name),
    packageEnd: (distro, cycle, name) => catalogue.packageEnd(distro, cycle, name),
    facts: catalogue.facts,
    slugs: () => [...catalogue.slugs(), ...extra.keys()].map(asProductSlug).toSorted(),
  };
}

export async function startPages(options: ServiceOptions = {}): Promise<Service> {
  const service = await startService({ pages, ...options });
  service.editions.replace({ ...served, catalogue: withProducts(served.catalogue, [HOSTILE, EMPTY]) });
  return service;
}

/** The Accept header of a browser. */
export const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8" };

/** A path of each kind of page, and its status. */
export const PAGES: readonly (readonly [path: string, status: number])[] = [
  ["/", 200],
  ["/?q=node", 200],
  ["/?q=frobos%2013.0", 200],
  ["/?q=pkg:npm/left-pad@1.0.0", 200],
  [`/?q=${encodeURIComponent(EVIL)}`, 200],
  ["/category/lang", 200],
  ["/category/nothing", 404],
  ["/nodejs", 200],
  ["/openai-api", 200],
  ["/frobos", 200],
  ["/hostile", 200],
  ["/empty", 200],
  ["/nodejs0", 404],
  ["/score/nodejs/18", 200],
  ["/score/nodejs/18.20.1", 200],
  ["/score/debian/bookworm", 200],
  ["/score/log4j/2.17.1", 200],
  [`/score/hostile/${encodeURIComponent(`1 ${EVIL}`)}`, 200],
  ["/score/hostile/000", 200],
  ["/score/hostile/0000", 200],
  ["/score/frobos/13.0", 404],
  ["/score/nodejs/999", 404],
  ["/score/nodejs0/18", 404],
  ["/check", 200],
  ["/keys", 200],
  ["/watch", 200],
  ["/prices", 200],
  ["/prices/cancelled", 200],
  ["/paid", 200],
  ["/methodology", 200],
  ["/docs", 200],
  ["/a/b/c", 404],
  ["/v1/watch/confirm?token=guess", 404],
  ["/v1/watch/unsubscribe?token=guess", 404],
  ["/watch/guess", 404],
];
