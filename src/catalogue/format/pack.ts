/**
 * Rows that occur thousands of times are written without the names of their usual fields: a cycle as
 * `[name, released, eol, {other fields}]`, an entry of the purl map with a product and a basis as `slug basis`.
 */
import type { StoredCycle, StoredProduct, StoredPurl, StoredRead } from "../schema.ts";
import type { PackedCycle, PackedProduct, PackedRead } from "./packed.ts";

// Rows of another shape than their type are written as they are: the reader refuses them.
const isObject = (row: unknown): row is object => typeof row === "object" && row !== null;
const isList = (rows: unknown): rows is readonly unknown[] => Array.isArray(rows);

export function packProduct(product: StoredProduct): PackedProduct {
  if (!isObject(product)) return product;
  const { cycles } = product;
  return { ...product, cycles: isList(cycles) ? cycles.map(packCycle) : cycles };
}

export function unpackProduct(product: PackedProduct): StoredProduct {
  return { ...product, cycles: product.cycles.map(unpackCycle) };
}

function packCycle(cycle: StoredCycle): PackedCycle {
  if (!isObject(cycle)) return cycle;
  const { name, released, eol, ...others } = cycle;
  const usual = [name, released ?? null, eol ?? null] as const;
  return Object.keys(others).length === 0 ? usual : [...usual, others];
}

function unpackCycle([name, released, eol, others]: PackedCycle): StoredCycle {
  return { name, ...(released !== null && { released }), ...(eol !== null && { eol }), ...others };
}

/** Entries of these two fields and no other. A slug has no blank. */
export function packPurl(entry: StoredPurl): StoredPurl {
  if (typeof entry === "string" || !isObject(entry)) return entry;
  const { product, basis, ...others } = entry;
  return Object.keys(others).length === 0 ? `${product} ${basis}` : entry;
}

export function unpackPurl(entry: StoredPurl): StoredPurl {
  if (typeof entry !== "string") return entry;
  // The name of a part can have a blank.
  const [, product, basis] = /^([^ #]+) ([^ ]+)$/.exec(entry) ?? [];
  return product === undefined || basis === undefined ? entry : { product, basis };
}

const OWN = { kind: "custom", source: "eolgate" } as const;

export function packRead(read: StoredRead): PackedRead {
  if (!isObject(read)) return read;
  const { kind, source, ...others } = read;
  return kind === OWN.kind && source === OWN.source ? others : read;
}

export function unpackRead(read: PackedRead): StoredRead {
  return { ...OWN, ...read };
}
