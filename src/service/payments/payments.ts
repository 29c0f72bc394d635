/**
 * Paid keys. Customers pay in a checkout session of the payment service, which reports events to a webhook. A key is
 * issued once when the payment has arrived, and has the free tier after the payment ends.
 */
import type { Store, StoreTables, SubscriptionRow } from "../store/store.ts";
import { type Clock, SECOND, utcDay } from "../clock.ts";
import type { Keys } from "../keys/keys.ts";
import type { Log } from "../serve/log.ts";
import { parseEmail, validEmail } from "../mail/message.ts";
import { type MailContent, queuedMail } from "../mail/content.ts";
import type { PaymentService } from "../services.ts";
import { type PaymentEvent, applied, cancelledBy, checkSignature, parseEvent } from "./events.ts";
import { randomUUID } from "node:crypto";
import { EolgateError } from "../../messages/error.ts";
import { asList, percentEncode } from "../../text/values.ts";

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
      return await stripe.createSession({
        price: prices[tier],
        tier,
        email: address,
        successUrl: `${publicUrl}/paid`,
        cancelUrl: `${publicUrl}/prices/cancelled`,
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

export interface StripeOptions {
  /** `https://api.stripe.com`; another address in tests. */
  readonly base: string;
  readonly apiKey: string;
  /** For proxies: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface SessionRequest {
  readonly price: string;
  readonly tier: string;
  readonly email: string | undefined;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** Every method throws the EolgateError `unexpected-answer` if a request fails. */
export interface Stripe {
  createSession(request: SessionRequest): Promise<{ readonly id: string; readonly url: string }>;
  /** Id of the price of a checkout session; undefined if it has no items. */
  priceOf(session: string): Promise<string | undefined>;
  /** Id of the subscription that a payment intent paid for; undefined if it paid for something else. */
  subscriptionOf(payment: string): Promise<string | undefined>;
}

/** https://docs.stripe.com/changelog/basil */
const API_VERSION = "2025-03-31.basil";
const TIME_OUT = 15 * SECOND;
const MAX_ANSWER = 1024 * 1024;

export function createStripe(options: StripeOptions): Stripe {
  return {
    async createSession({ price, tier, email, successUrl, cancelUrl }) {
      const form = new URLSearchParams({
        mode: "subscription",
        "line_items[0][price]": price,
        "line_items[0][quantity]": "1",
        "metadata[tier]": tier,
        "subscription_data[metadata][tier]": tier,
        success_url: successUrl,
        cancel_url: cancelUrl,
        ...(email !== undefined && { customer_email: email }),
      });
      const answer = await call(options, "/v1/checkout/sessions", form);
      const [id, url] = [field(answer, "id"), field(answer, "url")];
      if (typeof id !== "string" || typeof url !== "string")
        throw unanswered(new Error("the session has no id or url"));
      return { id, url };
    },
    async priceOf(session) {
      const answer = await call(options, `/v1/checkout/sessions/${percentEncode(session)}/line_items?limit=1`);
      const [line] = asList(field(answer, "data"));
      const price = field(field(line, "price"), "id");
      return typeof price === "string" ? price : undefined;
    },
    async subscriptionOf(payment) {
      const query = new URLSearchParams({ "payment[type]": "payment_intent", "payment[payment_intent]": payment });
      const [paid] = asList(field(await call(options, `/v1/invoice_payments?${query.toString()}`), "data"));
      const invoice = field(paid, "invoice");
      if (typeof invoice !== "string") return undefined;
      const parent = field(await call(options, `/v1/invoices/${percentEncode(invoice)}`), "parent");
      const subscription = field(field(parent, "subscription_details"), "subscription");
      return typeof subscription === "string" ? subscription : undefined;
    },
  };
}

/** GET, or POST if there is a form. @throws EolgateError `unexpected-answer` */
async function call({ base, apiKey, env = {} }: StripeOptions, path: string, form?: URLSearchParams): Promise<unknown> {
  const { createHttpClient } = await import("../../http/client.ts");
  const client = createHttpClient({ env, deadline: TIME_OUT, limit: MAX_ANSWER });
  try {
    const answer = await client.send({
      method: form ? "POST" : "GET",
      url: new URL(path, base),
      credentials: { authorization: `Bearer ${apiKey}` },
      headers: {
        // Without this header, the format of responses would depend on the default version of the account.
        "stripe-version": API_VERSION,
        ...(form && { "content-type": "application/x-www-form-urlencoded", "idempotency-key": randomUUID() }),
      },
      ...(form && { body: form.toString() }),
    });
    if (answer.status >= 300) throw new Error(`status ${answer.status}`);
    return JSON.parse(answer.body.toString("utf8"));
  } catch (cause) {
    throw unanswered(cause);
  } finally {
    await client.close();
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? new Map<string, unknown>(Object.entries(value)).get(name) : undefined;

function unanswered(cause: unknown): EolgateError {
  return EolgateError.of(
    "unexpected-answer",
    { problem: "the payment service sent an unexpected answer", advice: "Try again in a moment." },
    { cause },
  );
}
