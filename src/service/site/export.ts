/**
 * Writes the responses of the application as files. Only changed files are written, atomically. Files of the previous
 * export that are not part of the new one are removed. The manifest is written last.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import { writeFileWhole } from "../../platform/replace-file.ts";
import { errorCode, writeError } from "../../platform/write-error.ts";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { Catalogue, Product } from "../../model/index.ts";
import { OPERATIONS, type Operation } from "../../api/operations/operations.ts";
import { routePath } from "../pages/site.ts";
import { PRODUCT_FILES, SITE_FILES } from "../pages/assets/site-files.ts";
import { ASSETS } from "../pages/assets/assets.ts";
import { ENDOFLIFE_OPERATIONS, groupsOf } from "../http/endoflife.ts";
import { TEA_OPERATIONS, uuidsOf } from "../http/tea.ts";
import { SERVICE_OPERATIONS } from "../http/service-operations.ts";
import { byText } from "../../text/values.ts";

/** Headers of requests to the application. The key has no limits. */
export const EXPORT_HEADERS = { "x-api-key": "export" } as const;

export interface ExportedSite {
  readonly manifest: SiteManifest;
  readonly files: number;
  readonly bytes: number;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

export interface ExportTask {
  readonly app: FastifyInstance;
  readonly entries: Iterable<SiteEntry>;
  readonly folder: string;
  readonly about: Omit<SiteManifest, "files">;
}

interface Exported extends ManifestFile {
  readonly file: string;
  readonly written: boolean;
}

/** Concurrent requests, so that responses are rendered while files are written. */
const PARALLEL = 32;

/** @throws EolgateError of kind `output` if a file cannot be written; `not-written` if the folder contains another site */
export async function exportSite({ app, entries, folder, about }: ExportTask): Promise<ExportedSite> {
  const before = await readManifest(folder);
  const exported: Exported[] = [];
  await inParallel(entries, async (entry) => void exported.push(await exportEntry(app, entry, folder)));
  const files = Object.fromEntries(
    exported
      .toSorted((one, other) => byText(one.file, other.file))
      .map(({ file, sha256, bytes, type }) => [file, { sha256, bytes, type }]),
  );
  const removed = await removeFiles(
    folder,
    Object.keys(before.files).filter((file) => !Object.hasOwn(files, file)),
  );
  const manifest = { ...about, files };
  await writeFileWhole(join(folder, MANIFEST), [new TextEncoder().encode(`${JSON.stringify(manifest)}\n`)]);
  const written = exported.filter((each) => each.written).length;
  return {
    manifest,
    files: exported.length,
    bytes: exported.reduce((sum, { bytes }) => sum + bytes, 0),
    written,
    unchanged: exported.length - written,
    removed,
  };
}

async function inParallel<Item>(items: Iterable<Item>, run: (item: Item) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await run(next.value);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  "application/json": ".json",
  "text/html": ".html",
  "text/plain": ".txt",
  "text/css": ".css",
  "image/svg+xml": ".svg",
  "image/png": ".png",
  "image/x-icon": ".ico",
  "text/calendar": ".ics",
  "application/atom+xml": ".atom",
  "application/xml": ".xml",
};

async function exportEntry(app: FastifyInstance, entry: SiteEntry, folder: string): Promise<Exported> {
  const { statusCode, headers, rawPayload } = await app.inject({ url: entry.url, headers: EXPORT_HEADERS });
  const type = String(headers["content-type"]);
  const isExpected = extname(entry.file) === EXTENSIONS[type.replace(/;.*/, "")];
  if (statusCode !== 200 || !isExpected) {
    throw EolgateError.of("internal", { problem: `${entry.url} answered ${statusCode}, ${type}` });
  }
  const written = await writeChanged(join(folder, entry.file), rawPayload);
  const sha256 = createHash("sha256").update(rawPayload).digest("hex");
  return { file: entry.file, sha256, bytes: rawPayload.length, type, written };
}

/** Writes a file if its content differs. It is compared with the file, because the manifest of an interrupted export is old. */
async function writeChanged(path: string, content: Buffer): Promise<boolean> {
  try {
    const before = await readFile(path).catch(absentIsUndefined);
    if (before?.equals(content) === true) return false;
    await mkdir(dirname(path), { recursive: true });
    // Readers see either the old or the new file. Not synced: after a crash, the next export repairs the file.
    await writeFile(`${path}~`, content);
    await rename(`${path}~`, path);
    return true;
  } catch (cause) {
    throw writeError(path, cause);
  }
}

async function removeFiles(folder: string, files: readonly string[]): Promise<number> {
  for (const file of files) {
    try {
      await unlink(join(folder, file)).catch(absentIsUndefined);
    } catch (cause) {
      throw writeError(join(folder, file), cause);
    }
  }
  return files.length;
}

function absentIsUndefined(error: unknown): undefined {
  if (errorCode(error) === "ENOENT") return undefined;
  throw error;
}

// `manifest.json` of a static export: version, catalogue and day, and the digest, size and type of each file.

const MANIFEST = "manifest.json";

const fileSchema = Type.Object({ sha256: Type.String(), bytes: Type.Integer({ minimum: 0 }), type: Type.String() });
const manifestSchema = Type.Object({
  generator: Type.Literal("eolgate site export"),
  version: Type.String(),
  public_url: Type.String(),
  as_of: Type.String(),
  catalogue: Type.Object({ date: Type.String(), digest: Type.String() }),
  files: Type.Record(Type.String(), fileSchema),
});

export type ManifestFile = Static<typeof fileSchema>;
export type SiteManifest = Static<typeof manifestSchema>;

/**
 * The manifest of the previous export; for a new folder, one without files.
 * @throws EolgateError `not-written` if the file is not a manifest of eolgate; nothing is written or removed then
 */
async function readManifest(folder: string): Promise<Pick<SiteManifest, "files">> {
  const path = join(folder, MANIFEST);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { files: {} };
    throw foreign(path, error);
  }
  try {
    const manifest: unknown = JSON.parse(text);
    Value.Assert(manifestSchema, manifest);
    for (const file of Object.keys(manifest.files)) safeFile(file);
    return manifest;
  } catch (error) {
    throw foreign(path, error);
  }
}

const foreign = (path: string, cause: unknown): EolgateError =>
  EolgateError.of(
    "not-written",
    {
      problem: "the folder has a manifest.json that is not from a site export",
      advice: "Use an empty folder, or remove the file.",
    },
    { where: path, cause },
  );

/** Parts that can be exported separately, because some hosts limit the number of files. */
export const SITE_PARTS = ["api", "pages", "files", "endoflife", "tea"] as const;
export type SitePart = (typeof SITE_PARTS)[number];

export interface SiteEntry {
  readonly part: SitePart;
  /** Path of the request. */
  readonly url: string;
  /** Path of the file, relative to the folder of the export. */
  readonly file: string;
}

/** Whether the response depends only on the path, the catalogue and the day. */
const isStatic = ({ method, query, cached }: Operation): boolean =>
  method === "GET" && cached && Object.keys(query.properties).length === 0;

const isFile = (path: string): boolean => extname(path) !== "";

const pathsOf = (rows: Readonly<Record<string, Operation>>): readonly string[] =>
  Object.values(rows)
    .filter(isStatic)
    .map(({ path }) => path);

const PAGES = ["/methodology", "/docs", "/category/:category", "/:slug", "/score/:slug/:version"];

/** Paths with `:slug`, `:version` and other parameters. */
const PATHS: Readonly<Record<SitePart, readonly string[]>> = {
  api: pathsOf(OPERATIONS).filter((path) => !isFile(path)),
  tea: pathsOf(TEA_OPERATIONS),
  endoflife: pathsOf(ENDOFLIFE_OPERATIONS),
  files: [...pathsOf(SERVICE_OPERATIONS), ...pathsOf(OPERATIONS).filter(isFile)],
  pages: [...Object.keys({ ...SITE_FILES, ...PRODUCT_FILES }), ...ASSETS.map(({ path }) => path), ...PAGES],
};

type Values = Readonly<Record<string, string>>;

export function* siteEntries(catalogue: Catalogue, parts: readonly SitePart[] = SITE_PARTS): Generator<SiteEntry> {
  if (parts.includes("pages")) yield { part: "pages", url: "/", file: "index.html" };
  for (const part of parts)
    for (const path of PATHS[part]) for (const values of valuesOf(path, catalogue)) yield entry(part, path, values);
}

/** The values of the parameters of a path: those of its first parameter in this table. */
const VALUES: Readonly<Record<string, (products: readonly Product[], path: string) => readonly Values[]>> = {
  ":version": (products) => products.flatMap(({ slug, cycles }) => cycles.map(({ name }) => ({ slug, version: name }))),
  ":slug": (products) => products.map(({ slug }) => ({ slug })),
  ":group": (products, path) => groupsOf(path, products).map((group) => ({ group })),
  ":uuid": (products, path) => uuidsOf(path, products).map((uuid) => ({ uuid })),
  ":category": (products) => [...new Set(products.map(({ category }) => category))].map((category) => ({ category })),
};

function valuesOf(path: string, catalogue: Catalogue): readonly Values[] {
  const products = catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? []);
  const [, make] = Object.entries(VALUES).find(([parameter]) => path.includes(parameter)) ?? [];
  return make ? make(products, path) : [{}];
}

function entry(part: SitePart, path: string, values: Values): SiteEntry {
  const extension = isFile(path) ? "" : part === "pages" ? ".html" : ".json";
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
