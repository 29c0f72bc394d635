/** The scripts of the bundle as files of an installation, and their code caches in another folder. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { type BundleScripts, HASHED } from "./bundle-loader.ts";

/** Length of the header of a cache file in bytes: a CRC-32, and zeros that align the cache for V8. */
export const CACHE_HEADER_LENGTH = 8;

/** `folder`: the folder of the scripts. `cache`: the folder of their caches; undefined: none are stored. */
export function scriptFolder(folder: string, cache: string | undefined): BundleScripts {
  return {
    folder,
    read: (name) => readFileSync(`${folder}/${name}`, "latin1"),
    cached: (name) => (cache === undefined ? undefined : readCache(`${cache}/${name}`)),
    keep(caches) {
      if (cache === undefined) return;
      try {
        mkdirSync(cache, { recursive: true });
        for (const [name, data] of caches) writeCache(`${cache}/${name}`, data);
        // Removes caches of scripts that a new build has replaced.
        for (const name of readdirSync(cache))
          if (HASHED.test(name) && !existsSync(`${folder}/${name}`)) unlinkSync(`${cache}/${name}`);
      } catch {
        // The next run compiles again.
      }
    },
  };
}

/** V8 does not verify the content of a cache and crashes on one that is damaged, so it is compared with its checksum. */
function readCache(path: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const bytes = readFileSync(path);
    const data = bytes.subarray(CACHE_HEADER_LENGTH);
    return bytes.readUInt32LE() === crc32(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Written atomically, because another process may read or write the same file. */
function writeCache(path: string, data: Uint8Array): void {
  const checksum = Buffer.alloc(CACHE_HEADER_LENGTH);
  checksum.writeUInt32LE(crc32(data));
  writeFileSync(`${path}.${process.pid}`, Buffer.concat([checksum, data]));
  renameSync(`${path}.${process.pid}`, path);
}
