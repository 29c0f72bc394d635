/**
 * Paid keys. Customers pay in a checkout session of the payment service, which reports events to a webhook. A key is
 * issued once when the payment has arrived, and has the free tier after the payment ends.
 */
import type { Store, SubscriptionRow, StoreTables } from "../store/store.ts";
import { utcDay, type Clock } from "../clock.ts";
import type { Keys } from "../keys/keys.ts";
import type { Log } from "../serve/log.ts";
import { parseEmail, validEmail } from "../mail/email-address.ts";
import { type MailContent, queuedMail } from "../mail/content.ts";
import type { PaymentService } from "../services.ts";
import { applied, cancelledBy, parseEvent, type PaymentEvent, checkSignature } from "./events.ts";
import type { Stripe } from "./stripe.ts";

export interface PaymentOptions {
  readonly store: Store;
  readonly keys: Pick<Keys, "newRow">;
  readonly clock: Clock;
  readonly log: Log;
  readonly stripe: Stripe;
  /** Signing secret of the webhook: `whsec_…`. */
  readonly webhookSecret: string;
  /** Ids of the prices, by tier. */
  readonly prices: Readonly<Record<"starter" | "pro", string>>;
  readonly publicUrl: string;
}

export function createPayments(options: PaymentOptions): PaymentService {
  const { store, clock, log, stripe, webhookSecret, prices, publicUrl } = options;
  return {
    async checkout(tier, email) {
      const address = email === undefined ? undefined : validEmail(email);
      const page = `${publicUrl}/docs?checkout=`;
      return await stripe.createSession({
        price: prices[tier],
        tier,
        email: address,
        successUrl: `${page}done`,
        cancelUrl: `${page}cancelled`,
      });
    },
    async webhook(body, signature) {
      checkSignature(body, signature, webhookSecret, clock());
      const event = await aboutSubscription(parseEvent(body), stripe);
      const { change } = event;
      if (change.kind === "other" || change.kind === "returned") return;
      const tier = await soldTier(event, options);
      await store.transaction(async (tables) => {
        if (!(await tables.payments.eventOnce(event.id, event.type, clock()))) return;
        const before = await tables.payments.lock(change.subscription);
        const after = applied(before, event, tier);
        await tables.payments.update({ ...after, keyId: await settle(tables, before, after, options) });
      });
      if (change.kind === "checkout" && tier === undefined) {
        log.error({ event: event.id, session: change.session }, "a checkout session has an unknown price");
      }
    },
  };
}

/** A returned payment becomes a cancellation of its subscription. Other events are unchanged. */
async function aboutSubscription(event: PaymentEvent, stripe: Stripe): Promise<PaymentEvent> {
  if (event.change.kind !== "returned") return event;
  const subscription = await stripe.subscriptionOf(event.change.payment);
  return subscription === undefined ? event : cancelledBy(event, subscription);
}

/** The tier of an event: from the metadata of the session, or from its price. */
async function soldTier({ change }: PaymentEvent, { prices, stripe }: PaymentOptions): Promise<string | undefined> {
  const tierOf = (price: string | undefined): string | undefined =>
    Object.entries(prices).find(([, id]) => id === price)?.[0];
  if (change.kind === "subscription") return tierOf(change.price);
  if (change.kind !== "checkout") return undefined;
  return change.tier !== undefined && Object.hasOwn(prices, change.tier)
    ? change.tier
    : tierOf(await stripe.priceOf(change.session));
}

/** Issues, ends or extends the key as the subscription requires, and returns its id. */
async function settle(
  tables: StoreTables,
  before: SubscriptionRow,
  after: SubscriptionRow,
  { keys, clock }: PaymentOptions,
): Promise<string | null> {
  const buyer = buyerOf(after);
  if (buyer === undefined) return before.keyId;
  const { email, tier } = buyer;
  const ended = after.endsAt !== null && after.endsAt <= clock();
  // The subscription ended before its payment was known, so no key is issued.
  if (ended && before.keyId === null) return null;
  const key = await tables.keys.addOnce(keys.newRow(email, tier));
  // The first write locks the row of the key, so that a concurrent change of another subscription waits.
  await tables.keys.setPaidUntil(key.id, after.endsAt);
  const others = (await tables.payments.ofKey(key.id)).filter(({ id }) => id !== after.id);
  await tables.keys.setPaidUntil(key.id, paidUntil([after, ...others]));
  for (const facts of settlementMails(before, after, key.id)) {
    await tables.outbox.add(queuedMail(facts, email, clock()));
  }
  if (before.keyId !== null && before.keyId !== key.id) await release(tables, before.keyId, after.id, clock());
  return key.id;
}

/** The address and tier of a paid subscription; undefined until payment, address and tier are known. */
function buyerOf({
  paid,
  email,
  tier,
}: SubscriptionRow): { readonly email: string; readonly tier: string } | undefined {
  const address = email === null ? undefined : parseEmail(email);
  return paid && address !== undefined && tier !== null ? { email: address, tier } : undefined;
}

/** Mails about a newly issued key and about a new end of payment. */
function settlementMails(before: SubscriptionRow, after: SubscriptionRow, keyId: string): readonly MailContent[] {
  const paid: MailContent = { kind: "key", why: "paid", keyId };
  const moved = after.endsAt !== null && before.endsAt !== after.endsAt ? after.endsAt : undefined;
  return [
    ...(before.keyId === keyId ? [] : [paid]),
    ...(moved === undefined ? [] : [{ kind: "key-ending", keyId, endsOn: utcDay(moved) } as const]),
  ];
}

/** After a change of the plan: the previous key is now paid only by other subscriptions. */
async function release(tables: StoreTables, keyId: string, subscription: string, now: number): Promise<void> {
  const others = (await tables.payments.ofKey(keyId)).filter(({ id }) => id !== subscription);
  await tables.keys.setPaidUntil(keyId, others.length === 0 ? now : paidUntil(others));
}

/** The latest end of the subscriptions; null if one of them continues. */
function paidUntil(subscriptions: readonly SubscriptionRow[]): number | null {
  const ends = subscriptions.map(({ endsAt }) => endsAt);
  return ends.includes(null) ? null : Math.max(...ends.map((end) => end ?? 0));
}
