/** Called by `bin/eolgate.js` after it has checked the Node version: loads the bundle and runs it. */
import { realpathSync } from "node:fs";
import { BundleLoader } from "./bundle-loader.ts";
import { scriptFolder } from "./script-folder.ts";

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
