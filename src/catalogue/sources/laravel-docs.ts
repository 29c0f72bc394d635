/** Laravel: the support policy in the documentation of the newest version. A quarter is no date. */
import { englishDate } from "./feed/dates.ts";
import type { ClaimList } from "./feed/claim-list.ts";
import { cycleName } from "./feed/table.ts";
import type { TableRow } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

/** Days and months; a quarter (`Q3 2027`) is noted and left out. */
function dateUnlessQuarter(row: TableRow, heading: string, facts: ClaimList) {
  const text = row.cell(heading);
  if (!/^Q[1-4] \d{4}$/.test(text)) return row.date(englishDate, heading);
  facts.note("quarter", `${row.where}, ${heading}`, text);
  return undefined;
}

export const laravelDocs = markdownSource({
  id: "laravel-docs",
  title: "Laravel support policy",
  product: "laravel",
  url: "https://raw.githubusercontent.com/laravel/docs/13.x/releases.md",
  columns: ["Version", "Release", "Bug Fixes Until", "Security Fixes Until"],
  row(row, facts) {
    const cycle = cycleName(row, /^(\d+)(?:\.x)?(?: \(LTS\))?$/, "Version");
    facts.date("releaseDate", cycle, dateUnlessQuarter(row, "Release", facts));
    facts.end("eoas", cycle, dateUnlessQuarter(row, "Bug Fixes Until", facts));
    facts.end("eol", cycle, dateUnlessQuarter(row, "Security Fixes Until", facts));
  },
});
