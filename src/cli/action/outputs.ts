/** The Action's outputs. They are read from the JSON report, so that both state the same counts under the same names. */
import { readFile } from "node:fs/promises";

/** Name of an output → its path in the report. */
const OUTPUT_PATHS = {
  verdict: ["gate", "verdict"],
  components: ["components"],
  assessed: ["coverage", "assessed"],
  failing: ["summary", "failing"],
  warning: ["summary", "warning"],
  "end-of-life": ["summary", "end_of_life"],
  retired: ["summary", "retired"],
  superseded: ["summary", "superseded"],
  "ending-soon": ["summary", "ending_soon"],
  "kev-affected": ["summary", "kev_affected"],
  "highest-score": ["summary", "highest_score"],
} as const;

/** Undefined when the command ended without writing a report. */
export async function readOutputs(path: string): Promise<Readonly<Record<string, string>> | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const report: unknown = JSON.parse(text);
  const outputs = Object.entries(OUTPUT_PATHS).flatMap(([name, keys]) => {
    const value = valueAt(report, keys);
    return value === undefined || value === null ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(outputs);
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}
