/**
 * Creates, sends, authenticates and revokes API keys. A key's text is derived from the server's secret and not stored.
 * A queued mail has only the id of the key; the text is added when the mail is sent.
 */
import { validAddress, type WebhookHosts } from "../mail/webhook.ts";
import { randomBytes } from "node:crypto";
import { EolgateError } from "../../messages/error.ts";
import type { KeyRow, Store } from "../store/store.ts";
import { nextUtcDay, utcDay, type Clock } from "../clock.ts";
import { mailboxOf, validEmail } from "../mail/message.ts";
import type { KeyService } from "../services.ts";
import { queuedMail } from "../mail/content.ts";
import { type SecretRing, hashOf, keyId, keyText } from "./secret.ts";
import { createRecognition, type Recognition } from "./recognition.ts";
import type { Tiers } from "./tiers.ts";

export interface IssuedKey {
  readonly id: string;
  readonly text: string;
  readonly email: string;
  readonly tier: string;
  /** False if the address already had this key. */
  readonly fresh: boolean;
}

export interface KeyProperties {
  /** Batches are answered with an object instead of an array; absent: as before, an array for a new key. */
  readonly batchEnvelope?: boolean | undefined;
}

export interface KeyText {
  readonly text: string;
  readonly row: KeyRow;
}

export interface Keys extends KeyService {
  /** Creates a key of any tier for the operator, or returns the active one. @throws EolgateError `invalid-email`, `invalid-value` */
  create(email: string, tier: string, options?: KeyProperties): Promise<IssuedKey>;
  /** Whether the store has a key, also a revoked one. */
  exist(): Promise<boolean>;
  /** Creates the first key of a new store, for the operator. Undefined on later calls. */
  createLocal(): Promise<IssuedKey | undefined>;
  /** The text of an active key. If its secret was removed, the key is derived again from the current secret, with a new text. */
  textOf(id: string): Promise<KeyText | undefined>;
  /** @throws EolgateError `key-not-found` */
  revoke(id: string): Promise<void>;
  /** A row for a new key, which the caller adds in its own transaction. */
  newRow(email: string, tier: string): KeyRow;
}

export interface KeysOptions {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly tiers: Tiers;
  readonly clock: Clock;
}

const PAGE = 500;
/** Address of the first key of a store, see `createLocal`. */
export const LOCAL_EMAIL = "local@localhost.localdomain";

export function createKeys(options: KeysOptions): Keys {
  const { store, clock } = options;
  const recognition = createRecognition(options);
  const textOf = (id: string): Promise<KeyText | undefined> => currentText(id, options, recognition);
  return {
    authenticate: (text) => recognition.authenticate(text),
    ...createSignUp(options),
    ...createIssuing(options, textOf),
    textOf,
    newRow: (email, tier) => newRow(email, tier, options),
    exist: async () => (await store.keys.list({ limit: 1 })).length > 0,
    async revoke(id) {
      recognition.forget();
      await revokeKey(store, id, clock());
    },
  };
}

/** All keys, including revoked ones, sorted by id. */
export async function* listKeys(store: Store): AsyncIterable<KeyRow> {
  let after = "";
  for (;;) {
    const page = await store.keys.list({ after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.id;
  }
}

/** @throws EolgateError `key-not-found` */
export async function revokeKey(store: Store, id: string, now: number): Promise<void> {
  if (!(await store.keys.revoke(id, now))) throw EolgateError.of("key-not-found", { id });
}

function newRow(email: string, tier: string, { secrets, clock }: KeysOptions): KeyRow {
  const id = keyId(randomBytes(16));
  const hash = hashOf(keyText(id, secrets.current));
  const instants = { createdAt: clock(), revokedAt: null, paidUntil: null, batchEnvelope: false };
  return { id, hash, email, tier, secretVersion: secrets.current.version, ...instants };
}

/** Keys that are sent by mail, within the limits per mailbox and network. */
function createSignUp(options: KeysOptions): Pick<Keys, "mailFree" | "recover"> {
  const { store, tiers, clock } = options;
  return {
    async mailFree(email, from) {
      const address = await admitMail("key", email, from, options);
      await store.transaction(async (tables) => {
        const key = await tables.keys.addOnce(newRow(address, tiers.free.name, options));
        await tables.outbox.add(queuedMail({ kind: "key", why: "sign-up", keyId: key.id }, address, clock()));
      });
      return { email: address };
    },
    async recover(email, from) {
      const address = await admitMail("recovery", email, from, options);
      await store.transaction(async (tables) => {
        for (const key of await tables.keys.ofEmail(address)) {
          await tables.outbox.add(queuedMail({ kind: "key", why: "recovery", keyId: key.id }, address, clock()));
        }
      });
      return { email: address };
    },
  };
}

/** Mails per UTC day to one mailbox, and to one network that has no key. */
const MAILS_PER_MAILBOX = 3;
const MAILS_PER_NETWORK = 5;

/**
 * Counts one mail for a purpose and returns the normalized address. @param from network of a caller without a key
 * @throws EolgateError `invalid-email`, `signup-limit`, `mail-limit`
 */
export async function admitMail(
  purpose: "key" | "recovery" | "watch",
  email: string,
  from: string | undefined,
  { store, clock, webhookHosts }: Pick<KeysOptions, "store" | "clock"> & { readonly webhookHosts?: WebhookHosts },
): Promise<string> {
  const address = webhookHosts === undefined ? validEmail(email) : validAddress(email, webhookHosts);
  const day = utcDay(clock());
  const details = { reset_at: new Date(nextUtcDay(clock())).toISOString() };
  const isLeft = async (subject: string, limit: number): Promise<boolean> =>
    (await store.allowances.lease(`${purpose}-${subject}`, day, 1, limit)).granted > 0;
  if (from !== undefined && !(await isLeft(`network:${from}`, MAILS_PER_NETWORK)))
    throw EolgateError.of("signup-limit", {}, { details });
  if (!(await isLeft(`mail:${mailboxOf(address)}`, MAILS_PER_MAILBOX)))
    throw EolgateError.of(purpose === "watch" ? "mail-limit" : "signup-limit", {}, { details });
  return address;
}

/** Keys that the operator of the server creates. */
function createIssuing(options: KeysOptions, textOf: Keys["textOf"]): Pick<Keys, "create" | "createLocal"> {
  const { store, tiers } = options;

  /** @param row the stored row, which may be an older one than `created` */
  const toIssued = async (row: KeyRow, created: KeyRow): Promise<IssuedKey> => {
    const key = await textOf(row.id);
    if (!key) throw new Error("a key was revoked while it was created");
    return { id: row.id, text: key.text, email: row.email, tier: row.tier, fresh: row.id === created.id };
  };

  return {
    async create(email, tier, { batchEnvelope } = {}) {
      if (!tiers.get(tier) || tier === tiers.anonymous.name) throw unknownTier(tier, tiers);
      const created = newRow(validEmail(email), tier, options);
      const row = await store.keys.addOnce(created);
      if (batchEnvelope !== undefined && row.batchEnvelope !== batchEnvelope)
        await store.keys.setBatchEnvelope(row.id, batchEnvelope);
      return await toIssued(row, created);
    },
    async createLocal() {
      const created = newRow(LOCAL_EMAIL, tiers.enterprise.name, options);
      const first = await store.transaction(async (tables) => {
        if ((await tables.settings.setOnce("local-key", created.id)) !== created.id) return undefined;
        return await tables.keys.addOnce(created);
      });
      return first && (await toIssued(first, created));
    },
  };
}

async function currentText(
  id: string,
  { store, secrets }: KeysOptions,
  recognition: Recognition,
): Promise<KeyText | undefined> {
  const row = await store.keys.byId(id);
  if (!row || row.revokedAt !== null) return undefined;
  const secret = secrets.version(row.secretVersion);
  if (secret) return { text: keyText(id, secret), row };
  const text = keyText(id, secrets.current);
  await store.keys.rekey(id, hashOf(text), secrets.current.version);
  recognition.forget();
  return { text, row };
}

function unknownTier(tier: string, tiers: Tiers): EolgateError {
  const names = tiers.all.map(({ name }) => name).filter((name) => name !== tiers.anonymous.name);
  return EolgateError.of("invalid-value", {
    problem: `unknown tier ${tier}`,
    advice: `Use one of ${names.join(", ")}.`,
  });
}
