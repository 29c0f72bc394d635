/**
 * The commands for operators: `eolgate keys`, `eolgate mail`, and `eolgate db`, which migrates the schema, makes backups,
 * and moves data from the embedded store to PostgreSQL. Only `keys create` prints the text of a key.
 */
import { EolgateError } from "../../messages/error.ts";
import { columns } from "../../report/cards/score-card.ts";
import { escapeTerminal } from "../../report/escape.ts";
import type { KeyRow } from "../store/store.ts";
import type { Invocation } from "../../shell/command.ts";
import { deliver, jsonText } from "../../shell/output.ts";
import { flagValues, isEnabled, stringValue } from "../../shell/settings.ts";
import type { ProcessContext } from "../../shell/process-context.ts";
import { listKeys, revokeKey } from "../keys/keys.ts";
import { isUnpaid } from "../keys/recognition.ts";
import { withStore, withStoreSession, storeSettings, type StoreCreation } from "../serve/store-services.ts";
import { open, rename } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { exportStore, importStore } from "../store/dump.ts";
import { migrate as migrateSchema, openDatabase } from "../store/open.ts";
import type { StoreDatabase, Dialect } from "../store/schema.ts";

export const create = (invocation: Invocation): Promise<number> =>
  withStoreSession(
    invocation,
    async ({ keys }) => {
      const { io, flags } = invocation;
      const email = stringValue(flags["email"]);
      if (email === undefined) throw noEmail();
      const batchEnvelope = flags["batchEnvelope"] === undefined ? undefined : isEnabled(flags["batchEnvelope"]);
      const key = await keys.create(email, stringValue(flags["tier"]) ?? "free", { batchEnvelope });
      io.err(
        `${key.fresh ? "created" : "existing"}: ${escapeTerminal(key.email)}, tier ${escapeTerminal(key.tier)}, id ${key.id}\n`,
      );
      await io.out(`${key.text}\n`);
    },
    "named",
  );

export const list = (invocation: Invocation): Promise<number> =>
  withStore(invocation, async (store) => {
    const now = invocation.io.now();
    const rows: KeyRow[] = [];
    for await (const row of listKeys(store)) rows.push(row);
    await print(
      invocation,
      "no keys",
      rows.map((row) => [toWire(row, now), toCells(row, now)]),
    );
  });

/** Prints a list as a table or, with `--format json`, as objects. */
async function print(
  invocation: Invocation,
  none: string,
  rows: readonly (readonly [wire: object, cells: readonly string[]])[],
): Promise<void> {
  const json = stringValue(flagValues(invocation)["format"]) === "json";
  const table = rows.length === 0 ? none : columns(rows.map(([, cells]) => cells));
  const shown = json ? jsonText(rows.map(([wire]) => wire)) : `${table}\n`;
  await deliver(invocation.io, stringValue(invocation.flags["output"]), shown);
}

export const revoke = (invocation: Invocation): Promise<number> =>
  withStore(invocation, async (store) => {
    const [id = ""] = invocation.args;
    await revokeKey(store, id, invocation.io.now());
    invocation.io.err(`revoked: ${escapeTerminal(id)}\n`);
  });

const toWire = (
  { id, email, tier, secretVersion, createdAt, revokedAt, paidUntil, batchEnvelope }: KeyRow,
  now: number,
) => ({
  id,
  email,
  tier,
  effective_tier: isUnpaid({ paidUntil }, now) ? "free" : tier,
  secret_version: secretVersion,
  created_at: instant(createdAt),
  revoked_at: revokedAt === null ? null : instant(revokedAt),
  paid_until: paidUntil === null ? null : instant(paidUntil),
  batch_envelope: batchEnvelope,
});

function toCells({ id, email, tier, createdAt, revokedAt, paidUntil }: KeyRow, now: number): readonly string[] {
  const until = isUnpaid({ paidUntil }, now) ? "limits of the free tier since" : "paid until";
  const paid = paidUntil === null ? "" : `${until} ${instant(paidUntil).slice(0, 10)}`;
  const state = revokedAt === null ? paid : `revoked ${instant(revokedAt).slice(0, 10)}`;
  return [id, escapeTerminal(tier), instant(createdAt).slice(0, 10), escapeTerminal(email), state];
}

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();

function noEmail(): EolgateError {
  return EolgateError.of("invalid-usage", {
    problem: "--email is required",
    advice: "Run: eolgate keys create --email ADDRESS",
  });
}

/** Maximum number of mails in the list; `requeue` has no limit. */
const SHOWN = 1000;

export const dead = (invocation: Invocation): Promise<number> =>
  withStore(invocation, async (store) => {
    const mails = await store.outbox.deadLetters(SHOWN);
    const rows = mails.map(({ id, kind, email, attempts, lastError: error }) => {
      const cells = [id, kind, escapeTerminal(email), escapeTerminal(error ?? "")];
      return [{ id, kind, email, attempts, error }, cells] as const;
    });
    await print(invocation, "no dead letters", rows);
  });

export const requeue = (invocation: Invocation): Promise<number> =>
  withStore(invocation, async (store) => {
    const { io, args } = invocation;
    io.err(`${await store.outbox.requeue(io.now(), args[0])} requeued\n`);
  });

// `eolgate db migrate|export|import`: migrates the schema, makes backups, and moves data from the embedded store to
// PostgreSQL.

export const migrate = (invocation: Invocation): Promise<number> =>
  withDatabase(invocation, async (db, dialect) => {
    const { from, to } = await migrateSchema(db, dialect, invocation.io.now());
    invocation.io.err(from === to ? `the schema already has version ${to}\n` : `schema version ${from} → ${to}\n`);
  });

/**
 * With `-o`, the file is readable only by its owner, because it contains e-mail addresses, and it appears only when it
 * is complete.
 */
export const exportRows = (invocation: Invocation): Promise<number> =>
  withDatabase(invocation, async (db, dialect) => {
    const { io, flags } = invocation;
    await migrateSchema(db, dialect, io.now());
    const output = stringValue(flags["output"]);
    if (output === undefined) {
      await exportStore(db, dialect, (line) => io.out(`${line}\n`));
      return;
    }
    const path = resolve(io.cwd, output);
    const file = await open(`${path}.part`, "w", 0o600).catch((cause: unknown) => {
      throw EolgateError.of("not-written", { problem: "the export cannot be written" }, { where: path, cause });
    });
    try {
      const rows = await exportStore(db, dialect, (line) => file.appendFile(`${line}\n`));
      await file.sync();
      io.err(`${rows} rows\n`);
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
  });

/** Creates a store in a folder that is named, because an export can be imported only into an empty one. */
export const importRows = (invocation: Invocation): Promise<number> =>
  withDatabase(
    invocation,
    async (db, dialect) => {
      const { io, args } = invocation;
      const [file = "-"] = args;
      await migrateSchema(db, dialect, io.now());
      const rows = await importStore(db, linesOf(io, file));
      io.err(`${rows} rows\n`);
    },
    "named",
  );

async function* linesOf(io: ProcessContext, file: string): AsyncGenerator<string> {
  if (file === "-") {
    yield* createInterface({
      input: Readable.from([Buffer.from(await io.stdin())]),
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    return;
  }
  try {
    const handle = await open(resolve(io.cwd, file));
    yield* handle.readLines();
  } catch (cause) {
    throw EolgateError.of(
      "unreadable",
      { problem: "the export cannot be read", advice: undefined },
      { where: file, cause },
    );
  }
}

async function withDatabase(
  invocation: Invocation,
  work: (db: StoreDatabase, dialect: Dialect) => Promise<void>,
  creation: StoreCreation = "never",
): Promise<number> {
  const { db, dialect } = await openDatabase(storeSettings(invocation, creation).place);
  try {
    await work(db, dialect);
    return 0;
  } finally {
    await db.destroy();
  }
}
