/**
 * The read side of the Transparency Exchange API (TEA): products, their release cycles as releases, and the lifecycle of
 * both in the form of ECMA-428 (CLE). A client finds a release by package URL or by a TEI. See docs/api.md.
 */
import { hash } from "node:crypto";
import { Type } from "typebox";
import { toCle } from "../../catalogue/own/cle.ts";
import { EolgateError } from "../../messages/error.ts";
import { firstDay, lastDay } from "../../lifecycle/days.ts";
import type { Product, ReleaseCycle } from "../../model/index.ts";
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

const page = {
  pageOffset: Type.Optional(Type.Integer({ minimum: 0, description: "First result (default: 0)" })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "Results (default: 100)" })),
};
const identified = {
  ...page,
  idType: Type.Optional(
    Type.Unsafe<string>({
      type: "string",
      enum: ["CPE", "TEI", "PURL", "COMPLIANCE_DOCUMENT"],
      description: "Type of idValue",
    }),
  ),
  idValue: Type.Optional(Type.String({ maxLength: 500, description: "Only what has this identifier" })),
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
        return found.map((release) => ({ productReleaseUuid: releaseUuid(release), servers }));
      },
    },
    [`${ROOT}/products`]: {
      query: identified,
      make: (local, params) => {
        const products = new Set(releasesOf(local, params).map(({ product }) => product));
        return paged(local, params, [...products], productObject);
      },
    },
    [`${ROOT}/product/:uuid`]: (local, params) => productObject(productIn(local, params)),
    [`${ROOT}/product/:uuid/releases`]: {
      query: page,
      make: (local, params) => paged(local, params, listed(productIn(local, params)), releaseObject(local)),
    },
    [`${ROOT}/product/:uuid/cle`]: (local, params) => cleOf(productIn(local, params)),
    [`${ROOT}/productReleases`]: {
      query: identified,
      make: (local, params) => paged(local, params, releasesOf(local, params), releaseObject(local)),
    },
    [`${ROOT}/productRelease/:uuid`]: (local, params) => releaseObject(local)(releaseIn(local, params)),
    [`${ROOT}/productRelease/:uuid/cle`]: (local, params) => {
      const { product, cycle } = releaseIn(local, params);
      return cleOf({ ...product, cycles: [cycle] });
    },
  },
);

interface TeaRelease {
  readonly product: Product;
  readonly cycle: ReleaseCycle;
}

/** FNV-1a, 32 bits: each look-up of a UUID computes it for all products, which takes 0.02 ms. */
function shortHash(slug: string): number {
  let hashed = 0x811c9dc5;
  for (let at = 0; at < slug.length; at += 1) hashed = Math.imul(hashed ^ slug.charCodeAt(at), 0x01000193);
  return hashed >>> 0;
}

/** The same in every edition, because it is made of the names (RFC 9562, version 8). It begins with the product. */
export function uuidOf(slug: string, cycle = ""): string {
  const rest = hash("sha256", `eolgate ${slug} ${cycle}`).replace(/^(.{4})(.{3})(.{3})(.{12}).*$/, "$1-8$2-8$3-$4");
  return `${shortHash(slug).toString(16).padStart(8, "0")}-${rest}`;
}

const releaseUuid = ({ product, cycle }: TeaRelease): string => uuidOf(product.slug, cycle.name);

const listed = (product: Product): readonly TeaRelease[] => product.cycles.map((cycle) => ({ product, cycle }));

/** The UUIDs of a path with `:uuid`, for a static export. */
export function uuidsOf(path: string, products: readonly Product[]): readonly string[] {
  if (path.includes("/productRelease/")) return products.flatMap((product) => listed(product).map(releaseUuid));
  return products.map(({ slug }) => uuidOf(slug));
}

const unknown = (id: string): EolgateError =>
  EolgateError.of("unknown-path", { problem: `nothing is recorded as ${JSON.stringify(id)}` });

const invalid = (problem: string, advice: string): EolgateError =>
  EolgateError.of("invalid-request", { problem, advice });

/** The product of a UUID or of the UUID of one of its releases. */
function productsAt({ context: { catalogue } }: LocalOperations, uuid: string): readonly Product[] {
  const start = Number.parseInt(uuid.slice(0, 8), 16);
  const slugs = catalogue.slugs().filter((slug) => shortHash(slug) === start);
  return slugs.flatMap((slug) => catalogue.product(slug) ?? []);
}
const releasesAt = (local: LocalOperations, uuid: string): readonly TeaRelease[] =>
  productsAt(local, uuid)
    .flatMap(listed)
    .filter((release) => releaseUuid(release) === uuid);

function recorded<Value>([found]: readonly Value[], uuid: string): Value {
  if (found !== undefined) return found;
  throw unknown(uuid);
}
const productIn = (local: LocalOperations, { uuid = "" }: TeaParams): Product =>
  recorded(
    productsAt(local, uuid).filter(({ slug }) => uuidOf(slug) === uuid),
    uuid,
  );
const releaseIn = (local: LocalOperations, { uuid = "" }: TeaParams): TeaRelease =>
  recorded(releasesAt(local, uuid), uuid);

/** @throws EolgateError `invalid-request` for half an identifier, and for one that cannot be read */
function releasesOf(local: LocalOperations, { idType, idValue }: TeaParams): readonly TeaRelease[] {
  const { catalogue } = local.context;
  if ((idType === undefined) !== (idValue === undefined))
    throw invalid(`${idType === undefined ? "idType" : "idValue"} is missing`, "Send both, or neither for all.");
  if (idValue !== undefined && idType === "PURL") return byPurl(local, idValue);
  if (idValue !== undefined && idType === "TEI") return byTei(local, idValue);
  const all = catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
  return all
    .filter(({ cpes }) => idValue === undefined || (idType === "CPE" && cpes.includes(idValue)))
    .flatMap(listed);
}

/** The release of a package URL with a version; all releases of the product of one without. */
function byPurl({ context: { catalogue, asOf } }: LocalOperations, purl: string): readonly TeaRelease[] {
  const key = purlKey(purl);
  if (key.kind === "invalid")
    throw invalid(`${JSON.stringify(purl)} is not a package URL: ${key.why}`, "Write it as pkg:npm/express@3.1.0.");
  const releases = (slug = ""): readonly TeaRelease[] => [catalogue.product(slug) ?? []].flat().flatMap(listed);
  if (key.version === undefined) return releases(catalogue.purl(key.key)?.product);
  try {
    const { product, cycle: name } = purlCycle(purl, catalogue, asOf);
    return releases(product).filter(({ cycle }) => cycle.name === name);
  } catch (error) {
    if (error instanceof EolgateError) return [];
    throw error;
  }
}

/** Other types of TEI than package URL and UUID exist; nothing is recorded under them. */
function byTei(local: LocalOperations, tei: string): readonly TeaRelease[] {
  const [, type, id = ""] = /^urn:tei:([a-z]+):[^:]+:(.+)$/.exec(tei) ?? [];
  if (type === undefined)
    throw invalid(
      `${JSON.stringify(tei)} is not a TEI`,
      "Write it as urn:tei:purl:DOMAIN:PURL or urn:tei:uuid:DOMAIN:UUID.",
    );
  if (type === "purl") return byPurl(local, id);
  return type === "uuid" ? releasesAt(local, id) : [];
}

function paged<Entry>(
  { context: { asOf } }: LocalOperations,
  { pageOffset = 0, pageSize = 100 }: TeaParams,
  all: readonly Entry[],
  objectOf: (entry: Entry) => object,
): object {
  return {
    timestamp: `${asOf}T00:00:00Z`,
    pageStartIndex: pageOffset,
    pageSize,
    totalResults: all.length,
    results: all.slice(pageOffset, pageOffset + pageSize).map(objectOf),
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
  ({ product, cycle }: TeaRelease) => {
    const uuid = uuidOf(product.slug, cycle.name);
    const domain = new URL(rootOf(links)).hostname;
    const readOn = cycle.claims.map(({ retrievedAt }) => firstDay(retrievedAt)).toSorted()[0];
    return {
      uuid,
      product: uuidOf(product.slug),
      productName: product.name,
      version: cycle.name,
      createdDate: `${readOn ?? catalogue.metadata.date}T00:00:00Z`,
      ...(cycle.releaseDate && { releaseDate: `${lastDay(cycle.releaseDate)}T00:00:00Z` }),
      identifiers: [{ idType: "TEI", idValue: `urn:tei:uuid:${domain}:${uuid}` }],
      components: [],
    };
  };

function cleOf(product: Product): object {
  const { events, definitions } = toCle(product);
  return { events, definitions };
}
