/**
 * The persistent data of the service. The server and the commands depend on this interface, not on a database.
 * A change is durable when its promise resolves. Instants are UTC milliseconds and are passed in: stores read no clock.
 * `embedded.ts` and `postgres.ts` share one schema and one set of queries, and one contract suite tests both.
 * Every method throws the EolgateError `store-unavailable` if the database is not available.
 */
import type { IsoDate } from "../../text/ids.ts";
import type {
  AlertRow,
  JobRow,
  KevPair,
  KeyRow,
  Lease,
  NewMail,
  OutboxCounts,
  QueuedMail,
  SubscriptionRow,
  WatchedCycle,
  WatchList,
} from "./rows.ts";

export type * from "./rows.ts";

export interface Store extends StoreTables {
  readonly kind: "embedded" | "postgres";
  /** Runs `work` in a transaction. `work` must use only `tables`, because the embedded store has one connection; it may run again after a conflict. */
  transaction<T>(work: (tables: StoreTables) => Promise<T>): Promise<T>;
  /** Resolves if the database responds. Used by the readiness check. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreTables {
  readonly keys: KeyTable;
  readonly allowances: AllowanceTable;
  readonly watch: WatchTable;
  readonly alerts: AlertTable;
  readonly kev: KevTable;
  readonly outbox: OutboxTable;
  readonly payments: PaymentTable;
  readonly jobs: JobTable;
  readonly settings: SettingTable;
}

export interface KeyTable {
  /** Adds `key` unless the address has an active key of the same tier, and returns the active key. */
  addOnce(key: KeyRow): Promise<KeyRow>;
  byId(id: string): Promise<KeyRow | undefined>;
  /** Keys that are not revoked, oldest first. */
  ofEmail(email: string): Promise<readonly KeyRow[]>;
  /** A page of all keys, including revoked ones, sorted by id. */
  list(page: Page): Promise<readonly KeyRow[]>;
  /** False if there is no active key with this id; also for the next two methods. */
  revoke(id: string, at: number): Promise<boolean>;
  /** Stores the hash of the key for a new secret version. The old text of the key becomes invalid. */
  rekey(id: string, hash: string, secretVersion: number): Promise<boolean>;
  /** @param until when payment ends, or null while it continues */
  setPaidUntil(id: string, until: number | null): Promise<boolean>;
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
  /** The list whose confirmation token has this hash, pending or confirmed. */
  byConfirmHash(hash: string): Promise<WatchList | undefined>;
  byUnsubscribeHash(hash: string): Promise<WatchList | undefined>;
  /** The confirmed or paused list of the address. */
  confirmedOf(email: string): Promise<WatchList | undefined>;
  /** Confirms a pending list and deletes the earlier list of the address. False if the list is not pending. */
  confirm(id: string, at: number): Promise<boolean>;
  /** Replaces the release cycles of a confirmed or paused list. False if there is no such list. */
  setCycles(id: string, cycles: readonly WatchedCycle[]): Promise<boolean>;
  /** Pauses a confirmed list, or resumes a paused one. False if there is no list in that state. */
  setPaused(id: string, paused: boolean): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /** A page of the confirmed lists, sorted by id. Paused lists are not included. */
  confirmed(page: Page): Promise<readonly WatchList[]>;
  /** Locks a confirmed or paused list until the end of the transaction; undefined if it does not exist. */
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
  /** Extends all leases of an owner. */
  extend(owner: string, until: number): Promise<void>;
  /** Like the next three methods, changes a mail only if `owner` holds its lease; otherwise returns false. */
  sent(id: string, owner: string, at: number): Promise<boolean>;
  retry(id: string, owner: string, dueAt: number, error: string): Promise<boolean>;
  dead(id: string, owner: string, error: string): Promise<boolean>;
  release(id: string, owner: string): Promise<boolean>;
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
  subscription(id: string): Promise<SubscriptionRow | undefined>;
  /** Locks a subscription until the end of the transaction. Creates an empty one if it is new. */
  lock(id: string): Promise<SubscriptionRow>;
  update(row: SubscriptionRow): Promise<void>;
  /** The subscriptions that pay for the key. */
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

export interface Page {
  /** Id of the last entry of the previous page. */
  readonly after?: string;
  readonly limit: number;
}
