/**
 * The services that the server needs besides the catalogue: keys, quotas, watch lists, payments. The application
 * depends on these interfaces only; `serve/store-services.ts` implements them over the store, tests pass their own.
 */
import { cycleKey } from "../text/ids.ts";
import type { CycleRef, Report, VerdictValue } from "../model/index.ts";
import type { UnmatchedComponent } from "../wire/schemas.ts";
import type { ScoreCap } from "../api/operations/local.ts";
import type { OperationInput } from "../api/operations/operations.ts";

/** A value or a promise. A value that is available immediately saves a turn of the event loop per request. */
export type MaybePromise<T> = T | Promise<T>;

/** Like `then`, but synchronous for a value that is not a promise, which saves a turn of the event loop per request. */
export const after = <A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> =>
  value instanceof Promise ? value.then(next) : next(value);

/** Limits of a tier; null means unlimited. A file can replace the defaults. */
export interface Tier {
  readonly name: string;
  readonly requestsPerDay: number | null;
  readonly batchItems: number | null;
  readonly sbomComponents: number | null;
}

/** A tier with its price. */
export interface PricedTier extends Tier {
  /** Price per month in whole units of the currency; null if the tier is not sold. */
  readonly pricePerMonth: number | null;
}

/** The caller of a request, after the check of its key. */
export interface Caller {
  readonly kind: "key" | "anonymous" | "open";
  /** Whose quota is used: a hash of the key's mailbox and tier, or the block of the address. Not a key or a complete address. */
  readonly subject: string;
  readonly tier: Tier;
  /** The form of batches, a property of the key; absent without a key. */
  readonly batchEnvelope?: boolean;
}

/** What the check of a key finds. */
export interface KeyHolder {
  readonly id: string;
  readonly tier: Tier;
  readonly batchEnvelope?: boolean;
}

export interface KeyService {
  /**
   * The holder of a valid key that is not revoked; undefined for any other text. Synchronous for recently used
   * keys. @throws EolgateError `store-unavailable`
   */
  authenticate(key: string): MaybePromise<KeyHolder | undefined>;
  /** Sends the free key of an address by mail. @param from network of the client. @throws EolgateError `invalid-email`, `signup-limit`, `no-public-url` */
  mailFree(email: string, from: string): Promise<{ readonly email: string }>;
  /** Sends all keys of an address again by mail. The result is the same if there are none. @throws EolgateError as `mailFree` */
  recover(email: string, from: string): Promise<{ readonly email: string }>;
}

/** Whether the quota of a subject allows one more request on the UTC day. */
export interface QuotaDecision {
  readonly allowed: boolean;
  readonly remaining: number;
}
export interface QuotaService {
  /** Counts one request. All processes together never exceed `limit`. */
  take(subject: string, limit: number): MaybePromise<QuotaDecision>;
  /** Counts a wrong key, without the store. False if the address block has sent too many of them on the UTC day. */
  failedKey(from: string): boolean;
}

export interface ProductCycle {
  readonly product: string;
  readonly cycle: string;
}

/** Each release cycle once, in the given order. */
export const uniqueCycles = <Cycle extends ProductCycle>(cycles: readonly Cycle[]): readonly Cycle[] => [
  ...new Map(cycles.map((each) => [cycleKey(each), each])).values(),
];

export interface WatchSummary {
  readonly cycles: readonly ProductCycle[];
}

/** The watch list that the link in a mail refers to. */
export interface WatchLinkTarget extends WatchSummary {
  /** `pending`: the action of the link is possible. `done`: it was carried out before. */
  readonly state: "pending" | "done";
  /** The list, if it is confirmed. */
  readonly list?: ManagedList;
}

/** A confirmed watch list as shown to its owner. */
export interface ManagedList extends WatchSummary {
  /** The address, masked. */
  readonly address: string;
  readonly links: WatchListLinks;
}

/** A link (`ID-TOKEN`) for each purpose. The link to the feed does not allow changes of the list. */
export interface WatchListLinks {
  readonly manage: string;
  readonly feed: string;
  readonly unsubscribe: string;
}

export interface WatchService {
  /**
   * Stores a pending list and queues the confirmation mail.
   * @param from address block of a caller without a key, which has its own limit
   * @throws EolgateError `invalid-email`, `nothing-to-watch`, `signup-limit`, `mail-limit`, `no-public-url`
   */
  watch(email: string, releaseCycles: readonly ProductCycle[], from?: string): Promise<{ readonly email: string }>;
  /** Sends the link of a confirmed list to its owner. The result is the same if there is no list. @throws EolgateError as `watch` */
  mailLink(email: string, from: string): Promise<{ readonly email: string }>;
  /** The list that a token refers to, without a change. Undefined if the token is unknown, expired or replaced. */
  lookUp(token: string, purpose: "confirm" | "unsubscribe"): Promise<WatchLinkTarget | undefined>;
  /** Confirms the list. The result is the same if it was confirmed before; undefined as in `lookUp`. */
  confirm(token: string): Promise<WatchLinkTarget | undefined>;
  /** Deletes the list. Also true if it was deleted before. */
  unsubscribe(token: string): Promise<boolean>;
  manage(link: string): Promise<ManagedList | undefined>;
  /** Replaces the release cycles. No alert is sent about facts that the page of the list already shows. */
  edit(link: string, releaseCycles: readonly ProductCycle[]): Promise<boolean>;
  /** The release cycles for the feeds of the list. */
  feed(link: string): Promise<readonly ProductCycle[] | undefined>;
}

export interface PaymentService {
  checkout(tier: "starter" | "pro", email: string | undefined): Promise<{ readonly url: string; readonly id: string }>;
  /** @param body the unchanged bytes, over which the signature is computed */
  webhook(body: Uint8Array, signature: string | undefined): Promise<void>;
}

export interface Services {
  readonly keys: KeyService;
  readonly quotas: QuotaService;
  readonly watches: WatchService;
  /** Absent if payments are not configured; the routes then answer 501. */
  readonly payments?: PaymentService;
  /** Tier of callers without a key (during keyless access, and on /mcp). */
  readonly anonymous: Tier;
  /** Tier of the key that POST /v1/keys/free sends. */
  readonly free: Tier;
  /** All tiers, for the documentation and the page of prices. */
  readonly tiers: readonly PricedTier[];
  /** The checks of /readyz: whether another process could answer better. They do not use what all processes share. */
  readonly checks: Checks;
  /** Problems that /readyz states and that do not make the service unready. */
  readonly remarks?: Checks;
  /** The same for /readyz?store, which asks the store. */
  readonly storeRemarks?: Checks;
}

/** Checks by name. They return undefined or a description of the problem. */
export type Checks = Readonly<Record<string, () => Promise<string | undefined>>>;

export interface DocumentRequest {
  readonly input: OperationInput<"sbom">;
  readonly cap?: ScoreCap;
}

/** The content of a request to POST /v1/sbom/watch. */
export interface WatchContent {
  /** As given in the body, not validated. */
  readonly email: string;
  /** Distinct cycles, highest risk first. */
  readonly cycles: readonly CycleRef[];
  readonly unmatched: readonly UnmatchedComponent[];
}

/** A file or a list to check in the browser. */
export interface CheckRequest {
  readonly bytes: Uint8Array;
  /** Name of the file, which decides how it is read; null for a pasted list. */
  readonly file: string | null;
  readonly cap?: ScoreCap;
}

/** The result of a check, for display and download. */
export interface CheckedDocument {
  readonly verdict: VerdictValue;
  readonly exit: Report["exit"];
  /** The content of the HTML report, without the surrounding page. */
  readonly content: string;
  /** The HTML report as one file. */
  readonly report: string;
  /** Distinct cycles for a watch list, highest risk first. */
  readonly cycles: readonly CycleRef[];
  /** The document with lifecycle properties, or the reason why there is none. */
  readonly enriched: Uint8Array | string;
}

export interface Documents {
  /** The response of POST /v1/sbom, as JSON in UTF-8. */
  sbom(question: DocumentRequest): Promise<Uint8Array>;
  /** The document with lifecycle properties. */
  enrich(question: DocumentRequest): Promise<Uint8Array>;
  /** Parses the body of POST /v1/sbom/watch. */
  watch(body: Uint8Array): Promise<WatchContent>;
  /** Assesses a file or a list with the default policy. */
  check(question: CheckRequest): Promise<CheckedDocument>;
  /** Starts a thread in advance for the first large document. */
  warm(): void;
  /** Whether the queue is full. Checked before the body of a request is read. */
  busy(): boolean;
  close(): Promise<void>;
}
