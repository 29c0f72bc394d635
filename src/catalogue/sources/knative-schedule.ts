/** Knative: the release schedule, in three tables. */
import { isoDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

export const knativeSchedule = markdownSource({
  id: "knative-schedule",
  title: "Knative release schedule",
  product: "knative",
  url: "https://raw.githubusercontent.com/knative/community/main/mechanics/RELEASE-SCHEDULE.md",
  columns: ["Release", "Date", "EOL"],
  row(row, facts) {
    const cycle = cycleName(row, /^(\d+\.\d+)$/, "Release");
    facts.date("releaseDate", cycle, row.date(isoDate, "Date"));
    facts.end("eol", cycle, row.date(isoDate, "EOL"));
  },
});
