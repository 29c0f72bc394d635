/**
 * Eclipse Temurin: the support table of adoptium.net, rows of five cells in AsciiDoc. Months; the ends of long-term
 * releases are written "At least", which is a lower bound and never an end. The first availability is that of OpenJDK.
 */
import { csvTables, cycleName, makeTable, tablesWith, type Table } from "./feed/table.ts";
import { englishDate } from "./feed/dates.ts";
import { type ClaimList, vendorFeed } from "./feed/claim-list.ts";
import { feedChanged } from "./feed/location.ts";

const END = "End of Availability";
const WIDTH = 5;

/** The page writes headings, months and words either plainly or as attributes: `{month-sep} 2031`, `{at-least}`. */
const plain = (cell: string): string =>
  cell
    .replace(/\{month-([a-z]+)\}/gi, "$1")
    .replace(/\{at-least\}/gi, "At least")
    .replace(/\{col-([a-z-]+)\}/gi, (_, words: string) => words.replaceAll("-", " "))
    .replace(/\s+/g, " ")
    .trim();

function read(claims: ClaimList, tables: readonly Table[]): void {
  for (const { rows } of tablesWith(tables, "Java Version", "First Availability", END)) {
    for (const row of rows) {
      const cycle = cycleName(row, /^Java (\d+)(?: \(LTS\))?$/, "Java Version");
      const bound = /^at least (.*)$/i.exec(row.cell(END))?.[1];
      claims.date("releaseDate", cycle, row.date(englishDate, "First Availability"));
      if (bound === undefined) claims.end("eol", cycle, row.date(englishDate, END));
      else
        claims.date(
          "notBefore",
          cycle,
          row.date(() => englishDate(bound), END),
        );
    }
  }
}

function asciidocTable(text: string): Table {
  const body = /^\|===\n(.*?)^\|===$/ms.exec(text)?.[1];
  if (body === undefined) throw feedChanged("/", "one table between two |===");
  const [, ...cells] = body.split("|").map(plain);
  if (cells.length % WIDTH !== 0) throw feedChanged("/", `rows of ${String(WIDTH)} cells`);
  const rows = Array.from({ length: cells.length / WIDTH }, (_, index) => ({
    where: `row ${String(index)}`,
    cells: cells.slice(index * WIDTH, (index + 1) * WIDTH),
  }));
  return makeTable(rows[0]?.cells ?? [], rows.slice(1));
}

export const temurinSupport = vendorFeed(
  {
    id: "temurin-support",
    title: "Eclipse Temurin support table",
    product: "eclipse-temurin",
    origin: "adoptium",
    format: "asciidoc",
    documents: [
      {
        url: "https://raw.githubusercontent.com/adoptium/adoptium.net/main/content/asciidoc-pages/support/_partials/support-table.adoc",
      },
    ],
  },
  (claims, text) => read(claims, [asciidocTable(text)]),
  (claims, csv) => read(claims, csvTables(csv)),
);
