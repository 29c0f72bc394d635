/**
 * Watch lists: made pending, confirmed by the mailbox's owner, ended by one click. The list
 * that is confirmed keeps alerting until a new one is confirmed, so no user can delete the alerts of another.
 * Tokens are derived from the server's secret: the store has their hashes, and each mail can contain them again.
 */
import { randomBytes } from "node:crypto";
import { EolgateError } from "../../core/errors.ts";
import type { Catalogue } from "../../core/model.ts";
import type { Store, StoreTables, WatchList } from "../../store/store.ts";
import { DAY, nextUtcDay, utcDay } from "../clock.ts";
import type { Clock } from "../clock.ts";
import { base32, hashOf } from "../keys/key-text.ts";
import type { Secret, SecretRing } from "../keys/secret.ts";
import { mailboxOf, parseEmail } from "../mail/email-address.ts";
import { queuedMail } from "../mail/queue.ts";
import type { CycleName, FollowedPackages, WatchLinkTarget, WatchService } from "../services.ts";
import { assessCycles, cycleDetails, namedCycles } from "./cycles.ts";
import { distinctCycles, followedPackages, NO_PACKAGES, nothingToWatch, WATCH_LIMIT } from "./limits.ts";
import { listIdOf, watchToken } from "./link.ts";
import { createManaging, managed, markReported, summaryOf } from "./manage.ts";

export interface WatchOptions {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly clock: Clock;
  /** The catalogue that serves now. */
  readonly catalogue: () => Catalogue;
  /** Called after a list was confirmed. */
  readonly onConfirmed?: (list: WatchList) => void;
}

/** A list has to be confirmed within this time. */
const CONFIRM_WITHIN = 7 * DAY;
/** Confirmation mails in a UTC day: the limits keep mailboxes from being flooded. */
const MAILS_PER_MAILBOX = 3;
/** Of callers without a key, as for sign-ups. */
const MAILS_PER_NETWORK = 5;

export function createWatch(options: WatchOptions): WatchService {
  return {
    watch: (email, releaseCycles, followed = NO_PACKAGES, from) =>
      addList(email, { releaseCycles, ...followed }, from, options),
    mailLink: (email, from) => mailLink(email, from, options),
    ...createLinks(options),
    ...createManaging(options),
  };
}

/** What the links in mails do. Following one twice has the same result as following it once. */
function createLinks(options: WatchOptions): Pick<WatchService, "lookUp" | "confirm" | "unsubscribe"> {
  const { store, clock, secrets } = options;
  const confirmTarget = async (token: string): Promise<WatchLinkTarget | undefined> => {
    const list = await store.watch.byConfirmHash(hashOf(token));
    if (!list) return undefined;
    if (list.state === "pending") return clock() < list.expiresAt ? { state: "ask", ...summaryOf(list) } : undefined;
    const owned = managed(list, secrets);
    return { state: "done", ...summaryOf(list), ...(owned && { list: owned }) };
  };
  const unsubscribeTarget = async (token: string): Promise<WatchLinkTarget | undefined> => {
    const id = listIdOf(token, "unsubscribe", secrets);
    const list = await (id === undefined ? store.watch.byUnsubscribeHash(hashOf(token)) : store.watch.byId(id));
    if (list) return { state: "ask", ...summaryOf(list) };
    return id === undefined ? undefined : { state: "done", cycles: [], ...NO_PACKAGES };
  };
  return {
    lookUp: (token, purpose) => (purpose === "confirm" ? confirmTarget(token) : unsubscribeTarget(token)),
    async confirm(token) {
      const target = await confirmTarget(token);
      if (target?.state !== "ask") return target;
      const list = await store.watch.byConfirmHash(hashOf(token));
      if (list && (await confirmList(list, options))) options.onConfirmed?.(list);
      return confirmTarget(token);
    },
    async unsubscribe(token) {
      const id = listIdOf(token, "unsubscribe", secrets);
      const list = await (id === undefined ? store.watch.byUnsubscribeHash(hashOf(token)) : store.watch.byId(id));
      if (!list) return id !== undefined;
      return await store.transaction(async (tables) => {
        await tables.alerts.clear(list.email);
        await tables.watch.remove(list.id);
        return true;
      });
    },
  };
}

/** False when another request has confirmed it at the same time. */
const confirmList = (list: WatchList, options: WatchOptions): Promise<boolean> =>
  options.store.transaction(async (tables) => {
    if (!(await tables.watch.confirm(list.id, options.clock()))) return false;
    await welcome(tables, list, options);
    return true;
  });

/** Stores a pending list, with the mail that asks for its confirmation. */
async function addList(
  email: string,
  { releaseCycles, ...requested }: RequestedList,
  from: string | undefined,
  options: WatchOptions,
): Promise<{ readonly email: string }> {
  const { store, secrets, clock, catalogue } = options;
  const address = validAddress(email);
  const watched = distinctCycles(releaseCycles).slice(0, WATCH_LIMIT);
  const followed = followedPackages(requested);
  if (watched.length === 0 && followed.packages.length === 0) throw nothingToWatch("/sbom");
  await countMail(address, from, options);
  const list = pendingList(address, { cycles: watched, ...followed }, secrets.current, clock());
  await store.transaction(async (tables) => {
    await tables.watch.addPending(list);
    const named = { cycles: namedCycles(catalogue(), watched), packages: list.packages.length };
    const facts = { kind: "watch-confirm", listId: list.id, ...named } as const;
    await tables.outbox.add(queuedMail(facts, address, clock()));
  });
  return { email: address };
}

/** The same answer, whether or not the address has a list. */
async function mailLink(email: string, from: string, options: WatchOptions): Promise<{ readonly email: string }> {
  const { store, clock } = options;
  const address = validAddress(email);
  await countMail(address, from, options);
  const list = await store.watch.confirmedOf(address);
  if (list) await store.outbox.add(queuedMail({ kind: "watch-link", listId: list.id }, address, clock()));
  return { email: address };
}

/** Counts one mail to the address. @throws EolgateError `signup-limit`, `mail-limit` */
async function countMail(
  address: string,
  from: string | undefined,
  { store, clock }: Pick<WatchOptions, "store" | "clock">,
): Promise<void> {
  const day = utcDay(clock());
  const facts = { reset_at: new Date(nextUtcDay(clock())).toISOString() };
  if (from !== undefined) {
    const { granted } = await store.allowances.lease(`watch:${from}`, day, 1, MAILS_PER_NETWORK);
    if (granted === 0) throw EolgateError.of("signup-limit", {}, { facts });
  }
  const { granted } = await store.allowances.lease(`watch-mail:${mailboxOf(address)}`, day, 1, MAILS_PER_MAILBOX);
  if (granted === 0) throw EolgateError.of("mail-limit", {}, { facts });
}

interface RequestedList extends FollowedPackages {
  readonly releaseCycles: readonly CycleName[];
}

function pendingList(
  email: string,
  watched: Pick<WatchList, "cycles" | "follow" | "packages">,
  secret: Secret,
  now: number,
): WatchList {
  const id = base32(randomBytes(15));
  const hash = (purpose: "confirm" | "unsubscribe"): string => hashOf(watchToken(purpose, id, secret));
  const tokens = { confirmHash: hash("confirm"), unsubscribeHash: hash("unsubscribe") };
  const instants = { createdAt: now, expiresAt: now + CONFIRM_WITHIN, confirmedAt: null };
  return { id, email, state: "pending", ...watched, secretVersion: secret.version, ...tokens, ...instants };
}

/** Lists in the welcome mail what has already ended or is already exploited, and marks it as reported. */
async function welcome(tables: StoreTables, list: WatchList, { catalogue, clock }: WatchOptions): Promise<void> {
  const { email, cycles } = list;
  const day = utcDay(clock());
  const serving = catalogue();
  await tables.alerts.clear(email);
  await markReported(tables, { email, cycles, serving, day });
  const details = assessCycles(serving, cycles, day).map((assessment) => cycleDetails(assessment, serving));
  const facts = { kind: "watch-welcome", listId: list.id, cycles: details } as const;
  await tables.outbox.add(queuedMail(facts, email, clock()));
}

function validAddress(email: string): string {
  const address = parseEmail(email);
  if (address !== undefined) return address;
  throw EolgateError.of("invalid-email", {}, { where: "/email" });
}
