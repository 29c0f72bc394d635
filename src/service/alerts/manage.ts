/**
 * Changes of a confirmed watch list by its owner, who is authenticated by the links in mails. The token of a link is a MAC
 * of the list's id with the server's secret, so it can be created again for each mail and is not stored.
 */
import { timingSafeEqual } from "node:crypto";
import { type Secret, type SecretRing, base32 } from "../keys/secret.ts";
import type { Catalogue } from "../../model/index.ts";
import { type IsoDate, cycleKey } from "../../text/ids.ts";
import type { AlertRow, Store, StoreTables, WatchList, WatchedCycle } from "../store/store.ts";
import { type Clock, utcDay } from "../clock.ts";
import { maskEmail } from "../mail/message.ts";
import { type ManagedList, type WatchService } from "../services.ts";
import { WATCH_LIMIT, assessCycles, distinctCycles, findNewCveIds, kevPairs, nothingToWatch } from "./cycles.ts";
import { planAlerts, watchedKey } from "./plan.ts";

export type WatchPurpose = "confirm" | "unsubscribe" | "manage" | "feed";

/** The token for a purpose, which depends only on the list and the secret. */
const watchToken = (purpose: WatchPurpose, listId: string, secret: Secret): string =>
  base32(secret.derive(`watch-${purpose}`, listId));

/** `ID-TOKEN`. With the id, a link can be verified without the store, which contains no token, even after the list was deleted. */
export const watchLink = (purpose: WatchPurpose, listId: string, secret: Secret): string =>
  `${listId}-${watchToken(purpose, listId, secret)}`;

/** 15 bytes and 32 bytes in base32. */
const LINK = /^([a-z2-7]{24})-([a-z2-7]{52})$/;

/** The id of the list in a valid link; undefined if the token is not valid for this purpose. Compares in constant time. */
export function listIdOf(link: string, purpose: WatchPurpose, { versions, version }: SecretRing): string | undefined {
  const [, id, token] = LINK.exec(link) ?? [];
  if (id === undefined || token === undefined) return undefined;
  const given = Buffer.from(token);
  const isOurs = versions.some((number) => {
    const secret = version(number);
    return secret !== undefined && timingSafeEqual(given, Buffer.from(watchToken(purpose, id, secret)));
  });
  return isOurs ? id : undefined;
}

export interface ManageOptions {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly clock: Clock;
  readonly catalogue: () => Catalogue;
}

type Managing = Pick<WatchService, "manage" | "edit" | "feed">;

export function createManaging(options: ManageOptions): Managing {
  const { store, secrets } = options;
  const find = async (link: string, purpose: "manage" | "feed"): Promise<WatchList | undefined> => {
    const id = listIdOf(link, purpose, secrets);
    const list = id === undefined ? undefined : await store.watch.byId(id);
    return list?.state === "pending" ? undefined : list;
  };
  return {
    async manage(link) {
      const list = await find(link, "manage");
      return list && managed(list, secrets);
    },
    async feed(link) {
      return (await find(link, "feed"))?.cycles;
    },
    async edit(link, releaseCycles) {
      const list = await find(link, "manage");
      if (!list) return false;
      const cycles = distinctCycles(releaseCycles).slice(0, WATCH_LIMIT);
      if (cycles.length === 0) throw nothingToWatch("list");
      return await store.transaction((tables) => editList(tables, list.id, cycles, options));
    },
  };
}

/** A confirmed list with its links; undefined if it is pending, or if the secret of its links was removed. */
export function managed(list: WatchList, secrets: SecretRing): ManagedList | undefined {
  const secret = secrets.version(list.secretVersion);
  if (secret === undefined || list.state === "pending") return undefined;
  return {
    address: maskEmail(list.email),
    cycles: list.cycles,
    links: {
      manage: watchLink("manage", list.id, secret),
      feed: watchLink("feed", list.id, secret),
      unsubscribe: watchLink("unsubscribe", list.id, secret),
    },
  };
}

async function editList(
  tables: StoreTables,
  id: string,
  cycles: readonly WatchedCycle[],
  { catalogue, clock }: ManageOptions,
): Promise<boolean> {
  const before = await tables.watch.lock(id);
  if (!before) return false;
  const known = new Set(before.cycles.map(cycleKey));
  const added = cycles.filter((cycle) => !known.has(cycleKey(cycle)));
  await markReported(tables, {
    email: before.email,
    cycles: added,
    currentCatalogue: catalogue(),
    day: utcDay(clock()),
  });
  return await tables.watch.setCycles(id, cycles);
}

export interface Reported {
  readonly email: string;
  readonly cycles: readonly WatchedCycle[];
  readonly currentCatalogue: Catalogue;
  readonly day: IsoDate;
}

/**
 * Marks release cycles that have ended and vulnerabilities that are exploited as reported, because the owner sees them
 * now, in the welcome mail or on the page of the list. This includes vulnerabilities that were added since the last run,
 * even of cycles that have not ended.
 */
export async function markReported(
  tables: StoreTables,
  { email, cycles, currentCatalogue, day }: Reported,
): Promise<void> {
  const assessments = assessCycles(currentCatalogue, cycles, day);
  const newCveIds = findNewCveIds(kevPairs(currentCatalogue), await tables.kev.known());
  const { rows } = planAlerts({
    email,
    assessments,
    newCveIds: new Map(),
    day,
    done: await tables.alerts.ofEmail(email),
  });
  const vulnerabilities = assessments.flatMap((assessment) =>
    (newCveIds.get(assessment.releaseCycle.product) ?? []).map(
      (cve) => ({ watched: watchedKey(assessment), trigger: "kev", subject: cve }) as const,
    ),
  );
  await tables.alerts.addOnce(
    [...rows, ...vulnerabilities].map(({ watched, trigger, subject }): AlertRow => ({
      email,
      watched,
      trigger,
      subject,
      state: "welcome",
      day,
    })),
  );
}
