/**
 * Parses the events of the payment service and applies them to a subscription. Events can arrive in any order and more
 * than once. The result does not depend on the order, which a test checks for all permutations.
 */
import { EolgateError } from "../../messages/error.ts";
import { asList } from "../../text/values.ts";
import type { SubscriptionRow } from "../store/store.ts";
import { SECOND, MINUTE } from "../clock.ts";
import { createHmac, timingSafeEqual } from "node:crypto";

export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  /** Creation at the payment service, UTC milliseconds. */
  readonly at: number;
  readonly change: PaymentChange;
}

export type PaymentChange =
  /** A completed checkout. `paid` is false while an asynchronous payment is pending. */
  | {
      readonly kind: "checkout";
      readonly session: string;
      readonly subscription: string;
      readonly email: string | undefined;
      /** The tier that this server stored in the session. */
      readonly tier: string | undefined;
      readonly paid: boolean;
    }
  /** The state of a subscription. */
  | {
      readonly kind: "subscription";
      readonly subscription: string;
      readonly price: string | undefined;
      readonly endsAt: number | null;
      readonly cancelled: boolean;
    }
  /** A payment was refunded in full or is disputed: its subscription ends. */
  | { readonly kind: "returned"; readonly payment: string }
  /** An event that is ignored. */
  | { readonly kind: "other" };

/** @throws EolgateError `webhook-invalid` if the body is not an event, or lacks a required field */
export function parseEvent(body: Uint8Array): PaymentEvent {
  const event = record(parseJson(body), "the body");
  const type = text(event["type"], "type");
  const object = record(record(event["data"], "data")["object"], "data.object");
  return {
    id: text(event["id"], "id"),
    type,
    at: instant(event["created"], "created"),
    change: changeOf(type, object),
  };
}

function changeOf(type: string, object: EventFields): PaymentChange {
  switch (type) {
    case "checkout.session.completed":
      return checkout(object, object["payment_status"] !== "unpaid");
    case "checkout.session.async_payment_succeeded":
      return checkout(object, true);
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
      return subscriptionState(object);
    case "charge.refunded":
      return object["refunded"] === true ? returned(object) : { kind: "other" };
    case "charge.dispute.created":
      return returned(object);
    default:
      return { kind: "other" };
  }
}

/** A charge without a payment intent does not belong to a checkout. */
function returned(object: EventFields): PaymentChange {
  const payment = optional(object["payment_intent"]);
  return payment === undefined ? { kind: "other" } : { kind: "returned", payment };
}

/** Converts an event that returns a payment to the cancellation of its subscription at the same instant. */
export const cancelledBy = ({ id, type, at }: PaymentEvent, subscription: string): PaymentEvent => ({
  id,
  type,
  at,
  change: { kind: "subscription", subscription, price: undefined, endsAt: at, cancelled: true },
});

function checkout(object: EventFields, paid: boolean): PaymentChange {
  // Sessions of this server always buy a subscription.
  if (object["mode"] !== "subscription") return { kind: "other" };
  const details = object["customer_details"] ?? {};
  const metadata = object["metadata"] ?? {};
  return {
    kind: "checkout",
    session: text(object["id"], "data.object.id"),
    subscription: text(object["subscription"], "data.object.subscription"),
    email: optional(record(details, "customer_details")["email"]) ?? optional(object["customer_email"]),
    tier: optional(record(metadata, "metadata")["tier"]),
    paid,
  };
}

/**
 * The end of a subscription: the end of the paid period if it was cancelled, or the start of the unpaid period if payment
 * has finally failed. While the payment service retries the payment (`past_due`), the subscription continues.
 */
function subscriptionState(object: EventFields): PaymentChange {
  const status = text(object["status"], "data.object.status");
  const line = firstLine(object);
  const period = (name: string): number | null => optionalInstant(object[name]) ?? optionalInstant(line[name]) ?? null;
  const reason = record(object["cancellation_details"] ?? {}, "cancellation_details")["reason"];
  const cancelled = CANCELLED.has(status);
  const unpaid = UNPAID.has(status) || reason === "payment_failed";
  const price = line["price"];
  return {
    kind: "subscription",
    subscription: text(object["id"], "data.object.id"),
    price: price === undefined ? undefined : optional(record(price, "price")["id"]),
    endsAt: unpaid ? period("current_period_start") : cancellationEnd(object, cancelled, period("current_period_end")),
    cancelled,
  };
}

const CANCELLED: ReadonlySet<string> = new Set(["canceled", "incomplete_expired"]);
const UNPAID: ReadonlySet<string> = new Set(["unpaid", "incomplete_expired"]);

/** The end of a subscription that is cancelled, or will be at the end of the period; null if it continues. */
function cancellationEnd(object: EventFields, cancelled: boolean, periodEnd: number | null): number | null {
  const cancelAt = optionalInstant(object["cancel_at"]);
  if (!cancelled && object["cancel_at_period_end"] !== true && cancelAt === undefined) return null;
  return cancelAt ?? periodEnd ?? optionalInstant(object["ended_at"]) ?? 0;
}

/** The subscription after an event. @param tier from the price or metadata of the event */
export function applied(row: SubscriptionRow, { at, change }: PaymentEvent, tier: string | undefined): SubscriptionRow {
  if (change.kind === "checkout") {
    const email = change.email ?? row.email;
    // A later change of the plan arrives as a subscription state.
    return { ...row, email, tier: row.tier ?? tier ?? null, paid: row.paid || change.paid };
  }
  if (change.kind !== "subscription" || !takesPrecedence({ ...change, eventAt: at }, row)) return row;
  return { ...row, tier: tier ?? row.tier, endsAt: change.endsAt, cancelled: change.cancelled, eventAt: at };
}

type SubscriptionState = Pick<SubscriptionRow, "cancelled" | "eventAt" | "endsAt">;

/**
 * Whether state `a` replaces `b`. A cancellation is final, and the earliest end applies. Otherwise the newer event
 * applies; of two events in the same second, the earlier end.
 */
function takesPrecedence(a: SubscriptionState, b: SubscriptionState): boolean {
  if (a.cancelled !== b.cancelled) return a.cancelled;
  const isNewer = a.eventAt > b.eventAt;
  if (a.cancelled && a.endsAt === b.endsAt) return isNewer;
  if (!a.cancelled && a.eventAt !== b.eventAt) return isNewer;
  return (a.endsAt ?? Number.POSITIVE_INFINITY) < (b.endsAt ?? Number.POSITIVE_INFINITY);
}

type EventFields = Readonly<Record<string, unknown>>;

function firstLine(object: EventFields): EventFields {
  const listed = record(object["items"] ?? {}, "items")["data"];
  const [first] = asList(listed);
  return first === undefined ? {} : record(first, "items.data.0");
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw wrong("it is not JSON", cause);
  }
}

function record(value: unknown, where: string): EventFields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(`${where} is not an object`);
  return Object.fromEntries(Object.entries(value));
}

function text(value: unknown, where: string): string {
  if (typeof value === "string" && value !== "" && value.length <= 255) return value;
  throw wrong(`${where} is not a string`);
}

const optional = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

function instant(value: unknown, where: string): number {
  const milliseconds = optionalInstant(value);
  if (milliseconds === undefined) throw wrong(`${where} is not a time`);
  return milliseconds;
}

const optionalInstant = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value * SECOND : undefined;

function wrong(what: string, cause?: unknown): EolgateError {
  return EolgateError.of("webhook-invalid", { problem: `the webhook body is not valid: ${what}` }, { cause });
}

// Verifies the signature of a webhook (https://docs.stripe.com/webhooks#verify-manually): header
// `t=<seconds>,v1=<hex>[,v1=…]`, HMAC-SHA-256 of `<t>.<body>` with the secret of the endpoint.

/** Maximum age of a signature in milliseconds, which limits replays of a recorded request. */
const TOLERANCE = 5 * MINUTE;

/** @param body the unchanged bytes. @param now UTC milliseconds. @throws EolgateError `webhook-invalid` if it is missing, wrong or too old */
export function checkSignature(body: Uint8Array, header: string | undefined, secret: string, now: number): void {
  const { instant, signatures } = parse(header ?? "");
  if (instant === undefined || signatures.length === 0) throw signatureError("it is missing or malformed");
  const expected = createHmac("sha256", secret).update(`${instant}.`).update(body).digest();
  if (!signatures.some((signature) => equal(expected, signature)))
    throw signatureError("it does not match the body and the secret");
  if (Math.abs(now - Number(instant) * SECOND) > TOLERANCE) throw signatureError("it is too old");
}

function parse(header: string): { readonly instant: string | undefined; readonly signatures: readonly string[] } {
  const pairs = header
    .slice(0, 2000)
    .split(",")
    .map((part) => part.trim().split("="));
  const valuesOf = (name: string): readonly string[] =>
    pairs.flatMap(([key, value]) => (key === name && value ? [value] : []));
  const [instant] = valuesOf("t");
  const isValid = instant !== undefined && /^\d{1,12}$/.test(instant);
  return { instant: isValid ? instant : undefined, signatures: valuesOf("v1") };
}

function equal(expected: Buffer, hex: string): boolean {
  const presented = Buffer.from(hex, "hex");
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}

function signatureError(why: string): EolgateError {
  return EolgateError.of("webhook-invalid", { problem: `the webhook signature is not valid: ${why}` }).at(
    "Stripe-Signature",
  );
}
