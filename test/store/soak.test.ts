/** Three rounds of the soak on each store: processes are killed while they write, and nothing acknowledged is lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { soak } from "../../bench/soak-store.ts";
import type { SoakFigures } from "../../bench/soak-store.ts";
import { postgresInstalled, startPostgres } from "./postgres-server.ts";
import type { PostgresServer } from "./postgres-server.ts";

const ROUNDS = 3;
const TIMEOUT = 120_000;

function kept(figures: SoakFigures): void {
  expect(figures).toMatchObject({ rounds: ROUNDS, lost: [], undelivered: 0 });
  // The load was real.
  for (const acknowledged of [figures.keys, figures.lists, figures.payments, figures.alerts]) {
    expect(acknowledged).toBeGreaterThan(10);
  }
  // Each kill can leave a mail between the mail server's answer and the commit: as many as one process holds.
  expect(figures.duplicates).toBeLessThanOrEqual(figures.kills * 5);
}

describe("embedded store", () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-soak-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("survives kill -9 under write load", { timeout: TIMEOUT }, async () => {
    kept(await soak({ kind: "embedded", folder }, { rounds: ROUNDS }));
  });
});

describe.skipIf(!postgresInstalled)("PostgreSQL (skipped where it is not installed)", () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await startPostgres({ durable: true })), 60_000);
  afterAll(() => server.stop());

  test("survives kill -9 under write load", { timeout: TIMEOUT }, async () => {
    const place = { kind: "postgres", address: await server.create("soak") } as const;
    kept(await soak(place, { rounds: ROUNDS }));
  });
});
