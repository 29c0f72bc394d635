/**
 * Queues due alerts, after each UTC midnight and after each refresh of the catalogue. It can be interrupted at any point
 * and run by several processes: the rows of a list and its mail are written in one transaction.
 */
import type { AlertRow, KevPair, Store, StoreTables, WatchList } from "../store/store.ts";
import type { Catalogue } from "../../model/index.ts";
import type { IsoDate } from "../../text/ids.ts";
import { utcDay, type Clock } from "../clock.ts";
import { queuedMail } from "../mail/content.ts";
import { assessCycles, kevPairs, findNewCveIds, cycleDetails, type NewCveIds } from "./cycles.ts";
import { type DueAlert, planAlerts } from "./plan.ts";

export interface AlertRun {
  readonly lists: number;
  readonly mails: number;
  readonly alerts: number;
}

export interface AlertOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly catalogue: () => Catalogue;
}

/** Name of the setting that exists once the vulnerabilities of the first catalogue are stored as known. */
const BASELINE = "kev-baseline";
/** Lists per page. */
const PAGE = 200;

export async function runAlerts({ store, clock, catalogue }: AlertOptions): Promise<AlertRun> {
  const currentCatalogue = catalogue();
  const day = utcDay(clock());
  const newCveIds = await newCveIdsSinceLastRun(store, kevPairs(currentCatalogue));
  let run: AlertRun = { lists: 0, mails: 0, alerts: 0 };
  for await (const list of confirmedLists(store, PAGE)) {
    const sent = await alertList(store, list, { currentCatalogue, newCveIds, day, now: clock() });
    run = { lists: run.lists + 1, mails: run.mails + (sent > 0 ? 1 : 0), alerts: run.alerts + sent };
  }
  // Stored last: after an interrupted run, the next one sends the remaining alerts.
  await store.kev.add([...newCveIds].flatMap(([product, cves]) => cves.map((cve) => ({ product, cve }))));
  return run;
}

/** The first catalogue of a store is the baseline, so its vulnerabilities are not new. */
async function newCveIdsSinceLastRun(store: Store, pairs: readonly KevPair[]): Promise<NewCveIds> {
  if ((await store.settings.get(BASELINE)) !== undefined) return findNewCveIds(pairs, await store.kev.known());
  await store.transaction(async (tables) => {
    await tables.kev.add(pairs);
    await tables.settings.set(BASELINE, "set");
  });
  return new Map();
}

/** Values that are the same for all lists of a run. */
interface RunContext {
  readonly currentCatalogue: Catalogue;
  readonly newCveIds: NewCveIds;
  readonly day: IsoDate;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the number of alerts in the mail of the list; 0 if no mail is due. */
async function alertList(store: Store, list: WatchList, context: RunContext): Promise<number> {
  const { currentCatalogue, newCveIds, day, now } = context;
  const { email } = list;
  const assessments = assessCycles(currentCatalogue, list.cycles, day);
  const plan = async (tables: StoreTables) =>
    planAlerts({ email, assessments, newCveIds, day, done: await tables.alerts.ofEmail(email) });
  // On most days, most lists have no due alert and need no transaction.
  if ((await plan(store)).rows.length === 0) return 0;
  return await store.transaction(async (tables) => {
    if ((await tables.watch.lock(list.id))?.state !== "confirmed") return 0;
    const { rows, due } = await plan(tables);
    const added = await tables.alerts.addOnce(rows);
    const toSend = due.filter(({ row }) => added.some((other) => sameRow(other, row)));
    if (toSend.length === 0) return 0;
    const facts = {
      kind: "watch-alert",
      listId: list.id,
      day,
      alerts: toSend.map((each) => alertFacts(each, currentCatalogue)),
    } as const;
    await tables.outbox.add(queuedMail(facts, list.email, now));
    return toSend.length;
  });
}

const sameRow = (a: AlertRow, b: AlertRow): boolean =>
  a.watched === b.watched && a.trigger === b.trigger && a.subject === b.subject;

function alertFacts({ row, assessment, movedFrom }: DueAlert, currentCatalogue: Catalogue) {
  return {
    ...cycleDetails(assessment, currentCatalogue),
    trigger: row.trigger,
    ...(row.trigger === "kev" ? { cve: row.subject } : {}),
    ...(movedFrom === undefined ? {} : { movedFrom }),
  };
}

/** Every confirmed watch list, read in pages so that memory does not grow with their number. */
export async function* confirmedLists(store: Store, page: number): AsyncGenerator<WatchList> {
  for (let after = ""; ;) {
    const lists = await store.watch.confirmed({ after, limit: page });
    yield* lists;
    const last = lists.at(-1);
    if (!last) return;
    after = last.id;
  }
}
