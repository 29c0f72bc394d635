/** The schemas of the service's own routes: keys, watch lists, checkout, index, probes. */
import { Type } from "typebox";
import { count, countOrNull, day, flag, oneOf, text, url, type Wire } from "./types.ts";

/** Null: unlimited. */
export const limitsSchema = Type.Object({
  requests_per_day: countOrNull(),
  batch_items: countOrNull(),
  sbom_components: countOrNull(),
});
export type Limits = Wire<typeof limitsSchema>;

/**
 * The operation checks the address with a stricter rule than `format: email`, because it is written into mail headers.
 */
export const emailRequestSchema = Type.Object({ email: Type.String({ maxLength: 1000, description: "E-mail address" }) });
export type EmailRequest = Wire<typeof emailRequestSchema>;

/** The key is never part of the answer, and the answer is the same whether or not the address is known. */
export const keyResponseSchema = Type.Object({
  message: text(),
  email: text(),
  tier: text(),
  limits: limitsSchema,
});
export type KeyResponse = Wire<typeof keyResponseSchema>;

export const watchRequestSchema = Type.Object({
  email: Type.Optional(Type.String({ maxLength: 1000, description: "E-mail address; required without webhook" })),
  webhook: Type.Optional(Type.String({ maxLength: 1000, description: "Address of a receiver of CloudEvents" })),
  sbom: Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    description: "CycloneDX or SPDX JSON document",
  }),
});

export const watchResponseSchema = Type.Object({
  email: Type.Optional(text()),
  webhook: Type.Optional(text("In place of email")),
  status: oneOf(["confirmation-sent", "confirmation-written"]),
  lines: Type.Array(Type.String(), { description: "slug:cycle, riskiest first" }),
  count: count(),
  limit: count(),
  not_watched: Type.Array(
    Type.Object({ line: Type.Optional(text()), component: Type.Optional(text()), reason: text() }),
  ),
  docs: url(),
  keyless_access_notice: Type.Optional(text()),
});
export type WatchResponse = Wire<typeof watchResponseSchema>;

export const checkoutRequestSchema = Type.Object({
  tier: oneOf(["starter", "pro"]),
  email: Type.Optional(Type.String({ maxLength: 1000 })),
});
export type CheckoutRequest = Wire<typeof checkoutRequestSchema>;

export const checkoutResponseSchema = Type.Object({ url: url("Where the customer pays"), id: text() });

export const webhookResponseSchema = Type.Object({ received: flag() });

export const indexSchema = Type.Object({
  name: text(),
  version: text("Version of the HTTP interface"),
  software_version: Type.Optional(text()),
  description: text(),
  endpoints: Type.Record(Type.String(), Type.String()),
  docs: url(),
  methodology: url(),
  tier: text("The caller's tier"),
  rate_limit: text("The caller's daily limit as a sentence"),
  limits: Type.Optional(limitsSchema),
  catalogue: Type.Object({ date: day(), products: count(), cycles: count() }),
});
export type Index = Wire<typeof indexSchema>;

export const healthSchema = Type.Object({ status: oneOf(["ok"]) });
export const readinessSchema = Type.Object({
  status: oneOf(["ready", "not-ready"]),
  checks: Type.Record(Type.String(), Type.String()),
  remarks: Type.Optional(Type.Record(Type.String(), Type.String({ description: "Wants attention; the service is ready" }))),
});
export type Readiness = Wire<typeof readinessSchema>;
