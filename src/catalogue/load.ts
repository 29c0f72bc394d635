/** Opens a catalogue and answers look-ups in it. A look-up reads one block of the file; a product is decoded on demand. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { EolgateError } from "../messages/error.ts";
import { hashGivenText } from "../json-rows/bytes.ts";
import { getOwn, lazy, MOST_ANSWERS, remembered } from "../text/values.ts";
import { asIsoDate, asProductSlug, type ProductSlug, isIsoDate } from "../text/ids.ts";
import type {
  Catalogue,
  CatalogueFacts,
  PackageEnd,
  ModelEntry,
  NewestVersions,
  OsEntry,
  PackageCatalogue,
  Product,
  PurlEntry,
} from "../model/index.ts";
import { factsOf, isTextRecord } from "./facts.ts";
import { decodeProduct, readDay, type References } from "./decode.ts";
import { readBoundedFile } from "../platform/bounded-file.ts";
import { contentOf, encodeCatalogue, openBundled, openCatalogue, type OpenedCatalogue } from "./file.ts";
import { unpackProduct, unpackPurl, unpackRead } from "./format/sections.ts";
import { newestByHash } from "./format/newest-index.ts";
import type { SectionReader } from "./format/reader.ts";
import { locateCatalogue, type LocateOptions, BUNDLED, namedCatalogue } from "./places.ts";
import { StoredPackages } from "./packages.ts";
import { decodePart, WrittenPurls } from "./purls.ts";
import type { StoredContent, StoredPurl } from "./schema.ts";
import { newestIn } from "./stored-values.ts";
import { refuseUnsafe } from "./unsafe.ts";
import { corrupt } from "./format/head.ts";

/**
 * Loads the catalogue that is in use: the path in `options`, else the environment's, else the user's cache, else the
 * bundled one.
 * @throws EolgateError `catalogue`: missing, corrupt, or of another format.
 */
export function loadCatalogue(options: LocateOptions = {}): Catalogue {
  const path = locateCatalogue(options);
  if (path !== undefined) {
    const missing = (cause: unknown) => catalogueMissing(path, cause);
    const bytes = readBoundedFile(resolve(options.cwd ?? "", path), "catalogue", missing);
    return (namedCatalogue(options) === undefined ? parseCatalogue : parseOffered)(bytes, path);
  }
  return (bundled ??= new StoredCatalogue(openedBundled(BUNDLED), "bundled"));
}

/** The bundled catalogue does not change while the process runs, and its file stays open. */
let bundled: Catalogue | undefined;

/** A catalogue with its whole content, for comparing. */
export interface ComparedContent {
  readonly content: StoredContent;
  readonly catalogue: Catalogue;
}

export const comparable = (content: StoredContent, origin: string): ComparedContent => ({
  content,
  catalogue: parseCatalogue(encodeCatalogue(content), origin),
});

/** @throws EolgateError `catalogue` */
export function bundledContent(): ComparedContent {
  const opened = openedBundled(BUNDLED);
  return { content: contentOf(opened.sections), catalogue: new StoredCatalogue(opened, "bundled") };
}

/** Opens a catalogue that was not checked when it was installed. @throws EolgateError as `parseCatalogue`; `catalogue-unsafe` */
export function parseOffered(bytes: Uint8Array, origin: string): Catalogue {
  return withShapeErrors(() => {
    const opened = openCatalogue(bytes, origin);
    refuseUnsafe(opened, bytes, origin);
    return new StoredCatalogue(opened, origin);
  }, origin);
}

/** Opens a catalogue from bytes and verifies its digest. `origin` names it in messages and reports. */
export function parseCatalogue(bytes: Uint8Array, origin: string): Catalogue {
  return withShapeErrors(() => new StoredCatalogue(openCatalogue(bytes, origin), origin), origin);
}

function openedBundled(file: URL): OpenedCatalogue {
  try {
    return openBundled(file, "bundled");
  } catch (cause) {
    throw cause instanceof EolgateError ? cause : catalogueMissing(fileURLToPath(file), cause);
  }
}

export const catalogueMissing = (path: string, cause: unknown): EolgateError =>
  EolgateError.of("catalogue-unreadable", {}, { where: path, cause });

type PackagePattern = readonly [pattern: RegExp, state: string];

/**
 * Ids of https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html: an area or a country, and
 * the id of the model.
 */
const PROFILE = /^(?:[a-z]{2}|us-gov|apac|global)\.(?=[a-z\d-]+\.)/;

/** A catalogue over an opened file. */
export class StoredCatalogue implements Catalogue {
  readonly metadata: Catalogue["metadata"];
  readonly packages: PackageCatalogue;
  readonly newest: NewestVersions;
  readonly facts: CatalogueFacts;
  readonly #sections: SectionReader;
  readonly #references: References;
  readonly #products = new Map<string, Product>();
  readonly #patterns = new Map<string, readonly PackagePattern[]>();
  readonly #purl = remembered((key: string) => this.#findPurl(key), MOST_ANSWERS);
  /** Of all keys, once they were read. */
  #purlHashes: ReadonlySet<number> | undefined;
  #namespaces: Readonly<Record<string, readonly string[]>> | undefined;
  #slugs: readonly ProductSlug[] | undefined;
  #cpeVendors: ReadonlySet<string> | undefined;
  readonly #packageEnds;

  constructor({ head, sections }: OpenedCatalogue, origin: string) {
    this.#sections = sections;
    const purls = new WrittenPurls(sections);
    this.#packageEnds = remembered((key: string) => sections.record("packageEnds", key));
    // Few rows are referred to by most cycles of a product.
    this.#references = {
      address: remembered((index: number) => sections.element("addresses", index)),
      read: remembered((index: number) => {
        const read = sections.element("reads", index);
        return read && unpackRead(read);
      }),
      purls: (slug) => purls.of(slug)?.all ?? [],
      purlsOfPart: (slug, part) => purls.of(slug)?.ofPart.get(part) ?? [],
    };
    this.packages = new StoredPackages(sections, this.#references);
    this.facts = factsOf(sections, origin);
    const { date, purlMapDate, kevVersion, newestOn } = sections.value("metadata");
    this.newest = {
      listedOn: Object.fromEntries(Object.entries(newestOn).map(([type, day]) => [type, asIsoDate(day)])),
      find: (type, path) => newestIn(sections.record("newestVersions", `${type}/${path}`)),
      byHash: lazy(() => (sections.has("newestIndex") ? newestByHash(sections.value("newestIndex")) : undefined)),
    };
    this.metadata = {
      date: asIsoDate(date),
      digest: head.digest,
      purlMapDate: asIsoDate(purlMapDate),
      kevVersion,
      origin,
    };
  }

  product(slug: string): Product | undefined {
    const known = this.#products.get(slug);
    if (known) return known;
    const stored = this.#sections.record("products", slug);
    if (stored === undefined) return undefined;
    const product = decodeProduct(slug, unpackProduct(stored), this.#references);
    this.#products.set(slug, product);
    return product;
  }

  purl(key: string): PurlEntry | undefined {
    return this.#purl(key);
  }

  #findPurl(key: string): PurlEntry | undefined {
    const packed = this.#purlEntry(key) ?? this.#distroPackage(key);
    if (packed === undefined) return undefined;
    const stored = unpackPurl(packed);
    if (typeof stored === "string") {
      const { slug, part } = decodePart(key, stored);
      const product = asProductSlug(slug);
      return part === undefined ? { product, basis: "upstream" } : { product, basis: "part", part };
    }
    const { product, written: _, ...rest } = stored;
    return { ...rest, product: asProductSlug(product) };
  }

  purlHashes(): ReadonlySet<number> {
    return (this.#purlHashes ??= this.#sections.keyHashes("purls"));
  }

  named(folded: string): readonly ProductSlug[] {
    return (this.#sections.record("names", folded) ?? []).map(asProductSlug);
  }

  cpe(vendorAndProduct: string): ProductSlug | undefined {
    const slug = this.#sections.record("cpes", vendorAndProduct.toLowerCase());
    return slug === undefined ? undefined : asProductSlug(slug);
  }

  isCpeVendor(vendor: string): boolean {
    this.#cpeVendors ??= new Set(this.#sections.keys("cpes").map((key) => key.split(":", 1)[0] ?? ""));
    return this.#cpeVendors.has(vendor);
  }

  model(id: string): readonly ModelEntry[] {
    const entries =
      this.#sections.record("models", id) ?? this.#sections.record("models", id.replace(PROFILE, "")) ?? [];
    return entries.map(([slug, cycle, vendor]) => ({ product: asProductSlug(slug), cycle, vendor }));
  }

  operatingSystem(name: string): OsEntry | "rolling" | undefined {
    const entry = this.#sections.record("systems", name);
    if (entry === undefined || entry === "rolling") return entry;
    return { product: asProductSlug(entry[0]), rule: entry[1] };
  }

  packageEnd(distro: ProductSlug, cycle: string, sourcePackage: string): PackageEnd | undefined {
    const key = `${distro}:${cycle}`;
    const listed = this.#packageEnds(key);
    if (listed === undefined) return undefined;
    const state = getOwn(listed.packages, sourcePackage) ?? this.#matchPattern(key, listed.packages, sourcePackage);
    const read = this.#references.read(listed.read);
    if (state === undefined || read === undefined) return undefined;
    const where = { url: this.#references.address(read.page) ?? "", readOn: readDay(read.on) };
    // An exception to a pattern that matches the package.
    if (state === "supported") return undefined;
    if (state === "limited") return { kind: "limited", ...where };
    return { kind: "ended", ...(state !== "ended" && { from: asIsoDate(state) }), ...where };
  }

  slugs(): readonly ProductSlug[] {
    return (this.#slugs ??= this.#sections.keys("products").map(asProductSlug));
  }

  /** `deb/debian/perl`, also without its namespace: `deb/perl`. */
  #distroPackage(key: string): StoredPurl | undefined {
    this.#namespaces ??= this.#sections.value("distroNamespaces");
    const slash = key.indexOf("/");
    const type = key.slice(0, slash);
    const namespaces = getOwn(this.#namespaces, type);
    if (namespaces === undefined) return undefined;
    const path = key.slice(slash + 1).split("/");
    const name = path.pop() ?? "";
    if (path.length > 1 || !namespaces.includes(path[0] ?? "")) return undefined;
    return this.#sections.record("distroPackages", `${type}/${name}`);
  }

  #purlEntry(key: string): StoredPurl | undefined {
    return this.#purlHashes?.has(hashGivenText(key)) === false ? undefined : this.#sections.record("purls", key);
  }

  #matchPattern(key: string, packages: Readonly<Record<string, string>>, name: string): string | undefined {
    let patterns = this.#patterns.get(key);
    if (patterns === undefined) {
      patterns = Object.entries(packages).flatMap(([row, state]) =>
        row.startsWith("/") ? [[new RegExp(`^(?:${row.slice(1, -1)})$`), state] as const] : [],
      );
      this.#patterns.set(key, patterns);
    }
    return patterns.find(([pattern]) => pattern.test(name))?.[1];
  }
}

// A catalogue whose digest is right and whose records have another shape: made by hand, or by other software. Reading
// such a record must be an error of the catalogue, never a bug and never a component that nothing is known about.

/** Calls `read`. @throws EolgateError `catalogue-corrupt` where it fails because a record has another shape */
export function asShaped<Result>(read: () => Result, origin: string): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof EolgateError) throw error;
    throw wrongShape(origin, error);
  }
}

/** The catalogue that `open` makes, with errors on wrongly shaped records as `catalogue-corrupt`. */
export function withShapeErrors<Opened extends Catalogue>(open: () => Opened, origin: string): Opened {
  const guard = <Result>(read: () => Result): Result => asShaped(read, origin);
  const catalogue = guard(open);
  const { metadata, newest } = catalogue;
  const days = [metadata.date, metadata.purlMapDate, ...Object.values(newest?.listedOn ?? {})];
  if (!days.every(isIsoDate) || typeof metadata.kevVersion !== "string")
    throw wrongShape(origin, undefined, "its metadata");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It inherits everything from `catalogue`.
  return Object.assign(Object.create(catalogue) as Opened, {
    product: (slug: string) => guard(() => checked(catalogue.product(slug), slug, origin)),
    purl: (key: string) => guard(() => catalogue.purl(key)),
    named: (folded: string) => guard(() => catalogue.named(folded)),
    cpe: (name: string) => guard(() => catalogue.cpe(name)),
    isCpeVendor: (vendor: string) => guard(() => catalogue.isCpeVendor?.(vendor) === true),
    model: (id: string) => guard(() => catalogue.model(id)),
    operatingSystem: (name: string) => guard(() => catalogue.operatingSystem(name)),
    packageEnd: (...key: Parameters<Catalogue["packageEnd"]>) => guard(() => catalogue.packageEnd(...key)),
    facts: catalogue.facts,
    ...(newest && {
      newest: {
        ...newest,
        find: (type, path) => guard(() => newest.find(type, path)),
        ...(newest.byHash && { byHash: () => guard(() => newest.byHash?.()) }),
      },
    }),
    slugs: () => guard(() => catalogue.slugs()),
    ...(catalogue.purlHashes && { purlHashes: () => guard(() => catalogue.purlHashes?.() ?? new Set()) }),
  } satisfies Omit<Catalogue, "metadata">);
}

const wrongShape = (origin: string, cause: unknown, what = "a record"): EolgateError =>
  corrupt(origin, `${what} has another shape`, cause);

/** The shape that later steps rely on. */
function checked(product: Product | undefined, slug: string, origin: string): Product | undefined {
  if (product === undefined) return undefined;
  const { name, category, attackSurface, cycles, codeNames } = product;
  const isText = [name, category, attackSurface, ...cycles.map((cycle) => cycle.name)].every(
    (value) => typeof value === "string",
  );
  // A product without release cycles answers nothing, and callers rely on its newest cycle.
  if (!isText || cycles.length === 0 || (codeNames !== undefined && !isTextRecord(codeNames)))
    throw wrongShape(origin, undefined, `the record of ${slug}`);
  return product;
}
