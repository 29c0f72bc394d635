/** Payments, where the environment sets them up: nothing of theirs is loaded elsewhere. */
import type { OverStoreOptions } from "../server/over-store.ts";
import { paymentSettings } from "../server/payments/settings.ts";
import type { Invocation } from "./commands.ts";

type Around = Pick<OverStoreOptions, "store" | "clock" | "log"> & { readonly publicUrl: string };

/** The option for `overStore`; empty when nothing is set up. @throws Fault `config` when only a part is. */
export async function paymentOption(
  { io }: Pick<Invocation, "io">,
  { store, clock, log, publicUrl }: Around,
): Promise<Pick<OverStoreOptions, "payments">> {
  const settings = paymentSettings(io.env);
  if (!settings) return {};
  const { apiKey, base, webhookSecret, prices } = settings;
  const { createPayments } = await import("../server/payments/payments.ts");
  const { createStripe } = await import("../server/payments/stripe.ts");
  const stripe = createStripe({ base, apiKey });
  return {
    payments: (keys) => createPayments({ store, keys, clock, log, stripe, webhookSecret, prices, publicUrl }),
  };
}
