/**
 * Writes the published schemas of the JSON report, of `diff` and of the statement about a verdict from the schemas in
 * the code: `node tools/report-schema.ts`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { differenceSchema, reportSchema } from "./report-schemas/report.ts";
import { verdictSchema } from "./report-schemas/verdict.ts";

const folder = new URL("../schemas/", import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, schema] of Object.entries({
  report: reportSchema,
  difference: differenceSchema,
  verdict: verdictSchema,
}))
  await writeFile(new URL(`${name}.schema.json`, folder), `${JSON.stringify(schema, null, 2)}\n`);
