/** What `bin/eolgate.js` calls once the Node version is known to be new enough: loads the bundle and runs it. */
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
