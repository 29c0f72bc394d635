/** The packages of an rpm database, whichever backend wrote it. */
import { packagesError, type InstalledPackage } from "../package.ts";
import { berkeleyBlobs, isBerkeley } from "./berkeley.ts";
import { readRpmHeader } from "./header.ts";
import { isNdb, ndbBlobs } from "./ndb.ts";
import { isSqlite, sqliteRows } from "./sqlite.ts";

export interface RpmDatabase {
  readonly bytes: Uint8Array;
  /** The write-ahead log next to an SQLite database. */
  readonly log?: Uint8Array | undefined;
}

/** @throws EolgateError `image-packages` when a package could be missed */
export function readRpm(database: RpmDatabase, where: string): readonly InstalledPackage[] {
  try {
    return packagesOf(database);
  } catch (cause) {
    // A position outside the file is a RangeError of the view on its bytes.
    const why = cause instanceof TypeError ? cause.message : "it is cut off or damaged";
    throw packagesError(why, where, cause);
  }
}

function packagesOf(database: RpmDatabase): readonly InstalledPackage[] {
  const packages: InstalledPackage[] = [];
  let left = database.bytes.length + (database.log?.length ?? 0);
  for (const blob of blobs(database)) {
    // Packages that share their bytes could make a small file take forever.
    left -= blob.length;
    if (left < 0) throw new TypeError("its packages overlap");
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
