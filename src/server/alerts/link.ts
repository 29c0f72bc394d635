/**
 * Links to a watch list. A token is a MAC over the list's id under the server's secret: every mail can contain it, and
 * the store contains none.
 */
import { timingSafeEqual } from "node:crypto";
import { base32 } from "../keys/key-text.ts";
import type { Secret, SecretRing } from "../keys/secret.ts";

export type WatchPurpose = "confirm" | "unsubscribe" | "manage" | "feed";

/** The token for a purpose: the same for the same list and secret. */
export function watchToken(purpose: WatchPurpose, listId: string, secret: Secret): string {
  return base32(secret.derive(`watch-${purpose}`, listId));
}

/** `ID-TOKEN`: names the list, so that it can be verified without the store, also after the list was deleted. */
export const watchLink = (purpose: WatchPurpose, listId: string, secret: Secret): string =>
  `${listId}-${watchToken(purpose, listId, secret)}`;

/** 15 bytes and 32 bytes in base32. */
const LINK = /^([a-z2-7]{24})-([a-z2-7]{52})$/;

/** The id of the list; undefined unless the token was made for this purpose. Compared in constant time. */
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
