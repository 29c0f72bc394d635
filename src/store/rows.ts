/** The row types of the store. No row contains a key, a token, a secret or a document: only hashes and facts. */
import type { Followed } from "../core/support/followed.ts";
import type { IsoDate, ProductSlug } from "../core/ids.ts";

export interface KeyRow {
  /** 16 base32 characters; the first part of the key's text, and safe to show. */
  readonly id: string;
  /** SHA-256 of the key's text, hexadecimal. */
  readonly hash: string;
  readonly email: string;
  readonly tier: string;
  /** Which version of the server's secret the key is derived from. */
  readonly secretVersion: number;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** From this instant on the key has the free tier; null for keys whose payment was not stopped. */
  readonly paidUntil: number | null;
}

/** What a lease gave: `granted` uses now, `used` over all processes including them. */
export interface Lease {
  readonly granted: number;
  readonly used: number;
}

export interface WatchedCycle {
  readonly product: ProductSlug;
  readonly cycle: string;
}

export interface WatchList {
  readonly id: string;
  readonly email: string;
  /** A paused list is confirmed and sends no mail until it is resumed. */
  readonly state: "pending" | "confirmed" | "paused";
  /** At most 50, riskiest first. */
  readonly lines: readonly WatchedCycle[];
  /** What is followed about `packages`; empty for a list of release cycles only. */
  readonly follow: readonly Followed[];
  /** Bare package URLs, at most 1,000, in the order of the document. */
  readonly packages: readonly string[];
  readonly secretVersion: number;
  readonly confirmHash: string;
  readonly unsubscribeHash: string;
  readonly createdAt: number;
  /** Until when a pending list may be confirmed. */
  readonly expiresAt: number;
  readonly confirmedAt: number | null;
}

/** Why an alert about a release cycle is sent. */
export type CycleTrigger = "12-months" | "90-days" | "60-days" | "30-days" | "7-days" | "passed" | "kev";
export type AlertTrigger = CycleTrigger | Followed;

/** An alert that was decided: its existence is what keeps it from being decided again. */
export interface AlertRow {
  readonly email: string;
  /** `slug:cycle`, or a package URL. */
  readonly line: string;
  readonly trigger: AlertTrigger;
  /** The end date that the trigger counts from, empty if the end is stated without a day; for `kev` the CVE; empty for a package. */
  readonly subject: string;
  /** `welcome`: reported when the list was confirmed. `superseded`: a later threshold was already crossed. */
  readonly state: "sent" | "welcome" | "superseded";
  readonly day: IsoDate;
}

export interface KevPair {
  readonly product: string;
  readonly cve: string;
}

/** A mail as it waits: the facts it is made from. Its words, keys and links are made when it is sent. */
export interface NewMail {
  /** Ordered by time; also the left part of the Message-ID, so a second sending is recognisable. */
  readonly id: string;
  readonly kind: string;
  readonly email: string;
  /** JSON. */
  readonly facts: string;
  readonly createdAt: number;
}

export interface QueuedMail extends NewMail {
  readonly attempts: number;
  /** When the current series of attempts began: the creation, or the last re-queueing. */
  readonly since: number;
  readonly lastError: string | null;
}

export interface OutboxCounts {
  readonly queued: number;
  readonly dead: number;
  readonly sent: number;
  /** Creation of the oldest mail that still waits. */
  readonly oldestQueuedAt: number | null;
}

/** What is known of a paid subscription. Its events come in any order, so each field may be known before the others. */
export interface SubscriptionRow {
  /** The payment service's id of the subscription. */
  readonly id: string;
  readonly email: string | null;
  readonly tier: string | null;
  /** The key that was issued for it. */
  readonly keyId: string | null;
  /** Whether the first payment has arrived. */
  readonly paid: boolean;
  /** From when on it is not paid any longer; null while it continues. */
  readonly endsAt: number | null;
  /** Ended for good: no later event brings it back. */
  readonly cancelled: boolean;
  /** When the payment service made the newest event about `endsAt`: older ones do not change it. */
  readonly eventAt: number;
}

export interface JobRow {
  readonly name: string;
  readonly owner: string | null;
  readonly until: number | null;
  readonly ranAt: number | null;
}
