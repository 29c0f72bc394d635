/** The rows of the file that `pack.ts` writes shorter than the compiler's form. */
import type { StoredCycle, StoredProduct, StoredRead } from "../schema.ts";

type OtherFields = Omit<StoredCycle, "name" | "released" | "eol">;
/** Null: the field is missing. */
export type PackedCycle =
  | readonly [name: string, released: string | null, eol: string | boolean | null]
  | readonly [name: string, released: string | null, eol: string | boolean | null, others: OtherFields];
export type PackedProduct = Omit<StoredProduct, "cycles"> & { readonly cycles: readonly PackedCycle[] };

/** Most reads are of our own records: their kind and source are left out. */
export type PackedRead = Omit<StoredRead, "kind" | "source"> & Partial<Pick<StoredRead, "kind" | "source">>;
