/** Opens the store that the settings name. Only the composition root calls this: the server is handed a Store. */
import { EolgateError } from "../core/errors.ts";
import { migrate } from "./migrate.ts";
import type { Database, Dialect } from "./schema.ts";
import { sqlStore } from "./sql/store.ts";
import type { Store } from "./store.ts";

export type StoreLocation =
  | { readonly kind: "embedded"; readonly folder: string }
  | { readonly kind: "postgres"; readonly address: string };

/** `database` wins over `folder`. @throws EolgateError `config` when the address is not PostgreSQL's. */
export function storeLocation(folder: string, database: string | undefined): StoreLocation {
  if (database === undefined) return { kind: "embedded", folder };
  if (/^postgres(?:ql)?:\/\//.test(database)) return { kind: "postgres", address: database };
  throw EolgateError.of("database-address", {});
}

/** Opens and migrates. @throws EolgateError `unavailable`, `runtime` (`pg-missing`, `store-newer`). */
export async function openStore(place: StoreLocation, now: number): Promise<Store> {
  const { db, dialect } = await openDatabase(place);
  try {
    await migrate(db, dialect, now);
    return sqlStore(db, dialect);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** The bare database, for `db migrate|export|import`. */
export async function openDatabase(
  place: StoreLocation,
): Promise<{ readonly db: Database; readonly dialect: Dialect }> {
  switch (place.kind) {
    case "embedded":
      return { db: (await import("./embedded.ts")).openEmbedded(place.folder), dialect: "sqlite" };
    case "postgres":
      return { db: await (await import("./postgres.ts")).openPostgres(place.address), dialect: "postgres" };
  }
}
