/** Packages of watch lists: queries, mails, and the end of a run. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asIsoDate } from "../../../src/text/ids.ts";
import type { Evidence, StatementCode, Support } from "../../../src/model/index.ts";
import type { Followed } from "../../../src/support/followed.ts";
import { runPackageAlerts, type PackageRun } from "../../../src/service/alerts/packages.ts";
import { MINUTE } from "../../../src/service/clock.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { clockAt, testStore, type StoreFixture } from "../harness.ts";

const clock = clockAt("2026-08-22T12:00:00Z");
let fixture: StoreFixture;
let queried: string[][] = [];
let levels: Record<string, Support> = {};
let stopping = new AbortController();
beforeEach(async () => {
  clock.set("2026-08-22T12:00:00Z");
  fixture = await testStore();
  queried = [];
  levels = {};
  stopping = new AbortController();
});
afterEach(() => fixture.close());

const evidence = (statement: StatementCode): Evidence => ({
  source: "npm",
  statement,
  url: "https://registry.example/a",
  retrievedAt: asIsoDate("2026-08-22"),
});
const retired = (...statements: readonly StatementCode[]): Support => ({
  level: "no-longer-maintained",
  evidence: statements.map(evidence),
});
const MAINTAINED: Support = { level: "maintained", evidence: [evidence("last-release")] };
const AWAY: Support = {
  level: "unknown",
  evidence: [],
  reason: "source-unavailable",
  unanswered: [{ source: "npm", reason: "source-unavailable" }],
};

/** What the sources answer; packages without an entry are maintained. */
const answer = async (purls: readonly string[]): Promise<ReadonlyMap<string, Support>> => {
  queried.push([...purls]);
  return new Map(purls.map((purl) => [purl, levels[purl] ?? MAINTAINED]));
};
const run = (store: Store = fixture.store, packages = answer): Promise<PackageRun> =>
  runPackageAlerts({ store, clock, packages, stopped: stopping.signal });

async function confirmedList(name: string, packages: readonly string[], follow: readonly Followed[] = ["deprecated"]) {
  await fixture.store.watch.addPending({
    id: name,
    email: `${name}@example.org`,
    state: "pending",
    cycles: [],
    follow,
    packages,
    secretVersion: 1,
    confirmHash: `c-${name}`,
    unsubscribeHash: `u-${name}`,
    createdAt: 0,
    expiresAt: clock() + MINUTE,
    confirmedAt: null,
  });
  await fixture.store.watch.confirm(name, clock());
}
interface Mailed {
  readonly email: string;
  readonly packages: readonly { readonly purl: string; readonly trigger: string }[];
}
async function mails(): Promise<readonly Mailed[]> {
  const claimed = await fixture.store.outbox.claim("test", clock(), clock() + 1, 1000);
  for (const { id } of claimed) await fixture.store.outbox.sent(id, "test", clock());
  return claimed.map(({ email, facts }) => ({ email, packages: JSON.parse(facts).packages }));
}

const A = "pkg:npm/a@1.0.0";
const B = "pkg:npm/b@1.0.0";

describe("packages that a list follows", () => {
  test.each<readonly [string, readonly Followed[], Support, string | undefined]>([
    ["a deprecated version, deprecated", ["deprecated"], retired("version-deprecated"), "deprecated"],
    ["a deprecated version, unmaintained", ["unmaintained"], retired("version-deprecated"), "deprecated"],
    ["an abandoned package", ["deprecated"], retired("package-abandoned"), "deprecated"],
    ["a relocated package", ["deprecated"], retired("package-relocated"), "deprecated"],
    ["an archived repository, deprecated", ["deprecated"], retired("repository-archived"), undefined],
    ["an archived repository, unmaintained", ["unmaintained"], retired("repository-archived"), "unmaintained"],
    ["an archived project, both", ["deprecated", "unmaintained"], retired("project-archived"), "unmaintained"],
    ["archived and deprecated", ["deprecated"], retired("repository-archived", "package-deprecated"), "deprecated"],
    ["maintained", ["unmaintained"], MAINTAINED, undefined],
    ["inactive", ["unmaintained"], { level: "inactive", evidence: [evidence("last-release")] }, undefined],
    ["not answered", ["unmaintained"], AWAY, undefined],
  ])("%s", async (_, follow, support, trigger) => {
    await confirmedList("ann", [A], follow);
    levels[A] = support;
    await run();
    expect((await mails()).flatMap(({ packages }) => packages.map((each) => each.trigger))).toEqual(
      trigger === undefined ? [] : [trigger],
    );
  });
});

describe("mails", () => {
  test("report each package once, on the day of the change", async () => {
    await confirmedList("ann", [A, B]);
    expect(await run()).toMatchObject({ lists: 1, packages: 2, mails: 0, alerts: 0 });
    levels[A] = retired("version-deprecated");
    expect(await run()).toMatchObject({ mails: 1, alerts: 1 });
    expect(await mails()).toEqual([
      { email: "ann@example.org", packages: [expect.objectContaining({ purl: A, trigger: "deprecated" })] },
    ]);
    clock.add(24 * 60 * MINUTE);
    expect(await run()).toMatchObject({ mails: 0 });
    levels[B] = retired("package-deprecated");
    expect(await run()).toMatchObject({ mails: 1, alerts: 1 });
  });

  test("report an archived repository again when it is deprecated later, to lists that follow both", async () => {
    await confirmedList("ann", [A], ["unmaintained"]);
    levels[A] = retired("repository-archived");
    await run();
    levels[A] = retired("package-deprecated", "repository-archived");
    await run();
    await run();
    expect((await mails()).flatMap(({ packages }) => packages.map(({ trigger }) => trigger))).toEqual([
      "unmaintained",
      "deprecated",
    ]);
  });

  test("are sent once by two processes", async () => {
    await confirmedList("ann", [A, B]);
    levels = { [A]: retired("version-deprecated"), [B]: retired("version-deprecated") };
    const other = await fixture.again();
    await Promise.all([run(), run(other), run(), run(other)]);
    const sent = await mails();
    expect(sent.flatMap(({ packages }) => packages.map(({ purl }) => purl)).toSorted()).toEqual([A, B]);
  });

  test("are not sent for a list that was replaced during the queries", async () => {
    await confirmedList("ann", [A]);
    levels[A] = retired("version-deprecated");
    await run(fixture.store, async (purls) => {
      await fixture.store.watch.remove("ann");
      return answer(purls);
    });
    expect(await mails()).toEqual([]);
  });

  test("no queries are made for a pending list", async () => {
    await fixture.store.watch.addPending({
      id: "p",
      email: "p@example.org",
      state: "pending",
      cycles: [],
      follow: ["deprecated"],
      packages: [A],
      secretVersion: 1,
      confirmHash: "c",
      unsubscribeHash: "u",
      createdAt: 0,
      expiresAt: 1,
      confirmedAt: null,
    });
    await run();
    expect(queried).toEqual([]);
  });
});

const many = (count: number, name = "p"): readonly string[] =>
  Array.from({ length: count }, (_, index) => `pkg:npm/${name}${index}@1.0.0`);

describe("run", () => {
  test("queries in groups of 500, and each package of several lists once", async () => {
    await confirmedList("ann", many(900));
    await confirmedList("bob", many(600));
    expect(await run()).toMatchObject({ lists: 2, packages: 900 });
    expect(queried.map(({ length }) => length)).toEqual([500, 400]);
  });

  test("stops when its time budget is used up, and reports it", async () => {
    await confirmedList("ann", many(1000));
    const slow = async (purls: readonly string[]) => {
      clock.add(10 * MINUTE);
      return answer(purls);
    };
    expect(await run(fixture.store, slow)).toMatchObject({ packages: 500, ended: "budget" });
  });

  test("stops when no package of a group is answered", async () => {
    await confirmedList("ann", many(1000));
    for (const purl of many(1000)) levels[purl] = AWAY;
    expect(await run()).toMatchObject({ packages: 500, unanswered: 500, ended: "source-unavailable" });
    expect(queried).toHaveLength(1);
  });

  test("continues when only some packages are answered", async () => {
    await confirmedList("ann", many(1000));
    for (const purl of many(499)) levels[purl] = AWAY;
    const outcome = await run();
    expect(outcome).toMatchObject({ packages: 1000, unanswered: 499 });
    expect(outcome).not.toHaveProperty("ended");
  });

  test("stops with the server and mails the results until then", async () => {
    await confirmedList("ann", many(1000));
    levels["pkg:npm/p0@1.0.0"] = retired("version-deprecated");
    const stopsAfterOne = async (purls: readonly string[]) => {
      stopping.abort();
      return answer(purls);
    };
    expect(await run(fixture.store, stopsAfterOne)).toMatchObject({ packages: 500, ended: "stopped", mails: 1 });
  });

  test("stops without an error when the server closes the sources", async () => {
    await confirmedList("ann", many(10));
    const closed = async () => {
      stopping.abort();
      throw new Error("the thread ended");
    };
    expect(await run(fixture.store, closed)).toMatchObject({ ended: "stopped", mails: 0 });
  });

  test("fails when the sources fail while the server runs", async () => {
    await confirmedList("ann", many(10));
    await expect(run(fixture.store, () => Promise.reject(new Error("a bug")))).rejects.toThrow("a bug");
  });

  test("processes more lists than it reads at a time", async () => {
    for (let index = 0; index < 45; index += 1) await confirmedList(`l${index}`, [`pkg:npm/p${index}@1.0.0`]);
    expect(await run()).toMatchObject({ lists: 45, packages: 45 });
    expect(queried.map(({ length }) => length)).toEqual([20, 20, 5]);
  });
});
