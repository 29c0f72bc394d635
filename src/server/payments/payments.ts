/**
 * Paid keys: a checkout session leads to the payment service, its webhook leads back. A key is
 * issued when the payment has arrived, once whatever is repeated, and falls back to the free tier when payment ends.
 */
import { EolgateError } from "../../core/errors.ts";
import type { Store, SubscriptionRow, StoreTables } from "../../store/store.ts";
import { utcDay } from "../clock.ts";
import type { Clock } from "../clock.ts";
import type { Keys } from "../keys/keys.ts";
import type { Log } from "../log.ts";
import { parseEmail } from "../mail/email-address.ts";
import { queuedMail } from "../mail/queue.ts";
import type { PaymentService } from "../services.ts";
import { applied, parseEvent } from "./events.ts";
import type { PaymentEvent } from "./events.ts";
import { checkSignature } from "./signature.ts";
import type { Stripe } from "./stripe.ts";

export interface PaymentOptions {
  readonly store: Store;
  readonly keys: Pick<Keys, "newRow">;
  readonly clock: Clock;
  readonly log: Log;
  readonly stripe: Stripe;
  /** Of the webhook's endpoint: `whsec_…`. */
  readonly webhookSecret: string;
  /** Tier → id of its price. */
  readonly prices: Readonly<Record<"starter" | "pro", string>>;
  readonly publicUrl: string;
}

export function createPayments(options: PaymentOptions): PaymentService {
  const { store, clock, log, stripe, webhookSecret, prices, publicUrl } = options;
  const tierOf = (price: string | undefined): string | undefined =>
    Object.entries(prices).find(([, id]) => id === price)?.[0];

  /** Which tier the event is about: as we wrote it into the session, else by its price. */
  const soldTier = async ({ says }: PaymentEvent): Promise<string | undefined> => {
    if (says.kind === "standing") return tierOf(says.price);
    if (says.kind === "other") return undefined;
    return says.tier !== undefined && Object.hasOwn(prices, says.tier)
      ? says.tier
      : tierOf(await stripe.priceOf(says.session));
  };

  return {
    async checkout(tier, email) {
      const address = email === undefined ? undefined : parseEmail(email);
      if (email !== undefined && address === undefined) throw invalidEmail();
      return await stripe.createSession({
        price: prices[tier],
        tier,
        email: address,
        successUrl: `${publicUrl}/docs?checkout=done`,
        cancelUrl: `${publicUrl}/docs?checkout=cancelled`,
      });
    },
    async webhook(body, signature) {
      checkSignature(body, signature, webhookSecret, clock());
      const event = parseEvent(body);
      const { says } = event;
      if (says.kind === "other") return;
      const tier = await soldTier(event);
      await store.transaction(async (tables) => {
        if (!(await tables.payments.eventOnce(event.id, event.type, clock()))) return;
        const before = await tables.payments.lock(says.subscription);
        const after = applied(before, event, tier);
        await tables.payments.update({ ...after, keyId: await settle(tables, before, after, options) });
      });
      if (says.kind === "checkout" && tier === undefined) {
        log.error({ event: event.id, session: says.session }, "a checkout sold a price that is none of ours");
      }
    },
  };
}

/** Issues, ends or prolongs the key as the subscription now says, and answers its id. */
async function settle(
  tables: StoreTables,
  before: SubscriptionRow,
  after: SubscriptionRow,
  { keys, clock }: PaymentOptions,
): Promise<string | null> {
  const email = after.email === null ? undefined : parseEmail(after.email);
  if (!after.paid || email === undefined || after.tier === null) return before.keyId;
  const ended = after.endsAt !== null && after.endsAt <= clock();
  // Over before the payment was known: there is nothing to issue.
  if (ended && before.keyId === null) return null;
  const key = await tables.keys.addOnce(keys.newRow(email, after.tier));
  // Written twice: the first holds back another subscription of the same key until we are done.
  await tables.keys.setPaidUntil(key.id, after.endsAt);
  const others = (await tables.payments.ofKey(key.id)).filter(({ id }) => id !== after.id);
  await tables.keys.setPaidUntil(key.id, paidUntil([after, ...others]));
  if (before.keyId !== key.id) {
    await tables.outbox.add(queuedMail({ kind: "key", why: "paid", keyId: key.id }, email, clock()));
  }
  if (before.keyId !== null && before.keyId !== key.id) await release(tables, before.keyId, after.id, clock());
  if (after.endsAt !== null && before.endsAt !== after.endsAt) {
    const facts = { kind: "key-ending", keyId: key.id, endsOn: utcDay(after.endsAt) } as const;
    await tables.outbox.add(queuedMail(facts, email, clock()));
  }
  return key.id;
}

/** The plan was changed: the key of the earlier one is paid for by other subscriptions only. */
async function release(tables: StoreTables, keyId: string, subscription: string, now: number): Promise<void> {
  const others = (await tables.payments.ofKey(keyId)).filter(({ id }) => id !== subscription);
  await tables.keys.setPaidUntil(keyId, others.length === 0 ? now : paidUntil(others));
}

/** Until the last of them ends; null while one goes on. */
function paidUntil(subscriptions: readonly SubscriptionRow[]): number | null {
  const ends = subscriptions.map(({ endsAt }) => endsAt);
  return ends.includes(null) ? null : Math.max(...ends.map((end) => end ?? 0));
}

function invalidEmail(): EolgateError {
  return EolgateError.of("invalid-email", {}, { where: "/email" });
}
