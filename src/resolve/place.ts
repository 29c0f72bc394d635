/**
 * Places from which software is taken: image repositories, chart repositories, repositories of actions. A place is frozen,
 * moved or removed whatever is in it. The catalogue has a product for each kind of place, with the places as its cycles.
 */
import { PLACES } from "../lifecycle/assess.ts";
import type { Catalogue, Product, ReleaseCycle, Resolution } from "../model/index.ts";
import { rememberedOf } from "../text/values.ts";
import { referenceOfPurl } from "./image-parts.ts";
import type { PurlKey } from "./purl/types.ts";

type PlaceResolution = Extract<Resolution, { kind: "resolved" }>;

/** The product of each kind of place, and the address of what a purl names there. */
const ADDRESSES: Readonly<Record<string, readonly [product: string, address: (purl: PurlKey) => string]>> = {
  docker: [PLACES.images, (purl) => referenceOfPurl(purl, undefined).repository],
  oci: [PLACES.images, (purl) => referenceOfPurl(purl, undefined).repository],
  helm: [PLACES.charts, (purl) => `${withoutScheme(purl.qualifier("repository_url") ?? "")}/${purl.name}`],
  githubactions: [PLACES.actions, (purl) => `github.com/${repositoryOf(purl)}`],
};

/** Actions below the root of a repository have longer paths. */
const repositoryOf = ({ namespace, name }: PurlKey): string => `${namespace}/${name}`.split("/").slice(0, 2).join("/");

/** The types of purls that name a place. */
export const PLACE_TYPES: ReadonlySet<string> = new Set(Object.keys(ADDRESSES));

const withoutScheme = (url: string): string => url.replace(/^[a-z+]+:\/\//i, "").replace(/\/+$/, "");

/** The recorded place that a purl names; undefined for one about which nothing is recorded. */
export function placeOf(catalogue: Catalogue, purl: PurlKey, identifier: string): PlaceResolution | undefined {
  const [slug, addressOf] = ADDRESSES[purl.type] ?? [];
  const product = slug === undefined ? undefined : catalogue.product(slug);
  if (product === undefined || addressOf === undefined) return undefined;
  const cycle = closest(product, addressOf(purl).toLowerCase());
  if (cycle === undefined) return undefined;
  const releaseCycle = { product: product.slug, cycle: cycle.name };
  return { kind: "resolved", releaseCycle, matchedBy: "purl", requestedVersion: purl.version ?? "", identifier };
}

/** The longest name that is the address, or that ends in `*` and begins it. */
function closest(product: Product, address: string): ReleaseCycle | undefined {
  const { exact, starts } = placesOf(product);
  return exact.get(address) ?? starts.find(([start]) => address.startsWith(start))?.[1];
}

/** The longest starts first. */
const placesOf = rememberedOf(({ cycles }: Product) => ({
  exact: new Map(cycles.map((place) => [place.name, place])),
  starts: cycles
    .filter(({ name }) => name.endsWith("*"))
    .map((place) => [place.name.slice(0, -1), place] as const)
    .toSorted(([left], [right]) => right.length - left.length),
}));
