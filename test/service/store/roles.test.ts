/** What a role of PostgreSQL may do, and what a refusal prints: the sentences of docs/operating.md, run as written there. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService } from "../../../src/service/serve/serve.ts";
import { fakeIo, invocation, runCommand } from "../../cli/fake-io.ts";
import { blocks, page } from "../../docs/pages.ts";
import { CATALOGUE } from "../processes.ts";
import { postgresInstalled, queryPostgres, startPostgres } from "./postgres-server.ts";
import type { PostgresServer } from "./postgres-server.ts";

const GRANTS =
  blocks({ file: "docs/operating.md", text: page("docs/operating.md") }).find(({ language }) => language === "sql")
    ?.text ?? "";
const PUBLIC_URL = "https://eol.example.org";

describe.skipIf(!postgresInstalled)("roles of PostgreSQL (skipped where it is not installed)", () => {
  const cwd = mkdtempSync(join(tmpdir(), "eolgate-roles-"));
  const secret = join(cwd, "secret");
  writeFileSync(secret, "roles-".repeat(8));
  let server: PostgresServer;
  let owner = "";
  beforeAll(async () => {
    server = await startPostgres();
    owner = await server.create("granted");
    await server.create("empty");
    expect(await run("db migrate", owner)).toMatchObject({ exit: 0, err: expect.stringContaining("0 → 3") });
    await queryPostgres(owner, GRANTS.replace(/ password '[^']*'/, ""));
    await queryPostgres(
      owner,
      "create role reader login; grant usage on schema public to reader; grant select on all tables in schema public to reader; create role stranger login; revoke usage on schema public from public; create role locked nologin",
    );
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    rmSync(cwd, { recursive: true });
  });

  const as = (role: string, database = "granted"): string =>
    server.address(database).replace("//eolgate@", `//${role}@`);
  const run = (command: string, database: string) =>
    runCommand(command.split(" "), {
      cwd,
      env: { EOLGATE_DATABASE: database, EOLGATE_SECRET_FILE: secret, EOLGATE_CATALOGUE: CATALOGUE, HOME: cwd },
    });

  test("the documented role, which may not change tables, serves sign-ups, keys and watch lists", async () => {
    const { io } = fakeIo({ cwd, env: { EOLGATE_SECRET_FILE: secret }, today: "2026-12-01" });
    const flags = { port: "0", data: cwd, catalogue: CATALOGUE, refresh: "off", publicUrl: PUBLIC_URL };
    const service = await startService(invocation("serve", io, { ...flags, database: as("eolgate_service") }));
    try {
      const key = (await run("keys create --email a@example.org --tier pro", as("eolgate_service"))).out.trim();
      const post = (path: string, body: object) =>
        fetch(service.address + path, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": key },
          body: JSON.stringify(body),
        });
      expect((await post("/v1/keys/free", { email: "b@example.org" })).status).toBe(200);
      const components = [{ type: "library", name: "nodejs", version: "18.0.0" }];
      const sbom = { bomFormat: "CycloneDX", specVersion: "1.6", components };
      expect((await post("/v1/sbom/watch", { email: "c@example.org", sbom })).status).toBe(202);
      expect((await fetch(`${service.address}/v1/score/nodejs/18`, { headers: { "x-api-key": key } })).status).toBe(
        200,
      );
      expect(await (await fetch(`${service.address}/readyz?store`)).json()).not.toHaveProperty("remarks.store");
    } finally {
      await service.stop();
    }
  });

  test.each([
    ["keys list", 0],
    ["keys create --email d@example.org --tier pro", 0],
    ["mail dead", 0],
    ["mail requeue", 0],
    ["db migrate", 0],
    ["db export", 0],
  ])("the documented role may run eolgate %s", async (command, exit) => {
    expect(await run(command, as("eolgate_service"))).toMatchObject({ exit });
  });

  test.each([
    ["db export", 0, ""],
    ["keys list", 0, ""],
    ["keys create --email e@example.org", 2, "permission denied for table"],
    ["serve --port 0 --refresh off", 2, "permission denied for table"],
  ])("a role that may only read: eolgate %s exits with %i", async (command, exit, text) => {
    expect(await run(command, as("reader"))).toMatchObject({ exit, err: expect.stringContaining(text) });
  });

  test.each<readonly [string, () => string, number, RegExp]>([
    [
      "may not create tables in an empty database",
      () => as("reader", "empty"),
      2,
      /permission denied for schema public/,
    ],
    ["may not use the schema", () => as("stranger"), 2, /no schema has been selected/],
    ["does not exist", () => as("nobody_knows"), 2, /role "nobody_knows" does not exist/],
    ["may not log in", () => as("locked"), 2, /not permitted to log in/],
    ["names a database that does not exist", () => as("reader", "absent"), 2, /database "absent" does not exist/],
    ["finds no server", () => "postgres://eolgate@127.0.0.1:1/x", 5, /ECONNREFUSED/],
  ])("states the reason if the role %s", async (_, database, exit, text) => {
    for (const command of ["serve --port 0 --refresh off", "keys list", "db migrate"])
      expect([command, await run(command, database())]).toEqual([
        command,
        { exit, out: "", err: expect.stringMatching(text) },
      ]);
  });
});
