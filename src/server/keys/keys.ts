/**
 * API keys: made, sent, recognised, revoked. A key's text is derived from the
 * server's secret and never stored; mails carry the key's id in the outbox and get the text when they are sent.
 */
import { randomBytes } from "node:crypto";
import { EolgateError } from "../../core/errors.ts";
import type { KeyRow, Store } from "../../store/store.ts";
import { MINUTE, nextUtcDay, SECOND, utcDay } from "../clock.ts";
import type { Clock } from "../clock.ts";
import { mailboxOf, parseEmail } from "../mail/email-address.ts";
import type { KeyService, Tier } from "../services.ts";
import { queuedMail } from "../mail/queue.ts";
import { hashOf, hasHash, idOfKey, keyId, keyText } from "./key-text.ts";
import type { SecretRing } from "./secret.ts";
import type { Tiers } from "./tiers.ts";

export interface IssuedKey {
  readonly id: string;
  readonly text: string;
  readonly email: string;
  readonly tier: string;
  /** False when the address had this key before. */
  readonly fresh: boolean;
}

export interface Keys extends KeyService {
  /** A key of any tier, shown to who runs the server. @throws EolgateError `usage` `invalid-email`, `unknown-tier`. */
  create(email: string, tier: string): Promise<IssuedKey>;
  /** The server's own first key, once in the life of a store: undefined ever after. */
  createLocal(): Promise<IssuedKey | undefined>;
  /** A key's text for its mail; a key under a secret that is gone is made anew under the current one. */
  textOf(id: string): Promise<{ readonly text: string; readonly row: KeyRow } | undefined>;
  list(): AsyncIterable<KeyRow>;
  /** @throws EolgateError `not-found`. */
  revoke(id: string): Promise<void>;
  /** A new key as it will be stored, for those who add it in a transaction of their own. */
  newRow(email: string, tier: string): KeyRow;
}

type Holder = NonNullable<Awaited<ReturnType<KeyService["authenticate"]>>>;

export interface KeysOptions {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly tiers: Tiers;
  readonly clock: Clock;
}

/** Sign-ups and recoveries in a UTC day. */
const SIGN_UPS_PER_NETWORK = 5;
const MAILS_PER_MAILBOX = 3;
/** How long a recognised key is not read again unless the store's mark of changed keys differs. */
const FRESH = 15 * SECOND;
/** How often the mark is read: a revocation reaches every process within this time. */
const MARK_FRESH = SECOND;
/** How long recognised keys go on working while the store does not answer. */
const STALE = 10 * MINUTE;
const MAX_CACHED = 50_000;
const PAGE = 500;
export const LOCAL_EMAIL = "local@localhost.localdomain";

export function createKeys({ store, secrets, tiers, clock }: KeysOptions): Keys {
  const cache = new Map<string, { readonly row: KeyRow; readonly at: number }>();
  /** By the hash of the key's text: a key that asks again costs one hash, not four. */
  const recognised = new Map<string, { readonly row: KeyRow; readonly holder: Holder }>();

  const newRow = (email: string, tier: string): KeyRow => {
    const id = keyId(randomBytes(16));
    const hash = hashOf(keyText(id, secrets.current));
    const instants = { createdAt: clock(), revokedAt: null, paidUntil: null };
    return { id, hash, email, tier, secretVersion: secrets.current.version, ...instants };
  };

  let mark = { value: undefined as string | undefined, at: Number.NEGATIVE_INFINITY };
  const lookUp = async (id: string): Promise<KeyRow | undefined> => {
    const now = clock();
    const known = cache.get(id);
    const age = known ? Math.abs(now - known.at) : Number.POSITIVE_INFINITY;
    if (known && age < FRESH) return known.row;
    const before = mark.value;
    try {
      const row = await store.keys.byId(id);
      cache.delete(id);
      // A row that was read before the mark changed may be out of date.
      if (row && mark.value === before) remember(row, now);
      return row;
    } catch (error) {
      if (known && age < STALE) return known.row;
      throw error;
    }
  };

  let reading: Promise<void> | undefined;
  const markIsFresh = (): boolean => Math.abs(clock() - mark.at) < MARK_FRESH;
  /** Forgets every key when one was revoked or its payment ended, in this or another process. */
  const readMark = async (): Promise<void> => {
    const at = clock();
    // While the store does not answer, `lookUp` decides how long known keys go on.
    const value = await store.keys.mark().catch(() => mark.value);
    if (value !== mark.value) cache.clear();
    mark = { value, at };
  };

  const remember = (row: KeyRow, at: number): void => {
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= MAX_CACHED) cache.delete(oldest);
    cache.set(row.id, { row, at });
  };

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
    const row = id === undefined ? undefined : await lookUp(id);
    if (!row || row.revokedAt !== null || !hasHash(text, row.hash)) return undefined;
    const holder = holderOf(row);
    if (recognised.size >= MAX_CACHED) recognised.clear();
    recognised.set(hash, { row, holder });
    return holder;
  };

  const admit = async (email: string, from: string): Promise<string> => {
    const address = validEmail(email);
    const day = utcDay(clock());
    const counters = [
      [`signup:${from}`, SIGN_UPS_PER_NETWORK],
      [`key-mail:${mailboxOf(address)}`, MAILS_PER_MAILBOX],
    ] as const;
    for (const [subject, limit] of counters) {
      const { granted } = await store.allowances.lease(subject, day, 1, limit);
      if (granted === 0) throw signUpLimit(nextUtcDay(clock()));
    }
    return address;
  };

  return {
    authenticate(text) {
      const hash = hashOf(text);
      if (!markIsFresh()) {
        reading ??= readMark().finally(() => (reading = undefined));
        return reading.then(() => recognise(text, hash));
      }
      const known = recognised.get(hash);
      const kept = known && cache.get(known.row.id);
      // The row that is kept and fresh is the very one that was recognised: neither revoked nor made anew since.
      const fresh = known && kept?.row === known.row && Math.abs(clock() - kept.at) < FRESH;
      return fresh ? holderOf(known.row, known.holder) : recognise(text, hash);
    },
    async mailFree(email, from) {
      const address = await admit(email, from);
      await store.transaction(async (tables) => {
        const key = await tables.keys.addOnce(newRow(address, tiers.free.name));
        await tables.outbox.add(queuedMail({ kind: "key", why: "sign-up", keyId: key.id }, address, clock()));
      });
      return { email: address, tier: tiers.free };
    },
    async recover(email, from) {
      const address = await admit(email, from);
      await store.transaction(async (tables) => {
        for (const key of await tables.keys.ofEmail(address)) {
          await tables.outbox.add(queuedMail({ kind: "key", why: "recovery", keyId: key.id }, address, clock()));
        }
      });
      return { email: address };
    },
    async create(email, tier) {
      if (!tiers.get(tier) || tier === tiers.anonymous.name) throw unknownTier(tier, tiers);
      const made = newRow(validEmail(email), tier);
      return await issued(await store.keys.addOnce(made), made);
    },
    async createLocal() {
      const made = newRow(LOCAL_EMAIL, tiers.enterprise.name);
      const first = await store.transaction(async (tables) => {
        if ((await tables.settings.setOnce("local-key", made.id)) !== made.id) return undefined;
        return await tables.keys.addOnce(made);
      });
      return first && (await issued(first, made));
    },
    textOf,
    newRow,
    async *list() {
      let after = "";
      for (;;) {
        const page = await store.keys.list({ after, limit: PAGE });
        yield* page;
        const last = page.at(-1);
        if (!last || page.length < PAGE) return;
        after = last.id;
      }
    },
    async revoke(id) {
      cache.delete(id);
      if (await store.keys.revoke(id, clock())) return;
      throw EolgateError.of("key-not-found", { id });
    },
  };

  async function textOf(id: string): Promise<{ readonly text: string; readonly row: KeyRow } | undefined> {
    const row = await store.keys.byId(id);
    if (!row || row.revokedAt !== null) return undefined;
    const secret = secrets.version(row.secretVersion);
    if (secret) return { text: keyText(id, secret), row };
    const text = keyText(id, secrets.current);
    await store.keys.rekey(id, hashOf(text), secrets.current.version);
    cache.delete(id);
    return { text, row };
  }

  async function issued(row: KeyRow, made: KeyRow): Promise<IssuedKey> {
    const known = await textOf(row.id);
    if (!known) throw new Error("a key was revoked while it was made");
    return { id: row.id, text: known.text, email: row.email, tier: row.tier, fresh: row.id === made.id };
  }
}

/**
 * What a key's requests are counted for: the mailbox and tier, not the key, so that a key that replaces another one, or
 * a paid one that fell back to free, inherits what was used. Hashed: counters name no address.
 */
function quotaId(email: string, tier: Tier): string {
  return hashOf(`${mailboxOf(email)} ${tier.name}`).slice(0, 24);
}

function validEmail(email: string): string {
  const address = parseEmail(email);
  if (address !== undefined) return address;
  throw EolgateError.of("invalid-email", {}, { where: "/email" });
}

function signUpLimit(resetAt: number): EolgateError {
  return EolgateError.of("signup-limit", {}, { facts: { reset_at: new Date(resetAt).toISOString() } });
}

function unknownTier(tier: string, tiers: Tiers): EolgateError {
  const names = tiers.all.map(({ name }) => name).filter((name) => name !== tiers.anonymous.name);
  return EolgateError.of("unknown-tier", { tier, names: names.join(", ") });
}
