/**
 * The catalogue for everybody who asks: found, verified, indexed by rows; a record is parsed when it is first asked for.
 * Reading and verifying cost a few milliseconds, so each command can afford them.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { EolgateError } from "../core/errors.ts";
import { asIsoDate, asProductSlug, type ProductSlug } from "../core/ids.ts";
import type { Catalogue, EarlyEnd, ModelEntry, OsEntry, Product, PurlEntry } from "../core/model.ts";
import { normalizeName } from "../core/resolve/normalize-name.ts";
import { decodeProduct } from "./decode.ts";
import { corrupt, openCatalogue, type Proof } from "./file.ts";
import { locateCatalogue, type LocateOptions } from "./locate.ts";
import { BUNDLED } from "./places.ts";
import type { Section, StoredContent, StoredHead, StoredProduct, StoredPurl } from "./schema.ts";

/**
 * Found in this order: the path that was asked for, the environment, the user's cache, the bundled one.
 * @throws Fault `catalogue`: missing, corrupt, or of another format.
 */
export function loadCatalogue(options: LocateOptions = {}): Catalogue {
  const path = locateCatalogue(options);
  return path === undefined
    ? parseCatalogue(readBytes(fileURLToPath(BUNDLED)), "bundled", "checksum")
    : parseCatalogue(readBytes(path), path);
}

/** A catalogue from bytes. `origin` says in messages and reports where they came from. */
export function parseCatalogue(bytes: Buffer, origin: string, proof: Proof = "digest"): Catalogue {
  return new StoredCatalogue(bytes, origin, proof);
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw EolgateError.raw("catalogue", {
      code: "catalogue-missing",
      message: "the catalogue cannot be read",
      where: path,
      hint: "Check --catalogue and EOLGATE_CATALOGUE, or run eolgate catalogue update.",
      cause,
    });
  }
}

type DistroTable = StoredContent["distroPackages"][string];

/** First and last byte of a value in the body. */
type Slice = readonly [start: number, end: number];

class StoredCatalogue implements Catalogue {
  readonly metadata: Catalogue["metadata"];
  readonly head: StoredHead;
  readonly #body: Buffer;
  readonly #origin: string;
  readonly #sections = new Map<string, Slice>();
  readonly #rows = new Map<string, Slice>();
  readonly #parsed = new Map<Section, unknown>();
  readonly #products = new Map<string, Product>();
  #names: ReadonlyMap<string, readonly ProductSlug[]> | undefined;
  #purls: ReadonlyMap<string, readonly string[]> | undefined;
  #entries: ReadonlyMap<string, StoredPurl> | undefined;
  #distros: ReadonlyMap<string, DistroTable> | undefined;
  #patterns = new Map<string, readonly (readonly [RegExp, string])[]>();

  constructor(bytes: Buffer, origin: string, proof: Proof) {
    const { head, body } = openCatalogue(bytes, origin, proof);
    this.head = head;
    this.#body = body;
    this.#origin = origin;
    this.#indexRows();
    const { date, purlMapDate, kevVersion } = this.#section("stamp");
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
    const row = this.#rows.get(slug);
    if (row === undefined) return undefined;
    // The digest vouches for the shape: these bytes were written by `file.ts`.
    const stored = this.#parse(row) as StoredProduct;
    const product = decodeProduct(slug, stored, {
      addresses: this.#section("addresses"),
      reads: this.#section("reads"),
      purls: (of) => this.#purlsOf(of),
    });
    this.#products.set(slug, product);
    return product;
  }

  purl(key: string): PurlEntry | undefined {
    const stored = this.#purlEntries().get(key) ?? this.#distroPackage(key);
    if (stored === undefined) return undefined;
    if (typeof stored === "string") return { product: asProductSlug(stored), basis: "upstream" };
    const { product, written: _, ...rest } = stored;
    return { ...rest, product: asProductSlug(product) };
  }

  purlKeys(): Iterable<string> {
    return this.#purlEntries().keys();
  }

  named(folded: string): readonly ProductSlug[] {
    this.#names ??= this.#indexNames();
    return this.#names.get(folded) ?? [];
  }

  cpe(vendorAndProduct: string): ProductSlug | undefined {
    const slug = own(this.#section("cpes"), vendorAndProduct.toLowerCase());
    return slug === undefined ? undefined : asProductSlug(slug);
  }

  model(id: string): readonly ModelEntry[] {
    const entries = own(this.#section("models"), id) ?? [];
    return entries.map(([slug, cycle, vendor]) => ({ product: asProductSlug(slug), cycle, vendor }));
  }

  operatingSystem(name: string): OsEntry | "rolling" | undefined {
    const entry = own(this.#section("systems"), name);
    if (entry === undefined || entry === "rolling") return entry;
    return { product: asProductSlug(entry[0]), rule: entry[1] };
  }

  endedEarly(distro: ProductSlug, cycle: string, sourcePackage: string): EarlyEnd | undefined {
    const key = `${distro}:${cycle}`;
    const line = own(this.#section("earlyEnds"), key);
    if (line === undefined) return undefined;
    const word = own(line.packages, sourcePackage) ?? this.#earlyPattern(key, line.packages, sourcePackage);
    const read = this.#section("reads")[line.read];
    if (word === undefined || read === undefined) return undefined;
    const where = { url: this.#section("addresses")[read.page] ?? "", readOn: asIsoDate(read.on) };
    // An exception to a pattern that would cover the package.
    if (word === "supported") return undefined;
    if (word === "limited") return { kind: "limited", ...where };
    return { kind: "ended", ...(word !== "ended" && { from: asIsoDate(word) }), ...where };
  }

  slugs(): readonly ProductSlug[] {
    return [...this.#rows.keys()].map(asProductSlug);
  }

  /** One pass over the ends of rows: nothing is parsed. */
  #indexRows(): void {
    const body = this.#body;
    // A plain view: Buffer's own search crosses into native code at each call, which costs more than the search.
    const bytes = new Uint8Array(body.buffer, body.byteOffset, body.length);
    let into = this.#sections;
    for (let start = 0; start < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, start);
      const end = newline < 0 ? bytes.length : newline;
      if (bytes[start] === QUOTE) {
        const close = bytes.indexOf(QUOTE, start + 1);
        // Slugs and sections are ASCII.
        const key = body.toString("latin1", start + 1, close);
        const comma = bytes[end - 1] === COMMA ? 1 : 0;
        if (key === "products") into = this.#rows;
        else if (key !== "content") into.set(key, [close + 2, end - comma]);
      } else if (bytes[start] === CLOSE && into === this.#rows) into = this.#sections;
      start = end + 1;
    }
  }

  #section<Name extends Exclude<Section, "products">>(name: Name): StoredContent[Name] {
    let value = this.#parsed.get(name);
    if (value === undefined) {
      const slice = this.#sections.get(name);
      if (slice === undefined) throw corrupt(this.#origin, `the section ${name} is missing`);
      value = this.#parse(slice);
      this.#parsed.set(name, value);
    }
    // The digest vouches for the shape: these bytes were written by `file.ts`.
    return value as StoredContent[Name];
  }

  #parse([start, end]: Slice): unknown {
    try {
      return JSON.parse(this.#body.toString("utf8", start, end));
    } catch (cause) {
      throw corrupt(this.#origin, "a record is not JSON", cause);
    }
  }

  /** A map: most keys of a document are in no table, and to miss in an object costs seven times as much (measured). */
  #purlEntries(): ReadonlyMap<string, StoredPurl> {
    return (this.#entries ??= new Map(Object.entries(this.#section("purls"))));
  }

  /** `deb/debian/perl`, also without its namespace: `deb/perl`. */
  #distroPackage(key: string): StoredPurl | undefined {
    this.#distros ??= new Map(Object.entries(this.#section("distroPackages")));
    const slash = key.indexOf("/");
    const table = this.#distros.get(key.slice(0, slash));
    if (table === undefined) return undefined;
    const path = key.slice(slash + 1).split("/");
    const name = path.pop() ?? "";
    return path.length < 2 && table.namespaces.includes(path[0] ?? "") ? own(table.names, name) : undefined;
  }

  #earlyPattern(key: string, packages: Readonly<Record<string, string>>, name: string): string | undefined {
    let patterns = this.#patterns.get(key);
    if (patterns === undefined) {
      patterns = Object.entries(packages).flatMap(([row, word]) =>
        row.startsWith("/") ? [[new RegExp(`^(?:${row.slice(1, -1)})$`), word] as const] : [],
      );
      this.#patterns.set(key, patterns);
    }
    return patterns.find(([pattern]) => pattern.test(name))?.[1];
  }

  #indexNames(): ReadonlyMap<string, readonly ProductSlug[]> {
    const index = new Map<string, ProductSlug[]>();
    for (const [slug, words] of Object.entries(this.#section("names"))) {
      for (const folded of new Set([slug, ...words].map(normalizeName))) {
        const known = index.get(folded);
        if (known) known.push(asProductSlug(slug));
        else index.set(folded, [asProductSlug(slug)]);
      }
    }
    return index;
  }

  #purlsOf(slug: string): readonly string[] {
    this.#purls ??= this.#indexPurls();
    return this.#purls.get(slug) ?? [];
  }

  #indexPurls(): ReadonlyMap<string, readonly string[]> {
    const index = new Map<string, string[]>();
    for (const [key, entry] of Object.entries(this.#section("purls"))) {
      const [slug, purl] = typeof entry === "string" ? [entry, undefined] : [entry.product, entry.written];
      const known = index.get(slug);
      if (known) known.push(purl ?? `pkg:${key}`);
      else index.set(slug, [purl ?? `pkg:${key}`]);
    }
    return index;
  }
}

const QUOTE = 0x22;
const NEWLINE = 0x0a;
const COMMA = 0x2c;
const CLOSE = 0x7d;

/** Keys come from documents: `constructor` and `__proto__` are no entries. */
function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
