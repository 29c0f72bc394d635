/** What `bin/eolgate.js` calls once the Node version is known to be new enough: loads the bundle and runs it. */
import { realpathSync } from "node:fs";
import { BundleLoader } from "./bundle-loader.ts";

/** The module that the script `main.cjs` exports. */
interface MainModule {
  readonly main: (host: NodeJS.Process) => Promise<number>;
}

/** Runs the command line of `host` with the scripts of `dist/command` in the package's folder. Resolves to its exit code. */
export async function launch(host: NodeJS.Process, home: string): Promise<number> {
  const isCached = (host.env["NODE_DISABLE_COMPILE_CACHE"] ?? "") === "";
  const loader = new BundleLoader(realpathSync(`${home}/dist/command`), isCached ? cacheFolder(host, home) : undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the bundle's entry
  const { main } = loader.load("main.cjs") as MainModule;
  const exit = await main(host);
  // A run that ended in an error called few functions.
  if (exit <= 1) loader.keep();
  return exit;
}

/**
 * In `.cache` of the package: whoever can write there can change the code itself. `check` calls other functions than the
 * other commands, which share a folder.
 */
function cacheFolder({ version, arch, getuid, argv }: NodeJS.Process, home: string): string {
  const command = argv[2] === "check" ? "check" : "command";
  return `${home}/.cache/${version}-${arch}-${getuid?.() ?? ""}/${command}`;
}
