/**
 * Writes schemas/config.schema.json from the fields that validate a configuration file. A test checks that the file is
 * up to date.
 */
import { writeFileSync } from "node:fs";
import { configSchema } from "../src/policy/policy.ts";

const file = new URL("../schemas/config.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(configSchema(), null, 2)}\n`);
