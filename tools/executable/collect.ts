/** Copies the executable and what is published with it to a folder. Run: collect.ts FOLDER */
import { copyFileSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { collect, executablePath } from "./published-files.ts";

const [, , folder] = process.argv;
if (folder === undefined) throw new Error("no folder given");
mkdirSync(folder, { recursive: true });
copyFileSync(executablePath(), join(folder, basename(executablePath())));
collect(folder);
