/** Error codes: catalogue. */
import { row } from "./row.ts";

export const CATALOGUE_ERRORS = {
  "catalogue-corrupt": row<{ why: string }>({
    kind: "catalogue",
    message: ({ why }) => `the catalogue is corrupt: ${why}`,
    hint: () => "Run eolgate catalogue update, or use --catalogue with an undamaged file.",
  }),
  "catalogue-format": row<{ found: string; expected: string }>({
    kind: "catalogue",
    message: ({ found, expected }) => `the catalogue has format ${found}; this version of eolgate reads ${expected}`,
    hint: () => "Run eolgate catalogue update, or update eolgate.",
  }),
  "catalogue-missing": row({
    kind: "catalogue",
    message: () => "the catalogue cannot be read",
    hint: () => "Check the path (--catalogue, EOLGATE_CATALOGUE), or run eolgate catalogue update.",
  }),
  "catalogue-older": row<{ date: string; date2: string }>({
    kind: "catalogue",
    message: ({ date, date2 }) => `the offered catalogue was read on ${date}, the one at hand on ${date2}`,
    hint: () => "Take it all the same with --allow-older.",
  }),
  "catalogue-signature": row<{ keyId: string; signature: string }>({
    kind: "catalogue",
    message: ({ keyId }) => `the catalogue's signature is not by the configured key ${keyId}`,
    hint: ({ signature }) => `It says that it was signed with ${signature}.`,
  }),
  "catalogue-too-old": row<{ age: number; asOf: string; limit: number }>({
    kind: "catalogue",
    message: ({ age, asOf, limit }) => `the catalogue was read ${age} days before ${asOf}, the policy accepts ${limit}`,
    hint: () => "Refresh it with: eolgate catalogue update",
  }),
  "catalogue-unsigned": row({
    kind: "catalogue",
    message: () => "the catalogue carries no signature, and a key is configured",
    hint: () => "Ask its publisher to sign it, or configure no key.",
  }),
  "clock-in-past": row<{ today: string; read: string }>({
    kind: "catalogue",
    message: ({ today, read }) => `the clock says ${today}, but the catalogue at hand was read on ${read}`,
    hint: () => "Set the clock, then update again.",
  }),
  contradiction: row<{ message: string; more: string }>({
    kind: "catalogue",
    message: ({ message, more }) => `${message}${more}`,
    hint: () => "Correct the fact, or decide it in src/catalogue/curated/decisions.json with the reason.",
  }),
  "update-shrunken": row<{ lost: number; lines: number; loss: number }>({
    kind: "catalogue",
    message: ({ lost, lines, loss }) => `${lost} of ${lines} lines would be lost, more than ${loss} %`,
    hint: () => "The last good catalogue stays in use; the source is probably broken.",
  }),
} as const;
