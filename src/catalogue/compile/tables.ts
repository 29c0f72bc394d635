/** Addresses and reads, each stored once and referred to by index, in the order in which they are first met. */
import type { StoredContent, StoredRead } from "../schema.ts";

export class SharedTables {
  readonly addresses: string[] = [];
  readonly reads: StoredRead[] = [];
  readonly #addressIndex = new Map<string, number>();
  readonly #readIndex = new Map<string, number>();

  /** The tables of a compiled catalogue, to be added to. */
  static of({ addresses, reads }: Pick<StoredContent, "addresses" | "reads">): SharedTables {
    const tables = new SharedTables();
    for (const url of addresses) tables.address(url);
    for (const { page, ...read } of reads) tables.read({ ...read, url: addresses[page] ?? "" });
    return tables;
  }

  address(url: string): number {
    return intern(this.#addressIndex, this.addresses, url, url);
  }

  read(read: Omit<StoredRead, "page"> & { readonly url: string }): number {
    const { url, ...rest } = read;
    const stored: StoredRead = { ...rest, page: this.address(url) };
    return intern(this.#readIndex, this.reads, JSON.stringify(stored), stored);
  }
}

function intern<Value>(index: Map<string, number>, values: Value[], key: string, value: Value): number {
  const known = index.get(key);
  if (known !== undefined) return known;
  index.set(key, values.length);
  values.push(value);
  return values.length - 1;
}
