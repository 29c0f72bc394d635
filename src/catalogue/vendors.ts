/** The stored vendors of packages, found by name or publisher. Only the rows that a look-up meets are decoded. */
import { keyVendorNames, keyVendorPublishers, type KeyedRows } from "../resolve/distro/vendor-keys.ts";
import type { VendorKey, VendorPackages } from "../model/index.ts";
import { own } from "../text/own.ts";
import { decodeVendorPackages } from "./decode-packages.ts";
import type { References } from "./decode.ts";
import type { SectionReader } from "./format/reader.ts";
import type { StoredVendorPackages } from "./schema-packages.ts";

type KeySection = "vendorNames" | "vendorPublishers";

const NOBODY: readonly VendorKey[] = [];

export class StoredVendors {
  readonly #sections: SectionReader;
  readonly #references: References;
  readonly #rows = new Map<number, VendorPackages | undefined>();
  readonly #names = new Map<string, readonly VendorKey[]>();
  readonly #publishers = new Map<string, readonly VendorKey[]>();
  readonly #indexed = new Map<KeySection, KeyedRows>();

  constructor(sections: SectionReader, references: References) {
    this.#sections = sections;
    this.#references = references;
  }

  names(key: string): readonly VendorKey[] {
    return this.#find(this.#names, "vendorNames", key, keyVendorNames);
  }

  publishers(key: string): readonly VendorKey[] {
    return this.#find(this.#publishers, "vendorPublishers", key, keyVendorPublishers);
  }

  #find(
    known: Map<string, readonly VendorKey[]>,
    section: KeySection,
    key: string,
    index: (rows: readonly StoredVendorPackages[]) => KeyedRows,
  ): readonly VendorKey[] {
    let found = known.get(key);
    if (found === undefined) {
      const stored = this.#sections.has(section)
        ? this.#sections.record(section, key)
        : own(this.#indexOf(section, index), key);
      found = stored?.flatMap(([text, position]) => this.#keyOf(text, position)) ?? NOBODY;
      known.set(key, found);
    }
    return found;
  }

  /** A catalogue that an earlier version wrote has no index. */
  #indexOf(section: KeySection, index: (rows: readonly StoredVendorPackages[]) => KeyedRows): KeyedRows {
    let made = this.#indexed.get(section);
    if (made === undefined) this.#indexed.set(section, (made = index(this.#sections.all("vendorPackages"))));
    return made;
  }

  #keyOf(text: string, position: number): VendorKey | [] {
    const vendor = this.#row(position);
    return vendor === undefined ? [] : { text, vendor };
  }

  #row(position: number): VendorPackages | undefined {
    let vendor = this.#rows.get(position);
    if (vendor === undefined) {
      const stored = this.#sections.element("vendorPackages", position);
      vendor = stored && decodeVendorPackages(stored, this.#references);
      this.#rows.set(position, vendor);
    }
    return vendor;
  }
}
