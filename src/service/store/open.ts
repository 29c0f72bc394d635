/** Opens the configured store. Called by the commands only; the server gets the opened `Store`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { migrate } from "./migrate.ts";
import type { StoreDatabase, Dialect } from "./schema.ts";
import { sqlStore } from "./sql/store.ts";
import type { Store } from "./store.ts";

export type StoreLocation =
  | { readonly kind: "embedded"; readonly folder: string }
  | { readonly kind: "postgres"; readonly address: string };

/** `database` takes precedence over `folder`. @throws EolgateError `server-config` for an address of another database system */
export function storeLocation(folder: string, database: string | undefined): StoreLocation {
  if (database === undefined) return { kind: "embedded", folder };
  if (/^postgres(?:ql)?:\/\//.test(database)) return { kind: "postgres", address: database };
  throw EolgateError.of("server-config", {
    problem: "the database address must begin with postgres:// or postgresql://",
    advice: "Omit --database to use the embedded store in the data folder.",
  });
}

/** File of the embedded store in its folder. */
export const EMBEDDED_FILE = "eolgate.db";

export const hasEmbeddedStore = (folder: string): boolean => existsSync(join(folder, EMBEDDED_FILE));

/** Open and migrate a store. @param now UTC milliseconds. @throws EolgateError `store-unavailable`, `not-installed`, `store-newer` */
export async function openStore(location: StoreLocation, now: number): Promise<Store> {
  const { db, dialect } = await openDatabase(location);
  try {
    await migrate(db, dialect, now);
    return sqlStore(db, dialect);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Open the database without migrating it, for `db migrate`, `db export` and `db import`. */
export async function openDatabase(
  location: StoreLocation,
): Promise<{ readonly db: StoreDatabase; readonly dialect: Dialect }> {
  switch (location.kind) {
    case "embedded":
      return {
        db: (await import("./embedded.ts")).openEmbedded(join(location.folder, EMBEDDED_FILE)),
        dialect: "sqlite",
      };
    case "postgres":
      return { db: await (await import("./postgres.ts")).openPostgres(location.address), dialect: "postgres" };
  }
}
