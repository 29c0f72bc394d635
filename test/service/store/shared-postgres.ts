/** Databases of the PostgreSQL server that all test files share (`test/setup/postgres.ts`). */
import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { queryPostgres } from "./postgres-server.ts";

/** Creates an empty database and returns its connection string. The first call of a test run starts the server. */
export async function createDatabase(name: string): Promise<string> {
  const answer = await fetch(inject("postgres"));
  const server = await answer.text();
  if (!answer.ok) throw new Error(server);
  const database = `${name}_${randomUUID().slice(0, 8)}`;
  await queryPostgres(`${server}postgres`, `create database "${database}"`);
  return `${server}${database}`;
}
