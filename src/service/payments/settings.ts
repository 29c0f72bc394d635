/** Settings of payments from environment variables. */
import { EolgateError } from "../../messages/error.ts";

export interface PaymentSettings {
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly prices: Readonly<Record<"starter" | "pro", string>>;
  readonly base: string;
}

const BASE = "https://api.stripe.com";
const REQUIRED = [
  "EOLGATE_STRIPE_KEY",
  "EOLGATE_STRIPE_WEBHOOK_SECRET",
  "EOLGATE_STRIPE_PRICE_STARTER",
  "EOLGATE_STRIPE_PRICE_PRO",
] as const;

/** Undefined if no variable is set. @throws EolgateError `payments-incomplete` if only some are set */
export function paymentSettings(env: Readonly<Record<string, string | undefined>>): PaymentSettings | undefined {
  const missing = REQUIRED.filter((name) => (env[name] ?? "") === "");
  if (missing.length === REQUIRED.length) return undefined;
  if (missing.length > 0) {
    throw EolgateError.of("payments-incomplete", { missing: missing.join(", ") });
  }
  const value = (name: (typeof REQUIRED)[number]): string => env[name] ?? "";
  return {
    apiKey: value("EOLGATE_STRIPE_KEY"),
    webhookSecret: value("EOLGATE_STRIPE_WEBHOOK_SECRET"),
    prices: { starter: value("EOLGATE_STRIPE_PRICE_STARTER"), pro: value("EOLGATE_STRIPE_PRICE_PRO") },
    base: env["EOLGATE_STRIPE_BASE"] ?? BASE,
  };
}
