/** Runs one command with the scripts of a folder and writes V8's code caches of them to another. */
import { BundleLoader } from "../../src/cli/bundle-loader.ts";
import { scriptFolder } from "../../src/cli/script-folder.ts";

const [node = "", script = "", scripts = "", cache = "", ...command] = process.argv;
process.argv = [node, script, ...command];
const loader = new BundleLoader(scriptFolder(scripts, cache));
process.exitCode = await loader.main(process);
loader.keep();
