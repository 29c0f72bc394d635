/** Rocky Linux: the minor releases, one table a major. The end of a major stands here only through its last minor. */
import { englishDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

export const rockyWiki = markdownSource({
  id: "rocky-wiki",
  title: "Rocky Linux release and version table",
  product: "rocky-linux",
  url: "https://raw.githubusercontent.com/rocky-linux/wiki.rockylinux.org/main/include/releng/version_table.md",
  columns: ["Version", "Release Date", "End of Life"],
  row(row, facts) {
    const cycle = cycleName(row, /^(\d+\.\d+)$/, "Version");
    facts.date("releaseDate", cycle, row.date(englishDate, "Release Date"));
    facts.end("eol", cycle, row.date(englishDate, "End of Life"));
  },
});
