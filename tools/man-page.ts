/** Writes the man page to dist/eolgate.1, from the tables of commands and flags. Part of `npm run build`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { manPage } from "./man/page.ts";

const folder = join(import.meta.dirname, "../dist");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "eolgate.1"), manPage(manifest.version));
