/** Runs one command with the scripts of a folder, and writes their V8 code caches to another folder. */
import { BundleLoader } from "../../src/cli/start/bundle-loader.ts";
import { scriptFolder } from "../../src/cli/start/launch.ts";

const [node = "", script = "", scripts = "", cache = "", ...command] = process.argv;
process.argv = [node, script, ...command];
const loader = new BundleLoader(scriptFolder(scripts, cache));
process.exitCode = await loader.main(process);
loader.keep();
