/** Version 2: a watch list may follow packages besides release cycles. */
import type { SchemaModule } from "kysely";

export async function up(schema: SchemaModule): Promise<void> {
  // SQLite adds one column in a statement.
  for (const column of ["follow", "packages"])
    await schema
      .alterTable("watch_lists")
      .addColumn(column, "text", (definition) => definition.notNull().defaultTo("[]"))
      .execute();
}
