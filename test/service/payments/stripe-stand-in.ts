/** A stand-in for Stripe on loopback: creates sessions, returns their line items, signs webhooks as documented. */
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";

export interface StandIn {
  readonly base: string;
  /** Forms that were posted to make a session. */
  readonly sessions: Readonly<Record<string, string>>[];
  /** Session → price that its line items show. */
  readonly sold: Map<string, string>;
  /** Payment intent → subscription whose invoice it paid. */
  readonly paidFor: Map<string, string>;
  /** Answer everything with this status. */
  fail(status: number | undefined): void;
  close(): Promise<void>;
}

export const API_KEY = "sk_test_stand_in";

export async function startStripe(): Promise<StandIn> {
  const sessions: Readonly<Record<string, string>>[] = [];
  const sold = new Map<string, string>();
  const paidFor = new Map<string, string>();
  let status: number | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (status !== undefined) return answer(response, status, { error: { message: "no" } });
      if (request.headers.authorization !== `Bearer ${API_KEY}`)
        return answer(response, 401, { error: { type: "invalid_request_error" } });
      const lines = /^\/v1\/checkout\/sessions\/([^/]+)\/line_items/.exec(request.url ?? "")?.[1];
      if (request.method === "GET" && lines !== undefined) {
        const price = sold.get(lines);
        return answer(response, 200, { object: "list", data: price === undefined ? [] : [{ price: { id: price } }] });
      }
      const requestUrl = new URL(request.url ?? "", "http://stand.in");
      if (requestUrl.pathname === "/v1/invoice_payments") {
        const payment = requestUrl.searchParams.get("payment[payment_intent]") ?? "";
        return answer(response, 200, { data: paidFor.has(payment) ? [{ invoice: `in_${payment}` }] : [] });
      }
      const invoice = /^\/v1\/invoices\/in_(.+)$/.exec(requestUrl.pathname)?.[1];
      if (invoice !== undefined) {
        const subscription = paidFor.get(invoice);
        return answer(response, 200, { parent: { subscription_details: { subscription } } });
      }
      if (request.method !== "POST" || request.url !== "/v1/checkout/sessions") return answer(response, 404, {});
      sessions.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString("utf8"))));
      const id = `cs_test_${sessions.length}`;
      return answer(response, 200, { id, object: "checkout.session", url: `https://checkout.stripe.example/c/${id}` });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const place = server.address();
  if (place === null || typeof place === "string") throw new Error("no port");
  return {
    base: `http://127.0.0.1:${place.port}`,
    sessions,
    sold,
    paidFor,
    fail: (code) => void (status = code),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function answer(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The header that Stripe sends: `t` in seconds, `v1` over `t.body`. */
export function signed(body: string, secret: string, now: number): string {
  const instant = Math.floor(now / 1000);
  return `t=${instant},v1=${createHmac("sha256", secret).update(`${instant}.${body}`).digest("hex")},v0=ignored`;
}
