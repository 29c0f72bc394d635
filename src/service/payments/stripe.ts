/** The requests to Stripe's API. Its SDK is not used, because it has 23 MB. */
import { randomUUID } from "node:crypto";
import { EolgateError } from "../../messages/error.ts";
import { asList, percentEncode } from "../../text/values.ts";
import { SECOND } from "../clock.ts";

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
