/**
 * Symfony: the releases interface, one document for each cycle, and the constants in each branch's kernel, from which
 * it is made. Both in months.
 */
import { csvTables, cycleName, tablesWith } from "./feed/table.ts";
import { englishDate, isoDate, slashedMonth } from "./feed/dates.ts";
import { vendorFeed } from "./feed/claim-list.ts";
import { feedChanged, completeLines, FeedLocation } from "./feed/location.ts";

const SITE = "https://symfony.com/releases";
/** Cycles that upstream or the vendor still calls maintained; a reading adds those that the interface lists besides. */
const BRANCHES = ["5.4", "6.4", "7.4", "8.0", "8.1"];

const monthOf = (place: FeedLocation) =>
  place.date((words) => slashedMonth(words) ?? isoDate(words) ?? englishDate(words), "a month");

export const symfonyReleases = vendorFeed(
  {
    id: "symfony-releases",
    title: "Symfony releases",
    product: "symfony",
    format: "json",
    verification: "unverified-format",
    documents: [{ url: `${SITE}.json` }],
  },
  (claims, text, { part }) => {
    const answer = FeedLocation.json(text);
    if (part !== undefined) {
      claims.end("eoas", part, monthOf(answer.get("eom")));
      claims.end("eol", part, monthOf(answer.get("eol")));
      return;
    }
    for (const version of answer.get("supported_versions").items()) {
      const line = version.match(/^\d+\.\d+$/, "a version N.N");
      claims.next({ url: `${SITE}/${line}.json`, part: line });
    }
  },
);

export const symfonyKernel = vendorFeed(
  {
    id: "symfony-kernel",
    title: "Symfony kernel constants",
    product: "symfony",
    format: "php",
    documents: BRANCHES.map((part) => ({
      url: `https://raw.githubusercontent.com/symfony/symfony/${part}/src/Symfony/Component/HttpKernel/Kernel.php`,
      part,
    })),
  },
  (claims, text, { part }) => {
    completeLines(text);
    const constant = (name: string, pattern: string): string => {
      const value = new RegExp(`^\\s+(?:public )?const (?:string |int )?${name} = ${pattern};$`, "m").exec(text)?.[1];
      if (value === undefined) throw feedChanged("/", `the constant ${name}`);
      return value;
    };
    const month = (name: string) => {
      const date = slashedMonth(constant(name, "'([^']*)'"));
      if (!date) throw feedChanged(name, "MM/YYYY");
      return date;
    };
    const cycle = `${constant("MAJOR_VERSION", "(\\d+)")}.${constant("MINOR_VERSION", "(\\d+)")}`;
    if (part !== undefined && part !== cycle) throw feedChanged("MINOR_VERSION", `the branch ${part}, not ${cycle}`);
    claims.end("eoas", cycle, month("END_OF_MAINTENANCE"));
    claims.end("eol", cycle, month("END_OF_LIFE"));
  },
  (claims, csv) => {
    for (const { rows } of tablesWith(csvTables(csv), "branch", "END_OF_MAINTENANCE", "END_OF_LIFE")) {
      for (const row of rows) {
        const cycle = cycleName(row, /^(\d+\.\d+)$/, "branch");
        claims.end("eoas", cycle, row.date(slashedMonth, "END_OF_MAINTENANCE"));
        claims.end("eol", cycle, row.date(slashedMonth, "END_OF_LIFE"));
      }
    }
  },
);
