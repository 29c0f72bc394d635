/** Addresses and reads, each stored once and referred to by index. Rows are added without a change to known indexes. */
import { compact } from "../text/values.ts";
import type { StoredClaim, StoredContent, StoredKevEntry, StoredProduct, StoredRead } from "./schema.ts";

type StoredTables = Pick<StoredContent, "addresses" | "reads">;
/** A read with its addresses instead of their indexes. */
type AddressedRead = Omit<StoredRead, "page" | "via"> & { readonly url: string; readonly via?: string };

export class ReadTables {
  readonly addresses: string[];
  readonly reads: StoredRead[];
  #addressIndex: Map<string, number> | undefined;
  #readIndex: Map<string, number> | undefined;

  constructor({ addresses, reads }: StoredTables = { addresses: [], reads: [] }) {
    this.addresses = [...addresses];
    this.reads = [...reads];
  }

  address(url: string): number {
    this.#addressIndex ??= new Map(this.addresses.map((address, index) => [address, index]));
    return append(this.addresses, this.#addressIndex, url, url);
  }

  read({ url, via, ...rest }: AddressedRead): number {
    this.#readIndex ??= new Map(this.reads.map((read, index) => [JSON.stringify(read), index]));
    const row = compact({ ...rest, page: this.address(url), via: via === undefined ? undefined : this.address(via) });
    return append(this.reads, this.#readIndex, JSON.stringify(row), row);
  }

  /** A read of other tables, by its index there: the index in these. */
  takeRead(index: number, { addresses, reads }: StoredTables): number {
    const row = reads[index];
    if (row === undefined) return index;
    const { page, via, ...rest } = row;
    return this.read({ ...rest, url: addresses[page] ?? "", ...(via !== undefined && { via: addresses[via] ?? "" }) });
  }

  /** A product of another content, with its references in these tables. */
  take(product: StoredProduct, from: StoredTables): StoredProduct {
    const read = (index: number): number => this.takeRead(index, from);
    const readOf = (index: number | undefined) => (index === undefined ? undefined : read(index));
    const claims = (list: readonly StoredClaim[] | undefined) =>
      list?.map(([index, end]): StoredClaim => [read(index), end]);
    const { policy, kev } = product;
    return compact({
      ...product,
      read: read(product.read),
      policy: policy === undefined ? undefined : this.address(from.addresses[policy] ?? ""),
      kev: kev?.map((entry): StoredKevEntry => {
        if (entry.length !== 5) return entry;
        const [cve, added, basis, ransomware, [index, ...versions]] = entry;
        return [cve, added, basis, ransomware, [read(index), ...versions]];
      }),
      cycles: product.cycles.map((cycle) =>
        compact({
          ...cycle,
          read: readOf(cycle.read),
          notBeforeRead: readOf(cycle.notBeforeRead),
          also: claims(cycle.also),
          quarantined: claims(cycle.quarantined),
          alsoEoas: claims(cycle.alsoEoas),
          alsoEoes: claims(cycle.alsoEoes),
          tracks: cycle.tracks?.map((track) => compact({ ...track, read: readOf(track.read) })),
        }),
      ),
    });
  }
}

function append<Row>(rows: Row[], index: Map<string, number>, key: string, row: Row): number {
  const known = index.get(key);
  if (known !== undefined) return known;
  index.set(key, rows.length);
  return rows.push(row) - 1;
}
