/** Writes docs/errors.md from the table of error codes: `npm run generate`. */
import { writeFileSync } from "node:fs";
import { errorReference } from "../test/docs/error-reference.ts";

writeFileSync(new URL("../docs/errors.md", import.meta.url), errorReference());
