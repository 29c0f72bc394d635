/**
 * OASIS OpenEoX: the shell's list of statements (draft), each a version of a product with its core record of dates
 * (version 1.0 of the Core Schema).
 */
import type { Catalogue, LifecycleDate, Product, ReleaseCycle } from "../../model/index.ts";
import { formatDate } from "../../messages/format.ts";
import { type IsoDate, isIsoDate } from "../../text/ids.ts";
import { firstDay, lastDay } from "../../lifecycle/days.ts";
import { normalizeName } from "../../resolve/normalize-name.ts";
import { getOwn } from "../../text/values.ts";
import { invalidOwn } from "./cle.ts";
import type { OwnProduct } from "./schema.ts";

const DRAFT = "https://docs.oasis-open.org/openeox/tbd/schema";
const SHELL = `${DRAFT}/shell.json`;
const OPENEOX_CORE = "https://docs.oasis-open.org/openeox/v1.0/schema/core.json";

export interface OpenEoxCore {
  readonly $schema: string;
  readonly end_of_life: string;
  readonly end_of_security_support: string;
  readonly general_availability?: string;
  readonly last_updated: string;
}
interface OpenEoxStatement {
  readonly core: OpenEoxCore;
  readonly product: {
    readonly $schema: string;
    readonly product_name: string;
    readonly product_version: string;
    readonly vendor_name: string;
  };
  readonly product_identification_helper: object;
  /** Of dates of which the source does not state the day: the format has days. */
  readonly eolgate?: { readonly precision: LifecycleDate["precision"] };
}
export interface OpenEoxDocument {
  readonly $schema: string;
  readonly statements: readonly OpenEoxStatement[];
}

/** To be announced: the format's value for an end that is not announced. */
const TBA = "tba";

/** @param makers Names of makers by the slug of their product, where they are not in a CPE name. */
export const toOpenEox = (
  products: readonly Product[],
  makers: Readonly<Record<string, readonly string[]>>,
): OpenEoxDocument => ({
  $schema: SHELL,
  statements: products.flatMap((product) =>
    product.cycles.flatMap((cycle) => statementOf(product, cycle, getOwn(makers, product.slug)?.[0])),
  ),
});

/** Cycles that ended on an unknown date, and those of which no source states an end, cannot be expressed. */
function statementOf(product: Product, cycle: ReleaseCycle, maker: string | undefined): readonly OpenEoxStatement[] {
  const core = coreOf(cycle);
  if (core === undefined) return [];
  const { purls, cpes, slug } = product;
  return [
    {
      core,
      product: {
        $schema: `${DRAFT}/product_software.json`,
        product_name: product.name,
        product_version: cycle.name,
        vendor_name: maker ?? cpeVendor(cpes) ?? "unknown",
      },
      product_identification_helper: {
        ...(cpes[0] !== undefined && { cpe: cpes[0] }),
        purls: purls.length > 0 ? purls : [`pkg:generic/${slug}`],
      },
      ...(cycle.eol.kind === "dated" &&
        cycle.eol.date.precision !== "day" && { eolgate: { precision: cycle.eol.date.precision } }),
    },
  ];
}

function coreOf({ eol, tracks, releaseDate, claims }: ReleaseCycle): OpenEoxCore | undefined {
  if (eol.kind !== "dated" && eol.kind !== "open") return undefined;
  const security = eol.kind === "dated" ? endOfDay(eol.date) : TBA;
  const released = releaseDate && `${releaseDate.value}T00:00:00Z`;
  const read = claims.map(({ retrievedAt }) => firstDay(retrievedAt)).sort();
  return {
    $schema: OPENEOX_CORE,
    end_of_life: lastEnd(tracks, security),
    end_of_security_support: security,
    ...(released !== undefined && released <= security && { general_availability: released }),
    last_updated: `${read.at(-1) ?? "1970-01-01"}T00:00:00Z`,
  };
}

const endOfDay = (date: LifecycleDate): string => `${lastDay(date)}T23:59:59Z`;

/**
 * The last end of all support. Paid support without an announced end does not make the end of a version one that is to
 * be announced. Letters sort after digits.
 */
function lastEnd(tracks: ReleaseCycle["tracks"], security: string): string {
  const ends = tracks.flatMap(({ end, cost }) => (end ? endOfDay(end) : cost === "free" ? TBA : []));
  return [security, ...ends].sort().at(-1) ?? security;
}

/** `cpe:2.3:a:apache:tomcat` → `apache`, `cpe:/a:red_hat:x` → `red hat`. */
const cpeVendor = ([cpe = ""]: readonly string[]): string | undefined =>
  /^cpe:(?:2\.3:|\/)[aoh]:([a-z0-9_.-]+):/.exec(cpe)?.[1]?.replaceAll("_", " ");

export function isOpenEox(value: unknown): value is OpenEoxDocument {
  return typeof value === "object" && value !== null && "statements" in value && Array.isArray(value.statements);
}

/**
 * The end of security support is the end of life of a cycle; where it is to be announced, the end of life is. Products are
 * matched by exact name; others are added.
 * @throws EolgateError `own-catalogue-invalid`.
 */
export function productsFromOpenEox(
  document: OpenEoxDocument,
  catalogue: Catalogue,
  where: string,
): readonly OwnProduct[] {
  const products = new Map<string, OwnProduct>();
  for (const [index, statement] of document.statements.entries()) {
    const at = `${where}#/statements/${index}`;
    const { core, product: named } = statement;
    if (core === undefined || named?.product_name === undefined || named.product_version === undefined)
      throw invalidOwn("a statement needs core, and product with product_name and product_version", at);
    const { product_name: name, product_version: cycle } = named;
    const slugs = catalogue.named(normalizeName(name));
    const [only] = slugs;
    const slug = slugs.length === 1 && only ? only : name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    const product = products.get(slug) ?? { slug, name, cycles: [] };
    const dates = { eol: endOf(statement, at), read_on: day(core.last_updated, at) };
    products.set(slug, { ...product, cycles: [...(product.cycles ?? []), { cycle, ...dates, source: SHELL }] });
  }
  return [...products.values()];
}

function endOf({ core, eolgate }: OpenEoxStatement, where: string): string | false {
  const stated = core.end_of_security_support === TBA ? core.end_of_life : core.end_of_security_support;
  return stated === TBA ? false : formatDate({ value: day(stated, where), precision: eolgate?.precision ?? "day" });
}

function day(value: string, where: string): IsoDate {
  const written = value.slice(0, 10);
  if (value[10] === "T" && isIsoDate(written)) return written;
  throw invalidOwn(`${value} is not a timestamp`, where);
}
