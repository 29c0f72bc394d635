/** The row types of the store. No row contains a key, token, secret or document: keys and tokens are stored as hashes. */
import type { Followed } from "../../support/followed.ts";
import type { IsoDate, ProductSlug } from "../../text/ids.ts";

export interface KeyRow {
  /** 16 base32 characters: the first part of the key's text, not secret. */
  readonly id: string;
  /** SHA-256 of the key's text, hexadecimal. */
  readonly hash: string;
  readonly email: string;
  readonly tier: string;
  /** Version of the server's secret from which the key is derived. */
  readonly secretVersion: number;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** The key has the free tier from this instant on; null if its payment has not stopped. */
  readonly paidUntil: number | null;
}

/** The result of a lease: the uses `granted` now, and all uses of the day (`used`), including these. */
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
  /** The watched release cycles: at most 50, highest risk first. */
  readonly cycles: readonly WatchedCycle[];
  /** The events that are reported about `packages`; empty for a list of release cycles only. */
  readonly follow: readonly Followed[];
  /** Package URLs without qualifiers, at most 1,000, in the order of the document. */
  readonly packages: readonly string[];
  readonly secretVersion: number;
  readonly confirmHash: string;
  readonly unsubscribeHash: string;
  readonly createdAt: number;
  /** A pending list cannot be confirmed after this instant. */
  readonly expiresAt: number;
  readonly confirmedAt: number | null;
}

/** Why an alert about a release cycle is sent. */
export type CycleTrigger = "12-months" | "90-days" | "60-days" | "30-days" | "7-days" | "passed" | "kev";
export type AlertTrigger = CycleTrigger | Followed;

/** An alert that was sent or deliberately not sent. Its row prevents a second mail. */
export interface AlertRow {
  readonly email: string;
  /** `slug:cycle`, or a package URL. */
  readonly watched: string;
  readonly trigger: AlertTrigger;
  /** The end date of the trigger, empty if only the fact of the end is known; the CVE for `kev`; empty for a package. */
  readonly subject: string;
  /** `welcome`: included in the mail after the confirmation. `superseded`: not sent, because a later threshold was reached. */
  readonly state: "sent" | "welcome" | "superseded";
  readonly day: IsoDate;
}

export interface KevPair {
  readonly product: string;
  readonly cve: string;
}

/** A queued mail, stored as the facts it is composed from. Its text, keys and links are created when it is sent. */
export interface NewMail {
  /** Sorts by creation time. Also the left part of the Message-ID, so that a duplicate can be recognised. */
  readonly id: string;
  readonly kind: string;
  readonly email: string;
  /** A JSON object; its fields depend on `kind`. */
  readonly facts: string;
  readonly createdAt: number;
}

export interface QueuedMail extends NewMail {
  readonly attempts: number;
  /** Start of the current series of attempts: the creation, or the last requeue. */
  readonly since: number;
  readonly lastError: string | null;
}

export interface OutboxCounts {
  readonly queued: number;
  readonly dead: number;
  readonly sent: number;
  /** Creation of the oldest queued mail. */
  readonly oldestQueuedAt: number | null;
}

/** A paid subscription. Its events arrive in any order, so any field may be set before the others. */
export interface SubscriptionRow {
  /** The subscription's id at the payment service. */
  readonly id: string;
  readonly email: string | null;
  readonly tier: string | null;
  /** The key that was issued for it. */
  readonly keyId: string | null;
  /** Whether the first payment has arrived. */
  readonly paid: boolean;
  /** End of the paid period; null while the subscription continues. */
  readonly endsAt: number | null;
  /** Ended permanently: later events do not reactivate it. */
  readonly cancelled: boolean;
  /** Creation of the newest event about `endsAt` at the payment service; older events do not change `endsAt`. */
  readonly eventAt: number;
}

export interface JobRow {
  readonly name: string;
  /** The process that holds the lease, until `until`; null if there is no lease. */
  readonly owner: string | null;
  readonly until: number | null;
  /** End of the last successful run. */
  readonly ranAt: number | null;
}
