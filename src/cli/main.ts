/** What `bin/eolgate.js` calls once the Node version is known to be new enough. */
import { createProcessContext } from "./process-context.ts";
import { run } from "./run.ts";

export const main = (host: NodeJS.Process): Promise<number> => run(host.argv.slice(2), createProcessContext(host));
