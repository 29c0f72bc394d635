/** A year, day by day, for watch lists of all kinds: exactly the mails that are due. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createStoreServices, type StoreServices } from "../../../src/service/serve/store-services.ts";
import { DEFAULT_TIERS } from "../../../src/service/keys/tiers.ts";
import { SILENT } from "../../../src/service/serve/log.ts";
import type { Message } from "../../../src/service/mail/message.ts";
import { catalogueOf, clockAt, SECRETS, testStore, type ProductCycles, type StoreFixture } from "../harness.ts";

const BASE: ProductCycles = {
  "steady:1": "open",
  "unknown:1": "unknown",
  "march:1": "2027-03-31",
  "april:1": "2027-04",
  "leap:1": "2028-02-29",
  "old:1": "2020-01-31",
  "old:2": "2021-01-31",
  "undated:1": "ended",
  "moving:1": "2026-12-31",
  "extended:1": "2026-10-15",
  "sudden:1": "open",
  "far:1": "2030-01-01",
};

/** What changes in the catalogue, from which day on. */
const REFRESHES: readonly {
  readonly from: string;
  readonly cycles?: ProductCycles;
  readonly kev?: Readonly<Record<string, readonly string[]>>;
}[] = [
  { from: "2026-09-01", kev: { old: ["CVE-2020-0001"], march: ["CVE-2020-0002"] } },
  // Affects two watched release cycles that have ended, and a product with a supported release cycle.
  { from: "2026-11-10", kev: { old: ["CVE-2020-0001", "CVE-2026-1111"], march: ["CVE-2020-0002", "CVE-2026-1111"] } },
  // The vendor moves a date by half a month, then gives two more years to another one that has passed.
  { from: "2026-12-20", cycles: { ...BASE, "moving:1": "2027-01-15" } },
  { from: "2027-02-01", cycles: { ...BASE, "moving:1": "2027-01-15", "extended:1": "2028-10-15" } },
  // First an end without a date, later the date.
  {
    from: "2027-05-01",
    cycles: { ...BASE, "moving:1": "2027-01-15", "extended:1": "2028-10-15", "sudden:1": "ended" },
  },
  {
    from: "2027-06-01",
    cycles: { ...BASE, "moving:1": "2027-01-15", "extended:1": "2028-10-15", "sudden:1": "2027-04-20" },
  },
];

/** Days on which the process does not run. */
const OUTAGE = { from: "2027-01-20", to: "2027-02-27" };

const clock = clockAt("2026-09-01T09:00:00Z");
let fixture: StoreFixture;
let server: StoreServices;
const inbox: string[] = [];
let today = "";

const currentCatalogue = () => {
  const known = REFRESHES.filter(({ from }) => from <= today);
  const cycles = known.findLast((refresh) => refresh.cycles)?.cycles ?? BASE;
  return catalogueOf(cycles, known.findLast((refresh) => refresh.kev)?.kev ?? {});
};

/** `day  who: subject | card; card` with the first line of each card. */
const record = (message: Message): void => {
  const who = message.to.replace("@example.org", "");
  for (const [, purpose, token] of message.text.matchAll(/watch\/(confirm|unsubscribe)\?token=([\w-]+)/g)) {
    links.set(`${who} ${purpose}`, token ?? "");
  }
  const cards = message.text
    .split("\n\n")
    .filter((block) => block.includes("  End of life: "))
    .map((block) => {
      const moved = /The date moved: it was (\S+)/.exec(block);
      return `${block.split("\n")[0]}${moved ? ` (moved from ${moved[1]})` : ""}`;
    });
  inbox.push(`${today} ${who}: ${cards.length > 0 ? cards.join("; ") : message.subject}`);
};

beforeAll(async () => {
  fixture = await testStore();
  server = createStoreServices({
    store: fixture.store,
    secrets: SECRETS,
    tiers: DEFAULT_TIERS,
    clock,
    log: SILENT,
    catalogue: currentCatalogue,
    transport: { send: async (message) => record(message), close: () => undefined },
    publicUrl: "https://eol.example.org",
    mailDomain: "example.org",
  });
});
afterAll(() => server.close());

const watch = async (who: string, cycles: readonly string[]): Promise<void> => {
  const parsed = cycles.map((name) => {
    const [product = "", cycle = ""] = name.split(":");
    return { product, cycle };
  });
  await server.services.watches.watch(`${who}@example.org`, parsed);
};
/** `name purpose` → token of that link in the newest mail that contains one. */
const links = new Map<string, string>();
const follow = async (who: string, purpose: "confirm" | "unsubscribe"): Promise<void> => {
  expect(await server.services.watches[purpose](links.get(`${who} ${purpose}`) ?? "")).toBeTruthy();
};

/** Day → actions of users on it. */
const PEOPLE: Readonly<Record<string, () => Promise<void>>> = {
  "2026-09-01": async () => {
    await watch("ann", ["march:1", "april:1", "leap:1", "steady:1", "unknown:1"]);
    await watch("bob", ["old:1", "old:2", "undated:1", "march:1"]);
    await watch("cat", ["moving:1", "extended:1"]);
    await watch("dan", ["sudden:1", "far:1"]);
    await watch("eve", ["march:1"]);
  },
  "2026-09-02": async () => {
    for (const who of ["ann", "bob", "cat", "dan"]) await follow(who, "confirm");
  },
  // Somebody else requests a list with Ann's address: it stays pending, and hers remains active.
  "2026-09-15": () => watch("ann", ["far:1"]),
  // Cat wants another list and confirms it.
  "2027-03-10": () => watch("cat", ["april:1"]),
  "2027-03-11": () => follow("cat", "confirm"),
  "2027-03-29": () => follow("bob", "unsubscribe"),
};

test("alerts over one year", async () => {
  for (let day = Date.parse("2026-09-01T00:00:00Z"); day < Date.parse("2027-09-01T00:00:00Z"); day += 86_400_000) {
    today = new Date(day).toISOString().slice(0, 10);
    if (today >= OUTAGE.from && today <= OUTAGE.to) continue;
    clock.set(`${today}T00:00:30Z`);
    await server.jobs.wake("alerts");
    await PEOPLE[today]?.();
    await server.jobs.wake("mails");
    await server.jobs.wake("prune");
    // Run again within the day, as after a refresh that brought nothing: nothing is reported twice.
    clock.set(`${today}T13:00:00Z`);
    await server.jobs.wake("alerts");
    await server.jobs.wake("mails");
  }
  // The order of the mails to one recipient is specified, the order between recipients of a day is not.
  expect(inbox.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))).toEqual([
    // The confirmation comes first, and nothing else before it is followed: Eve never does.
    "2026-09-01 ann: Confirm your watch list",
    "2026-09-01 bob: Confirm your watch list",
    "2026-09-01 cat: Confirm your watch list",
    "2026-09-01 dan: Confirm your watch list",
    "2026-09-01 eve: Confirm your watch list",
    // What is crossed already is listed in the welcome mail: April's twelve months, all of Bob's, Moving's twelve months.
    "2026-09-02 ann: March 1; April 1; Leap 1; Steady 1; Unknown 1",
    "2026-09-02 bob: Old 1; Old 2; Undated 1; March 1",
    "2026-09-02 cat: Moving 1; Extended 1",
    "2026-09-02 dan: Sudden 1; Far 1",
    // A stranger's request in Ann's name reaches her as a question and changes nothing.
    "2026-09-15 ann: Confirm your watch list",
    "2026-09-15 cat: Extended 1 reaches its end of life in 30 days",
    "2026-10-02 cat: Moving 1 reaches its end of life in 90 days",
    "2026-10-08 cat: Extended 1 reaches its end of life in 7 days",
    "2026-10-16 cat: Extended 1 has reached its end of life",
    "2026-11-01 cat: Moving 1 reaches its end of life in 60 days",
    // A new known exploited vulnerability: one mail for the ended release cycles, none for March, which is supported.
    "2026-11-10 bob: CVE-2026-1111 is exploited, and Old 1 has reached its end of life; CVE-2026-1111 is exploited, and Old 2 has reached its end of life",
    "2026-12-01 cat: Moving 1 reaches its end of life in 30 days",
    // A moved date arms anew: of the thresholds crossed by then, the latest.
    "2026-12-20 cat: Moving 1 reaches its end of life in 26 days (moved from 2026-12-31)",
    "2026-12-31 ann: March 1 reaches its end of life in 90 days",
    "2026-12-31 bob: March 1 reaches its end of life in 90 days",
    "2027-01-08 cat: Moving 1 reaches its end of life in 7 days",
    "2027-01-16 cat: Moving 1 has reached its end of life",
    // After the standstill the latest crossed threshold: March's 60 days, April's 90 days; Leap's twelve months are of today.
    "2027-02-28 ann: March 1 reaches its end of life in 31 days; April 1 reaches its end of life in 61 days; Leap 1 reaches its end of life within 12 months",
    "2027-02-28 bob: March 1 reaches its end of life in 31 days",
    "2027-03-01 ann: March 1 reaches its end of life in 30 days; April 1 reaches its end of life in 60 days",
    "2027-03-01 bob: March 1 reaches its end of life in 30 days",
    // Cat's new list, confirmed, replaces the old one.
    "2027-03-10 cat: Confirm your watch list",
    "2027-03-11 cat: April 1",
    "2027-03-24 ann: March 1 reaches its end of life in 7 days",
    "2027-03-24 bob: March 1 reaches its end of life in 7 days",
    "2027-03-31 ann: April 1 reaches its end of life in 30 days",
    "2027-03-31 cat: April 1 reaches its end of life in 30 days",
    // Bob has stopped watching. The vulnerability that was added while March was supported is not new now.
    "2027-04-01 ann: March 1 has reached its end of life",
    "2027-04-23 ann: April 1 reaches its end of life in 7 days",
    "2027-04-23 cat: April 1 reaches its end of life in 7 days",
    "2027-05-01 ann: April 1 has reached its end of life",
    "2027-05-01 cat: April 1 has reached its end of life",
    // An end without a day passes on the day it is stated; the day itself, once known, is another date.
    "2027-05-01 dan: Sudden 1 has reached its end of life",
    "2027-06-01 dan: Sudden 1 has reached its end of life",
  ]);
});

/** `day person`. */
const keyOf = (entry: string): string => entry.slice(0, entry.indexOf(":"));
