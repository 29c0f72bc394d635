/**
 * Verifies the signature of a webhook (https://docs.stripe.com/webhooks#verify-manually): header
 * `t=<seconds>,v1=<hex>[,v1=…]`, HMAC-SHA-256 of `<t>.<body>` with the secret of the endpoint.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { EolgateError } from "../../messages/error.ts";
import { MINUTE, SECOND } from "../http/clock.ts";

/** Maximum age of a signature in milliseconds, which limits replays of a recorded request. */
const TOLERANCE = 5 * MINUTE;

/** @param body the unchanged bytes. @param now UTC milliseconds. @throws EolgateError `webhook-signature` if it is missing, wrong or too old */
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
  return EolgateError.of("webhook-signature", { why }, { where: "Stripe-Signature" });
}
