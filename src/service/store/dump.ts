/**
 * Exports a store as JSON lines and imports it: for backups, and for a move from the embedded store to PostgreSQL. The
 * last line contains the number of rows, so that a truncated file is detected.
 */
import { type Insertable, sql } from "kysely";
import { EolgateError } from "../../messages/error.ts";
import { isKeyOf, isRecord, keysOf } from "../../text/values.ts";
import { SCHEMA_VERSION } from "./open.ts";
import { type Column, type Dialect, type StoreDatabase, type StoreSchema, type TableName, TABLES } from "./schema.ts";

type DumpRow = Readonly<Record<string, string | number | null>>;

const NAMES = keysOf(TABLES);
/** Rows per query. */
const PAGE = 500;
/** Version of the file format. */
const FORMAT = 1;

/**
 * Export all rows in one transaction: the result is consistent while the server continues to write.
 * @param write receives each line without a newline character
 * @returns the number of rows
 */
export async function exportStore(
  db: StoreDatabase,
  dialect: Dialect,
  write: (line: string) => Promise<void>,
): Promise<number> {
  const transaction = db.transaction();
  const reading = dialect === "postgres" ? transaction.setIsolationLevel("repeatable read") : transaction;
  return await reading.execute(async (snapshot) => {
    await write(JSON.stringify({ eolgate_export: FORMAT, schema: SCHEMA_VERSION }));
    let rows = 0;
    for (const table of NAMES) {
      for await (const row of rowsOf(snapshot, table)) {
        await write(JSON.stringify({ table, row }));
        rows += 1;
      }
    }
    await write(JSON.stringify({ rows }));
    return rows;
  });
}

/**
 * Import an export into an empty, migrated store. Nothing is written if an error is thrown.
 * @returns the number of rows
 * @throws EolgateError `store-not-empty`, `invalid-import` with the number of the line
 */
export async function importStore(db: StoreDatabase, lines: AsyncIterable<string>): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    await refuseUnlessEmpty(transaction);
    const writer = createWriter(transaction);
    let number = 0;
    let ended = false;
    for await (const line of lines) {
      number += 1;
      if (ended) throw invalidLine(number, "there is more content after the last line");
      const entry = parse(line, number);
      if (number === 1) checkHeader(entry);
      else if ("rows" in entry) {
        checkCount(entry["rows"], writer.rows(), number);
        ended = true;
      } else await writer.add(checkRow(entry, number));
    }
    if (!ended) throw invalidLine(number, "the file is truncated");
    await writer.flush();
    return writer.rows();
  });
}

interface DumpedRow {
  readonly table: TableName;
  readonly row: DumpRow;
}

/** Writes rows in batches, each of one table. */
function createWriter(db: StoreDatabase) {
  let rows = 0;
  let batch: { readonly table: TableName; readonly rows: DumpRow[] } | undefined;

  const flush = async (): Promise<void> => {
    if (batch) await insert(db, batch.table, batch.rows);
    batch = undefined;
  };

  return {
    rows: () => rows,
    flush,
    async add({ table, row }: DumpedRow): Promise<void> {
      if (batch && (batch.table !== table || batch.rows.length >= PAGE)) await flush();
      batch ??= { table, rows: [] };
      batch.rows.push(row);
      rows += 1;
    },
  };
}

function checkCount(stated: unknown, rows: number, line: number): void {
  if (stated !== rows) throw invalidLine(line, `it states ${String(stated)} rows, but the file has ${rows}`);
}

async function* rowsOf(db: StoreDatabase, table: TableName): AsyncGenerator {
  const { key, columns } = TABLES[table];
  const all = Object.keys(columns).map((column) => sql.ref(column));
  const order = sql.join(all.slice(0, key));
  for (let offset = 0; ; offset += PAGE) {
    const page = sql`select ${sql.join(all)} from ${sql.table(table)} order by ${order} limit ${PAGE} offset ${offset}`;
    const { rows } = await page.execute(db);
    yield* rows;
    if (rows.length < PAGE) return;
  }
}

async function insert(db: StoreDatabase, table: TableName, rows: readonly DumpRow[]): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `checkRow` has compared the columns with those of the table
  const values = rows as unknown as readonly Insertable<StoreSchema[TableName]>[];
  await db
    .insertInto(table)
    .values([...values])
    .execute();
}

async function refuseUnlessEmpty(db: StoreDatabase): Promise<void> {
  for (const table of NAMES) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length === 0) continue;
    throw EolgateError.of("store-not-empty", { table: table.replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`) });
  }
}

function checkHeader(entry: Readonly<Record<string, unknown>>): void {
  if (entry["eolgate_export"] !== FORMAT) throw invalidLine(1, "the file is not an export of eolgate");
  if (entry["schema"] !== SCHEMA_VERSION) {
    throw invalidLine(
      1,
      `it has schema version ${String(entry["schema"])}, this program writes ${SCHEMA_VERSION}: migrate its store first`,
    );
  }
}

function checkRow(entry: Readonly<Record<string, unknown>>, line: number): DumpedRow {
  const { table, row } = entry;
  if (typeof table !== "string" || !isKeyOf(TABLES, table))
    throw invalidLine(line, "it does not name a table of the store");
  if (!isRecord(row)) throw invalidLine(line, "it has no row");
  const columns = Object.entries<Column<unknown>>(TABLES[table].columns);
  const names = columns.map(([name]) => name);
  if (Object.keys(row).toSorted().join() !== names.toSorted().join())
    throw invalidLine(line, `its columns are not those of the table ${table}`);
  const values = columns.map(([name, column]) => {
    const value = row[name];
    if (isValue(value) && isAllowed(value, column)) return [name, value] as const;
    const found = JSON.stringify(value).slice(0, 100);
    throw invalidLine(line, `in the table ${table}, the column ${name} has ${found}, allowed is ${allowedIn(column)}`);
  });
  return { table, row: Object.fromEntries(values) };
}

const isValue = (value: unknown): value is string | number | null =>
  value === null || typeof value === "string" || Number.isSafeInteger(value);

function isAllowed(value: string | number | null, { type, nullable, allowed }: Column<unknown>): boolean {
  if (value === null) return nullable;
  return (typeof value === "string") === (type === "text") && (allowed?.includes(value) ?? true);
}

const allowedIn = ({ type, nullable, allowed }: Column<unknown>): string =>
  (allowed?.join(", ") ?? (type === "text" ? "text" : "a whole number")) + (nullable ? " or null" : "");

function parse(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const entry: unknown = JSON.parse(line);
    if (isRecord(entry)) return entry;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw invalidLine(number, "it is not a JSON object");
}

function invalidLine(line: number, what: string): EolgateError {
  return EolgateError.of("invalid-import", { problem: `the export cannot be read: ${what}` }).at(`line ${line}`);
}
