/** Addresses and reads, each stored once and referred to by index, in the order in which they are first met. */
import type { StoredContent, StoredRead } from "../../catalogue/schema.ts";

export class SharedTables {
  readonly addresses: string[] = [];
  readonly reads: StoredRead[] = [];
  readonly #addressIndex = new Map<string, number>();
  readonly #readIndex = new Map<string, number>();

  /** The tables of a compiled catalogue, to be added to. */
  static of({ addresses, reads }: Pick<StoredContent, "addresses" | "reads">): SharedTables {
    const tables = new SharedTables();
    for (const url of addresses) tables.address(url);
    for (const read of reads) tables.read(withAddresses(read, addresses));
    return tables;
  }

  address(url: string): number {
    return intern(this.#addressIndex, this.addresses, url, url);
  }

  read(read: AddressedRead): number {
    const { url, via, ...rest } = read;
    const stored: StoredRead = {
      ...rest,
      page: this.address(url),
      ...(via !== undefined && { via: this.address(via) }),
    };
    return intern(this.#readIndex, this.reads, JSON.stringify(stored), stored);
  }
}

/** A read with its addresses instead of their indexes. */
type AddressedRead = Omit<StoredRead, "page" | "via"> & { readonly url: string; readonly via?: string };

export function withAddresses({ page, via, ...read }: StoredRead, addresses: readonly string[]): AddressedRead {
  return { ...read, url: addresses[page] ?? "", ...(via !== undefined && { via: addresses[via] ?? "" }) };
}

function intern<Value>(index: Map<string, number>, values: Value[], key: string, value: Value): number {
  const known = index.get(key);
  if (known !== undefined) return known;
  index.set(key, values.length);
  values.push(value);
  return values.length - 1;
}
