/**
 * Watch lists. A new list is pending until the owner of the mailbox confirms it. The confirmed list stays active until a
 * new one is confirmed, so a request alone cannot remove existing alerts. Tokens are derived from the server's secret,
 * so that each mail can contain them and the store contains none.
 */
import type { WebhookHosts } from "../mail/webhook.ts";
import { randomBytes } from "node:crypto";
import type { StoreTables, WatchList } from "../store/store.ts";
import { DAY, utcDay } from "../clock.ts";
import { type Secret, base32 } from "../keys/secret.ts";
import { admitMail } from "../keys/keys.ts";
import { queuedMail } from "../mail/content.ts";
import type { ProductCycle, WatchLinkTarget, WatchService } from "../services.ts";
import { assessCycles, cycleDetails, namedCycles, distinctCycles, nothingToWatch, WATCH_LIMIT } from "./cycles.ts";
import { createManaging, listIdOf, managed, type ManageOptions, markReported } from "./manage.ts";

export interface WatchOptions extends ManageOptions {
  /** Hosts in private networks that webhooks may have. Without it, only e-mail addresses are accepted. */
  readonly webhookHosts?: WebhookHosts;
}

/** A list has to be confirmed within this time. */
const CONFIRM_WITHIN = 7 * DAY;

export function createWatch(options: WatchOptions): WatchService {
  return {
    watch: (email, releaseCycles, from) => addList(email, releaseCycles, from, options),
    mailLink: (email, from) => mailLink(email, from, options),
    ...createLinks(options),
    ...createManaging(options),
  };
}

/** The actions of the links in mails. Each can be repeated with the same result. */
function createLinks(options: WatchOptions): Pick<WatchService, "lookUp" | "confirm" | "unsubscribe"> {
  const { store, clock, secrets } = options;
  const listOf = async (token: string, purpose: "confirm" | "unsubscribe"): Promise<WatchList | undefined> => {
    const id = listIdOf(token, purpose, secrets);
    return id === undefined ? undefined : await store.watch.byId(id);
  };
  const confirmTarget = async (token: string): Promise<WatchLinkTarget | undefined> => {
    const list = await listOf(token, "confirm");
    if (!list) return undefined;
    if (list.state === "pending")
      return clock() < list.expiresAt ? { state: "pending", cycles: list.cycles } : undefined;
    const owned = managed(list, secrets);
    return { state: "done", cycles: list.cycles, ...(owned && { list: owned }) };
  };
  const isUnsubscribe = (token: string): boolean => listIdOf(token, "unsubscribe", secrets) !== undefined;
  const unsubscribeTarget = async (token: string): Promise<WatchLinkTarget | undefined> => {
    const list = await listOf(token, "unsubscribe");
    if (list) return { state: "pending", cycles: list.cycles };
    return isUnsubscribe(token) ? { state: "done", cycles: [] } : undefined;
  };
  return {
    lookUp: (token, purpose) => (purpose === "confirm" ? confirmTarget(token) : unsubscribeTarget(token)),
    async confirm(token) {
      const target = await confirmTarget(token);
      if (target?.state !== "pending") return target;
      const list = await listOf(token, "confirm");
      if (list) await confirmList(list, options);
      return confirmTarget(token);
    },
    async unsubscribe(token) {
      const list = await listOf(token, "unsubscribe");
      if (!list) return isUnsubscribe(token);
      return await store.transaction(async (tables) => {
        await tables.alerts.clear(list.email);
        await tables.watch.remove(list.id);
        return true;
      });
    },
  };
}

/** Does nothing if another request has confirmed the list at the same time. */
const confirmList = (list: WatchList, options: WatchOptions): Promise<void> =>
  options.store.transaction(async (tables) => {
    if (await tables.watch.confirm(list.id, options.clock())) await welcome(tables, list, options);
  });

/** Stores a pending list and queues the confirmation mail. */
async function addList(
  email: string,
  releaseCycles: readonly ProductCycle[],
  from: string | undefined,
  options: WatchOptions,
): Promise<{ readonly email: string }> {
  const { store, secrets, clock, catalogue } = options;
  const watched = distinctCycles(releaseCycles).slice(0, WATCH_LIMIT);
  if (watched.length === 0) throw nothingToWatch("/sbom");
  const address = await admitMail("watch", email, from, options);
  const list = pendingList(address, watched, secrets.current, clock());
  await store.transaction(async (tables) => {
    await tables.watch.addPending(list);
    const cycles = namedCycles(catalogue(), watched);
    const facts = { kind: "watch-confirm", listId: list.id, cycles } as const;
    await tables.outbox.add(queuedMail(facts, address, clock()));
  });
  return { email: address };
}

/** The result does not depend on whether the address has a list. */
async function mailLink(email: string, from: string, options: WatchOptions): Promise<{ readonly email: string }> {
  const { store, clock } = options;
  const address = await admitMail("watch", email, from, options);
  const list = await store.watch.confirmedOf(address);
  if (list) await store.outbox.add(queuedMail({ kind: "watch-link", listId: list.id }, address, clock()));
  return { email: address };
}

function pendingList(email: string, cycles: WatchList["cycles"], secret: Secret, now: number): WatchList {
  const id = base32(randomBytes(15));
  const instants = { createdAt: now, expiresAt: now + CONFIRM_WITHIN, confirmedAt: null };
  return { id, email, state: "pending", cycles, secretVersion: secret.version, ...instants };
}

/** Queues the welcome mail with the status of the release cycles, and marks what it contains as reported. */
async function welcome(tables: StoreTables, list: WatchList, { catalogue, clock }: WatchOptions): Promise<void> {
  const { email, cycles } = list;
  const day = utcDay(clock());
  const currentCatalogue = catalogue();
  await tables.alerts.clear(email);
  await markReported(tables, { email, cycles, currentCatalogue, day });
  const details = assessCycles(currentCatalogue, cycles, day).map((assessment) =>
    cycleDetails(assessment, currentCatalogue),
  );
  const facts = { kind: "watch-welcome", listId: list.id, cycles: details } as const;
  await tables.outbox.add(queuedMail(facts, email, clock()));
}
