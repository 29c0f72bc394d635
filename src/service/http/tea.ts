/**
 * The read side of the Transparency Exchange API (TEA): products, their release cycles as releases, and the lifecycle of
 * both in the form of ECMA-428 (CLE). A client finds a release by package URL or by a TEI. See docs/api.md.
 */
import { createHash } from "node:crypto";
import { Type } from "typebox";
import { toCle } from "../../catalogue/own/cle.ts";
import { EolgateError } from "../../messages/error.ts";
import { lastDay } from "../../lifecycle/days.ts";
import type { Catalogue, Product, ReleaseCycle } from "../../model/index.ts";
import type { LocalOperations } from "../../api/operations/local.ts";
import { purlKey } from "../../resolve/purl/key.ts";
import { purlCycle } from "../documents/listed.ts";
import { rootOf } from "../pages/site.ts";
import { publishedOperations } from "./endoflife.ts";

/** Version of TEA's OpenAPI description. */
const VERSION = "0.4.0";
const ROOT = `/tea/v${VERSION}`;

type TeaParams = Readonly<Partial<Record<"uuid" | "tei" | "idType" | "idValue", string>>> & {
  readonly pageOffset?: number;
  readonly pageSize?: number;
};

const text = (description: string) => Type.Optional(Type.String({ maxLength: 500, description }));
const page = {
  pageOffset: Type.Optional(Type.Integer({ minimum: 0, description: "First result (default: 0)" })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "Results (default: 100)" })),
};
const identified = {
  ...page,
  idType: text("PURL, CPE or TEI: the type of idValue"),
  idValue: text("Only what has this identifier"),
};

export const TEA_OPERATIONS = publishedOperations<TeaParams>(
  "The answer of the Transparency Exchange API at this path",
  {
    "/.well-known/tea": ({ context: { links } }) => ({
      schemaVersion: 1,
      endpoints: [{ url: `${rootOf(links)}/tea`, versions: [VERSION] }],
    }),
    [`${ROOT}/discovery`]: {
      query: {
        tei: Type.String({ maxLength: 500, description: "urn:tei:purl:DOMAIN:PURL or urn:tei:uuid:DOMAIN:UUID" }),
      },
      list: true,
      make: (local, { tei = "" }) => {
        const found = byTei(local, tei);
        if (found.length === 0) throw unknown(tei);
        const servers = [{ rootUrl: `${rootOf(local.context.links)}/tea`, versions: [VERSION] }];
        return found.map(({ uuid }) => ({ productReleaseUuid: uuid, servers }));
      },
    },
    [`${ROOT}/products`]: {
      query: identified,
      make: (local, params) => {
        const products = new Set(releasesOf(local, params).map(({ product }) => product));
        return paged(local, params, [...products].map(productObject));
      },
    },
    [`${ROOT}/product/:uuid`]: (local, params) => productObject(productIn(local, params)),
    [`${ROOT}/product/:uuid/releases`]: {
      query: page,
      make: (local, params) => paged(local, params, listed(productIn(local, params)).map(releaseObject(local))),
    },
    [`${ROOT}/product/:uuid/cle`]: (local, params) => cleOf(productIn(local, params)),
    [`${ROOT}/productReleases`]: {
      query: identified,
      make: (local, params) => paged(local, params, releasesOf(local, params).map(releaseObject(local))),
    },
    [`${ROOT}/productRelease/:uuid`]: (local, params) => releaseObject(local)(releaseIn(local, params)),
    [`${ROOT}/productRelease/:uuid/cle`]: (local, params) => {
      const { product, cycle } = releaseIn(local, params);
      return cleOf({ ...product, cycles: [cycle] });
    },
  },
);

interface TeaRelease {
  readonly uuid: string;
  readonly product: Product;
  readonly cycle: ReleaseCycle;
}

/** The same in every edition: it is a digest of the name (RFC 9562, version 8). */
function uuidOf(...names: readonly string[]): string {
  const digest = createHash("sha256")
    .update(`eolgate ${names.join(" ")}`)
    .digest("hex");
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}

const listed = (product: Product): readonly TeaRelease[] =>
  product.cycles.map((cycle) => ({ uuid: uuidOf(product.slug, cycle.name), product, cycle }));

interface TeaIndex {
  readonly products: ReadonlyMap<string | undefined, Product>;
  readonly releases: ReadonlyMap<string | undefined, TeaRelease>;
}
const indexes = new WeakMap<Catalogue, TeaIndex>();

/** Products and releases by UUID, made once for each catalogue. */
function indexOf({ context: { catalogue } }: LocalOperations): TeaIndex {
  const made = indexes.get(catalogue);
  if (made) return made;
  const products = catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
  const index = {
    products: new Map(products.map((product) => [uuidOf(product.slug), product])),
    releases: new Map(
      products.flatMap((product) => listed(product).map((release) => [release.uuid, release] as const)),
    ),
  };
  indexes.set(catalogue, index);
  return index;
}

/** The UUIDs of a path with `:uuid`, for a static export. */
export function uuidsOf(path: string, products: readonly Product[]): readonly string[] {
  if (path.includes("/productRelease/")) return products.flatMap((product) => listed(product).map(({ uuid }) => uuid));
  return products.map(({ slug }) => uuidOf(slug));
}

const unknown = (id: string): EolgateError =>
  EolgateError.of("unknown-path", { problem: `nothing is recorded as ${JSON.stringify(id)}` });

function known<Value>(values: ReadonlyMap<string | undefined, Value>, { uuid }: TeaParams): Value {
  const found = values.get(uuid);
  if (found !== undefined) return found;
  throw unknown(uuid ?? "");
}
const productIn = (local: LocalOperations, params: TeaParams): Product => known(indexOf(local).products, params);
const releaseIn = (local: LocalOperations, params: TeaParams): TeaRelease => known(indexOf(local).releases, params);

function releasesOf(local: LocalOperations, { idType, idValue }: TeaParams): readonly TeaRelease[] {
  const all = [...indexOf(local).releases.values()];
  if (idType === undefined || idValue === undefined) return all;
  if (idType === "CPE") return all.filter(({ product }) => product.cpes.includes(idValue));
  return idType === "PURL" ? byPurl(local, idValue) : idType === "TEI" ? byTei(local, idValue) : [];
}

/** The release of a package URL with a version; all releases of the product of one without. */
function byPurl({ context: { catalogue } }: LocalOperations, purl: string): readonly TeaRelease[] {
  const key = purlKey(purl);
  if (key.kind !== "purl") return [];
  const releases = (slug = ""): readonly TeaRelease[] => [catalogue.product(slug) ?? []].flat().flatMap(listed);
  if (key.version === undefined) return releases(catalogue.purl(key.key)?.product);
  try {
    const { product, cycle: name } = purlCycle(purl, catalogue);
    return releases(product).filter(({ cycle }) => cycle.name === name);
  } catch (error) {
    if (error instanceof EolgateError) return [];
    throw error;
  }
}

function byTei(local: LocalOperations, tei: string): readonly TeaRelease[] {
  const [, type, id = ""] = /^urn:tei:(purl|uuid):[^:]+:(.+)$/.exec(tei) ?? [];
  return type === "purl" ? byPurl(local, id) : [indexOf(local).releases.get(id) ?? []].flat();
}

function paged({ context: { asOf } }: LocalOperations, params: TeaParams, all: readonly object[]): object {
  const { pageOffset = 0, pageSize = 100 } = params;
  return {
    timestamp: `${asOf}T00:00:00Z`,
    pageStartIndex: pageOffset,
    pageSize,
    totalResults: all.length,
    results: all.slice(pageOffset, pageOffset + pageSize),
  };
}

const productObject = ({ slug, name, cpes, purls }: Product) => ({
  uuid: uuidOf(slug),
  name,
  identifiers: [
    ...purls.map((idValue) => ({ idType: "PURL", idValue })),
    ...cpes.map((idValue) => ({ idType: "CPE", idValue })),
  ],
});

const releaseObject =
  ({ context: { links, catalogue } }: LocalOperations) =>
  ({ uuid, product, cycle }: TeaRelease) => {
    const domain = new URL(rootOf(links)).hostname;
    const recorded = cycle.claims.map(({ retrievedAt }) => retrievedAt).toSorted()[0] ?? catalogue.metadata.date;
    return {
      uuid,
      product: uuidOf(product.slug),
      productName: product.name,
      version: cycle.name,
      createdDate: `${recorded}T00:00:00Z`,
      ...(cycle.releaseDate && { releaseDate: `${lastDay(cycle.releaseDate)}T00:00:00Z` }),
      identifiers: [{ idType: "TEI", idValue: `urn:tei:uuid:${domain}:${uuid}` }],
      components: [],
    };
  };

function cleOf(product: Product): object {
  const { events, definitions } = toCle(product);
  return { events, definitions };
}
