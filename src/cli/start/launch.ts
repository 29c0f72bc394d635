/**
 * Called by `bin/eolgate.js` after it has checked the Node version: loads the bundle from the files of an installation,
 * with its code caches, and runs it.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { BundleLoader, type BundleScripts, HASHED } from "./bundle-loader.ts";
import { crc32 } from "node:zlib";

/** Runs the command line of `host` with the scripts of `dist/command` in the package's folder. Resolves to its exit code. */
export async function launch(host: NodeJS.Process, home: string): Promise<number> {
  const isCached = (host.env["NODE_DISABLE_COMPILE_CACHE"] ?? "") === "";
  const loader = new BundleLoader(
    scriptFolder(realpathSync(`${home}/dist/command`), isCached ? cacheFolder(host, home) : undefined),
  );
  const exit = await loader.main(host);
  // A run that ended with an error called few functions, so its cache is not stored.
  if (exit <= 1) loader.keep();
  return exit;
}

/**
 * The folder for code caches, in `.cache` of the package: whoever can write there can also change the code. `check` has
 * a folder of its own, because it calls other functions than the other commands.
 */
function cacheFolder({ version, arch, getuid, argv }: NodeJS.Process, home: string): string {
  const command = argv[2] === "check" ? "check" : "command";
  return `${home}/.cache/${version}-${arch}-${getuid?.() ?? ""}/${command}`;
}

/** Length of the header of a cache file in bytes: a CRC-32, and zeros that align the cache for V8. */
export const CACHE_HEADER_LENGTH = 8;

/** `folder`: the folder of the scripts. `cache`: the folder of their caches; undefined: none are stored. */
export function scriptFolder(folder: string, cache: string | undefined): BundleScripts {
  return {
    folder,
    read: (name) => readFileSync(`${folder}/${name}`),
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
