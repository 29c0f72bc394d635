/**
 * The URLs of a static export, from the tables of routes: look-ups without a query, published files, assets and pages.
 * Each becomes a file with an extension, by which static hosts determine its media type.
 */
import { EolgateError } from "../../messages/error.ts";
import type { Catalogue } from "../../model/index.ts";
import { OPERATIONS, type Operation } from "../../api/operations/operations.ts";
import { routePath } from "../pages/site.ts";
import { PRODUCT_FILES, SITE_FILES } from "../pages/assets/site-files.ts";
import { ASSETS } from "../pages/assets/style.ts";
import { SERVICE_OPERATIONS } from "../http/service-operations.ts";

/** Parts that can be exported separately, because some hosts limit the number of files. */
export const SITE_PARTS = ["api", "pages", "files"] as const;
export type SitePart = (typeof SITE_PARTS)[number];

export interface SiteEntry {
  readonly part: SitePart;
  /** Path of the request. */
  readonly url: string;
  /** Path of the file, relative to the folder of the export. */
  readonly file: string;
}

interface RoutePattern {
  readonly part: SitePart;
  /** With `:slug`, `:version` and `:category`. */
  readonly path: string;
  /** Empty if the path has an extension. */
  readonly extension: "" | ".json" | ".html";
}

/** Whether the response depends only on the path, the catalogue and the day. */
const isStatic = ({ method, query, cached }: Operation): boolean =>
  method === "GET" && cached && Object.keys(query.properties).length === 0;

const pathsOf = (rows: Readonly<Record<string, Operation>>): readonly string[] =>
  Object.values(rows)
    .filter(isStatic)
    .map(({ path }) => path);

const ROUTES: readonly RoutePattern[] = [
  ...pathsOf(OPERATIONS).map((path) => ({ part: "api", path, extension: ".json" }) as const),
  ...pathsOf(SERVICE_OPERATIONS).map((path) => ({ part: "files", path, extension: "" }) as const),
  ...[...Object.keys(SITE_FILES), ...Object.keys(PRODUCT_FILES)].map(
    (path) => ({ part: "pages", path, extension: "" }) as const,
  ),
  ...ASSETS.map(({ path }) => ({ part: "pages", path, extension: "" }) as const),
  ...["/methodology", "/docs", "/category/:category", "/:slug", "/score/:slug/:version"].map(
    (path) => ({ part: "pages", path, extension: ".html" }) as const,
  ),
];

type Values = Readonly<Record<string, string>>;

export function* siteEntries(catalogue: Catalogue, parts: readonly SitePart[] = SITE_PARTS): Generator<SiteEntry> {
  if (parts.includes("pages")) yield { part: "pages", url: "/", file: "index.html" };
  for (const route of ROUTES) {
    if (!parts.includes(route.part)) continue;
    for (const values of valuesOf(route.path, catalogue)) yield entry(route, values);
  }
}

function* valuesOf(path: string, catalogue: Catalogue): Generator<Values> {
  const products = catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
  if (path.includes(":version")) {
    for (const { slug, cycles } of products) for (const { name } of cycles) yield { slug, version: name };
  } else if (path.includes(":slug")) {
    for (const { slug } of products) yield { slug };
  } else if (path.includes(":category")) {
    for (const category of new Set(products.map(({ category }) => category))) yield { category };
  } else {
    yield {};
  }
}

function entry({ part, path, extension }: RoutePattern, values: Values): SiteEntry {
  const file = path.slice(1).replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? "");
  return { part, url: routePath(path, values), file: `${safeFile(file)}${extension}` };
}

/** Refuses paths outside the folder: names come from a catalogue, which may be untrusted. @throws EolgateError `not-written` */
export function safeFile(file: string): string {
  const isSafe = file.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
  if (isSafe && !/[\p{Cc}\\]/u.test(file)) return file;
  throw EolgateError.of("not-written", {
    problem: `the catalogue has a name that would be written outside the folder: ${JSON.stringify(file)}`,
    advice: "Use another catalogue.",
  });
}
