/**
 * The routes of endoflife.date, versions 0 and 1, in the form of its OpenAPI descriptions, so that its clients work with
 * another base address. What this catalogue states beyond it is under the key `eolgate`. See docs/api.md.
 */
import { type TProperties, Type } from "typebox";
import { EolgateError } from "../../messages/error.ts";
import { lastDay } from "../../lifecycle/days.ts";
import type { Assessment, End, Product } from "../../model/index.ts";
import type { LocalOperations } from "../../api/operations/local.ts";
import { productNamed } from "../../api/operations/lookup.ts";
import type { Operation } from "../../api/operations/operations.ts";
import { percentEncode } from "../../text/values.ts";
import { dayOf, supportEndFields } from "../../wire/lifecycle.ts";
import { provenanceFields } from "../../wire/score.ts";
import { rootOf } from "../pages/site.ts";

/** `group` is a category, a tag or a type of identifiers. */
type EndoflifeParams = Readonly<Partial<Record<"slug" | "version" | "group", string>>>;
/** A keyless route of another service's interface. */
export interface PublishedOperation extends Operation {
  make(local: LocalOperations, params: Readonly<Record<string, unknown>>): Promise<object> | object;
}

type PublishedAnswer<Params> = (local: LocalOperations, params: Params) => Promise<object> | object;
/** A route that is more than its answer: it has a query, or answers with a list. */
interface PublishedRoute<Params> {
  readonly make: PublishedAnswer<Params>;
  readonly query?: TProperties;
  readonly list?: true;
}

const text = Type.String({ maxLength: 200 });
const anyObject = Type.Unsafe<object>({ type: "object", additionalProperties: true });
const anyList = Type.Unsafe<object>({ type: "array", items: {} });

/** Routes by path as operations, for the server, the OpenAPI description and the static export. */
export const publishedOperations = <Params extends Readonly<Record<string, unknown>>>(
  summary: string,
  routes: Readonly<Record<string, PublishedAnswer<Params> | PublishedRoute<Params>>>,
): Readonly<Record<string, PublishedOperation>> =>
  Object.fromEntries(
    Object.entries(routes).map(([path, route]): [string, PublishedOperation] => {
      const { make, query = {}, list = false } = typeof route === "function" ? { make: route } : route;
      const names = [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
      const params = Type.Object(Object.fromEntries(names.map((name) => [name, text])));
      const name = path.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());
      const common = { method: "GET", access: "keyless", query: Type.Object(query), cached: true } as const;
      return [name, { ...common, path, summary, params, answer: list ? anyList : anyObject, make }];
    }),
  );

export const ENDOFLIFE_OPERATIONS = publishedOperations<EndoflifeParams>("The answer of endoflife.date at this path", {
  // Lists of version 0 have no object around them.
  "/api/all.json": { list: true, make: (local) => productsOf(local).map(({ slug }) => slug) },
  "/api/:slug.json": {
    list: true,
    make: async (local, params) =>
      (await cyclesOf(local, productOf(local, params))).map((each) => ({ cycle: each.cycle.name, ...oldCycle(each) })),
  },
  "/api/:slug/:version.json": (local, params) => oldCycle(cycleOf(local, params)),
  "/api/v1": (local) => listed(local, ["products", "categories", "tags", "identifiers"].map(linked(local, ""))),
  "/api/v1/products": (local) => listed(local, productsOf(local).map(summary(local))),
  "/api/v1/products/full": async (local) =>
    listed(local, await Promise.all(productsOf(local).map((product) => details(local, product)))),
  "/api/v1/products/:slug": async (local, params) => answer(local, await details(local, productOf(local, params))),
  "/api/v1/products/:slug/releases/latest": async (local, params) => {
    const [newest] = await cyclesOf(local, productOf(local, params));
    if (newest) return answer(local, release(newest));
    throw EolgateError.of("cycle-not-found", { problem: `no release cycle of "${params.slug ?? ""}" is tracked` });
  },
  "/api/v1/products/:slug/releases/:version": (local, params) => answer(local, release(cycleOf(local, params))),
  "/api/v1/categories": (local) =>
    listed(local, valuesOf(productsOf(local), categories).map(linked(local, "/categories"))),
  "/api/v1/categories/:group": (local, params) => group(local, categories, params),
  "/api/v1/tags": (local) => listed(local, valuesOf(productsOf(local), tags).map(linked(local, "/tags"))),
  "/api/v1/tags/:group": (local, params) => group(local, tags, params),
  "/api/v1/identifiers": (local) => listed(local, Object.keys(IDENTIFIERS).map(linked(local, "/identifiers"))),
  "/api/v1/identifiers/:group": identifiers,
});

const productsOf = ({ context: { catalogue } }: LocalOperations): readonly Product[] =>
  catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
const productOf = ({ context: { catalogue, links } }: LocalOperations, { slug = "" }: EndoflifeParams): Product =>
  productNamed(catalogue, slug, links.products);
const cyclesOf = (local: LocalOperations, { slug, cycles }: Product): Promise<readonly Assessment[]> =>
  local.assessCycles(cycles.map(({ name }) => ({ product: slug, cycle: name })));

const cycleOf = (local: LocalOperations, { slug = "", version = "" }: EndoflifeParams): Assessment =>
  local.find(slug, version).assessment;

/** The facts that endoflife.date does not have. */
const ownFacts = ({ score, status, provenance, support }: Assessment): object => ({
  score,
  status,
  ...provenanceFields(provenance),
  ...supportEndFields(support),
});

const dayOfEnd = (end: End | undefined): string | null => (end?.kind === "dated" ? lastDay(end.date) : null);
const hasPassed = (end: End, asOf: string): boolean =>
  end.kind === "ended" || (end.kind === "dated" && lastDay(end.date) < asOf);

/** A release cycle of version 0. An end is a day, or whether it has passed; support is a day, or whether it continues. */
function oldCycle(assessment: Assessment): object {
  const { cycle, eolDate, asOf } = assessment;
  const support = (end: End): string | boolean => dayOfEnd(end) ?? !hasPassed(end, asOf);
  return {
    ...(cycle.releaseDate && { releaseDate: lastDay(cycle.releaseDate) }),
    eol: dayOf(eolDate) ?? assessment.status === "eol",
    ...(cycle.latest && { latest: cycle.latest.name }),
    ...(cycle.latest?.date && { latestReleaseDate: cycle.latest.date }),
    lts: cycle.ltsFrom ?? cycle.lts,
    ...(cycle.eoasFrom && { support: support(cycle.eoasFrom) }),
    ...(cycle.eoesFrom && { extendedSupport: support(cycle.eoesFrom) }),
    ...(cycle.codename !== undefined && { codename: cycle.codename }),
    eolgate: ownFacts(assessment),
  };
}

/** The form of version 1 that the public service has. */
const SCHEMA_VERSION = "1.2.1";

const answer = ({ context: { asOf, catalogue } }: LocalOperations, result: object): object => ({
  schema_version: SCHEMA_VERSION,
  generated_at: `${asOf}T00:00:00+00:00`,
  last_modified: `${catalogue.metadata.date}T00:00:00+00:00`,
  result,
});
const listed = (local: LocalOperations, result: readonly object[]): object => ({
  ...answer(local, result),
  total: result.length,
});

const linked =
  ({ context: { links } }: LocalOperations, folder: string) =>
  (name: string) => ({ name, uri: `${rootOf(links)}/api/v1${folder}/${percentEncode(name)}` });

const summary = (local: LocalOperations) => (product: Product) => ({
  ...linked(local, "/products")(product.slug),
  aliases: product.aliases,
  label: product.name,
  category: product.category,
  tags: tags(product),
});

async function details(local: LocalOperations, product: Product): Promise<object> {
  const assessments = await cyclesOf(local, product);
  const { uri: _, ...common } = summary(local)(product);
  return {
    ...common,
    versionCommand: null,
    identifiers: Object.entries(IDENTIFIERS).flatMap(([type, of]) => of(product).map((id) => ({ type, id }))),
    labels: {
      eoas: product.cycles.some(({ eoasFrom }) => eoasFrom) ? "Active Support" : null,
      discontinued: null,
      eol: "Security Support",
      eoes: product.cycles.some(({ eoesFrom }) => eoesFrom) ? "Extended Support" : null,
    },
    links: { icon: null, html: local.context.links.product(product.slug), releasePolicy: product.policyUrl ?? null },
    releases: assessments.map(release),
  };
}

/** A release cycle of version 1. A kind of support that is not recorded, and an unknown release date, are absent. */
function release(assessment: Assessment): object {
  const { cycle, eolDate, status, support, asOf } = assessment;
  const { name, codename = null, label = name, releaseDate, lts, ltsFrom = null, eoasFrom, eoesFrom, latest } = cycle;
  return {
    name,
    codename,
    label,
    ...(releaseDate && { releaseDate: dayOf(releaseDate) }),
    isLts: lts,
    ltsFrom,
    ...(eoasFrom && { isEoas: hasPassed(eoasFrom, asOf), eoasFrom: dayOfEnd(eoasFrom) }),
    isEol: status === "eol",
    eolFrom: dayOf(eolDate),
    ...(eoesFrom && { isEoes: hasPassed(eoesFrom, asOf), eoesFrom: dayOfEnd(eoesFrom) }),
    isMaintained: status !== "eol" || support.status !== "eol",
    latest: latest ? { name: latest.name, date: latest.date ?? null, link: null } : null,
    custom: null,
    eolgate: ownFacts(assessment),
  };
}

type ProductValues = (product: Product) => readonly string[];
const categories: ProductValues = ({ category }) => [category];
/** The category is a tag too. */
const tags: ProductValues = (product) => [...new Set([...product.tags, product.category])];
const IDENTIFIERS: Readonly<Record<string, ProductValues>> = { cpe: ({ cpes }) => cpes, purl: ({ purls }) => purls };

const valuesOf = (products: readonly Product[], of: ProductValues): readonly string[] =>
  [...new Set(products.flatMap((product) => of(product)))].sort();

function group(local: LocalOperations, of: ProductValues, { group: name = "" }: EndoflifeParams): object {
  const products = productsOf(local).filter((product) => of(product).includes(name));
  if (products.length === 0) throw unknownGroup(name);
  return listed(local, products.map(summary(local)));
}

function identifiers(local: LocalOperations, { group: type = "" }: EndoflifeParams): object {
  const of = Object.hasOwn(IDENTIFIERS, type) ? IDENTIFIERS[type] : undefined;
  if (of === undefined) throw unknownGroup(type);
  const entries = productsOf(local).flatMap((product) =>
    of(product).map((identifier) => ({ identifier, product: linked(local, "/products")(product.slug) })),
  );
  return listed(local, entries);
}

const unknownGroup = (name: string): EolgateError =>
  EolgateError.of("unknown-path", { problem: `no product has ${JSON.stringify(name)}` });

/** The groups of a path with `:group`, for a static export. */
export function groupsOf(path: string, products: readonly Product[]): readonly string[] {
  if (path.includes("/identifiers/")) return Object.keys(IDENTIFIERS);
  return valuesOf(products, path.includes("/tags/") ? tags : categories);
}
