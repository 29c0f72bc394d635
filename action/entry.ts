// Entry of the bundle that the runner starts (`action.yml`, runs.main).
import { actionMain } from "../src/cli/action/action.ts";

process.exitCode = await actionMain(process);
