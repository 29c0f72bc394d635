/** Writes schemas/config.schema.json from the fields that the reader reads by. A test holds that it is current. */
import { writeFileSync } from "node:fs";
import { configSchema } from "../src/core/policy/policy.ts";

const file = new URL("../schemas/config.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(configSchema(), null, 2)}\n`);
