/** Three rounds of the soak test on each store: processes are killed while they write, and no acknowledged write is lost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { soak } from "../../../bench/soak-store.ts";
import type { SoakFigures } from "../../../bench/soak-store.ts";
import { postgresInstalled } from "./postgres-server.ts";
import { createDatabase } from "./shared-postgres.ts";

const ROUNDS = 3;
const TIMEOUT = 120_000;

function expectNothingLost(figures: SoakFigures): void {
  expect(figures).toMatchObject({ rounds: ROUNDS, lost: [], undelivered: 0 });
  // Without load, the test would prove nothing.
  for (const acknowledged of [figures.keys, figures.lists, figures.payments, figures.alerts]) {
    expect(acknowledged).toBeGreaterThan(10);
  }
  // A process that is killed between the mail server's reply and the commit sends its leased mails again.
  expect(figures.duplicates).toBeLessThanOrEqual(figures.kills * 5);
}

describe("embedded store", () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-soak-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("survives kill -9 under write load", { timeout: TIMEOUT }, async () => {
    expectNothingLost(await soak({ kind: "embedded", folder }, { rounds: ROUNDS }));
  });
});

describe.skipIf(!postgresInstalled)("PostgreSQL (skipped where it is not installed)", () => {
  test("survives kill -9 under write load", { timeout: TIMEOUT }, async () => {
    const location = { kind: "postgres", address: await createDatabase("soak") } as const;
    expectNothingLost(await soak(location, { rounds: ROUNDS }));
  });
});
