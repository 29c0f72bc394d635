/**
 * Symfony: the releases interface, one document for each cycle, and the constants in each branch's kernel, from which
 * it is made. Both in months.
 */
import { asProductSlug } from "../../text/ids.ts";
import { csvTables, cycleName, tablesWith } from "./feed/table.ts";
import { englishDate, isoDate, slashedMonth } from "./feed/dates.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { feedChanged, completeLines, FeedLocation } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("symfony");
const SITE = "https://symfony.com/releases";
/** Cycles that upstream or the vendor still calls maintained; a reading adds those that the interface lists besides. */
const BRANCHES = ["5.4", "6.4", "7.4", "8.0", "8.1"];

const head = {
  kind: "lifecycle",
  origin: "symfony",
  products: [product],
  independentOfUpstream: true,
} as const;

const monthOf = (place: FeedLocation) =>
  place.date((words) => slashedMonth(words) ?? isoDate(words) ?? englishDate(words), "a month");

export const symfonyReleases: LifecycleSource = {
  ...head,
  id: "symfony-releases",
  title: "Symfony releases",
  format: "json",
  verification: "unverified-format",
  documents: [{ url: `${SITE}.json` }],
  parse(text, { part }) {
    const claims = new ClaimList(product);
    const answer = FeedLocation.json(text);
    if (part === undefined) {
      for (const version of answer.get("supported_versions").items()) {
        const line = version.match(/^\d+\.\d+$/, "a version N.N");
        claims.mark("supported", line);
        claims.next({ url: `${SITE}/${line}.json`, part: line });
      }
      return claims.reading();
    }
    claims.end("eoas", part, monthOf(answer.get("eom")));
    claims.end("eol", part, monthOf(answer.get("eol")));
    return claims.reading();
  },
};

export const symfonyKernel: LifecycleSource = {
  ...head,
  id: "symfony-kernel",
  title: "Symfony kernel constants",
  format: "php",
  verification: "read",
  documents: BRANCHES.map((part) => ({
    url: `https://raw.githubusercontent.com/symfony/symfony/${part}/src/Symfony/Component/HttpKernel/Kernel.php`,
    part,
  })),
  parse(text, { part }) {
    const claims = new ClaimList(product);
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
    return claims.reading();
  },
  parseRows(csv) {
    const claims = new ClaimList(product);
    for (const { rows } of tablesWith(csvTables(csv), "branch", "END_OF_MAINTENANCE", "END_OF_LIFE")) {
      for (const row of rows) {
        const cycle = cycleName(row, /^(\d+\.\d+)$/, "branch");
        claims.end("eoas", cycle, row.date(slashedMonth, "END_OF_MAINTENANCE"));
        claims.end("eol", cycle, row.date(slashedMonth, "END_OF_LIFE"));
      }
    }
    return claims.reading();
  },
};
