/**
 * Removes what nothing here reads from an installation for development, 108 of 547 MB: the headers of Node, which only
 * native add-ons need, and all schemas of the public store except those of the tests. Part of `npm ci`.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PUBLISHED_SCHEMAS } from "../test/published.ts";

const modules = fileURLToPath(new URL("../node_modules/", import.meta.url));

for (const runtime of readdirSync(modules).filter((name) => name.startsWith("node-")))
  rmSync(join(modules, runtime, "include"), { recursive: true, force: true });

const store = join(modules, "schemastore/schemas/json");
const needed = new Set(Object.values(PUBLISHED_SCHEMAS).map((path) => join(store, path)));
for (const entry of readdirSync(store, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && !needed.has(path)) rmSync(path);
}
