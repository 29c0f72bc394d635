/** Prometheus: its long-term lines. The other lines end when the next comes and stand nowhere. */
import { isoDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

export const prometheusLts = markdownSource({
  id: "prometheus-lts",
  title: "Prometheus long-term support",
  product: "prometheus",
  url: "https://raw.githubusercontent.com/prometheus/docs/main/docs/introduction/release-cycle.md",
  columns: ["Release", "Date", "End of support"],
  row(row, facts) {
    if (row.maybe("Release") === undefined) {
      facts.note("not-a-line", row.where, row.cell("Release"));
      return;
    }
    const cycle = cycleName(row, /^Prometheus (\d+\.\d+)$/, "Release");
    facts.mark("lts", cycle);
    facts.date("releaseDate", cycle, row.date(isoDate, "Date"));
    facts.end("eol", cycle, row.date(isoDate, "End of support"));
  },
});
