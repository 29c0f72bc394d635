/** PowerShell: the source of Microsoft's lifecycle page. Previews have no dates. */
import { englishDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

export const powershellLifecycle = markdownSource({
  id: "powershell-lifecycle",
  title: "PowerShell support lifecycle",
  product: "powershell",
  url: "https://raw.githubusercontent.com/MicrosoftDocs/PowerShell-Docs/main/reference/docs-conceptual/install/PowerShell-Support-Lifecycle.md",
  columns: ["Version", "Release Date", "End-of-support"],
  row(row, facts) {
    const cycle = cycleName(row, /^PowerShell (\d+\.\d+)(?: \((?:LTS|preview)\))?$/, "Version");
    const label = row.cell("Version");
    if (label.endsWith("(preview)")) {
      facts.note("not-a-line", row.where, label);
      return;
    }
    if (label.endsWith("(LTS)")) facts.mark("lts", cycle);
    facts.date("releaseDate", cycle, row.date(englishDate, "Release Date"));
    facts.end("eol", cycle, row.date(englishDate, "End-of-support"));
  },
});
