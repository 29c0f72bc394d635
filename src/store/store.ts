/**
 * What the service keeps, as questions and acts: the server and the commands know this interface and no database.
 * Every act is durable when its promise resolves. Instants are UTC milliseconds, handed in: no store reads a clock.
 * Two stores implement it with one schema and one set of queries (`embedded.ts`, `postgres.ts`), and one contract
 * suite runs on both. A store that cannot answer throws an EolgateError `unavailable`, code `store-unavailable`.
 */
import type { IsoDate } from "../core/ids.ts";
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
  /** All or nothing. Inside, only `tables` may be used: the embedded store has one connection. */
  transaction<T>(work: (tables: StoreTables) => Promise<T>): Promise<T>;
  /** Resolves when the store answers; readiness asks it. */
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
  /** The live key of the same address and tier when there is one, else `key`: never two quotas for one address. */
  addOnce(key: KeyRow): Promise<KeyRow>;
  byId(id: string): Promise<KeyRow | undefined>;
  /** Keys that are not revoked, oldest first. */
  ofEmail(email: string): Promise<readonly KeyRow[]>;
  /** Every key, by id, `limit` after `after`. */
  list(page: Page): Promise<readonly KeyRow[]>;
  /** False when there is no such live key. */
  revoke(id: string, at: number): Promise<boolean>;
  /** The same key under another secret: the old text stops working. */
  rekey(id: string, hash: string, secretVersion: number): Promise<boolean>;
  /** When payment ends, or null while it continues. */
  setPaidUntil(id: string, until: number | null): Promise<boolean>;
  /** Another text after each change of a key, by any process; undefined before the first. */
  mark(): Promise<string | undefined>;
}

export interface AllowanceTable {
  /**
   * Takes up to `block` uses of what is left of `limit` for the subject on the day, atomically: the uses granted over
   * all processes never pass the limit. Blocks shrink as the limit nears, so that little is stranded in one process.
   */
  lease(subject: string, day: IsoDate, block: number, limit: number): Promise<Lease>;
  /** Returns uses that were leased and not used (a graceful stop). */
  giveBack(subject: string, day: IsoDate, uses: number): Promise<void>;
  /** Drops the counters of days before `day`; answers how many. */
  prune(day: IsoDate): Promise<number>;
}

export interface WatchTable {
  /** Adds a pending list and drops the address's earlier pending one. A confirmed one stays unchanged. */
  addPending(list: WatchList): Promise<void>;
  byId(id: string): Promise<WatchList | undefined>;
  /** The list whose confirmation token has this hash, pending or confirmed. */
  byConfirmHash(hash: string): Promise<WatchList | undefined>;
  byUnsubscribeHash(hash: string): Promise<WatchList | undefined>;
  /** The address's list after its confirmation, paused or not. */
  confirmedOf(email: string): Promise<WatchList | undefined>;
  /** Makes the pending list the address's only one. False when it is not pending any longer. */
  confirm(id: string, at: number): Promise<boolean>;
  /** Replaces the release cycles of a confirmed or paused list. */
  setLines(id: string, lines: readonly WatchedCycle[]): Promise<boolean>;
  /** Pauses a confirmed list, or resumes a paused one. False when there is no such list in the other state. */
  setPaused(id: string, paused: boolean): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  /** Confirmed lists by id, `limit` after `after`. */
  confirmed(page: Page): Promise<readonly WatchList[]>;
  /** Locks a confirmed or paused list for the rest of the transaction; undefined when it is gone. */
  lock(id: string): Promise<WatchList | undefined>;
  dropExpired(now: number): Promise<number>;
}

export interface AlertTable {
  ofEmail(email: string): Promise<readonly AlertRow[]>;
  /** Adds those that are not there yet and answers them: who adds a row sends its mail. */
  addOnce(rows: readonly AlertRow[]): Promise<readonly AlertRow[]>;
  clear(email: string): Promise<void>;
}

/** Which known-exploited vulnerabilities the last refresh already knew. */
export interface KevTable {
  known(): Promise<readonly KevPair[]>;
  add(pairs: readonly KevPair[]): Promise<void>;
}

export interface OutboxTable {
  add(mail: NewMail): Promise<void>;
  /** Leases up to `limit` due mails to `owner` until `until`: no two owners hold one at a time. */
  claim(owner: string, now: number, until: number, limit: number): Promise<readonly QueuedMail[]>;
  /** Prolongs every lease of a living owner. */
  extend(owner: string, until: number): Promise<void>;
  /** The next four change a mail only while `owner` still holds its lease; false otherwise. */
  sent(id: string, owner: string, at: number): Promise<boolean>;
  retry(id: string, owner: string, dueAt: number, error: string): Promise<boolean>;
  dead(id: string, owner: string, error: string): Promise<boolean>;
  release(id: string, owner: string): Promise<boolean>;
  /** Puts dead letters back with a fresh start: the one, or all. Answers how many. */
  requeue(now: number, id?: string): Promise<number>;
  deadLetters(limit: number): Promise<readonly QueuedMail[]>;
  counts(): Promise<OutboxCounts>;
  /** Drops sent mails older than `before`. */
  prune(before: number): Promise<number>;
}

export interface PaymentTable {
  /** True the first time an event id is seen. Call it in the transaction that acts on the event. */
  eventOnce(id: string, type: string, at: number): Promise<boolean>;
  subscription(id: string): Promise<SubscriptionRow | undefined>;
  /** The subscription, made blank when it is new, locked for the rest of the transaction. */
  lock(id: string): Promise<SubscriptionRow>;
  update(row: SubscriptionRow): Promise<void>;
  /** Every subscription that pays for the key. */
  ofKey(keyId: string): Promise<readonly SubscriptionRow[]>;
  pruneEvents(before: number): Promise<number>;
}

export interface JobTable {
  /** True when `owner` now holds the job until `until`: it was free, its lease had run out, or was `owner`'s own. */
  acquire(name: string, owner: string, now: number, until: number): Promise<boolean>;
  /** Ends the lease; `ranAt` is kept when the run succeeded. */
  release(name: string, owner: string, ranAt: number | null): Promise<void>;
  get(name: string): Promise<JobRow | undefined>;
}

export interface SettingTable {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /** The stored value afterwards: that of the first writer. */
  setOnce(name: string, value: string): Promise<string>;
}

export interface Page {
  readonly after?: string;
  readonly limit: number;
}
