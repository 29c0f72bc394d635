/** The stored vendors of packages, found by name or publisher. Only the rows that a look-up meets are decoded. */
import type { VendorKey, VendorPackages } from "../model/index.ts";
import { decodeVendorPackages } from "./decode-packages.ts";
import type { References } from "./decode.ts";
import type { SectionReader } from "./format/reader.ts";

type KeySection = "vendorNames" | "vendorPublishers";

const NOBODY: readonly VendorKey[] = [];

export class StoredVendors {
  readonly #sections: SectionReader;
  readonly #references: References;
  readonly #rows = new Map<number, VendorPackages | undefined>();
  readonly #names = new Map<string, readonly VendorKey[]>();
  readonly #publishers = new Map<string, readonly VendorKey[]>();

  constructor(sections: SectionReader, references: References) {
    this.#sections = sections;
    this.#references = references;
  }

  names(key: string): readonly VendorKey[] {
    return this.#find(this.#names, "vendorNames", key);
  }

  publishers(key: string): readonly VendorKey[] {
    return this.#find(this.#publishers, "vendorPublishers", key);
  }

  #find(known: Map<string, readonly VendorKey[]>, section: KeySection, key: string): readonly VendorKey[] {
    let found = known.get(key);
    if (found === undefined) {
      found = this.#sections.record(section, key)?.flatMap(([text, position]) => this.#keyOf(text, position)) ?? NOBODY;
      known.set(key, found);
    }
    return found;
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
