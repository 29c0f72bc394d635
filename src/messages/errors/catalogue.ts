/** Errors with exit code 4: of the catalogue, its signature, its channel and its updates. */
import { cycleKey } from "../../text/ids.ts";
import { type ErrorRow, type ProblemArgs, problems, row } from "./row.ts";

const KEPT = "The current catalogue stays in use.";
const UPDATE = "eolgate catalogue update --from-sources";
const MIRROR = "Run the command again; if the error persists, use another mirror.";

const ACCEPT_LOSS = "If the change is correct, accept it with --allow-loss.";

/** A refused update. The hint begins with what stays in use. */
const refused = (meaning: string, advice: string, hint = advice): ErrorRow<ProblemArgs> => ({
  kind: "catalogue",
  message: ({ problem }) => problem,
  hint: ({ advice: own }) => `${KEPT} ${own ?? hint}`,
  docs: { meaning, advice: `${KEPT} ${advice}` },
});

export const CATALOGUE_ERRORS = {
  "catalogue-unreadable": row<{ problem?: string }>("catalogue", {
    message: ({ problem }) => problem ?? "the catalogue cannot be read",
    hint: () => `Check the path (--catalogue, EOLGATE_CATALOGUE), or run ${UPDATE}.`,
    docs: { meaning: "the catalogue cannot be read, or is too large" },
  }),
  "catalogue-corrupt": row<{ why: string }>("catalogue", {
    message: ({ why }) => `the catalogue is corrupt: ${why}`,
    hint: () => `Run ${UPDATE}, or use --catalogue with an undamaged file.`,
  }),
  "catalogue-unsafe": row<{ place: string; problem: string }>("catalogue", {
    message: ({ place, problem }) =>
      `the catalogue has a part that is not accepted from anybody: ${problem} (${place})`,
    hint: () => "Ask its publisher to correct it. The catalogue in use stays.",
    docs: { meaning: "the catalogue has invisible characters, an address that is not of a page, or a slow pattern" },
  }),
  "catalogue-format": row<{ found: string; expected: string }>("catalogue", {
    message: ({ found, expected }) => `the catalogue has format ${found}; this version of eolgate reads ${expected}`,
    hint: () => `Run ${UPDATE}, or update eolgate.`,
  }),
  "catalogue-too-old": row<{ age: number; asOf: string; limit: number }>("catalogue", {
    message: ({ age, asOf, limit }) =>
      `the catalogue is ${age} days old on ${asOf}, more than the limit of ${limit} days`,
    hint: () => `Run ${UPDATE}, or raise maxCatalogueAge in the configuration file.`,
  }),
  "catalogue-older": row<{ offered: string; current: string }>("catalogue", {
    message: ({ offered, current }) => `the offered catalogue is dated ${offered}, the current one ${current}`,
    hint: () => "Accept it with --allow-older.",
  }),
  "catalogue-from-future": row<{ date: string; today: string }>("catalogue", {
    message: ({ date, today }) => `the catalogue is dated ${date}, which is after today, ${today}`,
    hint: () => "Check the system clock. If it is correct, do not use this catalogue.",
  }),
  "clock-behind": row<{ day: string; date: string; source: string }>("catalogue", {
    message: ({ day, date, source }) =>
      `the day of the check, ${day} (${source}), is before the catalogue's date, ${date}`,
    hint: () => "Correct the clock or the setting. To check an earlier date on purpose, use --as-of.",
  }),
  "catalogue-unverified": problems("catalogue", {
    meaning: "the catalogue has no signature of a trusted key",
    advice:
      "Name the publisher's key with `--publisher-key`, or accept a catalogue without a signature with `--allow-unsigned`.",
  }),
  "channel-signature": problems("catalogue", {
    meaning: "the channel's metadata has no signature of a trusted key",
    advice:
      "The current catalogue stays in use. Ask the publisher for the key, and name it with `--publisher-key`, or accept the channel unverified with `--allow-unsigned`.",
  }),
  "channel-expired": refused(
    "the channel's metadata has expired, is overdue, or was published in the future",
    "Check the clock of this machine, use another mirror, or ask the publisher.",
  ),
  "channel-rollback": refused(
    "the channel serves an older version than one that was accepted, or other content under its number",
    "Use another mirror, or ask the publisher.",
  ),
  "channel-damaged": refused("the channel serves damaged or incomplete files, or is not a channel", MIRROR),
  "catalogue-not-known": problems("catalogue", {
    meaning: "no catalogue is found for the day or the digest of `--known-at`",
    advice:
      "Read the channel's history with `--update`, or name the file of the catalogue with `--catalogue`. See [Repeat a past check](catalogue-updates.md#repeat-a-past-check).",
    hint: "Choose another day, or name the file of the catalogue with --catalogue.",
  }),
  "update-shrunken": refused(
    "the update would lose many records of a table, or many names by which tools and images are read",
    ACCEPT_LOSS,
  ),
  "update-grown": refused("the update would add many records to a table", ACCEPT_LOSS),
  "update-dates": refused(
    "the update would move or remove many end dates, or many answers would not fail any more",
    "If the change is correct, accept it with `--allow-date-changes`, and lost records with `--allow-loss`.",
    "If the change is correct, accept it with --allow-date-changes, and lost records with --allow-loss.",
  ),
  "cycle-not-in-catalogue": row<{ product: string; cycle: string }>("catalogue", {
    message: (releaseCycle) => `the catalogue has no release cycle ${cycleKey(releaseCycle)}`,
    docs: { advice: "List the release cycles with `eolgate product SLUG` or `GET /v1/product/{slug}`." },
  }),
  "feed-changed": row<{ problem: string }>("catalogue", {
    message: ({ problem }) => `the feed has changed its format: ${problem}`,
    hint: () => "The last good content stays in use. Compare the parser of this source with the vendor's page.",
  }),
  "curated-data": problems("catalogue", {
    meaning: "a curated file does not conform to its schema, or contradicts other files or the sources",
    advice: "Correct the entry, or record the decision and its reason in `src/pipeline/curated/decisions.json`.",
  }),
} as const;
