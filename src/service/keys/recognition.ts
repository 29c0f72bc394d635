/**
 * Authenticates a key. Rows and authenticated keys are cached for a short time, so that most requests need no query of
 * the store and only one hash, and known keys work while the store is unavailable for a short time. A wrong key that has the
 * form of a key needs one query, of about 50 microseconds in the embedded store.
 */
import type { KeyRow, Store } from "../store/store.ts";
import { MINUTE, SECOND, type Clock } from "../clock.ts";
import { mailboxOf } from "../mail/message.ts";
import type { KeyHolder, KeyService, MaybePromise, Tier } from "../services.ts";
import { hashOf, hasHash, idOfKey } from "./secret.ts";
import type { Tiers } from "./tiers.ts";

export interface RecognitionOptions {
  readonly store: Store;
  readonly tiers: Tiers;
  readonly clock: Clock;
}

export interface Recognition extends Pick<KeyService, "authenticate"> {
  /** Empties the cache after a change of a key, so that its row is read from the store at its next use. */
  forget(): void;
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

/** A key that was authenticated, by the hash of its text: it costs one hash instead of four. */
interface RecognisedKey {
  readonly row: KeyRow;
  readonly holder: KeyHolder;
  /** When the row was read. */
  readonly at: number;
}

export function createRecognition({ store, tiers, clock }: RecognitionOptions): Recognition {
  const known = new Map<string, RecognisedKey>();
  const mark = createMark(store, clock, () => known.clear());

  const within = (hash: string, age: number): RecognisedKey | undefined => {
    const found = known.get(hash);
    return found && Math.abs(clock() - found.at) < age ? found : undefined;
  };

  const remember = (hash: string, entry: RecognisedKey): void => {
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= MAX_CACHED) known.delete(oldest);
    known.set(hash, entry);
  };

  const holderOf = (row: KeyRow, before?: KeyHolder): KeyHolder => {
    const tier = (isUnpaid(row, clock()) ? undefined : tiers.get(row.tier)) ?? tiers.free;
    return before?.tier === tier ? before : { id: quotaId(row.email, tier), tier, batchEnvelope: row.batchEnvelope };
  };

  /** Reads the row of the key. While the store is unavailable, a row up to `STALE` old is used. */
  const read = async (text: string, hash: string): Promise<KeyHolder | undefined> => {
    const id = idOfKey(text);
    if (id === undefined) return undefined;
    const [at, before, stale] = [clock(), mark.value(), within(hash, STALE)];
    const row = await store.keys.byId(id).catch((error: unknown) => {
      if (stale) return stale.row;
      throw error;
    });
    if (!row || row.revokedAt !== null || !hasHash(text, row.hash)) {
      known.delete(hash);
      return undefined;
    }
    const holder = holderOf(row, stale?.holder);
    // If the mark has changed during the read, the row may be out of date.
    if (row !== stale?.row && mark.value() === before) remember(hash, { row, holder, at });
    return holder;
  };

  const recognise = (text: string, hash: string): MaybePromise<KeyHolder | undefined> => {
    const fresh = within(hash, FRESH);
    return fresh ? holderOf(fresh.row, fresh.holder) : read(text, hash);
  };

  return {
    authenticate(text) {
      const hash = hashOf(text);
      return mark.isFresh() ? recognise(text, hash) : mark.read().then(() => recognise(text, hash));
    },
    forget: () => known.clear(),
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
