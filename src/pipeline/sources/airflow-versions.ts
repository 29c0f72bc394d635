/** Apache Airflow: the tuple of versions in the repository from which the published tables are made. Majors since 2. */
import { csvTables, cycleName, makeTable, tablesWith, type Table } from "./feed/table.ts";
import { englishDate } from "./feed/dates.ts";
import { type ClaimList, vendorFeed } from "./feed/claim-list.ts";
import { feedChanged } from "./feed/location.ts";

const COLUMNS = ["Version", "First Release", "Limited Maintenance", "EOL/Terminated"];

function read(claims: ClaimList, tables: readonly Table[]): void {
  for (const { rows } of tablesWith(tables, ...COLUMNS)) {
    for (const row of rows) {
      const cycle = cycleName(row, /^(\d+(?:\.\d+)?)$/, "Version");
      const [active, end] = [row.date(englishDate, "Limited Maintenance"), row.date(englishDate, "EOL/Terminated")];
      claims.date("releaseDate", cycle, row.date(englishDate, "First Release"));
      if (active) claims.end("eoas", cycle, active);
      else claims.open("eoas", cycle);
      if (end) claims.end("eol", cycle, end);
      else claims.open("eol", cycle);
    }
  }
}

const tuple = (text: string, name: string): string => {
  const body = new RegExp(`^${name} = \\(\\n(.*?)^\\)$`, "ms").exec(text)?.[1];
  if (body === undefined) throw feedChanged("/", `the tuple ${name}`);
  return body;
};
/** The strings of one tuple: the file uses no escapes in them. */
const strings = (line: string): readonly string[] => [...line.matchAll(/"([^"\\]*)"/g)].map(([, text = ""]) => text);

export const airflowVersions = vendorFeed(
  {
    id: "airflow-versions",
    title: "Apache Airflow supported versions",
    product: "apache-airflow",
    format: "python",
    documents: [{ url: "https://raw.githubusercontent.com/apache/airflow/main/scripts/ci/prek/supported_versions.py" }],
  },
  (claims, text) => {
    const headings = strings(tuple(text, "HEADERS"));
    const rows = tuple(text, "SUPPORTED_VERSIONS")
      .trimEnd()
      .split("\n")
      .map((line, index) => {
        const where = `SUPPORTED_VERSIONS[${String(index)}]`;
        if (!/^ {4}\("[^"]*"(?:, "[^"]*")*\),$/.test(line)) throw feedChanged(where, "a tuple of strings on one line");
        return { where, cells: strings(line) };
      });
    read(claims, [makeTable(headings, rows)]);
  },
  (claims, csv) => read(claims, csvTables(csv)),
);
