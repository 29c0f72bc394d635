/**
 * The description of a feed as data: `curated/feeds/*.json`. A product whose vendor publishes a table needs one such file
 * and no code. The readme of `curated` has an example.
 */
import { type Static, Type } from "typebox";
import { closedObject } from "../../../text/schema.ts";

const text = Type.String({ minLength: 1 });
/** A regular expression, compared with the text of a cell. */
const pattern = Type.String({ minLength: 1, format: "regex" });
const product = Type.String({ pattern: "^[a-z0-9][a-z0-9.-]*$" });
const url = Type.String({ pattern: "^https://" });
/** A column, or several of which the first with a text is read. */
const columns = Type.Union([text, Type.Array(text, { minItems: 1 })]);
const optional = Type.Optional;

const Condition = closedObject({ column: columns, pattern });

/** A text in the place of a date: what it means. `open`: no end announced. `ended`: ended on a day that is not stated. */
const Exception = closedObject({ pattern, means: Type.Enum(["open", "ended", "nothing", "prose", "range"]) });

const reading = {
  column: columns,
  /** How the vendor writes the date. */
  date: Type.Enum(["iso", "instant", "english", "slashed-day", "slashed-month", "month-first", "serial-day"]),
  /** The row, or the table, may lack the column. */
  optional: optional(Type.Literal(true)),
  /** Removed from the text before it is read. */
  strip: optional(pattern),
  /** Marks an approximate, expected or tentative date, and is removed: only about its month is known. */
  about: optional(pattern),
  exceptions: optional(Type.Array(Exception)),
  /** The row has the value only where this applies. */
  when: optional(Condition),
  /** The vendor prints a day and means its month. */
  asMonth: optional(Type.Literal(true)),
};
const DateValue = closedObject({ field: Type.Enum(["releaseDate", "notBefore"]), ...reading });
const EndValue = closedObject({
  field: Type.Enum(["eoas", "eol", "eoes"]),
  ...reading,
  /** What an empty cell means; `no-date` is named in the reading. Without it an empty cell states nothing. */
  empty: optional(Type.Enum(["open", "no-date"])),
  /** `rule`: the vendor derives the date from a published rule. */
  basis: optional(Type.Literal("rule")),
});
const TrackValue = closedObject({
  field: Type.Literal("track"),
  name: text,
  vendor: text,
  cost: Type.Enum(["free", "paid"]),
  ...reading,
});
const FeedValue = Type.Union([DateValue, EndValue, TrackValue]);
export type FeedValue = Static<typeof FeedValue>;

const Rows = closedObject({
  /** CSV: all headings, in order. Markdown and HTML: the headings that distinguish the table from the others on the page. */
  columns: optional(Type.Array(columns, { minItems: 1 })),
  /** Markdown: the heading above the table is read under this column. */
  title: optional(text),
  /** CSV: the file may have further columns, in any order. */
  furtherColumns: optional(Type.Literal(true)),
  /** JSON, YAML, TOML: a JSON pointer to the list or object; `*` matches each item of a list or value of an object. */
  path: optional(Type.String({ pattern: "^(/[^/]+)*$" })),
  /** The rows are the values of an object; its keys are read under this column. */
  key: optional(text),
  /** A key of an object on the path, which each row below it has as well. */
  above: optional(text),
  /** Keys that a row may have: a renamed date is noticed. */
  only: optional(Type.Array(text)),
  /** Code: the block of the rows, as the first group, and a row with its line ends and a group for each of the columns. */
  block: optional(pattern),
  row: optional(pattern),
  /** XML: the name of the elements. */
  element: optional(text),
  /** XML: a column that contains `Key: value` pairs, and what separates them. Each key becomes a column. */
  pairs: optional(closedObject({ column: text, between: pattern })),
});
export type FeedRows = Static<typeof Rows>;

const Products = closedObject({
  column: columns,
  pattern: optional(pattern),
  /** The vendor's name of the product, as the pattern's first group or the whole cell, to the catalogue's. */
  names: Type.Record(text, product),
});

export const DeclaredFeed = closedObject({
  id: Type.String({ pattern: "^[a-z0-9][a-z0-9-]*$" }),
  title: text,
  /** What a reader of the description needs about the vendor's table. */
  about: optional(text),
  /** Whose statement it is: feeds of one origin count once. The product where absent. */
  origin: optional(text),
  /** `workbook`: the first sheet of an Office Open XML file. */
  format: Type.Enum(["json", "yaml", "toml", "csv", "xml", "html", "markdown", "workbook", "code"]),
  /** The documents are pages; the address on each that matches is that of the data. */
  link: optional(pattern),
  verification: Type.Enum(["read", "excerpt", "unverified-format"]),
  /** The day, month or year of the newest text of the vendor in which the form was seen. */
  seen: optional(Type.String({ pattern: "^\\d{4}(-\\d{2}){0,2}$" })),
  documents: Type.Array(closedObject({ url, part: optional(text), format: optional(Type.Literal("html")) }), {
    minItems: 1,
  }),
  /** Beginnings of addresses that show the same table. Own records that were read there are copies of it. */
  samePages: optional(Type.Array(url)),
  product: optional(product),
  products: optional(Products),
  rows: Rows,
  /** Rows that are not release cycles. With a note they are named in the reading. */
  skip: optional(Type.Array(closedObject({ column: columns, pattern, note: optional(Type.Literal("not-a-cycle")) }))),
  cycle: closedObject({
    column: columns,
    pattern,
    /** `$1` is the first group of the pattern, which is also the default; `{Column}` for another cell. */
    template: optional(text),
    /** The cell has several cycles, separated by this. */
    between: optional(pattern),
    /** Cycles that the catalogue names otherwise. */
    names: optional(Type.Record(text, text)),
    /** The catalogue has the names in lower case. */
    lower: optional(Type.Literal(true)),
    /** Rows whose cell does not fit are other things; else they are a feed that changed. */
    others: optional(Type.Literal("skip")),
  }),
  values: Type.Array(FeedValue, { minItems: 1 }),
});
export type DeclaredFeed = Static<typeof DeclaredFeed>;
