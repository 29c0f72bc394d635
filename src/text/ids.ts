/**
 * Branded identifiers. A string is checked once where it enters; from then on the compiler refuses, for example, a slug
 * where a date is expected.
 */
declare const brand: unique symbol;
/** A string that only the functions below return. */
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** A product's key in the catalogue: lower-case words joined by hyphens, e.g. `nodejs`, `alpine-linux`. */
export type ProductSlug = Branded<"ProductSlug">;

/** A UTC calendar day, `YYYY-MM-DD`. */
export type IsoDate = Branded<"IsoDate">;

/** The day of a statement, or its month or year where no day is known: `2026-05-13`, `2026-05`, `2026`. They sort as text. */
export type StatementDay = IsoDate | Branded<"PartialDay">;

/** A package URL as written in the document (ECMA-427), not yet normalised. */
export type Purl = Branded<"Purl">;

const SLUG = /^[a-z0-9](?:[a-z0-9._+-]*[a-z0-9+])?$/;

/** Whether `text` has the form of a slug; the catalogue decides whether the product exists. */
export function isProductSlug(text: string): text is ProductSlug {
  return text.length <= 100 && SLUG.test(text);
}

/** Whether `text` names a day that exists: `2024-02-30` does not. */
export function isIsoDate(text: string): text is IsoDate {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Whether `text` is a day that exists, a month or a year. */
export const isStatementDay = (text: string): text is StatementDay =>
  isIsoDate(text) || /^\d{4}(?:-(?:0[1-9]|1[0-2]))?$/.test(text);

/** For text that was already checked where it entered (the compiled catalogue, a schema). */
export const asProductSlug = (text: string): ProductSlug => branded(text);
/** For a day that was already checked (see `isIsoDate`). */
export const asIsoDate = (text: string): IsoDate => branded(text);
/** For the day of a statement that was already checked (see `isStatementDay`). */
export const asStatementDay = (text: string): StatementDay => branded<IsoDate>(text);
/** For text that a document gives as a purl; it is checked when it is resolved. */
export const asPurl = (text: string): Purl => branded(text);

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a brand exists for the compiler only; the functions above choose it
function branded<Id extends Branded<string>>(text: string): Id {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand exists for the compiler only
  return text as Id;
}

/** A release cycle as text: `nodejs:16`. */
export const cycleKey = ({ product, cycle }: { readonly product: string; readonly cycle: string }): string =>
  `${product}:${cycle}`;

/** `nodejs:16` → product and release cycle; `nodejs` names no cycle. */
export function parseCycleKey(key: string): { readonly product: string; readonly cycle?: string } {
  const colon = key.indexOf(":");
  return colon < 0 ? { product: key } : { product: key.slice(0, colon), cycle: key.slice(colon + 1) };
}
