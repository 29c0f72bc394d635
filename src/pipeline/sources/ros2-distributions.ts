/**
 * ROS 2: the list-table of distributions. The cycle is the first word of the name; alphas and betas are separate
 * cycles.
 */
import { csvTables, cycleName, makeTable, tablesWith, type Table } from "./feed/table.ts";
import { englishDate } from "./feed/dates.ts";
import { type ClaimList, vendorFeed } from "./feed/claim-list.ts";
import { completeLines } from "./feed/location.ts";

function read(claims: ClaimList, tables: readonly Table[]): void {
  for (const { rows } of tablesWith(tables, "Distro", "Release date", "EOL date")) {
    for (const row of rows) {
      const cycle = cycleName(row, /^([A-Za-z]+\d?)(?: .*)?$/, "Distro").toLowerCase();
      claims.date("releaseDate", cycle, row.date(englishDate, "Release date"));
      claims.end("eol", cycle, row.date(englishDate, "EOL date"));
    }
  }
}

/** What a reader sees of a cell: a link by its text, also one with a role such as `:doc:`. */
const seen = (cell: string): string => cell.replace(/(?::[a-z]+:)?`([^`<]*?)\s*<[^>]*>`_*/g, "$1").trim();

/** `.. list-table::` with rows `* - first` and `- further`, cells indented by three and five blanks. */
function listTables(text: string): readonly Table[] {
  const [, ...blocks] = `${completeLines(text).join("\n")}\n`.split(/^\.\. list-table::.*\n/m);
  return blocks.map((block) => {
    const body = /^(?: {3}.*\n|\n)*/.exec(block)?.[0] ?? "";
    const [, ...rows] = body.split(/^ {3}\* /m);
    const cells = rows.map((row) =>
      ` ${row}`
        .split(/^ {1,5}-(?: |$)/m)
        .slice(1)
        .map(seen),
    );
    return makeTable(
      cells[0] ?? [],
      cells.slice(1).map((row, index) => ({ where: `row ${String(index + 1)}`, cells: row })),
    );
  });
}

export const ros2Distributions = vendorFeed(
  {
    id: "ros2-distributions",
    title: "ROS 2 distributions",
    product: "ros-2",
    origin: "ros2",
    format: "code",
    documents: [{ url: "https://raw.githubusercontent.com/ros2/ros2_documentation/rolling/source/Releases.rst" }],
  },
  (claims, text) => read(claims, listTables(text)),
  (claims, csv) => read(claims, csvTables(csv)),
);
