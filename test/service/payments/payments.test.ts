/** Paid keys against a stand-in of the payment service that signs as Stripe documents it. */
import { array, assert, nat, property, shuffledSubarray } from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKeys, type Keys } from "../../../src/service/keys/keys.ts";
import { DEFAULT_TIERS } from "../../../src/service/keys/tiers.ts";
import { SILENT } from "../../../src/service/serve/log.ts";
import { applied, parseEvent } from "../../../src/service/payments/events.ts";
import { createPayments, createStripe } from "../../../src/service/payments/payments.ts";
import { paymentSettings } from "../../../src/service/serve/settings.ts";
import type { PaymentService } from "../../../src/service/services.ts";
import type { SubscriptionRow } from "../../../src/service/store/store.ts";
import { clockAt, SECRETS, testStore, type StoreFixture } from "../harness.ts";
import { API_KEY, signed, startStripe, type StandIn } from "./stripe-stand-in.ts";

const SECRET = "whsec_test";
const START = Date.parse("2026-08-22T12:00:00Z");
const seconds = (day: number): number => START / 1000 + day * 86_400;
const clock = clockAt("2026-08-22T12:00:00Z");
let fixture: StoreFixture;
let stripe: StandIn;
let keys: Keys;
let payments: PaymentService;

beforeEach(async () => {
  clock.set("2026-08-22T12:00:00Z");
  fixture = await testStore();
  stripe = await startStripe();
  keys = createKeys({ store: fixture.store, secrets: SECRETS, tiers: DEFAULT_TIERS, clock });
  payments = createPayments({
    store: fixture.store,
    keys,
    clock,
    log: SILENT,
    stripe: createStripe({ base: stripe.base, apiKey: API_KEY }),
    webhookSecret: SECRET,
    prices: { starter: "price_starter", pro: "price_pro" },
    publicUrl: "https://eol.example.org",
  });
});
afterEach(async () => {
  await stripe.close();
  await fixture.close();
});

interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
}

let number = 0;
const event = (type: string, object: Readonly<Record<string, unknown>>, day = 0): StripeEvent => {
  number += 1;
  return { id: `evt_${number}`, type, created: seconds(day), data: { object } };
};
const checkout = (over: Readonly<Record<string, unknown>> = {}, type = "checkout.session.completed"): StripeEvent =>
  event(type, {
    id: "cs_1",
    mode: "subscription",
    subscription: "sub_1",
    payment_status: "paid",
    customer_details: { email: "Payer@Example.org" },
    metadata: { tier: "starter" },
    ...over,
  });
const subscription = (
  over: Readonly<Record<string, unknown>>,
  day: number,
  type = "customer.subscription.updated",
): StripeEvent =>
  event(
    type,
    {
      id: "sub_1",
      status: "active",
      cancel_at_period_end: false,
      items: {
        data: [{ price: { id: "price_starter" }, current_period_start: seconds(0), current_period_end: seconds(30) }],
      },
      ...over,
    },
    day,
  );
const deliver = (of: StripeEvent): Promise<void> => {
  const body = JSON.stringify(of);
  return payments.webhook(Buffer.from(body), signed(body, SECRET, clock()));
};
const paidKeys = () => fixture.store.keys.ofEmail("payer@example.org");
const mails = async () => {
  const claimed = await fixture.store.outbox.claim("test", clock(), clock() + 1, 100);
  for (const { id } of claimed) await fixture.store.outbox.sent(id, "test", clock());
  return claimed.map(({ facts }) => JSON.parse(facts)).map(({ kind, why }) => [kind, why].filter(Boolean).join(" "));
};
const tierOfKey = async (id: string | undefined): Promise<string | undefined> => {
  const key = await keys.textOf(id ?? "");
  clock.add(16_000);
  return (await keys.authenticate(key?.text ?? ""))?.tier.name;
};

describe("checkout", () => {
  test.each([
    ["starter", "price_starter"],
    ["pro", "price_pro"],
  ] as const)("%s creates a session with its price", async (tier, price) => {
    expect(await payments.checkout(tier, "Payer@Example.org")).toEqual({
      id: "cs_test_1",
      url: "https://checkout.stripe.example/c/cs_test_1",
    });
    expect(stripe.sessions[0]).toMatchObject({
      mode: "subscription",
      "line_items[0][price]": price,
      "line_items[0][quantity]": "1",
      "metadata[tier]": tier,
      customer_email: "payer@example.org",
      success_url: "https://eol.example.org/paid",
      cancel_url: "https://eol.example.org/prices/cancelled",
    });
  });

  test("works without an address and refuses an invalid one", async () => {
    await payments.checkout("pro", undefined);
    expect(stripe.sessions[0]).not.toHaveProperty("customer_email");
    await expect(payments.checkout("pro", "x\r\nBcc: y@z.org")).rejects.toMatchObject({ code: "invalid-email" });
  });

  test.each([500, 402, 401])("reports the payment service as unavailable when it answers %i", async (status) => {
    stripe.fail(status);
    await expect(payments.checkout("pro", undefined)).rejects.toMatchObject({
      kind: "network",
      code: "unexpected-answer",
    });
  });
});

describe("refunded payment", () => {
  const charge = (over: Readonly<Record<string, unknown>>, day: number, type = "charge.refunded"): StripeEvent =>
    event(type, { id: "ch_1", payment_intent: "pi_1", refunded: true, ...over }, day);
  const paidKey = async (): Promise<string | undefined> => {
    stripe.paidFor.set("pi_1", "sub_1");
    await deliver(checkout());
    const [key] = await paidKeys();
    expect(await tierOfKey(key?.id)).toBe("starter");
    return key?.id;
  };

  test.each([
    ["refunded in full", charge({}, 0)],
    ["disputed", charge({ id: "dp_1", refunded: undefined }, 0, "charge.dispute.created")],
  ])("%s: moves the key to the free tier permanently", async (_, returned) => {
    const id = await paidKey();
    await deliver(returned);
    expect(await tierOfKey(id)).toBe("free");
    // The subscription continues at the payment service until it is cancelled there.
    for (const later of [subscription({}, 1), subscription({ status: "canceled" }, 2, "customer.subscription.deleted")])
      await deliver(later);
    expect(await tierOfKey(id)).toBe("free");
  });

  test("issues no key when the refund arrives before the checkout", async () => {
    stripe.paidFor.set("pi_1", "sub_1");
    await deliver(charge({}, 0));
    await deliver(checkout());
    expect(await paidKeys()).toEqual([]);
  });

  test.each([
    ["refunded in part", charge({ refunded: false, amount_refunded: 100 }, 0)],
    ["refunded for another payment", charge({ payment_intent: "pi_other" }, 0)],
    ["without a payment intent", charge({ payment_intent: null }, 0)],
  ])("%s: nothing changes", async (_, returned) => {
    const id = await paidKey();
    await deliver(returned);
    expect(await tierOfKey(id)).toBe("starter");
  });

  test("requests another delivery while the payment service does not answer", async () => {
    const id = await paidKey();
    stripe.fail(500);
    const returned = charge({}, 0);
    await expect(deliver(returned)).rejects.toMatchObject({ code: "unexpected-answer" });
    stripe.fail(undefined);
    await deliver(returned);
    expect(await tierOfKey(id)).toBe("free");
  });
});

describe("webhook", () => {
  test("a payment creates one key and one mail, also with repeated events", async () => {
    const paid = checkout();
    await Promise.all([deliver(paid), deliver(paid), deliver(paid)]);
    await deliver(paid);
    await deliver(checkout({}, "checkout.session.async_payment_succeeded"));
    const [key, ...more] = await paidKeys();
    expect(more).toEqual([]);
    expect(await tierOfKey(key?.id)).toBe("starter");
    expect(await mails()).toEqual(["key paid"]);
  });

  test("an asynchronous payment creates a key when it has succeeded", async () => {
    await deliver(checkout({ payment_status: "unpaid" }));
    expect(await paidKeys()).toEqual([]);
    await deliver(checkout({}, "checkout.session.async_payment_succeeded"));
    expect(await paidKeys()).toHaveLength(1);
  });

  test("a failed payment creates no key", async () => {
    await deliver(checkout({ payment_status: "unpaid" }));
    await deliver(checkout({}, "checkout.session.async_payment_failed"));
    expect(await paidKeys()).toEqual([]);
    expect(await mails()).toEqual([]);
  });

  test("a cancelled plan lasts until the end of the paid period, then the key moves to the free tier", async () => {
    await deliver(checkout());
    await deliver(subscription({ cancel_at_period_end: true }, 3));
    const [key] = await paidKeys();
    expect(await mails()).toEqual(["key paid", "key-ending"]);
    clock.set(new Date(seconds(30) * 1000 - 60_000).toISOString());
    expect(await tierOfKey(key?.id)).toBe("starter");
    clock.set(new Date(seconds(30) * 1000).toISOString());
    expect(await tierOfKey(key?.id)).toBe("free");
  });

  test("a withdrawn cancellation continues the plan", async () => {
    await deliver(checkout());
    await deliver(subscription({ cancel_at_period_end: true }, 3));
    await deliver(subscription({ cancel_at_period_end: false }, 4));
    clock.set(new Date(seconds(40) * 1000).toISOString());
    expect(await tierOfKey((await paidKeys())[0]?.id)).toBe("starter");
  });

  test.each([
    [
      "marked as uncollectible",
      subscription({ status: "unpaid", current_period_start: seconds(30), current_period_end: seconds(60) }, 40),
    ],
    [
      "ended because of a missing payment",
      subscription(
        {
          status: "canceled",
          current_period_start: seconds(30),
          current_period_end: seconds(60),
          cancellation_details: { reason: "payment_failed" },
        },
        40,
        "customer.subscription.deleted",
      ),
    ],
  ])("%s: moves the key to the free tier at the end of the last paid period", async (_, unpaid) => {
    await deliver(checkout());
    const [key] = await paidKeys();
    clock.set(new Date(seconds(40) * 1000).toISOString());
    await deliver(subscription({ status: "past_due" }, 35));
    expect(await tierOfKey(key?.id)).toBe("starter");
    await deliver(unpaid);
    expect((await fixture.store.keys.byId(key?.id ?? ""))?.paidUntil).toBe(seconds(30) * 1000);
    expect(await tierOfKey(key?.id)).toBe("free");
  });

  test("a plan change creates a key of the new tier and moves the old one to the free tier", async () => {
    await deliver(checkout());
    const [old] = await paidKeys();
    await deliver(subscription({ items: { data: [{ price: { id: "price_pro" } }] } }, 2));
    const pro = (await paidKeys()).find(({ tier }) => tier === "pro");
    expect(await tierOfKey(pro?.id)).toBe("pro");
    expect(await tierOfKey(old?.id)).toBe("free");
    expect(await mails()).toEqual(["key paid", "key paid"]);
  });

  test("two subscriptions of one address and plan share a key until both have ended", async () => {
    await deliver(checkout());
    await deliver(checkout({ id: "cs_2", subscription: "sub_2" }));
    expect(await paidKeys()).toHaveLength(1);
    await deliver(subscription({ status: "canceled", ended_at: seconds(1) }, 1, "customer.subscription.deleted"));
    clock.set(new Date(seconds(50) * 1000).toISOString());
    expect(await tierOfKey((await paidKeys())[0]?.id)).toBe("starter");
    await deliver({ ...subscription({ id: "sub_2", cancel_at_period_end: true }, 20) });
    expect(await tierOfKey((await paidKeys())[0]?.id)).toBe("free");
  });

  test("a subscription that ended before its payment arrived gets no key", async () => {
    clock.set(new Date(seconds(31) * 1000).toISOString());
    await deliver(subscription({ status: "canceled" }, 1, "customer.subscription.deleted"));
    await deliver(checkout());
    expect(await paidKeys()).toEqual([]);
  });

  test("a manually created session is identified by its price, and an unknown price is ignored", async () => {
    stripe.sold.set("cs_1", "price_pro");
    await deliver(checkout({ metadata: {} }));
    expect((await paidKeys()).map(({ tier }) => tier)).toEqual(["pro"]);
    stripe.sold.set("cs_9", "price_of_something_else");
    await deliver(
      checkout({ id: "cs_9", subscription: "sub_9", metadata: null, customer_details: { email: "nine@example.org" } }),
    );
    expect(await fixture.store.keys.ofEmail("nine@example.org")).toEqual([]);
  });

  test("a tier in the metadata that is not for sale is ignored", async () => {
    await deliver(checkout({ metadata: { tier: "enterprise" } }));
    expect(await paidKeys()).toEqual([]);
    await deliver(checkout({ subscription: "sub_5", metadata: { tier: "constructor" } }));
    expect(await paidKeys()).toEqual([]);
  });

  test("an event is processed on its next delivery after a failed request to the payment service", async () => {
    stripe.sold.set("cs_1", "price_pro");
    const paid = checkout({ metadata: {} });
    stripe.fail(500);
    await expect(deliver(paid)).rejects.toMatchObject({ kind: "network" });
    stripe.fail(undefined);
    await deliver(paid);
    expect(await paidKeys()).toHaveLength(1);
  });

  test("unrelated events are accepted and change nothing", async () => {
    await deliver(event("invoice.created", { id: "in_1" }));
    await deliver(event("checkout.session.completed", { id: "cs", mode: "payment" }));
    expect(await mails()).toEqual([]);
  });
});

describe("refused webhook", () => {
  const body = JSON.stringify(checkout());
  const at = START;
  test.each<readonly [string, string | undefined]>([
    ["without a signature", undefined],
    ["with an empty signature", ""],
    ["with an invalid signature", "t=abc,v1=xyz"],
    ["signed with another secret", signed(body, "whsec_other", at)],
    ["signed for another body", signed(`${body} `, SECRET, at)],
    ["replayed five minutes later", signed(body, SECRET, at - 301_000)],
    ["signed in the future", signed(body, SECRET, at + 301_000)],
    ["with another timestamp than the signed one", signed(body, SECRET, at).replace(/t=\d+/, `t=${at / 1000 + 1}`)],
    ["with the old scheme only", signed(body, SECRET, at).replace("v1=", "v0=")],
    ["with a truncated signature", signed(body, SECRET, at).replace(/(v1=\w{10})\w+/, "$1")],
  ])("%s", async (_, header) => {
    await expect(payments.webhook(Buffer.from(body), header)).rejects.toMatchObject({
      kind: "usage",
      code: "webhook-invalid",
    });
    expect(await paidKeys()).toEqual([]);
  });

  test("one of several signatures is sufficient during a change of the secret", async () => {
    const header = `${signed(body, "whsec_other", at)},${signed(body, SECRET, at).split(",")[1]}`;
    await payments.webhook(Buffer.from(body), header);
    expect(await paidKeys()).toHaveLength(1);
  });

  test.each([
    ["no JSON", "hello"],
    ["no UTF-8", "\u00ff"],
    ["a list", "[]"],
    ["without an object", '{"id":"evt","type":"checkout.session.completed","created":1,"data":{}}'],
    ["a checkout without a subscription", JSON.stringify(checkout({ subscription: null }))],
    ["an invalid timestamp", JSON.stringify({ ...checkout(), created: "now" })],
    ["an id of 10,000 characters", JSON.stringify({ ...checkout(), id: "x".repeat(10_000) })],
  ])("signed correctly, but %s", async (name, text) => {
    const bytes = name === "no UTF-8" ? Buffer.from([0xff, 0xfe]) : Buffer.from(text);
    const header = signed(bytes.toString("latin1"), SECRET, at);
    const signature = name === "no UTF-8" ? header : signed(text, SECRET, at);
    await expect(payments.webhook(bytes, signature)).rejects.toMatchObject({ kind: "usage" });
  });
});

test("events lead to the same subscription in any order and when repeated", () => {
  const blank: SubscriptionRow = {
    id: "sub_1",
    email: null,
    tier: null,
    keyId: null,
    paid: false,
    endsAt: null,
    cancelled: false,
    eventAt: 0,
  };
  const events: readonly (readonly [StripeEvent, string])[] = [
    [checkout({ payment_status: "unpaid" }), "starter"],
    [checkout({}, "checkout.session.async_payment_succeeded"), "starter"],
    [subscription({}, 0, "customer.subscription.created"), "starter"],
    [subscription({ cancel_at_period_end: true }, 5), "starter"],
    [subscription({ cancel_at_period_end: false }, 5), "starter"],
    [subscription({ items: { data: [{ price: { id: "price_pro" }, current_period_end: seconds(60) }] } }, 9), "pro"],
    [subscription({ status: "canceled" }, 12), "pro"],
    [subscription({ status: "canceled", ended_at: seconds(12) }, 12, "customer.subscription.deleted"), "pro"],
  ];
  const outcome = (order: typeof events): SubscriptionRow =>
    order.reduce((row, [raw, tier]) => applied(row, parseEvent(Buffer.from(JSON.stringify(raw))), tier), blank);
  const expected = outcome(events);
  expect(expected).toMatchObject({ email: "Payer@Example.org", tier: "pro", paid: true, cancelled: true });
  assert(
    property(
      shuffledSubarray([...events], { minLength: events.length }),
      array(nat(events.length - 1)),
      (order, again) => {
        const repeated = [...order, ...again.flatMap((index) => events.slice(index, index + 1))];
        expect(outcome(repeated)).toEqual(expected);
      },
    ),
  );
});

describe("configuration of payments", () => {
  const all = {
    EOLGATE_STRIPE_KEY: "sk",
    EOLGATE_STRIPE_WEBHOOK_SECRET: "whsec",
    EOLGATE_STRIPE_PRICE_STARTER: "a",
    EOLGATE_STRIPE_PRICE_PRO: "b",
  };
  test("must be complete or absent", () => {
    expect(paymentSettings({})).toBeUndefined();
    expect(paymentSettings(all)).toEqual({
      apiKey: "sk",
      webhookSecret: "whsec",
      prices: { starter: "a", pro: "b" },
      base: "https://api.stripe.com",
    });
    expect(() => paymentSettings({ ...all, EOLGATE_STRIPE_PRICE_PRO: "" })).toThrowError(
      expect.objectContaining({
        kind: "config",
        code: "server-config",
        message: expect.stringContaining("PRICE_PRO"),
      }),
    );
  });
});
