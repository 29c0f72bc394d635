/**
 * Watch lists (specification 2.9, 4.7): made pending, confirmed by the mailbox's owner, ended by one click. The list
 * that is confirmed keeps alerting until a new one is confirmed, so nobody can wipe another's alerts.
 */
import type { Assessment, Catalogue } from "../../core/model.ts";
import type { Store, WatchLine, WatchList } from "../../store/store.ts";
import type { Clock } from "../clock.ts";
import type { SecretRing } from "../keys/secret.ts";

export interface WatchRequest {
  readonly email: string;
  /** What is watched, riskiest first, at most `WATCH_LIMIT`. */
  readonly lines: readonly WatchLine[];
  /** Lines beyond the limit. */
  readonly dropped: readonly WatchLine[];
}

export type WatchAnswer =
  /** Done now. */
  | { readonly kind: "done"; readonly list: WatchList }
  /** Was done before: nothing changed. */
  | { readonly kind: "already"; readonly list: WatchList }
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" };

export interface Watch {
  /**
   * A pending list of the assessed lines (each line once) and its confirmation mail.
   * @throws Fault `usage` `invalid-email` or `nothing-to-watch`, `quota` `mail-limit` (three mails a day and address).
   */
  create(email: unknown, assessments: readonly Assessment[]): Promise<WatchRequest>;
  /** What a confirmation token stands for, without acting: for the page with the button. */
  peekConfirm(token: string): Promise<WatchAnswer>;
  confirm(token: string): Promise<WatchAnswer>;
  peekUnsubscribe(token: string): Promise<WatchAnswer>;
  unsubscribe(token: string): Promise<WatchAnswer>;
}

export interface WatchOptions {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly clock: Clock;
  /** The catalogue that serves now. */
  readonly catalogue: () => Catalogue;
}

/** Specification 2.9. */
export const WATCH_LIMIT = 50;
