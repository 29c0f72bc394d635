// Starts the command line in a process of its own, as `bin/eolgate.js` does, but from the sources.
import { main } from "../../src/cli/main.ts";

process.exitCode = await main(process);
