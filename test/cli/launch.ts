// Starts the command line like `bin/eolgate.js`, but from the TypeScript sources.
import { main } from "../../src/cli/main.ts";

process.exit(await main(process));
