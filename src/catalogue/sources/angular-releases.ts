/** Angular: the supported majors. */
import { isoDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

export const angularReleases = markdownSource({
  id: "angular-releases",
  title: "Angular supported versions",
  product: "angular",
  url: "https://raw.githubusercontent.com/angular/angular/main/adev/src/content/reference/releases.md",
  columns: ["Version", "Status", "Released", "Active ends", "LTS ends"],
  row(row, facts) {
    const cycle = cycleName(row, /^\^(\d+)\.0\.0$/, "Version");
    facts.date("releaseDate", cycle, row.date(isoDate, "Released"));
    facts.end("eoas", cycle, row.date(isoDate, "Active ends"));
    facts.end("eol", cycle, row.date(isoDate, "LTS ends"));
  },
});
