/** The addresses and reads of a catalogue, to which single rows are added without a change to the others' indices. */
import type { Claim } from "../../model/index.ts";
import type { References } from "../decode.ts";
import type { StoredContent, StoredRead } from "../schema.ts";

export class GrowingTables {
  readonly #addresses: string[];
  readonly #reads: StoredRead[];
  #addressIndex: Map<string, number> | undefined;
  #readIndex: Map<string, number> | undefined;
  readonly references: References;

  constructor({ addresses, reads }: Pick<StoredContent, "addresses" | "reads">) {
    this.#addresses = [...addresses];
    this.#reads = [...reads];
    this.references = {
      address: (index) => this.#addresses[index],
      read: (index) => this.#reads[index],
      purls: () => [],
      purlsOfPart: () => [],
    };
  }

  get content(): Pick<StoredContent, "addresses" | "reads"> {
    return { addresses: this.#addresses, reads: this.#reads };
  }

  /** Index of the row that describes who made a claim, where and when. */
  addRead({ kind, source, url, retrievedAt, copied, basis, reason, via, secondary }: Claim): number {
    this.#addressIndex ??= indexOf(this.#addresses);
    this.#readIndex ??= indexOf(this.#reads.map((read) => JSON.stringify(read)));
    const row: StoredRead = {
      kind,
      source,
      page: append(this.#addresses, this.#addressIndex, url, url),
      on: retrievedAt,
      ...(copied && { copied }),
      ...(basis !== undefined && { basis }),
      ...(reason !== undefined && { reason }),
      ...(via !== undefined && { via: append(this.#addresses, this.#addressIndex, via, via) }),
      ...(secondary && { secondary }),
    };
    return append(this.#reads, this.#readIndex, row, JSON.stringify(row));
  }
}

function indexOf(keys: readonly string[]): Map<string, number> {
  return new Map(keys.map((key, index) => [key, index]));
}

function append<Row>(rows: Row[], index: Map<string, number>, row: Row, key: string): number {
  const known = index.get(key);
  if (known !== undefined) return known;
  index.set(key, rows.length);
  return rows.push(row) - 1;
}
