/**
 * Loads the scripts of the bundle (`tools/command-bundle.ts`) with V8's code cache. Node's own compile cache contains the
 * functions that are compiled when a file is loaded. This one is written after a run, so that it also contains those that
 * were compiled when they were called: a third of a small check.
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
  /** The folder that scripts see as their own. */
  readonly folder: string;
  /** The text of a script. The build escapes all but ASCII. @throws Error if there is no script of that name. */
  read(name: string): string;
  cached(name: string): Uint8Array<ArrayBuffer> | undefined;
  /** Keeps the caches of scripts that had none, for the next run. Fails silently. */
  keep(caches: ReadonlyMap<string, Uint8Array>): void;
}

/** The bundler adds a hash of the content to the names of all scripts but those where a program starts. */
export const HASHED = /-[\w-]{8}\.cjs$/;

export class BundleLoader {
  private readonly scripts: BundleScripts;
  private readonly modules = new Map<string, ScriptModule>();
  private readonly uncached = new Map<string, Script>();
  private readonly requirePackage: Require;

  constructor(scripts: BundleScripts) {
    this.scripts = scripts;
    this.requirePackage = createRequire(`${scripts.folder}/`);
  }

  /** Runs a script that was not run yet, and returns what it exports. */
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

  /** Keeps the caches of the scripts that had none. */
  keep(): void {
    if (this.uncached.size === 0) return;
    this.scripts.keep(new Map([...this.uncached].map(([name, script]) => [name, script.createCachedData()])));
  }

  private requireOutside(specifier: string): unknown {
    return process.getBuiltinModule(specifier) ?? this.requirePackage(specifier);
  }

  private compile(name: string, filename: string): ModuleFunction {
    // On one line with the script, so that places in stack traces are those in the file.
    const source = `(function(exports,require,module,__filename,__dirname){${this.scripts.read(name)}\n})`;
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
