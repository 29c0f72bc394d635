/** One PostgreSQL server for all test files. It starts when the first of them asks for it. */
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { startPostgres, type PostgresServer } from "../service/store/postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the connection string of the server, without the name of a database. */
    readonly postgres: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | undefined;
  const server = createServer((_, response) => {
    started ??= startPostgres();
    started.then(
      ({ address }) => response.end(address("")),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new TypeError("the server does not listen on a port");
  provide("postgres", `http://127.0.0.1:${address.port}`);
  return async () => {
    server.close();
    await (await started)?.stop();
  };
}
