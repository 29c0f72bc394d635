/** A source whose claims are in the rows of a table. The same reader serves the page and its rows kept as CSV. */
import { asProductSlug } from "../../core/ids.ts";
import { csvTables } from "./feed/csv.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { htmlTables } from "./feed/html.ts";
import { markdownTables } from "./feed/markdown.ts";
import { tablesWith } from "./feed/table.ts";
import type { TableRow, Table } from "./feed/table.ts";
import type { LifecycleSource, SourceDocument, SourceFormat, Verification } from "./source.ts";

interface TableSource {
  readonly id: string;
  readonly title: string;
  readonly origin: string;
  readonly product: string;
  readonly documents: readonly SourceDocument[];
  readonly verification: Verification;
  readonly format: SourceFormat;
  readonly tables: (text: string) => readonly Table[];
  /** The columns that make a table of the page the one that is read. */
  readonly columns: readonly (string | readonly string[])[];
  readonly row: (row: TableRow, facts: ClaimList) => void;
}

function tableSource(source: TableSource): LifecycleSource {
  const { id, title, origin, documents, verification, format } = source;
  const product = asProductSlug(source.product);
  const read = (tables: readonly Table[]) => {
    const facts = new ClaimList(product);
    for (const { rows } of tablesWith(tables, ...source.columns)) for (const row of rows) source.row(row, facts);
    return facts.reading();
  };
  return {
    kind: "lifecycle",
    id,
    title,
    origin,
    products: [product],
    format,
    verification,
    independentOfUpstream: true,
    documents,
    parse: (text) => read(source.tables(text)),
    parseRows: (csv) => read(csvTables(csv)),
  };
}

type PageSource = Omit<TableSource, "documents" | "format" | "tables" | "verification" | "origin"> & {
  readonly url: string;
  readonly verification?: Verification;
};

/** A Markdown page of a vendor's repository. */
export const markdownSource = ({ url, ...source }: PageSource): LifecycleSource =>
  tableSource({
    verification: "read",
    ...source,
    origin: source.product,
    documents: [{ url }],
    format: "markdown",
    tables: markdownTables,
  });

export const htmlSource = ({ url, ...source }: PageSource): LifecycleSource =>
  tableSource({
    verification: "read",
    ...source,
    origin: source.product,
    documents: [{ url }],
    format: "html",
    tables: htmlTables,
  });
