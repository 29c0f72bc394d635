/**
 * `eolgate db migrate|export|import`: migrates the schema, makes backups, and moves data from the embedded store to
 * PostgreSQL.
 */
import { open, rename } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { EolgateError } from "../../messages/error.ts";
import { exportStore, importStore } from "../store/dump.ts";
import { migrate as migrateSchema } from "../store/migrate.ts";
import { openDatabase } from "../store/open.ts";
import type { Database, Dialect } from "../store/schema.ts";
import type { Invocation } from "../../cli/command.ts";
import type { ProcessContext } from "../../cli/process-context.ts";
import { storeSettings } from "../store-session.ts";
import { text } from "../../cli/config.ts";

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
    const output = text(flags["output"]);
    if (output === undefined) {
      await exportStore(db, dialect, (line) => io.out(`${line}\n`));
      return;
    }
    const path = resolve(io.cwd, output);
    const file = await open(`${path}.part`, "w", 0o600).catch((cause: unknown) => {
      throw EolgateError.of("unwritable", {}, { where: path, cause });
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

export const importRows = (invocation: Invocation): Promise<number> =>
  withDatabase(invocation, async (db, dialect) => {
    const { io, args } = invocation;
    const [file = "-"] = args;
    await migrateSchema(db, dialect, io.now());
    const rows = await importStore(db, linesOf(io, file));
    io.err(`${rows} rows\n`);
  });

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
  work: (db: Database, dialect: Dialect) => Promise<void>,
): Promise<number> {
  const { db, dialect } = await openDatabase(storeSettings(invocation).place);
  try {
    await work(db, dialect);
    return 0;
  } finally {
    await db.destroy();
  }
}
