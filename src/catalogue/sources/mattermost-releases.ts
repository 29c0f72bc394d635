/** Mattermost: server releases. The first cell carries links, the last one can carry the word for extended support. */
import { isoDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

export const mattermostReleases = markdownSource({
  id: "mattermost-releases",
  title: "Mattermost server releases",
  product: "mattermost",
  url: "https://raw.githubusercontent.com/mattermost/docs/master/source/product-overview/mattermost-server-releases.md",
  columns: ["Release", "Released on", "Support ends"],
  row(row, facts) {
    const cycle = cycleName(row, /^v(\d+\.\d+)(?:\s|$)/, "Release");
    const end = row.cell("Support ends");
    if (/\bEXTENDED\b/.test(end)) facts.mark("lts", cycle);
    facts.date("releaseDate", cycle, row.date(isoDate, "Released on"));
    facts.end(
      "eol",
      cycle,
      row.date((text) => isoDate(text.replace(/ \{ref\}.*$/, "")), "Support ends"),
    );
  },
});
