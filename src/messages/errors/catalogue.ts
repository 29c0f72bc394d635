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
  "catalogue-from-future": row<{ date: string; today: string }>({
    kind: "catalogue",
    message: ({ date, today }) => `the catalogue is dated ${date}, which is after today, ${today}`,
    hint: () => "Check the system clock. If it is correct, do not use this catalogue.",
  }),
  "catalogue-too-large": row<{ role: string; limit: number }>({
    kind: "catalogue",
    message: ({ role, limit }) => `the ${role} is larger than ${limit} bytes`,
    hint: () => "Check the path (--catalogue, EOLGATE_CATALOGUE), or run eolgate catalogue update.",
  }),
  "catalogue-missing": row({
    kind: "catalogue",
    message: () => "the catalogue cannot be read",
    hint: () => "Check the path (--catalogue, EOLGATE_CATALOGUE), or run eolgate catalogue update.",
  }),
  "catalogue-no-key": row({
    kind: "catalogue",
    message: () => "no public key is configured to verify the signature of the catalogue",
    hint: () =>
      "Name the publisher's key with --publisher-key, or accept the catalogue unverified with --allow-unsigned.",
  }),
  "catalogue-older": row<{ offered: string; current: string }>({
    kind: "catalogue",
    message: ({ offered, current }) => `the offered catalogue is dated ${offered}, the current one ${current}`,
    hint: () => "Accept it with --allow-older.",
  }),
  "catalogue-signature": row<{ trusted: string; named: string }>({
    kind: "catalogue",
    message: ({ trusted }) => `the catalogue is not signed with a trusted key (${trusted})`,
    hint: ({ named }) =>
      `Its signature names the key ${named}. Ask the publisher for the key, and name it with --publisher-key.`,
  }),
  "clock-behind-catalogue": row<{ day: string; date: string; source: string }>({
    kind: "catalogue",
    message: ({ day, date, source }) =>
      `the day of the check, ${day} (${source}), is before the catalogue's date, ${date}`,
    hint: () => "Correct the clock or the setting. To check an earlier date on purpose, use --as-of.",
  }),
  "catalogue-too-old": row<{ age: number; asOf: string; limit: number }>({
    kind: "catalogue",
    message: ({ age, asOf, limit }) =>
      `the catalogue is ${age} days old on ${asOf}, more than the limit of ${limit} days`,
    hint: () => "Run eolgate catalogue update, or raise maxCatalogueAge in the configuration file.",
  }),
  "catalogue-unsigned": row({
    kind: "catalogue",
    message: () => "the catalogue is not signed",
    hint: () => "Ask the publisher to sign it, or accept it with --allow-unsigned.",
  }),
  "clock-in-past": row<{ today: string; read: string }>({
    kind: "catalogue",
    message: ({ today, read }) => `the system date is ${today}, but the current catalogue was read later, on ${read}`,
    hint: () => "Correct the system clock and run the command again.",
  }),
  contradiction: row<{ message: string; more: string }>({
    kind: "catalogue",
    message: ({ message, more }) => `${message}${more}`,
    hint: () => "Correct the entry, or record the decision and its reason in src/pipeline/curated/decisions.json.",
  }),
  "update-moved": row<{ moved: number; dated: number; example: string }>({
    kind: "catalogue",
    message: ({ moved, dated, example }) =>
      `${moved} of ${dated} end dates would move by more than two years or be lost (${example})`,
    hint: () => "The current catalogue stays in use. If the change is correct, accept it with --allow-date-changes.",
  }),
  "update-revived": row<{ revived: number; ended: number; example: string }>({
    kind: "catalogue",
    message: ({ revived, ended, example }) =>
      `${revived} of ${ended} ended cycles would be supported again, more than 1 % (${example})`,
    hint: () => "The current catalogue stays in use. If the change is correct, accept it with --allow-date-changes.",
  }),
  "update-shrunken": row<{ table: string; lost: number; total: number; percent: number }>({
    kind: "catalogue",
    message: ({ table, lost, total, percent }) => `${lost} of ${total} ${table} would be lost, more than ${percent} %`,
    hint: () => "The current catalogue stays in use. If the change is correct, accept it with --allow-loss.",
  }),
  "feed-changed": row<{ problem: string }>({
    kind: "catalogue",
    message: ({ problem }) => `the feed has changed its format: ${problem}`,
    hint: () => "The last good content stays in use. Compare the parser of this source with the vendor's page.",
  }),
  "curated-shape": row<{ file: string; problem: string }>({
    kind: "catalogue",
    message: ({ file, problem }) => `${file}: ${problem}`,
  }),
} as const;
