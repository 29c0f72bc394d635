/**
 * API keys: made, sent, recognised, revoked. A key's text is derived from the
 * server's secret and never stored; mails contain the key's id in the outbox and get the text when they are sent.
 */
import { randomBytes } from "node:crypto";
import { EolgateError } from "../../core/errors.ts";
import type { KeyRow, Store } from "../../store/store.ts";
import { nextUtcDay, utcDay } from "../clock.ts";
import type { Clock } from "../clock.ts";
import { mailboxOf, parseEmail } from "../mail/email-address.ts";
import type { KeyService } from "../services.ts";
import { queuedMail } from "../mail/queue.ts";
import { hashOf, keyId, keyText } from "./key-text.ts";
import { createRecognition, type Recognition } from "./recognition.ts";
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

export interface KeyText {
  readonly text: string;
  readonly row: KeyRow;
}

export interface Keys extends KeyService {
  /** A key of any tier, shown to who runs the server. @throws EolgateError `usage` `invalid-email`, `unknown-tier`. */
  create(email: string, tier: string): Promise<IssuedKey>;
  /** The server's own first key, once in the life of a store: undefined ever after. */
  createLocal(): Promise<IssuedKey | undefined>;
  /** A key's text for its mail; a key under a secret that is gone is made anew under the current one. */
  textOf(id: string): Promise<KeyText | undefined>;
  list(): AsyncIterable<KeyRow>;
  /** @throws EolgateError `not-found`. */
  revoke(id: string): Promise<void>;
  /** A new key as it will be stored, for those who add it in a transaction of their own. */
  newRow(email: string, tier: string): KeyRow;
}

export interface KeysOptions {
  readonly store: Store;
  readonly secrets: SecretRing;
  readonly tiers: Tiers;
  readonly clock: Clock;
}

/** Sign-ups and recoveries in a UTC day. */
const SIGN_UPS_PER_NETWORK = 5;
const MAILS_PER_MAILBOX = 3;
const PAGE = 500;
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
      recognition.forget(id);
      if (await store.keys.revoke(id, clock())) return;
      throw EolgateError.of("key-not-found", { id });
    },
  };
}

function newRow(email: string, tier: string, { secrets, clock }: KeysOptions): KeyRow {
  const id = keyId(randomBytes(16));
  const hash = hashOf(keyText(id, secrets.current));
  const instants = { createdAt: clock(), revokedAt: null, paidUntil: null };
  return { id, hash, email, tier, secretVersion: secrets.current.version, ...instants };
}

/** Keys that people ask for by mail, within the limits of their address and network. */
function createSignUp(options: KeysOptions): Pick<Keys, "mailFree" | "recover"> {
  const { store, tiers, clock } = options;
  return {
    async mailFree(email, from) {
      const address = await admitMail(email, from, options);
      await store.transaction(async (tables) => {
        const key = await tables.keys.addOnce(newRow(address, tiers.free.name, options));
        await tables.outbox.add(queuedMail({ kind: "key", why: "sign-up", keyId: key.id }, address, clock()));
      });
      return { email: address, tier: tiers.free };
    },
    async recover(email, from) {
      const address = await admitMail(email, from, options);
      await store.transaction(async (tables) => {
        for (const key of await tables.keys.ofEmail(address)) {
          await tables.outbox.add(queuedMail({ kind: "key", why: "recovery", keyId: key.id }, address, clock()));
        }
      });
      return { email: address };
    },
  };
}

/** Counts one mail to the address. @throws EolgateError `invalid-email`, `signup-limit` */
async function admitMail(email: string, from: string, { store, clock }: KeysOptions): Promise<string> {
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
}

/** Keys that the operator of the server makes and sees. */
function createIssuing(options: KeysOptions, textOf: Keys["textOf"]): Pick<Keys, "create" | "createLocal"> {
  const { store, tiers } = options;

  const issued = async (row: KeyRow, made: KeyRow): Promise<IssuedKey> => {
    const known = await textOf(row.id);
    if (!known) throw new Error("a key was revoked while it was created");
    return { id: row.id, text: known.text, email: row.email, tier: row.tier, fresh: row.id === made.id };
  };

  return {
    async create(email, tier) {
      if (!tiers.get(tier) || tier === tiers.anonymous.name) throw unknownTier(tier, tiers);
      const made = newRow(validEmail(email), tier, options);
      return await issued(await store.keys.addOnce(made), made);
    },
    async createLocal() {
      const made = newRow(LOCAL_EMAIL, tiers.enterprise.name, options);
      const first = await store.transaction(async (tables) => {
        if ((await tables.settings.setOnce("local-key", made.id)) !== made.id) return undefined;
        return await tables.keys.addOnce(made);
      });
      return first && (await issued(first, made));
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
  recognition.forget(id);
  return { text, row };
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
