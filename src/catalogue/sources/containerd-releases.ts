/** containerd: the release table. An asterisk marks a planned day, `(tentative)` one that is none yet; rules are prose. */
import { englishDate } from "./feed/dates.ts";
import type { ClaimList } from "./feed/claim-list.ts";
import { cycleName } from "./feed/table.ts";
import type { TableRow } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

function stated(row: TableRow, heading: string, facts: ClaimList) {
  const text = row.maybe(heading);
  const where = `${row.where}, ${heading}`;
  if (text === undefined) return undefined;
  if (/tentative/i.test(text)) facts.note("approximate", where, text);
  else if (/^(?:max|active)\(/.test(text)) facts.note("prose", where, text);
  else return row.date((words) => englishDate(words.replace(/\*$/, "")), heading);
  return undefined;
}

export const containerdReleases = markdownSource({
  id: "containerd-releases",
  title: "containerd releases",
  product: "containerd",
  url: "https://raw.githubusercontent.com/containerd/containerd.io/main/content/releases.md",
  columns: ["Release", "Status", "Start", "End of Life"],
  row(row, facts) {
    const cycle = cycleName(row, /^(\d+\.\d+)$/, "Release");
    if (row.cell("Status") === "LTS") facts.mark("lts", cycle);
    facts.date("releaseDate", cycle, stated(row, "Start", facts));
    facts.end("eol", cycle, stated(row, "End of Life", facts));
  },
});
