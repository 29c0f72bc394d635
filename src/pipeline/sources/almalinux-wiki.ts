/** AlmaLinux: the ends of a major version are in a sentence of the release notes. */
import { asProductSlug } from "../../text/ids.ts";
import { csvTables, cycleName, tablesWith } from "./feed/table.ts";
import { englishDate } from "./feed/dates.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { feedChanged, completeLines } from "./feed/location.ts";
import type { LifecycleSource } from "./source.ts";

const product = asProductSlug("almalinux");
const SENTENCE = /^Version (\d+) will have active support until ([^,]+), and security support until ([^.]+)\./;

function endsIn(line: string, where: string) {
  const [, cycle, active = "", security = ""] = SENTENCE.exec(line) ?? [];
  if (cycle === undefined) return undefined;
  const ends = { cycle, active: englishDate(active), security: englishDate(security) };
  if (!ends.active || !ends.security) throw feedChanged(where, `the two ends of AlmaLinux ${cycle}`);
  return { ...ends, active: ends.active, security: ends.security };
}

export const almalinuxWiki: LifecycleSource = {
  kind: "lifecycle",
  id: "almalinux-wiki",
  title: "AlmaLinux release notes",
  origin: "almalinux",
  products: [product],
  format: "markdown",
  verification: "read",
  independentOfUpstream: true,
  documents: [{ url: "https://raw.githubusercontent.com/AlmaLinux/wiki/master/docs/release-notes/README.md" }],
  parse(text) {
    const claims = new ClaimList(product);
    let major: string | undefined;
    for (const [index, line] of completeLines(text).entries()) {
      const where = `line ${String(index + 1)}`;
      const heading = /^### AlmaLinux (?:OS )?(\d+)$/.exec(line)?.[1];
      // A heading without its sentence is a major whose ends would silently be missing.
      if (heading !== undefined && major !== undefined) throw feedChanged(where, `the ends of AlmaLinux ${major}`);
      major = heading ?? major;
      const ends = endsIn(line, where);
      if (ends === undefined) continue;
      const { cycle, active, security } = ends;
      if (cycle !== major) throw feedChanged(where, `the two ends of AlmaLinux ${String(major)}`);
      claims.end("eoas", cycle, active);
      claims.end("eol", cycle, security);
      major = undefined;
    }
    if (major !== undefined) throw feedChanged("the last line", `the ends of AlmaLinux ${major}`);
    return claims.reading();
  },
  parseRows(csv) {
    const claims = new ClaimList(product);
    for (const { rows } of tablesWith(csvTables(csv), "Version", "Active support until", "Security support until")) {
      for (const row of rows) {
        const cycle = cycleName(row, /^(\d+(?:\.\d+)?)$/, "Version");
        claims.end("eoas", cycle, row.date(englishDate, "Active support until"));
        claims.end("eol", cycle, row.date(englishDate, "Security support until"));
      }
    }
    return claims.reading();
  },
};
