import type { Database } from "../schema.ts";
import type { SettingTable } from "../store.ts";

export function settingTable(db: Database): SettingTable {
  const get = async (name: string): Promise<string | undefined> =>
    (await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst())?.value;
  return {
    get,
    async set(name, value) {
      await db
        .insertInto("settings")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
    },
    async setOnce(name, value) {
      await db
        .insertInto("settings")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      return (await get(name)) ?? value;
    },
  };
}
