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

export interface CycleName {
  readonly product: string;
  readonly cycle: string;
}

export interface WatchSummary extends FollowedPackages {
  readonly cycles: readonly CycleName[];
}

/** What the link of a mail leads to. */
export interface WatchLinkTarget extends WatchSummary {
  /** `ask`: its button acts. `done`: it has acted before; following it again changes nothing. */
  readonly state: "ask" | "done";
  /** Of a confirmed list. */
  readonly list?: ManagedList;
}

/** A confirmed watch list, as its owner sees it. */
export interface ManagedList extends WatchSummary {
  readonly paused: boolean;
  /** The address, masked. */
  readonly address: string;
  readonly links: WatchListLinks;
}

/** `ID-TOKEN` for each purpose. Who has the link to the feed cannot change the list. */
export interface WatchListLinks {
  readonly manage: string;
  readonly feed: string;
  readonly unsubscribe: string;
}

export interface WatchService {
  /**
   * Stores the pending list and puts the confirmation mail into the outbox, in one transaction. `from`: the address
   * block of a caller without a key, which has a limit of its own. Errors: `usage` bad address or nothing to watch,
   * `quota` too many mails.
   */
  watch(
    email: string,
    releaseCycles: readonly CycleName[],
    followed?: FollowedPackages,
    from?: string,
  ): Promise<{ readonly email: string }>;
  /** Mails the link of a confirmed list to its owner; the same answer when there is none. */
  mailLink(email: string, from: string): Promise<{ readonly email: string }>;
  /** What a token does, without doing it. Undefined: it is unknown, too late or replaced by a newer one. */
  lookUp(token: string, purpose: "confirm" | "unsubscribe"): Promise<WatchLinkTarget | undefined>;
  /** The confirmed list, also when it was confirmed before. */
  confirm(token: string): Promise<WatchLinkTarget | undefined>;
  /** Deletes the list. True also when it was deleted before. */
  unsubscribe(token: string): Promise<boolean>;
  manage(link: string): Promise<ManagedList | undefined>;
  /** Replaces the release cycles. Alerts that the page shows at this moment are not sent any longer. */
  edit(link: string, releaseCycles: readonly CycleName[]): Promise<boolean>;
  setPaused(link: string, paused: boolean): Promise<boolean>;
  /** The release cycles for the feeds of the list. */
  feed(link: string): Promise<readonly CycleName[] | undefined>;
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
