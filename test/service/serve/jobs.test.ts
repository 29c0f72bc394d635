import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { HOUR, MINUTE } from "../../../src/service/clock.ts";
import { createJobs, standardJobs, type ServiceJob, type Jobs } from "../../../src/service/serve/jobs.ts";
import { SILENT } from "../../../src/service/serve/log.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { clockAt, testStore, type StoreFixture } from "../harness.ts";

const clock = clockAt("2026-08-22T12:00:00Z");
let fixture: StoreFixture;
let runs: string[] = [];
const made: Jobs[] = [];
beforeEach(async () => {
  clock.set("2026-08-22T12:00:00Z");
  runs = [];
  fixture = await testStore();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const jobs of made.splice(0)) await jobs.stop();
  await fixture.close();
});

const jobsOf = (jobs: readonly ServiceJob[], store: Store = fixture.store): Jobs => {
  const created = createJobs({ store, clock, log: SILENT, jobs, random: () => 0 });
  made.push(created);
  return created;
};
const recordingJob = (over: Partial<ServiceJob> = {}): ServiceJob => ({
  name: "note",
  every: 10,
  exclusive: true,
  run: async () => {
    runs.push("run");
    return {};
  },
  ...over,
});
/** Advances the timers of the jobs by this many milliseconds. */
const advance = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe("job", () => {
  test("runs when it is due and keeps its last run after a restart", async () => {
    const daily = recordingJob({ due: (now, ranAt) => now - ranAt >= HOUR });
    const first = jobsOf([daily]);
    first.start();
    await advance(80);
    expect(runs).toEqual(["run"]);
    await first.stop();
    const second = jobsOf([daily]);
    second.start();
    await advance(50);
    expect(runs).toEqual(["run"]);
    clock.add(HOUR);
    await advance(50);
    expect(runs).toEqual(["run", "run"]);
  });

  test("runs in one process at a time", async () => {
    let under = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow = recordingJob({
      run: async () => {
        under += 1;
        runs.push(String(under));
        await released;
        under -= 1;
        return {};
      },
    });
    const others = [jobsOf([slow]), jobsOf([slow], await fixture.again()), jobsOf([slow], await fixture.again())];
    const woken = others.map((jobs) => jobs.wake("note"));
    // One process is at it, so the two others have finished.
    await Promise.any(woken);
    release();
    await Promise.all(woken);
    expect(runs).toEqual(["1"]);
  });

  test("runs later when it is triggered while another process runs it", async () => {
    await fixture.store.jobs.acquire("note", "another", clock(), clock() + MINUTE);
    const jobs = jobsOf([recordingJob({ due: () => false })]);
    await jobs.wake("note");
    expect(runs).toEqual([]);
    await fixture.store.jobs.release("note", "another", clock());
    jobs.start();
    await advance(50);
    expect(runs).toEqual(["run"]);
  });

  test("is taken over from a dead process when its lease has expired", async () => {
    await fixture.store.jobs.acquire("note", "dead", clock(), clock() + MINUTE);
    const jobs = jobsOf([recordingJob()]);
    await jobs.wake("note");
    expect(runs).toEqual([]);
    clock.add(MINUTE);
    await jobs.wake("note");
    expect(runs).toEqual(["run"]);
  });

  test("is retried after a failure, which does not count as a run", async () => {
    let failures = 2;
    const jobs = jobsOf([
      recordingJob({
        due: () => false,
        atStart: true,
        run: async () => {
          runs.push("run");
          if (failures-- > 0) throw new Error("no");
          return {};
        },
      }),
    ]);
    jobs.start();
    await advance(100);
    expect(runs).toEqual(["run", "run", "run"]);
  });

  test("continues after the store did not answer", async () => {
    let down = true;
    const store: Store = {
      ...fixture.store,
      jobs: {
        ...fixture.store.jobs,
        get: (name) =>
          down
            ? Promise.reject(EolgateError.raw("unavailable", { code: "store-unavailable", message: "down" }))
            : fixture.store.jobs.get(name),
      },
    };
    const jobs = jobsOf([recordingJob({ due: () => false, atStart: true })], store);
    jobs.start();
    await advance(40);
    down = false;
    await advance(40);
    expect(runs).toEqual(["run"]);
  });

  test("is finished before shutdown, and no other one starts", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const jobs = jobsOf([
      recordingJob({
        run: async () => {
          begin();
          await released;
          runs.push("done");
          return {};
        },
      }),
    ]);
    const woken = jobs.wake("note");
    await begun;
    const stopped = jobs.stop();
    expect(runs).toEqual([]);
    release();
    await stopped;
    expect(runs).toEqual(["done"]);
    await woken;
    await jobs.wake("note");
    expect(runs).toEqual(["done"]);
  });
});

const note = (name: string) => async (): Promise<object> => {
  runs.push(name);
  return {};
};
const standard = (refresh?: () => Promise<object>): readonly ServiceJob[] =>
  standardJobs({
    store: fixture.store,
    clock,
    sendMails: note("mails"),
    sendAlerts: note("alerts"),
    ...(refresh && { refresh: { every: 12 * HOUR, run: refresh } }),
  });

const dueAt = (name: string, now: string, ranAt: string): boolean | undefined =>
  standard(async () => ({}))
    .find((job) => job.name === name)
    ?.due?.(Date.parse(now), Date.parse(ranAt));

describe("the standard jobs", () => {
  test.each([
    ["alerts", "2026-08-22T23:59:59Z", "2026-08-22T00:00:00Z", false],
    ["alerts", "2026-08-23T00:00:00Z", "2026-08-22T23:59:59Z", true],
    ["refresh", "2026-08-22T11:59:59Z", "2026-08-22T00:00:00Z", false],
    ["refresh", "2026-08-22T12:00:00Z", "2026-08-22T00:00:00Z", true],
    ["refresh", "2020-01-01T00:00:00Z", "2026-08-22T00:00:00Z", true],
    ["prune", "2026-08-22T00:10:00Z", "2026-08-22T00:00:00Z", false],
    ["prune", "2026-08-22T00:30:00Z", "2026-08-22T00:00:00Z", true],
  ])("%s at %s, last run at %s: due %s", (name, now, ranAt, due) => {
    expect(dueAt(name, now, ranAt)).toBe(due);
  });

  test("there is no refresh job without a refresh", () => {
    expect(standard().map(({ name }) => name)).toEqual(["mails", "alerts", "prune"]);
  });

  test("pruning deletes only expired rows", async () => {
    const { allowances } = fixture.store;
    const used = async (day: string): Promise<number> => (await allowances.lease("a", asIsoDate(day), 1, 5)).used;
    for (const day of ["2026-08-20", "2026-08-21", "2026-08-22"]) expect(await used(day)).toBe(1);
    await jobsOf(standard()).wake("prune");
    expect(await used("2026-08-20")).toBe(1);
    expect(await used("2026-08-21")).toBe(2);
  });
});
