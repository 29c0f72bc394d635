/** Writes the published schema of the JSON report from the shapes in the code: `node tools/report-schema.ts`. */
import { mkdir, writeFile } from "node:fs/promises";
import { reportSchema } from "../src/report/json/schema.ts";

const folder = new URL("../schemas/", import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL("report.schema.json", folder), `${JSON.stringify(reportSchema, null, 2)}\n`);
