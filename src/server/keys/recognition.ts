/**
 * Recognises a key and its tier. Rows and recognised keys are kept for a short time, so that most requests ask neither
 * the store nor the hash function twice, and a store that does not answer for a while refuses no client.
 */
import type { KeyRow, Store } from "../../store/store.ts";
import { MINUTE, SECOND } from "../clock.ts";
import type { Clock } from "../clock.ts";
import { mailboxOf } from "../mail/email-address.ts";
import type { KeyService, Tier } from "../services.ts";
import { hashOf, hasHash, idOfKey } from "./key-text.ts";
import type { Tiers } from "./tiers.ts";

export interface RecognitionOptions {
  readonly store: Store;
  readonly tiers: Tiers;
  readonly clock: Clock;
}

export interface Recognition extends Pick<KeyService, "authenticate"> {
  /** Reads the key from the store again at its next use. */
  forget(id: string): void;
}

type Holder = NonNullable<Awaited<ReturnType<KeyService["authenticate"]>>>;

/** How long a recognised key is not read again unless the store's mark of changed keys differs. */
const FRESH = 15 * SECOND;
/** How often the mark is read: a revocation reaches every process within this time. */
const MARK_FRESH = SECOND;
/** How long recognised keys continue working while the store does not answer. */
const STALE = 10 * MINUTE;
const MAX_CACHED = 50_000;

export function createRecognition({ store, tiers, clock }: RecognitionOptions): Recognition {
  const rows = createRowCache(store, clock);
  /** By the hash of the key's text: a key that asks again costs one hash, not four. */
  const recognised = new Map<string, { readonly row: KeyRow; readonly holder: Holder }>();

  const tierOf = (row: KeyRow): Tier => {
    const unpaid = row.paidUntil !== null && clock() >= row.paidUntil;
    return (unpaid ? undefined : tiers.get(row.tier)) ?? tiers.free;
  };

  const holderOf = (row: KeyRow, known?: Holder): Holder => {
    const tier = tierOf(row);
    return known?.tier === tier ? known : { id: quotaId(row.email, tier), tier };
  };

  const recognise = async (text: string, hash: string): Promise<Holder | undefined> => {
    const id = idOfKey(text);
    const row = id === undefined ? undefined : await rows.read(id);
    if (!row || row.revokedAt !== null || !hasHash(text, row.hash)) return undefined;
    const holder = holderOf(row);
    if (recognised.size >= MAX_CACHED) recognised.clear();
    recognised.set(hash, { row, holder });
    return holder;
  };

  return {
    authenticate(text) {
      const hash = hashOf(text);
      if (!rows.isChecked()) return rows.check().then(() => recognise(text, hash));
      const known = recognised.get(hash);
      // The row that is kept and fresh is the very one that was recognised: neither revoked nor made anew since.
      const fresh = known && rows.fresh(known.row.id) === known.row;
      return fresh ? holderOf(known.row, known.holder) : recognise(text, hash);
    },
    forget: (id) => rows.forget(id),
  };
}

interface RowCache {
  /** Whether the store was asked a moment ago whether a key has changed. */
  isChecked(): boolean;
  /** Forgets every key when one was revoked or its payment ended, in this or another process. */
  check(): Promise<void>;
  /** The row if it was read from the store a moment ago. */
  fresh(id: string): KeyRow | undefined;
  /** The row, from the store unless it is fresh; a stale one while the store does not answer. */
  read(id: string): Promise<KeyRow | undefined>;
  forget(id: string): void;
}

function createRowCache(store: Store, clock: Clock): RowCache {
  const cache = new Map<string, { readonly row: KeyRow; readonly at: number }>();
  const mark = createMark(store, clock, () => cache.clear());

  const within = (id: string, age: number): KeyRow | undefined => {
    const known = cache.get(id);
    return known && Math.abs(clock() - known.at) < age ? known.row : undefined;
  };

  const remember = (row: KeyRow, at: number): void => {
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED) cache.delete(oldest);
    cache.set(row.id, { row, at });
  };

  return {
    isChecked: mark.isFresh,
    check: mark.read,
    fresh: (id) => within(id, FRESH),
    async read(id) {
      const fresh = within(id, FRESH);
      if (fresh) return fresh;
      const now = clock();
      const stale = within(id, STALE);
      const before = mark.value();
      try {
        const row = await store.keys.byId(id);
        cache.delete(id);
        // A row that was read before the mark changed may be out of date.
        if (row && mark.value() === before) remember(row, now);
        return row;
      } catch (error) {
        if (stale) return stale;
        throw error;
      }
    },
    forget: (id) => void cache.delete(id),
  };
}

interface Mark {
  value(): string | undefined;
  isFresh(): boolean;
  /** Calls at once are one read of the store. */
  read(): Promise<void>;
}

/** The store's mark changes with every key that changes. */
function createMark(store: Store, clock: Clock, onChange: () => void): Mark {
  let mark = { value: undefined as string | undefined, at: Number.NEGATIVE_INFINITY };
  let reading: Promise<void> | undefined;

  const readOnce = async (): Promise<void> => {
    const at = clock();
    // While the store does not answer, the row cache decides how long known keys continue.
    const value = await store.keys.mark().catch(() => mark.value);
    if (value !== mark.value) onChange();
    mark = { value, at };
  };

  return {
    value: () => mark.value,
    isFresh: () => Math.abs(clock() - mark.at) < MARK_FRESH,
    read() {
      reading ??= readOnce().finally(() => (reading = undefined));
      return reading;
    },
  };
}

/**
 * What a key's requests are counted for: the mailbox and tier, not the key, so that a key that replaces another one, or
 * a paid one that fell back to free, inherits what was used. Hashed: counters name no address.
 */
function quotaId(email: string, tier: Tier): string {
  return hashOf(`${mailboxOf(email)} ${tier.name}`).slice(0, 24);
}
