/** The contract suite of the `Store` interface, run by `embedded.test.ts` and `postgres.test.ts`. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asIsoDate, asProductSlug } from "../../../src/text/ids.ts";
import type { AlertRow, KeyRow, NewMail, Store, WatchList } from "../../../src/service/store/store.ts";

const NOW = Date.UTC(2026, 7, 22, 12);
const MINUTE = 60_000;
const DAY = asIsoDate("2026-08-22");
const LATER = asIsoDate("2026-08-23");

const key = (id: string, over: Partial<KeyRow> = {}): KeyRow => ({
  id,
  hash: `hash-of-${id}`,
  email: `${id}@example.org`,
  tier: "free",
  secretVersion: 1,
  createdAt: NOW,
  revokedAt: null,
  paidUntil: null,
  batchEnvelope: false,
  ...over,
});

const mail = (id: string, over: Partial<NewMail> = {}): NewMail => ({
  id,
  kind: "key",
  email: "a@example.org",
  facts: `{"keyId":"${id}"}`,
  createdAt: NOW,
  ...over,
});

const list = (id: string, over: Partial<WatchList> = {}): WatchList => ({
  id,
  email: "a@example.org",
  state: "pending",
  cycles: [{ product: asProductSlug("nodejs"), cycle: "20" }],
  secretVersion: 1,
  createdAt: NOW,
  expiresAt: NOW + 7 * 24 * 60 * MINUTE,
  confirmedAt: null,
  ...over,
});

const alert = (over: Partial<AlertRow> = {}): AlertRow => ({
  email: "a@example.org",
  watched: "nodejs:20",
  trigger: "90-days",
  subject: "2026-11-20",
  state: "sent",
  day: DAY,
  ...over,
});

const claimAll = (store: Store, owner: string, now: number) => store.outbox.claim(owner, now, now + MINUTE, 100);

const incrementCounter = (store: Store): Promise<void> =>
  store.transaction(async (tables) => {
    const row = await tables.payments.lock("sub_3");
    await tables.payments.update({ ...row, eventAt: row.eventAt + 1 });
  });

/** Opens the same new store twice, as two processes do. */
export type OpenTwo = () => Promise<readonly [Store, Store]>;

export function storeContract(name: string, openTwo: OpenTwo, close: () => Promise<void>): void {
  describe(name, () => {
    let store: Store;
    let other: Store;
    beforeAll(async () => {
      [store, other] = await openTwo();
    });
    afterAll(async () => {
      await store.close();
      await other.close();
      await close();
    });
    let subject = "";
    let round = 0;
    beforeEach(() => {
      round += 1;
      subject = `subject-${round}`;
    });

    test("answers a ping", async () => {
      await expect(store.ping()).resolves.toBeUndefined();
    });

    describe("keys", () => {
      test("has one active key per address and tier: the first one", async () => {
        const first = key("aaaa", { email: "one@example.org" });
        expect(await store.keys.addOnce(first)).toEqual(first);
        expect(await other.keys.addOnce(key("bbbb", { email: "one@example.org" }))).toEqual(first);
        expect(await store.keys.addOnce(key("cccc", { email: "one@example.org", tier: "pro" }))).toMatchObject({
          id: "cccc",
        });
        expect((await store.keys.ofEmail("one@example.org")).map(({ id }) => id)).toEqual(["aaaa", "cccc"]);
        expect(await store.keys.byId("bbbb")).toBeUndefined();
      });

      test("creates one key when two processes write at the same time", async () => {
        const attempts = Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : other).keys.addOnce(key(`race${index}`, { email: "race@example.org" })),
        );
        const ids = new Set((await Promise.all(attempts)).map(({ id }) => id));
        expect(ids.size).toBe(1);
      });

      test("keeps a revoked key and allows another one", async () => {
        await store.keys.addOnce(key("old", { email: "gone@example.org" }));
        expect(await store.keys.revoke("old", NOW + 1)).toBe(true);
        expect(await store.keys.revoke("old", NOW + 2)).toBe(false);
        expect(await other.keys.byId("old")).toMatchObject({ revokedAt: NOW + 1 });
        expect(await store.keys.addOnce(key("new", { email: "gone@example.org" }))).toMatchObject({ id: "new" });
      });

      test("can change the hash and the end of payment of an active key", async () => {
        await store.keys.addOnce(key("paid", { tier: "pro" }));
        expect(await store.keys.rekey("paid", "other", 2)).toBe(true);
        expect(await store.keys.setPaidUntil("paid", NOW + 5)).toBe(true);
        expect(await other.keys.byId("paid")).toMatchObject({ hash: "other", secretVersion: 2, paidUntil: NOW + 5 });
        expect(await store.keys.setPaidUntil("paid", null)).toBe(true);
        await store.keys.revoke("paid", NOW);
        expect(await store.keys.rekey("paid", "third", 3)).toBe(false);
      });

      test("changes the revision mark with each change of a key, equally for every process", async () => {
        await store.keys.addOnce(key("marked", { email: "marked@example.org" }));
        const marks = [await other.keys.mark()];
        const changes = [
          () => store.keys.setPaidUntil("marked", NOW + 5),
          () => store.keys.rekey("marked", "other-mark", 2),
          () => store.keys.revoke("marked", NOW),
        ];
        for (const change of changes) {
          await change();
          marks.push(await other.keys.mark());
          expect(await store.keys.mark()).toBe(marks.at(-1));
        }
        expect(new Set(marks).size).toBe(4);
        expect(await store.keys.revoke("marked", NOW)).toBe(false);
        expect(await other.keys.mark()).toBe(marks.at(-1));
      });

      test("lists every key on exactly one page", async () => {
        const seen: string[] = [];
        for (let after = ""; ;) {
          const page = await store.keys.list({ after, limit: 3 });
          seen.push(...page.map(({ id }) => id));
          const last = page.at(-1);
          if (!last) break;
          after = last.id;
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen).toEqual(expect.arrayContaining(["aaaa", "cccc", "old", "new", "paid"]));
      });
    });

    describe("allowances", () => {
      test("are granted in blocks, smaller near the limit and never above it", async () => {
        const granted: number[] = [];
        for (;;) {
          const lease = await store.allowances.lease(subject, DAY, 10, 50);
          if (lease.granted === 0) {
            expect(lease.used).toBe(50);
            break;
          }
          granted.push(lease.granted);
          expect(lease.used).toBe(granted.reduce((sum, uses) => sum + uses, 0));
        }
        expect(granted[0]).toBe(10);
        expect(granted.at(-1)).toBe(1);
        expect(granted.reduce((sum, uses) => sum + uses, 0)).toBe(50);
      });

      test.each([
        [1, 1],
        [0, 0],
      ])("with a limit of %i, %i use is granted", async (limit, expected) => {
        expect((await store.allowances.lease(subject, DAY, 5, limit)).granted).toBe(expected);
        expect((await store.allowances.lease(subject, DAY, 5, limit)).granted).toBe(0);
      });

      test("two processes together never exceed the limit", async () => {
        const leases = await Promise.all(
          Array.from({ length: 60 }, (_, index) =>
            (index % 2 === 0 ? store : other).allowances.lease(subject, DAY, 7, 100),
          ),
        );
        expect(leases.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
      });

      test("a returned allowance can be taken again, and each day is counted separately", async () => {
        await store.allowances.lease(subject, DAY, 1, 1);
        expect((await store.allowances.lease(subject, LATER, 1, 1)).granted).toBe(1);
        await other.allowances.giveBack(subject, DAY, 1);
        expect((await store.allowances.lease(subject, DAY, 1, 1)).granted).toBe(1);
        await store.allowances.giveBack(subject, DAY, 99);
        expect((await store.allowances.lease(subject, DAY, 1, 1)).used).toBe(1);
      });

      test("a higher limit extends an exhausted counter, and a lower one revokes nothing", async () => {
        await store.allowances.lease(subject, DAY, 1, 1);
        expect((await store.allowances.lease(subject, DAY, 1, 2)).granted).toBe(1);
        expect((await store.allowances.lease(subject, DAY, 1, 1)).granted).toBe(0);
      });

      test("counters of old days are deleted", async () => {
        await store.allowances.lease(subject, asIsoDate("2020-01-01"), 1, 1);
        expect(await store.allowances.prune(asIsoDate("2020-01-02"))).toBe(1);
        expect(await store.allowances.prune(asIsoDate("2020-01-02"))).toBe(0);
      });
    });

    describe("watch lists", () => {
      test("a pending list replaces another pending one, and the confirmed one only on confirmation", async () => {
        const email = "watch@example.org";
        await store.watch.addPending(list("w1", { email }));
        await store.watch.addPending(list("w2", { email }));
        expect(await other.watch.byId("w1")).toBeUndefined();
        expect(await other.watch.confirm("w2", NOW + 1)).toBe(true);
        expect(await store.watch.confirm("w2", NOW + 2)).toBe(false);

        await store.watch.addPending(
          list("w3", { email, cycles: [{ product: asProductSlug("python"), cycle: "3.9" }] }),
        );
        expect(await store.watch.confirmedOf(email)).toMatchObject({ id: "w2", confirmedAt: NOW + 1 });
        expect(await store.watch.confirm("w3", NOW + 3)).toBe(true);
        expect(await other.watch.confirmedOf(email)).toEqual(
          list("w3", {
            email,
            state: "confirmed",
            confirmedAt: NOW + 3,
            cycles: [{ product: asProductSlug("python"), cycle: "3.9" }],
          }),
        );
        expect(await store.watch.byId("w2")).toBeUndefined();
      });

      test("paging and locking return confirmed lists only", async () => {
        await store.watch.addPending(list("w4", { email: "pending@example.org" }));
        expect((await store.watch.confirmed({ limit: 100 })).map(({ id }) => id)).toEqual(["w3"]);
        expect(await store.watch.confirmed({ after: "w3", limit: 100 })).toEqual([]);
        expect(await store.transaction((tables) => tables.watch.lock("w3"))).toMatchObject({ id: "w3" });
        expect(await store.transaction((tables) => tables.watch.lock("w4"))).toBeUndefined();
      });

      test("the release cycles of a list are replaced after its confirmation", async () => {
        const cycles = [{ product: asProductSlug("debian"), cycle: "12" }];
        expect(await store.watch.setCycles("w3", cycles)).toBe(true);
        expect(await other.watch.byId("w3")).toMatchObject({ cycles });
        expect(await store.watch.setCycles("w4", cycles)).toBe(false);
        expect(await store.watch.setCycles("gone", cycles)).toBe(false);
      });

      test("many simultaneous requests for one address create one list", async () => {
        const email = "many@example.org";
        await Promise.all(
          Array.from({ length: 12 }, (_, index) =>
            (index % 2 === 0 ? store : other).transaction((tables) =>
              tables.watch.addPending(list(`m${index}`, { email })),
            ),
          ),
        );
        const left = await Promise.all(Array.from({ length: 12 }, (_, index) => store.watch.byId(`m${index}`)));
        expect(left.filter((found) => found !== undefined)).toHaveLength(1);
      });

      test("pending lists expire, confirmed ones do not", async () => {
        await store.watch.dropExpired(NOW + 7 * 24 * 60 * MINUTE);
        expect(await store.watch.byId("w4")).toBeUndefined();
        expect(await store.watch.byId("w3")).toBeDefined();
        expect(await store.watch.remove("w3")).toBe(true);
        expect(await store.watch.remove("w3")).toBe(false);
      });
    });

    describe("alerts", () => {
      test("each row is added by one of two processes", async () => {
        const rows = [alert(), alert({ trigger: "kev", subject: "CVE-2026-0001" })];
        const added = await Promise.all([store.alerts.addOnce(rows), other.alerts.addOnce(rows)]);
        expect(added.flat()).toHaveLength(2);
        expect(await store.alerts.addOnce([alert({ subject: "2027-01-01" })])).toEqual([
          alert({ subject: "2027-01-01" }),
        ]);
        expect(await store.alerts.ofEmail("a@example.org")).toHaveLength(3);
        await store.alerts.clear("a@example.org");
        expect(await other.alerts.ofEmail("a@example.org")).toEqual([]);
      });

      test("more rows than one statement accepts can be added", async () => {
        const rows = Array.from({ length: 1201 }, (_, index) =>
          alert({ email: "big@example.org", subject: `CVE-${index}` }),
        );
        expect(await store.alerts.addOnce(rows)).toHaveLength(1201);
      });

      test("the baseline of known vulnerabilities has no duplicates", async () => {
        await store.kev.add([{ product: "nodejs", cve: "CVE-1" }]);
        await other.kev.add([
          { product: "nodejs", cve: "CVE-1" },
          { product: "php", cve: "CVE-1" },
        ]);
        await store.kev.add([]);
        expect(await store.kev.known()).toEqual([
          { product: "nodejs", cve: "CVE-1" },
          { product: "php", cve: "CVE-1" },
        ]);
      });
    });

    describe("outbox", () => {
      test("a mail has one lease holder until the lease expires", async () => {
        await store.outbox.add(mail("m1"));
        await store.outbox.add(mail("m2"));
        const claimed = await Promise.all([claimAll(store, "one", NOW), claimAll(other, "two", NOW)]);
        expect(
          claimed
            .flat()
            .map(({ id }) => id)
            .sort(),
        ).toEqual(["m1", "m2"]);
        expect(await claimAll(store, "three", NOW + MINUTE - 1)).toEqual([]);
        const again = await claimAll(store, "three", NOW + MINUTE);
        expect(again.map(({ id, attempts }) => [id, attempts])).toEqual([
          ["m1", 2],
          ["m2", 2],
        ]);
      });

      test("only the lease holder settles a mail", async () => {
        expect(await store.outbox.sent("m1", "one", NOW)).toBe(false);
        expect(await store.outbox.sent("m1", "three", NOW)).toBe(true);
        expect(await store.outbox.sent("m1", "three", NOW)).toBe(false);
        expect(await store.outbox.retry("m2", "three", NOW + 10 * MINUTE, "451 later")).toBe(true);
        expect(await claimAll(store, "one", NOW + 9 * MINUTE)).toEqual([]);
        const [found] = await claimAll(other, "one", NOW + 10 * MINUTE);
        expect(found).toMatchObject({ id: "m2", lastError: "451 later", facts: '{"keyId":"m2"}', since: NOW });
      });

      test("a lease holder can extend only its own lease", async () => {
        await store.outbox.extend("nobody", NOW + 99 * MINUTE);
        await store.outbox.extend("one", NOW + 20 * MINUTE);
        expect(await claimAll(other, "two", NOW + 19 * MINUTE)).toEqual([]);
      });

      test("a mail that is postponed until now is due immediately", async () => {
        expect(await store.outbox.retry("m2", "one", NOW, "")).toBe(true);
        expect(await claimAll(store, "one", NOW + 10 * MINUTE)).toHaveLength(1);
      });

      test("dead letters are kept, counted and put back into the queue", async () => {
        expect(await store.outbox.dead("m2", "one", `550 ${"x".repeat(5000)}`)).toBe(true);
        expect(await store.outbox.counts()).toEqual({ queued: 0, dead: 1, sent: 1, oldestQueuedAt: null });
        const [letter] = await store.outbox.deadLetters(10);
        expect(letter).toMatchObject({ id: "m2" });
        expect(letter?.lastError?.length).toBe(500);
        expect(await store.outbox.requeue(NOW, "m1")).toBe(0);
        expect(await store.outbox.requeue(NOW + 7, "m2")).toBe(1);
        expect(await store.outbox.counts()).toEqual({ queued: 1, dead: 0, sent: 1, oldestQueuedAt: NOW });
        expect((await claimAll(store, "one", NOW + 7))[0]).toMatchObject({ attempts: 1, since: NOW + 7 });
        await store.outbox.dead("m2", "one", "no");
        expect(await store.outbox.requeue(NOW)).toBe(1);
      });

      test("returns at most the requested number, oldest first", async () => {
        for (let index = 0; index < 30; index += 1) {
          await store.outbox.add(mail(`q${String(index).padStart(2, "0")}`, { createdAt: NOW - 100 + index }));
        }
        const first = await store.outbox.claim("one", NOW, NOW + MINUTE, 10);
        expect(first.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, index) => `q0${index}`));
      });

      test("sent mails are deleted after the retention period", async () => {
        expect(await store.outbox.prune(NOW)).toBe(0);
        expect(await store.outbox.prune(NOW + 1)).toBe(1);
      });

      test("mails postponed or leased by a clock that was ahead are due after its correction", async () => {
        const ahead = NOW + 48 * 60 * MINUTE;
        await store.outbox.add(mail("ahead", { createdAt: ahead }));
        const found = async (owner: string) => (await claimAll(other, owner, NOW)).map(({ id }) => id);
        expect(await found("one")).toContain("ahead");
        await store.outbox.retry("ahead", "one", ahead + MINUTE, "later");
        expect(await found("two")).toContain("ahead");
        await store.outbox.retry("ahead", "two", ahead, "later");
        await store.outbox.claim("fast", ahead, ahead + MINUTE, 100);
        expect(await found("three")).toContain("ahead");
      });
    });

    describe("payments", () => {
      test("an event is processed once across processes", async () => {
        const seen = await Promise.all(
          [store, other, store].map((each) => each.payments.eventOnce("evt_1", "paid", NOW)),
        );
        expect(seen.filter(Boolean)).toHaveLength(1);
      });

      test("an event whose effects failed can be processed again", async () => {
        const failing = store.transaction(async (tables) => {
          expect(await tables.payments.eventOnce("evt_2", "paid", NOW)).toBe(true);
          throw new Error("the effects failed");
        });
        await expect(failing).rejects.toThrow("the effects failed");
        expect(await store.payments.eventOnce("evt_2", "paid", NOW)).toBe(true);
        expect(await store.payments.pruneEvents(NOW + 1)).toBe(2);
      });

      test("a subscription starts empty and keeps the last written state", async () => {
        const blank = await store.transaction((tables) => tables.payments.lock("sub_1"));
        expect(blank).toEqual({
          id: "sub_1",
          email: null,
          tier: null,
          keyId: null,
          paid: false,
          endsAt: null,
          cancelled: false,
          eventAt: 0,
        });
        const row = { ...blank, email: "a@example.org", tier: "pro", keyId: "k", paid: true, endsAt: 5, eventAt: 2 };
        await store.payments.update(row);
        expect(await other.payments.ofKey("k")).toEqual([row]);
        expect(await other.transaction((tables) => tables.payments.lock("sub_1"))).toEqual(row);
      });

      test("simultaneous changes of one subscription are serialized", async () => {
        await Promise.all(Array.from({ length: 10 }, (_, index) => incrementCounter(index % 2 === 0 ? store : other)));
        expect(await store.transaction((tables) => tables.payments.lock("sub_3"))).toMatchObject({ eventAt: 10 });
      });
    });

    describe("jobs", () => {
      test("a job has one lease holder at a time, who may extend the lease", async () => {
        const acquired = await Promise.all([
          store.jobs.acquire("refresh", "one", NOW, NOW + MINUTE),
          other.jobs.acquire("refresh", "two", NOW, NOW + MINUTE),
        ]);
        expect(acquired.filter(Boolean)).toHaveLength(1);
        const [holder, waiting] = acquired[0] ? ["one", "two"] : ["two", "one"];
        expect(await store.jobs.acquire("refresh", holder ?? "", NOW + 1, NOW + 2 * MINUTE)).toBe(true);
        expect(await store.jobs.acquire("refresh", waiting ?? "", NOW + MINUTE, NOW + 3 * MINUTE)).toBe(false);
        expect(await store.jobs.acquire("refresh", waiting ?? "", NOW + 2 * MINUTE, NOW + 3 * MINUTE)).toBe(true);
        await store.jobs.release("refresh", holder ?? "", NOW);
        expect(await store.jobs.get("refresh")).toMatchObject({ owner: waiting, ranAt: null });
        await store.jobs.release("refresh", waiting ?? "", NOW + 5);
        expect(await other.jobs.get("refresh")).toEqual({
          name: "refresh",
          owner: null,
          leaseUntil: null,
          ranAt: NOW + 5,
        });
      });

      test("a lease from a clock that was ahead is not binding", async () => {
        await store.jobs.acquire("ahead", "one", NOW, NOW + 48 * 60 * MINUTE);
        expect(await store.jobs.acquire("ahead", "two", NOW, NOW + MINUTE)).toBe(true);
      });

      test("a failed run keeps the date of the last successful one", async () => {
        await store.jobs.acquire("refresh", "one", NOW, NOW + MINUTE);
        await store.jobs.release("refresh", "one", null);
        expect(await store.jobs.get("refresh")).toMatchObject({ ranAt: NOW + 5 });
        expect(await store.jobs.get("never")).toBeUndefined();
      });
    });

    describe("settings", () => {
      test("the first writer wins for write-once settings, the last for others", async () => {
        const both = await Promise.all([store.settings.setOnce("once", "a"), other.settings.setOnce("once", "b")]);
        expect(new Set(both).size).toBe(1);
        await store.settings.set("often", "1");
        await other.settings.set("often", "2");
        expect(await store.settings.get("often")).toBe("2");
        expect(await store.settings.get("absent")).toBeUndefined();
      });
    });

    describe("transactions", () => {
      test("are atomic", async () => {
        const failing = store.transaction(async (tables) => {
          await tables.keys.addOnce(key("half"));
          await tables.outbox.add(mail("half"));
          throw new Error("interrupted");
        });
        await expect(failing).rejects.toThrow("interrupted");
        expect(await store.keys.byId("half")).toBeUndefined();
      });

      test("are isolated from each other", async () => {
        await Promise.all(
          Array.from({ length: 10 }, async (_, index) => {
            const work = store.transaction(async (tables) => {
              await tables.settings.set(`mix-${index}`, "1");
              // Lets the other transactions run.
              await new Promise((resolve) => setImmediate(resolve));
              if (index % 2 === 1) throw new Error("odd");
            });
            await work.catch(() => undefined);
          }),
        );
        const kept = await Promise.all(Array.from({ length: 10 }, (_, index) => store.settings.get(`mix-${index}`)));
        expect(kept.map((value) => value ?? "-").join("")).toBe("1-1-1-1-1-");
      });
    });
  });
}
