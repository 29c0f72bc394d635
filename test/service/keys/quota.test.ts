import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import { createQuota, type Quota } from "../../../src/service/keys/quota.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { clockAt, testStore, type StoreFixture } from "../harness.ts";

const clock = clockAt("2026-08-22T12:00:00Z");
let fixture: StoreFixture;
beforeEach(async () => {
  clock.set("2026-08-22T12:00:00Z");
  fixture = await testStore();
});
afterEach(() => fixture.close());

const allowed = async (quotas: readonly Quota[], requests: number, limit: number): Promise<number> => {
  const answers = await Promise.all(
    Array.from({ length: requests }, async (_, index) => quotas[index % quotas.length]?.take("key", limit)),
  );
  return answers.filter((taken) => taken?.allowed).length;
};

describe("daily quotas", () => {
  test.each([1, 3, 50, 150, 1000])("allow exactly %i sequential requests per day", async (limit) => {
    const quota = createQuota({ store: fixture.store, clock });
    const remaining: number[] = [];
    for (;;) {
      const taken = await quota.take("key", limit);
      if (!taken.allowed) break;
      remaining.push(taken.remaining);
    }
    expect(remaining).toEqual(Array.from({ length: limit }, (_, index) => limit - 1 - index));
    expect(await quota.take("key", limit)).toEqual({ allowed: false, remaining: 0 });
  });

  test("count a thousand simultaneous requests exactly", async () => {
    expect(await allowed([createQuota({ store: fixture.store, clock })], 1000, 150)).toBe(150);
  });

  test("are never exceeded by two processes, and little of them is lost", async () => {
    const quotas = [createQuota({ store: fixture.store, clock }), createQuota({ store: await fixture.again(), clock })];
    const granted = await allowed(quotas, 400, 150);
    expect(granted).toBeLessThanOrEqual(150);
    expect(granted).toBeGreaterThanOrEqual(148);
  });

  test("need few store queries per subject and day", async () => {
    let leases = 0;
    const store: Store = {
      ...fixture.store,
      allowances: {
        ...fixture.store.allowances,
        lease: (...of) => {
          leases += 1;
          return fixture.store.allowances.lease(...of);
        },
      },
    };
    expect(await allowed([createQuota({ store, clock })], 10_000, 10_000)).toBe(10_000);
    expect(leases).toBeLessThan(130);
  });

  test("reset at midnight UTC, but not when the clock jumps back", async () => {
    const quota = createQuota({ store: fixture.store, clock });
    clock.set("2026-08-22T23:59:59.999Z");
    expect(await allowed([quota], 5, 3)).toBe(3);
    clock.set("2026-08-23T00:00:00.000Z");
    expect(await allowed([quota], 5, 3)).toBe(3);
    clock.set("2026-08-22T23:00:00.000Z");
    expect(await allowed([quota], 5, 3)).toBe(0);
  });

  test("lose at most one block in a crash, and nothing in a graceful shutdown", async () => {
    const crashed = createQuota({ store: fixture.store, clock });
    await crashed.take("key", 150);
    const afterCrash = createQuota({ store: fixture.store, clock });
    expect(await allowed([afterCrash], 10, 150)).toBe(10);
    await afterCrash.close();
    const last = createQuota({ store: fixture.store, clock });
    expect(await allowed([last], 200, 150)).toBe(150 - 7 - 10);
  });

  test("allow requests again when another process returned its block", async () => {
    const one = createQuota({ store: fixture.store, clock });
    const two = createQuota({ store: fixture.store, clock });
    await one.take("key", 40);
    const used = await allowed([two], 60, 40);
    await one.close();
    expect(await allowed([two], 5, 40)).toBe(0);
    clock.add(10_000);
    expect(await allowed([two], 60, 40)).toBe(40 - used - 1);
  });

  test("increase immediately with a higher tier", async () => {
    const quota = createQuota({ store: fixture.store, clock });
    expect(await allowed([quota], 10, 5)).toBe(5);
    expect(await allowed([quota], 10, 8)).toBe(3);
  });

  test("use up the leased block while the store is unavailable, then report an error", async () => {
    let down = false;
    const store: Store = {
      ...fixture.store,
      allowances: {
        ...fixture.store.allowances,
        lease: (...of) =>
          down
            ? Promise.reject(EolgateError.raw("unavailable", { code: "store-unavailable", message: "down" }))
            : fixture.store.allowances.lease(...of),
      },
    };
    const quota = createQuota({ store, clock });
    await quota.take("key", 100);
    down = true;
    for (let index = 0; index < 4; index += 1) expect(await quota.take("key", 100)).toMatchObject({ allowed: true });
    await expect(quota.take("key", 100)).rejects.toMatchObject({ kind: "unavailable" });
    down = false;
    expect(await quota.take("key", 100)).toMatchObject({ allowed: true });
  });
});

describe("wrong keys", () => {
  const attempts = (quota: Quota, from: string, count: number): readonly boolean[] =>
    Array.from({ length: count }, () => quota.failedKey(from));

  test("are counted per network and day", () => {
    const quota = createQuota({ store: fixture.store, clock });
    expect(attempts(quota, "192.0.2.1", 102).indexOf(false)).toBe(100);
    expect(quota.failedKey("192.0.2.2")).toBe(true);
    clock.add(-60 * 60_000);
    expect(quota.failedKey("192.0.2.1")).toBe(false);
    clock.add(25 * 60 * 60_000);
    expect(quota.failedKey("192.0.2.1")).toBe(true);
  });

  test("need no store and take nothing from quotas", async () => {
    const down = () => Promise.reject(new Error("the store is used"));
    const allowances = { ...fixture.store.allowances, lease: down, giveBack: down };
    const quota = createQuota({ store: { ...fixture.store, allowances }, clock });
    expect(attempts(quota, "192.0.2.1", 101).filter(Boolean)).toHaveLength(100);
    await quota.close();
  });

  test("are counted for a limited number of networks, of which the least recent is forgotten", () => {
    const quota = createQuota({ store: fixture.store, clock });
    attempts(quota, "192.0.2.1", 101);
    attempts(quota, "192.0.2.2", 101);
    for (let network = 0; network < 49_999; network += 1) {
      quota.failedKey(`network ${network}`);
      if (network === 100) expect(quota.failedKey("192.0.2.1")).toBe(false);
    }
    expect([quota.failedKey("192.0.2.1"), quota.failedKey("192.0.2.2")]).toEqual([false, true]);
  });
});
