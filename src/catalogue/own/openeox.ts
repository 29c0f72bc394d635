/** OASIS OpenEoX: the shell's list of statements, each a product's version with its core of dates (draft of 2025). */
import type { Catalogue, End, Product, ReleaseCycle } from "../../model/index.ts";
import { firstDay, lastDay } from "../../lifecycle/days.ts";
import { normalizeName } from "../../resolve/normalize-name.ts";
import { invalidOwn } from "./cle.ts";
import type { OwnProduct } from "./schema.ts";

export const OPENEOX_SHELL = "https://docs.oasis-open.org/openeox/tbd/schema/shell.json";
export const OPENEOX_CORE = "https://docs.oasis-open.org/openeox/v1.0/schema/core.json";

interface Core {
  readonly $schema: string;
  readonly end_of_life: string;
  readonly end_of_security_support: string;
  readonly end_of_sales?: string;
  readonly last_updated: string;
}
interface Statement {
  readonly core: Core;
  readonly productName: string;
  readonly productVersion: string;
  readonly vendorName: string;
}
export interface OpenEoxDocument {
  readonly $schema: string;
  readonly statements: readonly Statement[];
}

/** To be announced: the format's value for an end that is not announced. */
const TBA = "tba";

/** Cycles that ended on an unknown date cannot be expressed in this format and are omitted. */
export function toOpenEox(products: readonly Product[]): OpenEoxDocument {
  return {
    $schema: OPENEOX_SHELL,
    statements: products.flatMap((product) => product.cycles.flatMap((cycle) => statementOf(product, cycle))),
  };
}

function statementOf(product: Product, cycle: ReleaseCycle): readonly Statement[] {
  const security = timestamp(cycle.eol);
  if (security === undefined) return [];
  const extended = cycle.tracks.map(({ end }) => (end === null ? TBA : `${lastDay(end)}T23:59:59Z`));
  const last = [security, ...extended].sort().at(-1) ?? security;
  const read =
    cycle.claims
      .map(({ retrievedAt }) => firstDay(retrievedAt))
      .sort()
      .at(-1) ?? "1970-01-01";
  return [
    {
      core: {
        $schema: OPENEOX_CORE,
        // Letters sort after digits: an end to be announced is the last.
        end_of_life: last,
        end_of_security_support: security,
        last_updated: `${read}T00:00:00Z`,
      },
      productName: product.name,
      productVersion: cycle.name,
      vendorName: "unknown",
    },
  ];
}

function timestamp(end: End): string | undefined {
  if (end.kind === "dated") return `${lastDay(end.date)}T23:59:59Z`;
  return end.kind === "open" ? TBA : undefined;
}

export function isOpenEox(value: unknown): value is OpenEoxDocument {
  return typeof value === "object" && value !== null && "statements" in value && Array.isArray(value.statements);
}

/**
 * The end of security support is the end of life of a cycle. Products are matched by exact name; others are added.
 * @throws EolgateError `config`.
 */
export function productsFromOpenEox(
  document: OpenEoxDocument,
  catalogue: Catalogue,
  where: string,
): readonly OwnProduct[] {
  const products = new Map<string, OwnProduct>();
  for (const [index, { core, productName, productVersion }] of document.statements.entries()) {
    if (core === undefined || productName === undefined || productVersion === undefined)
      throw invalidOwn("a statement needs core, productName and productVersion", `${where}#/statements/${index}`);
    const slugs = catalogue.named(normalizeName(productName));
    const [only] = slugs;
    const slug = slugs.length === 1 && only ? only : productName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    const product = products.get(slug) ?? { slug, name: productName, cycles: [] };
    const end = core.end_of_security_support === TBA ? false : day(core.end_of_security_support, where, index);
    const cycle = {
      cycle: productVersion,
      eol: end,
      read_on: day(core.last_updated, where, index),
      source: OPENEOX_SHELL,
    };
    products.set(slug, { ...product, cycles: [...(product.cycles ?? []), cycle] });
  }
  return [...products.values()];
}

function day(value: string, where: string, index: number): string {
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return value.slice(0, 10);
  throw invalidOwn(`${value} is not a timestamp`, `${where}#/statements/${index}`);
}
