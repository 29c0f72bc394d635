/** Errors of the lifecycle catalogue: loading, signatures, updates. */
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
  "catalogue-older": row<{ offered: string; current: string }>({
    kind: "catalogue",
    message: ({ offered, current }) => `the offered catalogue is of ${offered}, the current one of ${current}`,
    hint: () => "Accept it with --allow-older.",
  }),
  "catalogue-signature": row<{ keyId: string; signature: string }>({
    kind: "catalogue",
    message: ({ keyId }) => `the catalogue is not signed with the configured key ${keyId}`,
    hint: ({ signature }) => `Its signature names the key ${signature}.`,
  }),
  "clock-behind-catalogue": row<{ day: string; date: string; source: string }>({
    kind: "catalogue",
    message: ({ day, date, source }) =>
      `the day of the check, ${day} (${source}), is before the catalogue's date, ${date}`,
    hint: () => "Correct the clock or the setting; to check an earlier day on purpose, pass --as-of.",
  }),
  "catalogue-too-old": row<{ age: number; asOf: string; limit: number }>({
    kind: "catalogue",
    message: ({ age, asOf, limit }) =>
      `the catalogue is ${age} days old on ${asOf}, and the policy accepts at most ${limit} days`,
    hint: () => "Run eolgate catalogue update.",
  }),
  "catalogue-unsigned": row({
    kind: "catalogue",
    message: () => "the catalogue is not signed, and a key is configured",
    hint: () => "Ask the publisher to sign it, or remove the configured key.",
  }),
  "clock-in-past": row<{ today: string; read: string }>({
    kind: "catalogue",
    message: ({ today, read }) => `the system date is ${today}, but the current catalogue was read on ${read}`,
    hint: () => "Correct the system clock and run the command again.",
  }),
  contradiction: row<{ message: string; more: string }>({
    kind: "catalogue",
    message: ({ message, more }) => `${message}${more}`,
    hint: () => "Correct the entry, or record the decision and its reason in src/catalogue/curated/decisions.json.",
  }),
  "update-shrunken": row<{ lost: number; cycles: number; limit: number }>({
    kind: "catalogue",
    message: ({ lost, cycles, limit }) => `${lost} of ${cycles} cycles would be lost, more than ${limit} %`,
    hint: () => "The last good catalogue stays in use. Check the source.",
  }),
} as const;
