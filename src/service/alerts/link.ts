/**
 * Links to a watch list. A token is a MAC of the list's id with the server's secret, so it can be created again for each
 * mail and is not stored.
 */
import { timingSafeEqual } from "node:crypto";
import { base32 } from "../keys/key-text.ts";
import type { Secret, SecretRing } from "../keys/secret.ts";

export type WatchPurpose = "confirm" | "unsubscribe" | "manage" | "feed";

/** The token for a purpose, which depends only on the list and the secret. */
export const watchToken = (purpose: WatchPurpose, listId: string, secret: Secret): string =>
  base32(secret.derive(`watch-${purpose}`, listId));

/** `ID-TOKEN`. With the id, a link can be verified without the store, even after the list was deleted. */
export const watchLink = (purpose: WatchPurpose, listId: string, secret: Secret): string =>
  `${listId}-${watchToken(purpose, listId, secret)}`;

/** 15 bytes and 32 bytes in base32. */
const LINK = /^([a-z2-7]{24})-([a-z2-7]{52})$/;

/** The id of the list in a valid link; undefined if the token is not valid for this purpose. Compares in constant time. */
export function listIdOf(link: string, purpose: WatchPurpose, { versions, version }: SecretRing): string | undefined {
  const [, id, token] = LINK.exec(link) ?? [];
  if (id === undefined || token === undefined) return undefined;
  const given = Buffer.from(token);
  const isOurs = versions.some((number) => {
    const secret = version(number);
    return secret !== undefined && timingSafeEqual(given, Buffer.from(watchToken(purpose, id, secret)));
  });
  return isOurs ? id : undefined;
}
