/**
 * What the compiler refuses, and what it only notes. A contradiction is resolved by a corrected fact or by a curated
 * decision with a reason.
 */
import { EolgateError } from "../../messages/error.ts";
import type { StoredContent, StoredRead } from "../../catalogue/schema.ts";

export interface Problem {
  /** `two-products`, `end-before-release`, `duplicate-slug`, `duplicate-cycle`, `name-clash`, `purl-invalid`, … */
  readonly code: string;
  /** The identifier, line or file that is wrong. */
  readonly where: string;
  readonly message: string;
}

export class Problems {
  readonly refused: Problem[] = [];
  readonly notes: Problem[] = [];
  readonly #refusesNew: boolean;

  constructor(refusesNew = false) {
    this.#refusesNew = refusesNew;
  }

  refuse(code: string, where: string, message: string): void {
    this.refused.push({ code, where, message });
  }

  /** Content of the record without a decision: refused in our own compilation, a note in an update. */
  newContent(code: string, where: string, message: string): void {
    (this.#refusesNew ? this.refused : this.notes).push({ code, where, message });
  }

  note(code: string, where: string, message: string): void {
    this.notes.push({ code, where, message });
  }

  /** @throws EolgateError `catalogue`, code `curated-data`, naming the first place and carrying all of them. */
  throwIfAny(): void {
    const [first] = this.refused;
    if (first === undefined) return;
    const more = this.refused.length > 1 ? ` (and ${this.refused.length - 1} more)` : "";
    throw EolgateError.of(
      "curated-data",
      {
        problem: `${first.message}${more}`,
        advice: "Correct the entry, or record the decision and its reason in src/pipeline/curated/decisions.json.",
      },
      { where: first.where, details: { problems: this.refused } },
    );
  }
}

// Addresses and reads, each stored once and referred to by index, in the order in which they are first met.

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

/** `@azure/cosmos@4` → `@azure/cosmos`. */
export function partOfRow(name: string): string {
  const at = name.lastIndexOf("@");
  return at > 0 ? name.slice(0, at) : name;
}
