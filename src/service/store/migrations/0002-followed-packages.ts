/** Version 2 of the schema: watch lists can also follow packages. */
import type { SchemaModule } from "kysely";

export async function up(schema: SchemaModule): Promise<void> {
  // SQLite can add only one column per statement.
  for (const column of ["follow", "packages"])
    await schema
      .alterTable("watch_lists")
      .addColumn(column, "text", (definition) => definition.notNull().defaultTo("[]"))
      .execute();
}
