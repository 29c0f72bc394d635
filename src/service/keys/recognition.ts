/**
 * Authenticates a key. Rows and authenticated keys are cached for a short time, so that most requests need no query of
 * the store and only one hash, and known keys work while the store is unavailable for a short time.
 */
import type { KeyRow, Store } from "../store/store.ts";
import { MINUTE, SECOND, type Clock } from "../clock.ts";
import { mailboxOf } from "../mail/message.ts";
import type { KeyHolder, KeyService, Tier } from "../services.ts";
import { hashOf, hasHash, idOfKey } from "./secret.ts";
import type { Tiers } from "./tiers.ts";

export interface RecognitionOptions {
  readonly store: Store;
  readonly tiers: Tiers;
  readonly clock: Clock;
}

export interface Recognition extends Pick<KeyService, "authenticate"> {
  /** Removes the key from the cache, so that it is read from the store at its next use. */
  forget(id: string): void;
}

/** Milliseconds for which a cached row is used, unless the revision mark of the store changes. */
const FRESH = 15 * SECOND;
/** Milliseconds between reads of the mark. A revocation takes effect in every process within this time. */
const MARK_FRESH = SECOND;
/** Milliseconds for which a cached row is used while the store is unavailable. */
const STALE = 10 * MINUTE;
const MAX_CACHED = 50_000;

/** Whether the payment of a key has ended, by a cancellation, a refund or a dispute: the key has the free limits. */
export const isUnpaid = ({ paidUntil }: Pick<KeyRow, "paidUntil">, now: number): boolean =>
  paidUntil !== null && now >= paidUntil;

export function createRecognition({ store, tiers, clock }: RecognitionOptions): Recognition {
  const rows = createRowCache(store, clock);
  /** By the hash of the key's text: a cached key costs one hash instead of four. */
  const recognised = new Map<string, { readonly row: KeyRow; readonly holder: KeyHolder }>();

  const tierOf = (row: KeyRow): Tier => {
    return (isUnpaid(row, clock()) ? undefined : tiers.get(row.tier)) ?? tiers.free;
  };

  const holderOf = (row: KeyRow, known?: KeyHolder): KeyHolder => {
    const tier = tierOf(row);
    return known?.tier === tier ? known : { id: quotaId(row.email, tier), tier, batchEnvelope: row.batchEnvelope };
  };

  const recognise = async (text: string, hash: string): Promise<KeyHolder | undefined> => {
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
      // If the cached row is the same object, the key was neither revoked nor changed since it was authenticated.
      const fresh = known && rows.fresh(known.row.id) === known.row;
      return fresh ? holderOf(known.row, known.holder) : recognise(text, hash);
    },
    forget: (id) => rows.forget(id),
  };
}

interface RowCache {
  /** Whether the revision mark was read within `MARK_FRESH`. */
  isChecked(): boolean;
  /** Reads the revision mark. Clears the cache if any process has changed a key. */
  check(): Promise<void>;
  /** The cached row, if it was read within `FRESH`. */
  fresh(id: string): KeyRow | undefined;
  /** The row, from the store unless it is fresh. While the store is unavailable, a row up to `STALE` old. */
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
        // If the mark has changed during the read, the row may be out of date.
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
  /** Simultaneous calls share one read of the store. */
  read(): Promise<void>;
}

/** Caches the revision mark of the store, which differs after each change of a key. */
function createMark(store: Store, clock: Clock, onChange: () => void): Mark {
  let mark = { value: undefined as string | undefined, at: Number.NEGATIVE_INFINITY };
  let reading: Promise<void> | undefined;

  const readOnce = async (): Promise<void> => {
    const at = clock();
    // While the store is unavailable, the row cache decides how long known keys work.
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
 * The subject of the quota of a key: its mailbox and tier, so that a replaced key, or a paid key that returns to the free
 * tier, has the same counter. It is hashed, so that counters contain no address.
 */
const quotaId = (email: string, tier: Tier): string => hashOf(`${mailboxOf(email)} ${tier.name}`).slice(0, 24);
