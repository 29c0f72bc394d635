/**
 * The persistent data of the service. The server and the commands depend on this interface, not on a database.
 * A change is durable when its promise resolves. Instants are UTC milliseconds and are passed in: stores read no clock.
 * `embedded.ts` and `postgres.ts` share one schema and one set of queries, and one contract suite tests both.
 * Every method throws the EolgateError `store-unavailable` if the database is not available.
 */
import type { IsoDate, ProductSlug } from "../../text/ids.ts";

export interface Store extends StoreTables {
  /** Runs `work` in a transaction. `work` must use only `tables`, because the embedded store has one connection; it may run again after a conflict. */
  transaction<T>(work: (tables: StoreTables) => Promise<T>): Promise<T>;
  /** Resolves if the database writes. Used by the readiness check. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreTables {
  readonly keys: ApiKeyTable;
  readonly allowances: AllowanceTable;
  readonly watch: WatchTable;
  readonly alerts: AlertTable;
  readonly kev: KevTable;
  readonly outbox: OutboxTable;
  readonly payments: PaymentTable;
  readonly jobs: JobTable;
  readonly settings: SettingTable;
}

export interface ApiKeyTable {
  /** Adds `key` unless the address has an active key of the same tier, and returns the active key. */
  addOnce(key: KeyRow): Promise<KeyRow>;
  byId(id: string): Promise<KeyRow | undefined>;
  /** Keys that are not revoked, oldest first. */
  ofEmail(email: string): Promise<readonly KeyRow[]>;
  /** A page of all keys, including revoked ones, sorted by id. */
  list(page: PageRequest): Promise<readonly KeyRow[]>;
  /** False if there is no active key with this id; also for the next two methods. */
  revoke(id: string, at: number): Promise<boolean>;
  /** Stores the hash of the key for a new secret version. The old text of the key becomes invalid. */
  rekey(id: string, hash: string, secretVersion: number): Promise<boolean>;
  /** @param until when payment ends, or null while it continues */
  setPaidUntil(id: string, until: number | null): Promise<boolean>;
  setBatchEnvelope(id: string, wanted: boolean): Promise<boolean>;
  /** A revision mark, which differs after each change of a key by any process; undefined before the first change. */
  mark(): Promise<string | undefined>;
}

export interface AllowanceTable {
  /**
   * Grants up to `block` uses to the subject on the day. It is atomic: all processes together never exceed `limit`.
   * Grants become smaller near the limit, so that few unused uses remain in one process.
   */
  lease(subject: string, day: IsoDate, block: number, limit: number): Promise<Lease>;
  /** Returns uses that were leased and not used (a graceful stop). */
  giveBack(subject: string, day: IsoDate, uses: number): Promise<void>;
  /** Deletes the counters of days before `day` and returns their number. */
  prune(day: IsoDate): Promise<number>;
}

export interface WatchTable {
  /** Adds a pending list and deletes the earlier pending list of the address. A confirmed list is unchanged. */
  addPending(list: WatchList): Promise<void>;
  byId(id: string): Promise<WatchList | undefined>;
  confirmedOf(email: string): Promise<WatchList | undefined>;
  /** Confirms a pending list and deletes the earlier list of the address. False if the list is not pending. */
  confirm(id: string, at: number): Promise<boolean>;
  /** Replaces the release cycles of a confirmed list. False if there is no such list. */
  setCycles(id: string, cycles: readonly WatchedCycle[]): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /** A page of the confirmed lists, sorted by id. */
  confirmed(page: PageRequest): Promise<readonly WatchList[]>;
  /** Locks a confirmed list until the end of the transaction; undefined if it does not exist. */
  lock(id: string): Promise<WatchList | undefined>;
  /** Deletes pending lists that have expired and returns their number. */
  dropExpired(now: number): Promise<number>;
}

export interface AlertTable {
  ofEmail(email: string): Promise<readonly AlertRow[]>;
  /** Adds the rows that do not exist yet and returns these. The caller queues the mail for each returned row. */
  addOnce(rows: readonly AlertRow[]): Promise<readonly AlertRow[]>;
  clear(email: string): Promise<void>;
}

/** The known exploited vulnerabilities that were in the catalogue before; alerts are sent about new ones only. */
export interface KevTable {
  known(): Promise<readonly KevPair[]>;
  add(pairs: readonly KevPair[]): Promise<void>;
}

export interface OutboxTable {
  add(mail: NewMail): Promise<void>;
  /** Leases up to `limit` due mails to `owner` until `until`, oldest first. A mail has one lease at a time. */
  claim(owner: string, now: number, until: number, limit: number): Promise<readonly QueuedMail[]>;
  extend(owner: string, until: number): Promise<void>;
  /** Like the next two methods, changes a mail only if `owner` holds its lease; otherwise returns false. */
  sent(id: string, owner: string, at: number): Promise<boolean>;
  retry(id: string, owner: string, dueAt: number, error: string): Promise<boolean>;
  dead(id: string, owner: string, error: string): Promise<boolean>;
  /** Queues one dead letter (`id`) or all of them again, with no attempts. Returns their number. */
  requeue(now: number, id?: string): Promise<number>;
  deadLetters(limit: number): Promise<readonly QueuedMail[]>;
  counts(): Promise<OutboxCounts>;
  /** Deletes mails that were sent before `before` and returns their number. */
  prune(before: number): Promise<number>;
}

export interface PaymentTable {
  /** Records an event. False if its id was recorded before. Call it in the transaction that processes the event. */
  eventOnce(id: string, type: string, at: number): Promise<boolean>;
  /** Locks a subscription until the end of the transaction. Creates an empty one if it is new. */
  lock(id: string): Promise<SubscriptionRow>;
  update(row: SubscriptionRow): Promise<void>;
  ofKey(keyId: string): Promise<readonly SubscriptionRow[]>;
  pruneEvents(before: number): Promise<number>;
}

export interface JobTable {
  /** Leases a job to `owner` until `until`. False while another owner holds an unexpired lease. */
  acquire(name: string, owner: string, now: number, until: number): Promise<boolean>;
  /** Ends the lease of `owner`. @param ranAt end of a successful run, or null after a failure */
  release(name: string, owner: string, ranAt: number | null): Promise<void>;
  get(name: string): Promise<JobRow | undefined>;
}

export interface SettingTable {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /** Stores the value unless there is one, and returns the stored value. */
  setOnce(name: string, value: string): Promise<string>;
}

export interface PageRequest {
  /** Id of the last entry of the previous page. */
  readonly after?: string;
  readonly limit: number;
}

// The row types of the store. No row contains a key, token, secret or document: keys and tokens are stored as hashes.

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
  /** Batches are answered with an object instead of an array. */
  readonly batchEnvelope: boolean;
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
  readonly state: "pending" | "confirmed";
  /** The watched release cycles: at most 50, highest risk first. */
  readonly cycles: readonly WatchedCycle[];
  readonly secretVersion: number;
  readonly createdAt: number;
  /** A pending list cannot be confirmed after this instant. */
  readonly expiresAt: number;
  readonly confirmedAt: number | null;
}

/** Why an alert about a release cycle is sent, the least urgent first. */
export const ALERT_TRIGGERS = ["12-months", "90-days", "60-days", "30-days", "7-days", "passed", "kev"] as const;
export type AlertTrigger = (typeof ALERT_TRIGGERS)[number];

/** An alert that was sent or deliberately not sent. Its row prevents a second mail. */
export interface AlertRow {
  readonly email: string;
  /** `slug:cycle`. */
  readonly watched: string;
  readonly trigger: AlertTrigger;
  /** The end date of the trigger, empty if only the fact of the end is known; the CVE for `kev`. */
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
  /** The process that holds the lease, until `leaseUntil`; null if there is no lease. */
  readonly owner: string | null;
  readonly leaseUntil: number | null;
  /** End of the last successful run. */
  readonly ranAt: number | null;
}
