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
import type { MailContent } from "../mail/content.ts";
import { queuedMail } from "../mail/queue.ts";
import type { PaymentService } from "../services.ts";
import { applied, cancelledBy, parseEvent } from "./events.ts";
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
  return {
    async checkout(tier, email) {
      const address = email === undefined ? undefined : parseEmail(email);
      if (email !== undefined && address === undefined) throw invalidEmail();
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

/** A returned payment cancels the subscription that it paid for; one that paid for none is left unchanged. */
async function aboutSubscription(event: PaymentEvent, stripe: Stripe): Promise<PaymentEvent> {
  if (event.change.kind !== "returned") return event;
  const subscription = await stripe.subscriptionOf(event.change.payment);
  return subscription === undefined ? event : cancelledBy(event, subscription);
}

/** Which tier the event is about: as we wrote it into the session, else by its price. */
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
  // Over before the payment was known: there is nothing to issue.
  if (ended && before.keyId === null) return null;
  const key = await tables.keys.addOnce(keys.newRow(email, tier));
  // Written twice: the first holds back another subscription of the same key until we are done.
  await tables.keys.setPaidUntil(key.id, after.endsAt);
  const others = (await tables.payments.ofKey(key.id)).filter(({ id }) => id !== after.id);
  await tables.keys.setPaidUntil(key.id, paidUntil([after, ...others]));
  for (const facts of settlementMails(before, after, key.id)) {
    await tables.outbox.add(queuedMail(facts, email, clock()));
  }
  if (before.keyId !== null && before.keyId !== key.id) await release(tables, before.keyId, after.id, clock());
  return key.id;
}

/** Who has paid for what; undefined while one of the three is not known. */
function buyerOf({
  paid,
  email,
  tier,
}: SubscriptionRow): { readonly email: string; readonly tier: string } | undefined {
  const address = email === null ? undefined : parseEmail(email);
  return paid && address !== undefined && tier !== null ? { email: address, tier } : undefined;
}

/** A key that is new to the buyer is sent, and so is an end that is new. */
function settlementMails(before: SubscriptionRow, after: SubscriptionRow, keyId: string): readonly MailContent[] {
  const paid: MailContent = { kind: "key", why: "paid", keyId };
  const moved = after.endsAt !== null && before.endsAt !== after.endsAt ? after.endsAt : undefined;
  return [
    ...(before.keyId === keyId ? [] : [paid]),
    ...(moved === undefined ? [] : [{ kind: "key-ending", keyId, endsOn: utcDay(moved) } as const]),
  ];
}

/** The plan was changed: the key of the earlier one is paid for by other subscriptions only. */
async function release(tables: StoreTables, keyId: string, subscription: string, now: number): Promise<void> {
  const others = (await tables.payments.ofKey(keyId)).filter(({ id }) => id !== subscription);
  await tables.keys.setPaidUntil(keyId, others.length === 0 ? now : paidUntil(others));
}

/** Until the last of them ends; null while one continues. */
function paidUntil(subscriptions: readonly SubscriptionRow[]): number | null {
  const ends = subscriptions.map(({ endsAt }) => endsAt);
  return ends.includes(null) ? null : Math.max(...ends.map((end) => end ?? 0));
}

function invalidEmail(): EolgateError {
  return EolgateError.of("invalid-email", {}, { where: "/email" });
}
