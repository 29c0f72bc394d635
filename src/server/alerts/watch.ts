/**
 * Watch lists: made pending, confirmed by the mailbox's owner, ended by one click. The list
 * that is confirmed keeps alerting until a new one is confirmed, so no user can delete the alerts of another.
 * Tokens are derived from the server's secret: the store has their hashes, and each mail can carry them again.
 */
import { randomBytes } from "node:crypto";
import { EolgateError } from "../../core/errors.ts";
import { asProductSlug } from "../../core/ids.ts";
import { FOLLOWED, type Followed } from "../../core/support/followed.ts";
import type { Catalogue } from "../../core/model.ts";
import type { AlertRow, Store, StoreTables, WatchedCycle, WatchList } from "../../store/store.ts";
import { DAY, utcDay } from "../clock.ts";
import type { Clock } from "../clock.ts";
import { base32, hashOf } from "../keys/key-text.ts";
import type { Secret, SecretRing } from "../keys/secret.ts";
import { mailboxOf, parseEmail } from "../mail/email-address.ts";
import { queuedMail } from "../mail/queue.ts";
import type { FollowedPackages, WatchService } from "../services.ts";
import { assessCycles, kevPairs, newCves, cycleDetails } from "./cycles.ts";
import { cycleKey, planAlerts } from "./plan.ts";

export interface WatchOptions {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly clock: Clock;
  /** The catalogue that serves now. */
  readonly catalogue: () => Catalogue;
  /** Called after a list was confirmed. */
  readonly onConfirmed?: (list: WatchList) => void;
}

/** Release cycles on one watch list. */
export const WATCH_LIMIT = 50;
/** Packages on one watch list. */
export const PACKAGE_LIMIT = 1000;
/** A list has to be confirmed within this time. */
const CONFIRM_WITHIN = 7 * DAY;
/** Confirmation mails in a UTC day: the limit keeps mailboxes from being flooded. */
const MAILS_PER_MAILBOX = 3;

export type WatchPurpose = "confirm" | "unsubscribe";

/** The token for a purpose: the same for the same list and secret. */
export function watchToken(purpose: WatchPurpose, listId: string, secret: Secret): string {
  return base32(secret.derive(`watch-${purpose}`, listId));
}

export function createWatch(options: WatchOptions): WatchService {
  const { store, clock } = options;
  const find = async (token: string, purpose: WatchPurpose): Promise<WatchList | undefined> => {
    const hash = hashOf(token);
    if (purpose === "unsubscribe") return await store.watch.byUnsubscribeHash(hash);
    const list = await store.watch.byConfirmHash(hash);
    return list?.state === "pending" && clock() < list.expiresAt ? list : undefined;
  };

  return {
    watch: (email, releaseCycles, followed = NO_PACKAGES) => addList(email, { releaseCycles, ...followed }, options),
    async lookUp(token, purpose) {
      const list = await find(token, purpose);
      if (!list) return undefined;
      const { lines, follow, packages } = list;
      return { lines: lines.map(({ product, cycle }) => `${product}:${cycle}`), follow, packages };
    },
    async confirm(token) {
      const list = await find(token, "confirm");
      if (!list) return false;
      const confirmed = await store.transaction(async (tables) => {
        if (!(await tables.watch.confirm(list.id, clock()))) return false;
        await welcome(tables, list, options);
        return true;
      });
      if (confirmed) options.onConfirmed?.(list);
      return confirmed;
    },
    async unsubscribe(token) {
      const list = await find(token, "unsubscribe");
      if (!list) return false;
      return await store.transaction(async (tables) => {
        await tables.alerts.clear(list.email);
        return await tables.watch.remove(list.id);
      });
    },
  };
}

/** Stores a pending list, with the mail that asks for its confirmation. */
async function addList(
  email: string,
  { releaseCycles, follow, packages }: RequestedList,
  { store, secrets, clock }: WatchOptions,
): Promise<{ readonly email: string }> {
  const address = parseEmail(email);
  if (address === undefined) throw invalidEmail();
  const watched = distinct(releaseCycles).slice(0, WATCH_LIMIT);
  const followed = followedPackages(follow, packages);
  if (watched.length === 0 && followed.packages.length === 0) throw nothingToWatch();
  const counter = `watch-mail:${mailboxOf(address)}`;
  const mails = await store.allowances.lease(counter, utcDay(clock()), 1, MAILS_PER_MAILBOX);
  if (mails.granted === 0) throw mailLimit();
  const list = pendingList(address, { lines: watched, ...followed }, secrets.current, clock());
  await store.transaction(async (tables) => {
    await tables.watch.addPending(list);
    const facts = { kind: "watch-confirm", listId: list.id, lines: watched, packages: list.packages.length } as const;
    await tables.outbox.add(queuedMail(facts, address, clock()));
  });
  return { email: address };
}

interface RequestedList extends FollowedPackages {
  readonly releaseCycles: Parameters<typeof distinct>[0];
}

const NO_PACKAGES: FollowedPackages = { follow: [], packages: [] };

/** Neither without the other. */
function followedPackages(follow: readonly Followed[], packages: readonly string[]): FollowedPackages {
  const distinctPackages = [...new Set(packages)].slice(0, PACKAGE_LIMIT);
  if (follow.length === 0 || distinctPackages.length === 0) return NO_PACKAGES;
  return { follow: FOLLOWED.filter((each) => follow.includes(each)), packages: distinctPackages };
}

function pendingList(
  email: string,
  watched: Pick<WatchList, "lines" | "follow" | "packages">,
  secret: Secret,
  now: number,
): WatchList {
  const id = base32(randomBytes(15));
  const hash = (purpose: WatchPurpose): string => hashOf(watchToken(purpose, id, secret));
  const tokens = { confirmHash: hash("confirm"), unsubscribeHash: hash("unsubscribe") };
  const instants = { createdAt: now, expiresAt: now + CONFIRM_WITHIN, confirmedAt: null };
  return { id, email, state: "pending", ...watched, secretVersion: secret.version, ...tokens, ...instants };
}

/** Lists in the welcome mail what has already ended or is already exploited, and marks it as reported. */
async function welcome(tables: StoreTables, list: WatchList, { catalogue, clock }: WatchOptions): Promise<void> {
  const { email } = list;
  const day = utcDay(clock());
  const serving = catalogue();
  const assessments = assessCycles(serving, list.lines, day);
  const landed = newCves(kevPairs(serving), await tables.kev.known());
  const { rows } = planAlerts({ email, assessments, landed: new Map(), day, done: [] });
  // What landed since the last run is known at confirmation, also of a cycle that has not ended yet.
  const vulnerabilities = assessments.flatMap((assessment) =>
    (landed.get(assessment.releaseCycle.product) ?? []).map(
      (cve) => ({ line: cycleKey(assessment), trigger: "kev", subject: cve }) as const,
    ),
  );
  await tables.alerts.clear(email);
  await tables.alerts.addOnce(
    [...rows, ...vulnerabilities].map(({ line, trigger, subject }): AlertRow => ({
      email,
      line,
      trigger,
      subject,
      state: "welcome",
      day,
    })),
  );
  const facts = { kind: "watch-welcome", listId: list.id, lines: assessments.map(cycleDetails) } as const;
  await tables.outbox.add(queuedMail(facts, email, clock()));
}

function distinct(
  releaseCycles: readonly { readonly product: string; readonly cycle: string }[],
): readonly WatchedCycle[] {
  const byKey = new Map(releaseCycles.map(({ product, cycle }) => [`${product}:${cycle}`, { product, cycle }]));
  return [...byKey.values()].map(({ product, cycle }) => ({ product: asProductSlug(product), cycle }));
}

function invalidEmail(): EolgateError {
  return EolgateError.of("invalid-email", {}, { where: "/email" });
}

function nothingToWatch(): EolgateError {
  return EolgateError.of("nothing-to-watch", {}, { where: "/sbom" });
}

function mailLimit(): EolgateError {
  return EolgateError.of("mail-limit", {});
}
