/**
 * Loads the scripts of the bundle (tools/bundle-command.ts) with V8's code cache. Node's own compile cache contains the
 * functions that are compiled when a file is loaded. This one is written after a run, so that it also contains those that
 * were compiled when they were called: a third of a small check.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Script, constants } from "node:vm";
import { crc32 } from "node:zlib";

interface ScriptModule {
  exports: unknown;
}
type Require = (specifier: string) => unknown;
// oxlint-disable-next-line max-params -- the signature of CommonJS
type ModuleFunction = (exports: unknown, require: Require, module: ScriptModule, file: string, folder: string) => void;

/** Bytes before a cache: a CRC-32, and zeros that align what follows for V8. */
const CHECKSUM_LENGTH = 8;
/** The bundler adds a hash of the content to the names of all scripts but those where a program starts. */
const HASHED = /-[\w-]{8}\.cjs$/;

export class BundleLoader {
  private readonly folder: string;
  private readonly cache: string | undefined;
  private readonly modules = new Map<string, ScriptModule>();
  private readonly uncached = new Map<string, Script>();
  private readonly requirePackage: Require;

  /** `folder`: where the scripts are. `cache`: where their caches are kept; undefined: nowhere. */
  constructor(folder: string, cache: string | undefined) {
    this.folder = folder;
    this.cache = cache;
    this.requirePackage = createRequire(`${folder}/`);
  }

  /** Runs a script that was not run yet, and returns what it exports. */
  load(name: string): unknown {
    const known = this.modules.get(name);
    if (known !== undefined) return known.exports;
    const module: ScriptModule = { exports: {} };
    this.modules.set(name, module);
    const require: Require = (specifier) =>
      specifier.startsWith("./") ? this.load(specifier.slice(2)) : this.requireOutside(specifier);
    const path = `${this.folder}/${name}`;
    this.compile(name, path)(module.exports, require, module, path, this.folder);
    return module.exports;
  }

  /** Writes the caches of the scripts that had none. Where the folder cannot be written to, nothing is kept. */
  keep(): void {
    if (this.cache === undefined || this.uncached.size === 0) return;
    try {
      mkdirSync(this.cache, { recursive: true });
      for (const [name, script] of this.uncached) this.write(`${this.cache}/${name}`, script.createCachedData());
      // Of scripts that a new build has replaced.
      for (const name of readdirSync(this.cache))
        if (HASHED.test(name) && !existsSync(`${this.folder}/${name}`)) unlinkSync(`${this.cache}/${name}`);
    } catch {
      // The next run compiles again.
    }
  }

  private requireOutside(specifier: string): unknown {
    return process.getBuiltinModule(specifier) ?? this.requirePackage(specifier);
  }

  private compile(name: string, filename: string): ModuleFunction {
    // On one line with the script, so that places in stack traces are those in the file. The build escapes all but ASCII.
    const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(filename, "latin1")}\n})`;
    const cachedData = this.read(name);
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const script = new Script(source, { filename, importModuleDynamically, ...(cachedData && { cachedData }) });
    // V8 refuses a cache of another version, of other flags, and of a script of another length.
    if (HASHED.test(name) && (cachedData === undefined || script.cachedDataRejected === true))
      this.uncached.set(name, script);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the function above
    return script.runInThisContext() as ModuleFunction;
  }

  /** V8 does not verify the content of a cache and crashes on one that is damaged, so it is compared with its checksum. */
  private read(name: string): Uint8Array<ArrayBuffer> | undefined {
    if (this.cache === undefined || !HASHED.test(name)) return undefined;
    try {
      const bytes = readFileSync(`${this.cache}/${name}`);
      const data = bytes.subarray(CHECKSUM_LENGTH);
      return bytes.readUInt32LE() === crc32(data) ? data : undefined;
    } catch {
      return undefined;
    }
  }

  /** Another process may write the same file, or read it. */
  private write(path: string, data: Buffer): void {
    const checksum = Buffer.alloc(CHECKSUM_LENGTH);
    checksum.writeUInt32LE(crc32(data));
    writeFileSync(`${path}.${process.pid}`, Buffer.concat([checksum, data]));
    renameSync(`${path}.${process.pid}`, path);
  }
}
