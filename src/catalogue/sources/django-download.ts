/** Django: supported, coming and ended series of the download page. Its source is read, where the site's blanks stay blank. */
import { englishDate } from "./feed/dates.ts";
import type { ClaimList } from "./feed/claim-list.ts";
import { cycleName } from "./feed/table.ts";
import type { TableRow } from "./feed/table.ts";
import { htmlSource } from "./table-source.ts";

const EXTENDED = "End of extended support";

function addEnd(row: TableRow, cycle: string, facts: ClaimList): void {
  const bound = /^Until at least (.*)$/i.exec(row.cell(EXTENDED))?.[1];
  if (bound === undefined) facts.end("eol", cycle, row.date(englishDate, EXTENDED));
  else
    facts.date(
      "notBefore",
      cycle,
      row.date(() => englishDate(bound), EXTENDED),
    );
}

export const djangoDownload = htmlSource({
  id: "django-download",
  title: "Django supported versions",
  product: "django",
  url: "https://raw.githubusercontent.com/django/djangoproject.com/main/djangoproject/templates/releases/download.html",
  columns: ["Release Series", "End of mainstream support", EXTENDED],
  row(row, facts) {
    const cycle = cycleName(row, /^(\d+(?:\.\d+)?)(?: LTS)?$/, "Release Series");
    if (row.cell("Release Series").endsWith(" LTS")) facts.mark("lts", cycle);
    if (row.has("Release Date")) facts.date("releaseDate", cycle, row.date(englishDate, "Release Date"));
    facts.end("eoas", cycle, row.date(englishDate, "End of mainstream support"));
    addEnd(row, cycle, facts);
  },
});
