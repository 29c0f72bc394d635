/**
 * The services that the server needs besides the catalogue: keys, quotas, watch lists, payments. The application
 * depends on these interfaces only; `cli/serve.ts` passes implementations over the store, tests pass their own.
 */

import type { Followed } from "../core/support/followed.ts";

/** Known at once, or later: the hot path is answered in one turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>;

/** Limits of a tier; null is unlimited. A file can replace the defaults. */
export interface Tier {
  readonly name: string;
  readonly requestsPerDay: number | null;
  readonly batchItems: number | null;
  readonly sbomComponents: number | null;
}

/** The caller, after its key was checked. */
export interface Caller {
  readonly kind: "key" | "anonymous" | "open";
  /** What a quota is counted for: the key's id, or the block of the address. Never the key or the full address. */
  readonly subject: string;
  readonly tier: Tier;
}

export interface KeyService {
  /**
   * The holder of a valid key that is not revoked, compared in constant time. Answered synchronously for recently used
   * keys.
   */
  authenticate(key: string): MaybePromise<{ readonly id: string; readonly tier: Tier } | undefined>;
  /** Mails the free key of an address. Errors: `usage` bad address, `quota` sign-up limit, `unavailable` no mail. */
  mailFree(email: string, from: string): Promise<{ readonly email: string; readonly tier: Tier }>;
  /** Mails every key of an address again; the same answer when there is none. */
  recover(email: string, from: string): Promise<{ readonly email: string }>;
}

/** Whether one more request of a subject fits in its UTC day. */
export interface QuotaDecision {
  readonly allowed: boolean;
  readonly remaining: number;
}
export interface QuotaService {
  /** Counts one request. Never passes `limit`, also not over several processes. */
  take(subject: string, limit: number): MaybePromise<QuotaDecision>;
  /** Of a failed key: false when this address block has tried too many. */
  failedKey(from: string): MaybePromise<boolean>;
}

/** Packages that a watch list follows besides its release cycles. */
export interface FollowedPackages {
  readonly follow: readonly Followed[];
  /** Bare package URLs of public packages. */
  readonly packages: readonly string[];
}

/** What a token would confirm or end. */
export interface WatchSummary extends FollowedPackages {
  /** `slug:cycle` */
  readonly lines: readonly string[];
}

export interface WatchService {
  /** Stores the pending list and puts the confirmation mail into the outbox, in one transaction. */
  watch(
    email: string,
    releaseCycles: readonly { readonly product: string; readonly cycle: string }[],
    followed?: FollowedPackages,
  ): Promise<{ readonly email: string }>;
  /** For the page with the button: what a token would do, or undefined when it is unknown, used or too late. */
  lookUp(token: string, purpose: "confirm" | "unsubscribe"): Promise<WatchSummary | undefined>;
  confirm(token: string): Promise<boolean>;
  unsubscribe(token: string): Promise<boolean>;
}

export interface PaymentService {
  checkout(tier: "starter" | "pro", email: string | undefined): Promise<{ readonly url: string; readonly id: string }>;
  /** `body` as it came: the signature is over the raw bytes. */
  webhook(body: Uint8Array, signature: string | undefined): Promise<void>;
}

export interface Services {
  readonly keys: KeyService;
  readonly quotas: QuotaService;
  readonly watches: WatchService;
  /** Absent: not configured, 501. */
  readonly payments?: PaymentService;
  /** Tier of those who send no key (before the cut-off, and on /mcp). */
  readonly anonymous: Tier;
  /** Tier of the key that POST /v1/keys/free sends. */
  readonly free: Tier;
  /** Every tier there is, for the documentation. */
  readonly tiers: readonly Tier[];
  /** Named checks of /readyz: undefined means ready, a text is the problem. */
  readonly checks: Readonly<Record<string, () => Promise<string | undefined>>>;
  /** What wants attention while the service is ready: dead letters. Undefined is nothing. */
  readonly remarks?: Readonly<Record<string, () => Promise<string | undefined>>>;
}
