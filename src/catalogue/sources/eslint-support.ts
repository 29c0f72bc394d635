/** ESLint: release cycles by major. */
import { isoDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

export const eslintSupport = markdownSource({
  id: "eslint-support",
  title: "ESLint version support",
  product: "eslint",
  url: "https://raw.githubusercontent.com/eslint/eslint.org/main/src/content/pages/version-support.md",
  columns: ["Release Line", "First Release", "EOL Start"],
  row(row, facts) {
    const cycle = cycleName(row, /^v(\d+)\.(?:x|\d+\.\d+-v[\d.]+)$/, "Release Line");
    const end = row.date(isoDate, "EOL Start");
    facts.date("releaseDate", cycle, row.date(isoDate, "First Release"));
    if (end) facts.end("eol", cycle, end);
    else facts.open("eol", cycle);
  },
});
