/**
 * 300 documents, three policies, 40 days: the last day of every verdict is the last one, and every statement has the same
 * bytes when it is made again, with a catalogue that is loaded again. The documents are those of the reference data, then
 * generated ones.
 * Run: node bench/soak-validity.ts [documents] [days] [first document]
 */
import { createHash } from "node:crypto";
import { loadCatalogue } from "../src/catalogue/load.ts";
import { addDays } from "../src/lifecycle/days.ts";
import { date, generated, POLICIES, published, requireLastDay, statementOn } from "../test/api/last-days.ts";

const [count = 300, days = 40, first = 0] = process.argv.slice(2).map(Number);
const real = await published();
const again = loadCatalogue();
const seen: Record<string, number> = {};
const all = createHash("sha256");
for (let at = first; at < count; at++) {
  const document = real[at] ?? (await generated(at));
  for (const [row, policy] of POLICIES.entries())
    for (let day = 0; day < days; day++) {
      const asOf = addDays(date, Math.floor((day * 360) / days));
      const where = `document ${at}, policy ${row}`;
      const ends = await requireLastDay(document, policy, asOf).catch((cause: unknown) => {
        throw new Error(`${where}: ${String(cause)}`, { cause });
      });
      seen[ends] = (seen[ends] ?? 0) + 1;
      const statement = await statementOn(document, policy, asOf);
      if (statement !== (await statementOn(document, policy, asOf, again)))
        throw new Error(`${where}, ${asOf}: the statement has other bytes when it is made again`);
      all.update(statement);
    }
}
const sha256 = all.digest("hex");
process.stdout.write(`${JSON.stringify({ documents: count, published: real.length, days, seen, sha256 })}\n`);
