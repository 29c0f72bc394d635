/** Reads the packages of an rpm database of any backend. */
import { isNdb, ndbBlobs } from "./ndb.ts";
import { readRpmHeader } from "./header.ts";
import { type InstalledPackage, packagesError } from "../package.ts";
import { berkeleyBlobs, isBerkeley } from "./berkeley.ts";
import { isSqlite, sqliteRows } from "./sqlite.ts";

export interface RpmDatabase {
  readonly bytes: Uint8Array;
  /** The write-ahead log next to an SQLite database. */
  readonly log?: Uint8Array | undefined;
}

/**
 * Reads all packages.
 * @throws EolgateError `image-archive` when the database cannot be read completely
 */
export function readRpm(database: RpmDatabase, where: string): readonly InstalledPackage[] {
  try {
    return packagesOf(database);
  } catch (cause) {
    // Reading outside the file throws a RangeError.
    const why = cause instanceof TypeError ? cause.message : "it is cut off or damaged";
    throw packagesError(why, where, cause);
  }
}

function packagesOf(database: RpmDatabase): readonly InstalledPackage[] {
  const packages: InstalledPackage[] = [];
  let remaining = database.bytes.length + (database.log?.length ?? 0);
  for (const blob of blobs(database)) {
    // Overlapping packages could make a small file take unlimited time.
    remaining -= blob.length;
    if (remaining < 0) throw new TypeError("its packages overlap");
    const found = readRpmHeader(blob);
    if (found !== undefined) packages.push(found);
  }
  return packages;
}

function* blobs({ bytes, log }: RpmDatabase): Generator<Uint8Array> {
  if (isNdb(bytes)) yield* ndbBlobs(bytes);
  else if (isBerkeley(bytes)) yield* berkeleyBlobs(bytes);
  else if (isSqlite(bytes)) {
    for (const [, blob] of sqliteRows(bytes, "Packages", log)) {
      if (!(blob instanceof Uint8Array)) throw new TypeError("a package is damaged");
      yield blob;
    }
  } else throw new TypeError("its format is not known");
}
