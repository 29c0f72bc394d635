/** Envoy: the release schedule. A release that is only expected has no end. */
import { slashedDay } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

export const envoyReleases = markdownSource({
  id: "envoy-releases",
  title: "Envoy release schedule",
  product: "envoy",
  url: "https://raw.githubusercontent.com/envoyproxy/envoy/main/RELEASES.md",
  columns: ["Version", "Expected", "Actual", "End of Life"],
  row(row, facts) {
    const cycle = cycleName(row, /^(\d+\.\d+)\.0$/, "Version");
    const released = row.date(slashedDay, "Actual");
    if (!released) facts.note("not-a-line", row.where, row.cell("Version"));
    facts.date("releaseDate", cycle, released);
    facts.end("eol", cycle, row.date(slashedDay, "End of Life"));
  },
});
