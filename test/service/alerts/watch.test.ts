/** Watch lists and alerts in error cases: tokens, other users, processes that die or run simultaneously. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runAlerts } from "../../../src/service/alerts/run.ts";
import { WATCH_LIMIT } from "../../../src/service/alerts/cycles.ts";
import { watchLink } from "../../../src/service/alerts/manage.ts";
import { createWatch } from "../../../src/service/alerts/watch.ts";
import type { WatchService } from "../../../src/service/services.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { catalogueOf, clockAt, SECRETS, testStore, type ProductCycles, type StoreFixture } from "../harness.ts";
import { soaked } from "../../soaked.ts";

const clock = clockAt("2026-08-22T12:00:00Z");
const EMAIL = "a@example.org";
let cycles: ProductCycles = {};
let kev: Readonly<Record<string, readonly string[]>> = {};
let fixture: StoreFixture;
let watches: WatchService;
const catalogue = () => catalogueOf(cycles, kev);

beforeEach(async () => {
  clock.set("2026-08-22T12:00:00Z");
  cycles = { "nodejs:20": "2026-12-31", "old:1": "2020-01-31" };
  kev = { old: ["CVE-2020-1"] };
  fixture = await testStore();
  watches = createWatch({ store: fixture.store, secrets: SECRETS, clock, catalogue });
});
afterEach(() => fixture.close());

const parse = (names: readonly string[]) =>
  names.map((name) => {
    const [product = "", cycle = ""] = name.split(":");
    return { product, cycle };
  });
const mails = async () => {
  const claimed = await fixture.store.outbox.claim("test", clock(), clock() + 1, 1000);
  for (const { id } of claimed) await fixture.store.outbox.sent(id, "test", clock());
  return claimed.map(({ kind, facts }) => ({ kind, facts: JSON.parse(facts) }));
};
const token = async (purpose: "confirm" | "unsubscribe"): Promise<string> => {
  const found = (await mails()).findLast(({ facts }) => facts.listId !== undefined);
  return watchLink(purpose, found?.facts.listId, SECRETS.current);
};
const confirmed = async (names: readonly string[]): Promise<void> => {
  await watches.watch(EMAIL, parse(names));
  expect(await watches.confirm(await token("confirm"))).toMatchObject({ state: "done" });
  await mails();
};

describe("watch list", () => {
  test("keeps the first 50 different release cycles", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `p:${index}`);
    await watches.watch(EMAIL, parse([...names, ...names]));
    const [mail] = await mails();
    expect(mail?.facts.cycles).toHaveLength(WATCH_LIMIT);
    expect(mail?.facts.cycles.at(-1)).toMatchObject({ product: "p", cycle: "49" });
  });

  test.each([
    ["no release cycle", EMAIL, [], "nothing-to-watch"],
    ["no address", "nobody", ["nodejs:20"], "invalid-email"],
    ["a header in the address", "a@example.org\nBcc: b@example.org", ["nodejs:20"], "invalid-email"],
  ])("with %s is refused", async (_, email, names, code) => {
    await expect(watches.watch(email, parse(names))).rejects.toMatchObject({ kind: "usage", code });
    expect(await mails()).toEqual([]);
  });

  test("sends at most three confirmation mails per day and address", async () => {
    for (let index = 0; index < 3; index += 1) await watches.watch(EMAIL, parse(["nodejs:20"]));
    await expect(watches.watch(EMAIL, parse(["nodejs:20"]))).rejects.toMatchObject({
      kind: "quota",
      code: "mail-limit",
    });
    clock.set("2026-08-23T00:00:00Z");
    await expect(watches.watch(EMAIL, parse(["nodejs:20"]))).resolves.toEqual({ email: EMAIL });
  });

  test("is not changed by GET requests, because mail scanners follow links", async () => {
    await watches.watch(EMAIL, parse(["nodejs:20"]));
    const link = await token("confirm");
    expect(await watches.lookUp(link, "confirm")).toEqual({
      state: "pending",
      cycles: [{ product: "nodejs", cycle: "20" }],
    });
    expect(await fixture.store.watch.confirmedOf(EMAIL)).toBeUndefined();
  });
});

describe("tokens", () => {
  test("are valid for their purpose only, for seven days, and have the same result each time", async () => {
    await watches.watch(EMAIL, parse(["nodejs:20"]));
    const confirm = await token("confirm");
    expect(await watches.unsubscribe(confirm)).toBe(false);
    expect(await watches.lookUp(confirm, "unsubscribe")).toBeUndefined();
    clock.set("2026-08-29T11:59:59.999Z");
    expect(await watches.lookUp(confirm, "confirm")).toBeDefined();
    const first = await watches.confirm(confirm);
    expect(first).toMatchObject({ state: "done", cycles: [{ product: "nodejs", cycle: "20" }] });
    expect((await mails()).map(({ kind }) => kind)).toEqual(["watch-welcome"]);
    clock.set("2026-09-30T12:00:00Z");
    expect(await watches.confirm(confirm)).toEqual(first);
    expect(await watches.lookUp(confirm, "confirm")).toEqual(first);
    expect(await mails()).toEqual([]);
  });

  test("expire even before the list is deleted", async () => {
    await watches.watch(EMAIL, parse(["nodejs:20"]));
    const confirm = await token("confirm");
    clock.set("2026-08-29T12:00:00Z");
    expect(await watches.confirm(confirm)).toBeUndefined();
    expect(await watches.lookUp(confirm, "confirm")).toBeUndefined();
  });

  test.each(["", "x", "a".repeat(52), "' or 1=1 --", "\u0000", "a".repeat(100_000)])(
    "are refused when guessed: %j",
    async (guess) => {
      expect(await watches.confirm(guess)).toBeUndefined();
      expect(await watches.unsubscribe(guess)).toBe(false);
    },
  );

  test("are valid for their purpose only", async () => {
    await watches.watch(EMAIL, parse(["nodejs:20"]));
    const confirm = await token("confirm");
    expect(await watches.unsubscribe(confirm)).toBe(false);
    expect(await watches.lookUp(confirm, "unsubscribe")).toBeUndefined();
    expect(await watches.confirm(confirm)).toMatchObject({ state: "done" });
  });

  test("a new request invalidates the earlier pending link", async () => {
    await watches.watch(EMAIL, parse(["nodejs:20"]));
    const first = await token("confirm");
    await watches.watch(EMAIL, parse(["old:1"]));
    expect(await watches.confirm(first)).toBeUndefined();
  });
});

const run = (store: Store = fixture.store) => runAlerts({ store, clock, catalogue });

describe("alerts", () => {
  test("two processes send one mail", async () => {
    await run();
    await confirmed(["nodejs:20", "old:1"]);
    clock.set("2026-10-02T00:00:00Z");
    const other = await fixture.again();
    const runs = await Promise.all([run(), run(other), run(), run(other)]);
    expect(runs.reduce((sum, each) => sum + each.mails, 0)).toBe(1);
    expect(await mails()).toHaveLength(1);
  });

  test("a run that is interrupted before the mail is written leaves no row, and the next run sends it", async () => {
    await run();
    await confirmed(["nodejs:20"]);
    clock.set("2026-10-02T00:00:00Z");
    const failing: Store = {
      ...fixture.store,
      transaction: (work) =>
        fixture.store.transaction((tables) =>
          work({ ...tables, outbox: { ...tables.outbox, add: () => Promise.reject(new Error("the disk is full")) } }),
        ),
    };
    await expect(run(failing)).rejects.toThrow("the disk is full");
    expect((await fixture.store.alerts.ofEmail(EMAIL)).map(({ trigger }) => trigger)).toEqual(["12-months"]);
    expect(await run()).toEqual({ lists: 1, mails: 1, alerts: 1 });
  });

  test("a vulnerability reaches each list once, also after an interrupted run", async () => {
    await run();
    await confirmed(["old:1"]);
    kev = { old: ["CVE-2020-1", "CVE-2026-2"] };
    const failing: Store = {
      ...fixture.store,
      kev: { ...fixture.store.kev, add: () => Promise.reject(new Error("no connection")) },
    };
    await expect(run(failing)).rejects.toThrow("no connection");
    expect(await mails()).toHaveLength(1);
    expect(await run()).toEqual({ lists: 1, mails: 0, alerts: 0 });
    expect(await run()).toEqual({ lists: 1, mails: 0, alerts: 0 });
  });

  test("vulnerabilities from before the confirmation cause no alert, even if no run has seen them", async () => {
    await run();
    kev = { old: ["CVE-2020-1", "CVE-2026-2"] };
    await confirmed(["old:1"]);
    expect(await run()).toEqual({ lists: 1, mails: 0, alerts: 0 });
    kev = { old: ["CVE-2020-1", "CVE-2026-2", "CVE-2026-3"] };
    expect(await run()).toEqual({ lists: 1, mails: 1, alerts: 1 });
  });

  test("a process with an older catalogue sends no repeated alerts", async () => {
    await run();
    await confirmed(["old:1"]);
    kev = { old: ["CVE-2020-1", "CVE-2026-2"] };
    await run();
    kev = { old: ["CVE-2020-1"] };
    expect(await run()).toMatchObject({ mails: 0 });
    kev = { old: ["CVE-2020-1", "CVE-2026-2"] };
    expect(await run()).toMatchObject({ mails: 0 });
  });

  test("a pending list of somebody else does not affect the alerts of the confirmed one", async () => {
    await run();
    await confirmed(["nodejs:20"]);
    await watches.watch(EMAIL, parse(["old:1"]));
    await mails();
    clock.set("2026-10-02T00:00:00Z");
    expect(await run()).toMatchObject({ mails: 1 });
  });

  test("unsubscribing deletes the address and stops all mails", async () => {
    await run();
    await confirmed(["nodejs:20"]);
    const list = await fixture.store.watch.confirmedOf(EMAIL);
    const link = watchLink("unsubscribe", list?.id ?? "", SECRETS.current);
    expect(await watches.lookUp(link, "unsubscribe")).toMatchObject({ state: "pending" });
    expect(await watches.unsubscribe(link)).toBe(true);
    expect(await watches.unsubscribe(link)).toBe(true);
    expect(await watches.lookUp(link, "unsubscribe")).toEqual({ state: "done", cycles: [] });
    clock.set("2026-10-02T00:00:00Z");
    expect(await run()).toEqual({ lists: 0, mails: 0, alerts: 0 });
    expect(await fixture.store.alerts.ofEmail(EMAIL)).toEqual([]);
  });

  test("a release cycle that is no longer in the catalogue is ignored", async () => {
    await run();
    await confirmed(["nodejs:20", "old:1"]);
    cycles = { "old:1": "2020-01-31" };
    clock.set("2026-10-02T00:00:00Z");
    expect(await run()).toEqual({ lists: 1, mails: 0, alerts: 0 });
  });

  test("processes many lists of 50 release cycles on one day", async () => {
    const lists = soaked(60, 200);
    cycles = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}:1`, "2026-12-31"]));
    await run();
    for (let index = 0; index < lists; index += 1) {
      const email = `u${index}@example.org`;
      await watches.watch(email, parse(Object.keys(cycles)));
    }
    for (const { facts } of await mails()) await watches.confirm(watchLink("confirm", facts.listId, SECRETS.current));
    clock.set("2026-10-02T00:00:00Z");
    expect(await run()).toEqual({ lists, mails: lists, alerts: lists * 50 });
  });
});
