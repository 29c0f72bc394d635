/**
 * The webhook's signature, checked on the bytes as they came (https://docs.stripe.com/webhooks#verify-manually): header
 * `t=<seconds>,v1=<hex>[,v1=…]`, HMAC-SHA-256 of `<t>.<body>` under the endpoint's secret.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { EolgateError } from "../../core/errors.ts";
import { MINUTE, SECOND } from "../clock.ts";

/** How far the signing instant may lie from ours: a recorded request is worth nothing later. */
const TOLERANCE = 5 * MINUTE;

/** @throws EolgateError `usage` `webhook-signature`: absent, wrong, or too old. */
export function checkSignature(body: Uint8Array, header: string | undefined, secret: string, now: number): void {
  const { instant, signatures } = parse(header ?? "");
  if (instant === undefined || signatures.length === 0) throw refused("it is missing or malformed");
  const expected = createHmac("sha256", secret).update(`${instant}.`).update(body).digest();
  if (!signatures.some((signature) => equal(expected, signature)))
    throw refused("it does not match the body and the secret");
  if (Math.abs(now - Number(instant) * SECOND) > TOLERANCE) throw refused("it is too old");
}

function parse(header: string): { readonly instant: string | undefined; readonly signatures: readonly string[] } {
  const pairs = header
    .slice(0, 2000)
    .split(",")
    .map((part) => part.trim().split("="));
  const of = (name: string): readonly string[] =>
    pairs.flatMap(([key, value]) => (key === name && value ? [value] : []));
  const [instant] = of("t");
  return { instant: instant !== undefined && /^\d{1,12}$/.test(instant) ? instant : undefined, signatures: of("v1") };
}

function equal(expected: Buffer, hex: string): boolean {
  const presented = Buffer.from(hex, "hex");
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}

function refused(why: string): EolgateError {
  return EolgateError.of("webhook-signature", { why }, { where: "Stripe-Signature" });
}
