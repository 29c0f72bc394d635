/**
 * The tables of vendors' pages as reference data keeps them: their rows written as CSV with the vendor's headings.
 */
import { CURATED } from "../src/catalogue/places.ts";
import { readRows } from "../src/pipeline/sources/declared/feed.ts";
import { readShaped } from "../src/pipeline/sources/declared/read-feeds.ts";
import { tableRows } from "../src/pipeline/sources/declared/rows.ts";
import { DeclaredFeed } from "../src/pipeline/sources/declared/schema.ts";
import { ClaimList } from "../src/pipeline/sources/feed/claim-list.ts";
import { englishDate } from "../src/pipeline/sources/feed/dates.ts";
import { csvTables, tablesWith, type Table } from "../src/pipeline/sources/feed/table.ts";
import { addByRule, release } from "../src/pipeline/sources/go-history.ts";
import type { LifecycleSource, SourceReading } from "../src/pipeline/sources/source.ts";
import { getOwn } from "../src/text/values.ts";

const FIELDS: Readonly<Record<string, "eoas" | "eol">> = { "Bug fixes": "eoas", "Security fixes": "eol" };

/** By the id of a source that is read by code. */
const READERS: Readonly<Record<string, (claims: ClaimList, tables: readonly Table[]) => void>> = {
  "go-history": (claims, tables) => {
    const [table] = tablesWith(tables, "version", "date");
    addByRule(
      claims,
      (table?.rows ?? []).map((row) =>
        release(row.where, row.cell("date"), row.cell("version").split(".").map(Number)),
      ),
    );
  },
  "rails-maintenance": (claims, tables) => {
    for (const { rows } of tablesWith(tables, "List", "Series", "Supported until")) {
      for (const row of rows) {
        const field = getOwn(FIELDS, row.cell("List"));
        if (field === undefined) throw new TypeError(`${row.where}, List: neither bug fixes nor security fixes`);
        claims.end(field, row.cell("Series"), row.date(englishDate, "Supported until"));
      }
    }
  },
};

/** Reads such rows; undefined for a source whose samples are no tables. @throws EolgateError `feed-changed` */
export function readTable(
  { id, isDeclared, products: [product] }: LifecycleSource,
  csv: string,
): SourceReading | undefined {
  if (isDeclared) {
    const feed = readShaped(new URL(`feeds/${id}.json`, CURATED), DeclaredFeed);
    return readRows(feed, tableRows(csvTables(csv), feed.rows));
  }
  const read = getOwn(READERS, id);
  if (read === undefined || product === undefined) return undefined;
  const claims = new ClaimList(product);
  read(claims, csvTables(csv));
  return claims.reading();
}
