/**
 * Checks the packages of watch lists in the background and sends mails about changes. The sources are queried in groups,
 * through their cache, until the time budget of a run is used up; a later run continues. Several processes may run it:
 * the process that adds an alert row also queues its mail.
 */
import type { IsoDate } from "../../text/ids.ts";
import type { Support } from "../../model/index.ts";
import { followedStatement } from "../../support/followed.ts";
import type { AlertRow, Store, WatchList } from "../store/store.ts";
import { MINUTE, utcDay, type Clock } from "../clock.ts";
import { type PackageDetails, queuedMail } from "../mail/content.ts";
import { confirmedLists } from "./run.ts";

/** Queries the sources of support levels. */
export interface PackageSources {
  readonly packages: (purls: readonly string[]) => Promise<ReadonlyMap<string, Support>>;
  /** Aborted when the server stops. */
  readonly stopped: AbortSignal;
}

export interface PackageAlertOptions extends PackageSources {
  readonly store: Store;
  readonly clock: Clock;
}

export interface PackageRun {
  readonly lists: number;
  readonly packages: number;
  readonly mails: number;
  readonly alerts: number;
  /** Packages without a support level because a source did not answer. */
  readonly unanswered: number;
  /** Why the run ended before the last list. A later run continues. */
  readonly ended?: "stopped" | "source-unavailable" | "budget";
}

/** Packages per query. A document that needs the same sources waits for at most one query. */
const GROUP = 500;
/** Lists that are processed together. Each has at most 1,000 packages. */
const LISTS = 20;
/** Milliseconds after which a run starts no more queries. */
const BUDGET = 10 * MINUTE;

export async function runPackageAlerts(options: PackageAlertOptions): Promise<PackageRun> {
  const { store, clock } = options;
  const run: Run = { until: clock() + BUDGET, lists: 0, packages: 0, mails: 0, alerts: 0, unanswered: 0 };
  let page: WatchList[] = [];
  for await (const list of confirmedLists(store, LISTS)) {
    if (list.packages.length === 0) continue;
    page.push(list);
    if (page.length < LISTS) continue;
    await alertLists(page, run, options);
    page = [];
    if (run.ended !== undefined) break;
  }
  if (run.ended === undefined) await alertLists(page, run, options);
  const { until: _until, ...result } = run;
  return result;
}

/** Check the packages of one list, after its confirmation. */
export async function runPackageAlertsOf(listId: string, options: PackageAlertOptions): Promise<void> {
  const list = await options.store.watch.byId(listId);
  if (list?.state !== "confirmed" || list.packages.length === 0) return;
  const until = options.clock() + BUDGET;
  await alertLists([list], { until, lists: 0, packages: 0, mails: 0, alerts: 0, unanswered: 0 }, options);
}

type Run = { -readonly [Key in keyof PackageRun]: PackageRun[Key] } & { readonly until: number };

async function alertLists(lists: readonly WatchList[], run: Run, options: PackageAlertOptions): Promise<void> {
  const purls = [...new Set(lists.flatMap(({ packages }) => packages))];
  const unmaintained = new Map<string, Support>();
  for (let at = 0; at < purls.length && run.ended === undefined; at += GROUP)
    await queryGroup(purls.slice(at, at + GROUP), unmaintained, run, options);
  for (const list of lists) {
    const alerts = await alertList(list, unmaintained, options);
    run.lists += 1;
    run.alerts += alerts;
    run.mails += alerts > 0 ? 1 : 0;
  }
}

/** Queries the support levels of a group and adds packages that are no longer maintained to `unmaintained`. */
async function queryGroup(
  purls: readonly string[],
  unmaintained: Map<string, Support>,
  run: Run,
  { packages, stopped, clock }: PackageAlertOptions,
): Promise<void> {
  if (stopped.aborted || clock() >= run.until) {
    run.ended = stopped.aborted ? "stopped" : "budget";
    return;
  }
  try {
    const levels = await packages(purls);
    const unanswered = [...levels.values()].filter(isUnanswered).length;
    run.packages += purls.length;
    run.unanswered += unanswered;
    for (const [purl, support] of levels) if (support.level === "no-longer-maintained") unmaintained.set(purl, support);
    if (unanswered === purls.length) run.ended = "source-unavailable";
  } catch (error) {
    if (!stopped.aborted) throw error;
    run.ended = "stopped";
  }
}

const isUnanswered = ({ level, unanswered }: Support): boolean => level === "unknown" && unanswered !== undefined;

/** Returns the number of alerts in the mail of the list. */
async function alertList(
  { id, email, packages, follow }: WatchList,
  unmaintained: ReadonlyMap<string, Support>,
  { store, clock }: PackageAlertOptions,
): Promise<number> {
  const day = utcDay(clock());
  const due = packages.flatMap((purl) => {
    const support = unmaintained.get(purl);
    const details = support && detailsOf(purl, support, follow);
    return details === undefined ? [] : [details];
  });
  if (due.length === 0) return 0;
  return await store.transaction(async (tables) => {
    // The list may have been replaced or paused during the query.
    if ((await tables.watch.lock(id))?.state !== "confirmed") return 0;
    const done = await tables.alerts.ofEmail(email);
    const open = due.filter(
      ({ purl, trigger }) => !done.some((row) => row.watched === purl && row.trigger === trigger),
    );
    const added = await tables.alerts.addOnce(open.map((details) => rowOf(details, email, day)));
    const toSend = open.filter(({ purl }) => added.some(({ watched }) => watched === purl));
    if (toSend.length === 0) return 0;
    const facts = { kind: "watch-packages", listId: id, day, packages: toSend } as const;
    await tables.outbox.add(queuedMail(facts, email, clock()));
    return toSend.length;
  });
}

const rowOf = ({ purl, trigger }: PackageDetails, email: string, day: IsoDate): AlertRow => ({
  email,
  watched: purl,
  trigger,
  subject: "",
  state: "sent",
  day,
});

function detailsOf(purl: string, support: Support, follow: WatchList["follow"]): PackageDetails | undefined {
  const statement = followedStatement(support, follow);
  if (statement === undefined) return undefined;
  const { lastRelease, replacement } = support;
  return {
    purl,
    trigger: statement.follow,
    evidence: statement.evidence,
    ...(lastRelease !== undefined && { lastRelease }),
    ...(replacement !== undefined && { replacement }),
  };
}
