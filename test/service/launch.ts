/** The command line from the sources, for tests that start a process. */
import { main } from "../../src/cli/main.ts";

process.exitCode = await main(process);
