/**
 * Validates and normalizes e-mail addresses. Text that could add a header, a second recipient or a display name is
 * refused. Addresses are converted to lower case, because mail servers ignore the case.
 */
import { EolgateError } from "../../messages/error.ts";

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** RFC 5321, 4.5.3.1. */
const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;

/** The normalized address, or undefined if the text is not a valid one. */
export function parseEmail(text: unknown): string | undefined {
  if (typeof text !== "string" || text.length > MAX_ADDRESS + 10) return undefined;
  const address = text.trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  if (at < 1 || local.length > MAX_LOCAL || address.length > MAX_ADDRESS) return undefined;
  return LOCAL.test(local) && DOMAIN.test(domain) ? address : undefined;
}

/** The normalized address. @throws EolgateError `invalid-email` */
export function validEmail(text: string): string {
  const address = parseEmail(text);
  if (address === undefined) throw EolgateError.of("invalid-email", {}, { where: "/email" });
  return address;
}

/** The mailbox of a normalized address, without the tag after `+` (RFC 5233). Limits and quotas apply per mailbox. */
export const mailboxOf = (email: string): string => email.replace(/^([^+@]+)\+[^@]*(?=@)/, "$1");

/** For logs: the first character and the domain, never the full address. */
export const maskEmail = (email: string): string => email.replace(/^(.).*(?=@)/, "$1***");
