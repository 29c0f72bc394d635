/**
 * Loads the scripts of the bundle (`tools/command-bundle.ts`) with V8's code cache. Node's compile cache contains only
 * functions that are compiled when a file is loaded. This cache is written after a run, so it also contains functions
 * that were compiled when they were called, which saves a third of the time of a small check.
 */
import { createRequire } from "node:module";
import { Script, constants } from "node:vm";

/** The module that the script `main.cjs` exports. */
interface MainModule {
  readonly main: (host: NodeJS.Process) => Promise<number>;
}

interface ScriptModule {
  exports: unknown;
}
type Require = (specifier: string) => unknown;
// oxlint-disable-next-line max-params -- the signature of CommonJS
type ModuleFunction = (exports: unknown, require: Require, module: ScriptModule, file: string, folder: string) => void;

/** Where scripts and their caches come from: files of an installation, or assets of the single executable. */
export interface BundleScripts {
  /** The folder of the scripts, as they see it (`__dirname`). */
  readonly folder: string;
  /** The bytes of a script, which is ASCII only. @throws Error if there is no script of that name. */
  read(name: string): Uint8Array;
  cached(name: string): Uint8Array<ArrayBuffer> | undefined;
  /** Stores the caches of scripts that had none, for the next run. Fails silently. */
  keep(caches: ReadonlyMap<string, Uint8Array>): void;
}

/** The bundler adds a hash of the content to the names of all scripts except entry points. */
export const HASHED = /-[\w-]{8}\.cjs$/;

/** On the first line of the script, so that line numbers in stack traces are those of the file. */
const BEFORE = Buffer.from("(function(exports,require,module,__filename,__dirname){");
const AFTER = Buffer.from("\n})");

export class BundleLoader {
  private readonly scripts: BundleScripts;
  private readonly modules = new Map<string, ScriptModule>();
  private readonly uncached = new Map<string, Script>();
  private readonly requirePackage: Require;

  constructor(scripts: BundleScripts) {
    this.scripts = scripts;
    this.requirePackage = createRequire(`${scripts.folder}/`);
  }

  /** Returns the exports of a script, and runs it first if needed. */
  load(name: string): unknown {
    const known = this.modules.get(name);
    if (known !== undefined) return known.exports;
    const module: ScriptModule = { exports: {} };
    this.modules.set(name, module);
    const require: Require = (specifier) =>
      specifier.startsWith("./") ? this.load(specifier.slice(2)) : this.requireOutside(specifier);
    const path = `${this.scripts.folder}/${name}`;
    this.compile(name, path)(module.exports, require, module, path, this.scripts.folder);
    return module.exports;
  }

  /** Runs the command line of `host`. Resolves to its exit code. */
  main(host: NodeJS.Process): Promise<number> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the bundle's entry
    return (this.load("main.cjs") as MainModule).main(host);
  }

  /** Stores the caches of the scripts that had none. */
  keep(): void {
    if (this.uncached.size === 0) return;
    this.scripts.keep(new Map([...this.uncached].map(([name, script]) => [name, script.createCachedData()])));
  }

  private requireOutside(specifier: string): unknown {
    return process.getBuiltinModule(specifier) ?? this.requirePackage(specifier);
  }

  private compile(name: string, filename: string): ModuleFunction {
    // Joined as bytes: a joined text is copied within V8's heap, which it then collects more often.
    const source = Buffer.concat([BEFORE, this.scripts.read(name), AFTER]).toString("latin1");
    const cachedData = HASHED.test(name) ? this.scripts.cached(name) : undefined;
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const script = new Script(source, { filename, importModuleDynamically, ...(cachedData && { cachedData }) });
    // V8 refuses a cache of another version, of other flags, and of a script of another length.
    if (HASHED.test(name) && (cachedData === undefined || script.cachedDataRejected === true))
      this.uncached.set(name, script);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the function above
    return script.runInThisContext() as ModuleFunction;
  }
}
