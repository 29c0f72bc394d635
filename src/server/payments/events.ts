/**
 * Parses the events of the payment service and applies them to a subscription. Pure. Events come in any order and more
 * than once; the outcome is the same in every order (a test tries them all).
 */
import { EolgateError } from "../../core/errors.ts";
import { asList } from "../../core/values.ts";
import type { SubscriptionRow } from "../../store/store.ts";
import { SECOND } from "../clock.ts";

export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  /** Milliseconds. */
  readonly at: number;
  readonly change: PaymentChange;
}

export type PaymentChange =
  /** A checkout ended: who buys what. `paid` is false while an asynchronous payment is under way. */
  | {
      readonly kind: "checkout";
      readonly session: string;
      readonly subscription: string;
      readonly email: string | undefined;
      /** As this server wrote it into the session. */
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
  /** Nothing that concerns us. */
  | { readonly kind: "other" };

/** @throws EolgateError `usage` `webhook-body` when it is not an event, or one of ours lacks what it must have. */
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

function changeOf(type: string, object: Fields): PaymentChange {
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

/** A charge without a payment intent is of no checkout. */
function returned(object: Fields): PaymentChange {
  const payment = optional(object["payment_intent"]);
  return payment === undefined ? { kind: "other" } : { kind: "returned", payment };
}

/** The cancellation of a subscription at the instant of an event that returned its payment. */
export const cancelledBy = ({ id, type, at }: PaymentEvent, subscription: string): PaymentEvent => ({
  id,
  type,
  at,
  change: { kind: "subscription", subscription, price: undefined, endsAt: at, cancelled: true },
});

function checkout(object: Fields, paid: boolean): PaymentChange {
  // A session that buys no subscription is none of ours.
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
 * Cancelled: to the end of what is paid. Not paid for good: from the beginning of the period that was not paid. While
 * the payment service still tries to collect (`past_due`), the subscription continues.
 */
function subscriptionState(object: Fields): PaymentChange {
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

/** The end of a paid subscription that was cancelled or will be; null when it continues. */
function cancellationEnd(object: Fields, cancelled: boolean, periodEnd: number | null): number | null {
  const cancelAt = optionalInstant(object["cancel_at"]);
  if (!cancelled && object["cancel_at_period_end"] !== true && cancelAt === undefined) return null;
  return cancelAt ?? periodEnd ?? optionalInstant(object["ended_at"]) ?? 0;
}

/** The subscription with what the event adds. `tier` is that of the event's price or metadata. */
export function applied(row: SubscriptionRow, { at, change }: PaymentEvent, tier: string | undefined): SubscriptionRow {
  if (change.kind === "checkout") {
    const email = change.email ?? row.email;
    // A later change of the plan arrives as a subscription state.
    return { ...row, email, tier: row.tier ?? tier ?? null, paid: row.paid || change.paid };
  }
  if (change.kind !== "subscription" || !outranks({ ...change, eventAt: at }, row)) return row;
  return { ...row, tier: tier ?? row.tier, endsAt: change.endsAt, cancelled: change.cancelled, eventAt: at };
}

type Standing = Pick<SubscriptionRow, "cancelled" | "eventAt" | "endsAt">;

/** Cancelled is for good, at the earliest end; else the newer event counts; of two within one second, the earlier end. */
function outranks(a: Standing, b: Standing): boolean {
  if (a.cancelled !== b.cancelled) return a.cancelled;
  const isNewer = a.eventAt > b.eventAt;
  if (a.cancelled && a.endsAt === b.endsAt) return isNewer;
  if (!a.cancelled && a.eventAt !== b.eventAt) return isNewer;
  return (a.endsAt ?? Number.POSITIVE_INFINITY) < (b.endsAt ?? Number.POSITIVE_INFINITY);
}

type Fields = Readonly<Record<string, unknown>>;

function firstLine(object: Fields): Fields {
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

function record(value: unknown, where: string): Fields {
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
  return EolgateError.of("webhook-body", { problem: what }, { cause });
}
