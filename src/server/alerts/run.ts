/**
 * Sends what is due: once after each UTC midnight and after each refresh of the catalogue. May be stopped anywhere and
 * run by several processes: a list's rows and its mail are written in one transaction, and who adds a row sends it.
 */
import type { AlertRow, KevPair, Store, StoreTables, WatchList } from "../../store/store.ts";
import type { Catalogue } from "../../core/model.ts";
import type { IsoDate } from "../../core/ids.ts";
import { utcDay } from "../clock.ts";
import type { Clock } from "../clock.ts";
import { queuedMail } from "../mail/queue.ts";
import { assessCycles, kevPairs, newCves, cycleDetails } from "./cycles.ts";
import { confirmedLists } from "./lists.ts";
import type { DueAlert, NewCves } from "./plan.ts";
import { planAlerts } from "./plan.ts";

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

/** Set once the first catalogue's vulnerabilities have been taken as known. */
const BASELINE = "kev-baseline";
const PAGE = 200;

export async function runAlerts({ store, clock, catalogue }: AlertOptions): Promise<AlertRun> {
  const serving = catalogue();
  const day = utcDay(clock());
  const landed = await landedSinceLastRun(store, kevPairs(serving));
  let run: AlertRun = { lists: 0, mails: 0, alerts: 0 };
  for await (const list of confirmedLists(store, PAGE)) {
    const sent = await alertList(store, list, { serving, landed, day, now: clock() });
    run = { lists: run.lists + 1, mails: run.mails + (sent > 0 ? 1 : 0), alerts: run.alerts + sent };
  }
  // Only now: a run that was cut before this tells the rest the next time.
  await store.kev.add([...landed].flatMap(([product, cves]) => cves.map((cve) => ({ product, cve }))));
  return run;
}

/** Nothing lands in the first catalogue that a store sees: it is the baseline. */
async function landedSinceLastRun(store: Store, pairs: readonly KevPair[]): Promise<NewCves> {
  if ((await store.settings.get(BASELINE)) !== undefined) return newCves(pairs, await store.kev.known());
  await store.transaction(async (tables) => {
    await tables.kev.add(pairs);
    await tables.settings.set(BASELINE, "set");
  });
  return new Map();
}

/** What the lists of one run have in common. */
interface RunContext {
  readonly serving: Catalogue;
  readonly landed: NewCves;
  readonly day: IsoDate;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Answers how many alerts went into a mail. */
async function alertList(store: Store, list: WatchList, context: RunContext): Promise<number> {
  const { serving, landed, day, now } = context;
  const { email } = list;
  const assessments = assessCycles(serving, list.cycles, day);
  const plan = async (tables: StoreTables) =>
    planAlerts({ email, assessments, landed, day, done: await tables.alerts.ofEmail(email) });
  // Most lists have nothing due on most days: no transaction for those.
  if ((await plan(store)).rows.length === 0) return 0;
  return await store.transaction(async (tables) => {
    if ((await tables.watch.lock(list.id))?.state !== "confirmed") return 0;
    const { rows, due } = await plan(tables);
    const added = await tables.alerts.addOnce(rows);
    const mine = due.filter(({ row }) => added.some((other) => sameRow(other, row)));
    if (mine.length === 0) return 0;
    const facts = {
      kind: "watch-alert",
      listId: list.id,
      day,
      alerts: mine.map((each) => alertFacts(each, serving)),
    } as const;
    await tables.outbox.add(queuedMail(facts, list.email, now));
    return mine.length;
  });
}

const sameRow = (a: AlertRow, b: AlertRow): boolean =>
  a.watched === b.watched && a.trigger === b.trigger && a.subject === b.subject;

function alertFacts({ row, assessment, movedFrom }: DueAlert, serving: Catalogue) {
  return {
    ...cycleDetails(assessment, serving),
    trigger: row.trigger,
    ...(row.trigger === "kev" ? { cve: row.subject } : {}),
    ...(movedFrom === undefined ? {} : { movedFrom }),
  };
}
