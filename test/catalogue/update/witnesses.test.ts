/** Which sources may confirm that an ended cycle is supported longer: those that already spoke about the product. */
import { describe, expect, test } from "vitest";
import type { ComparedContent } from "../../../src/catalogue/load.ts";
import { comparable } from "../../../src/catalogue/load.ts";
import type { StoredContent, StoredRead } from "../../../src/catalogue/schema.ts";
import { base, type Change, chain, check, cycle, older } from "./changes.ts";

const readOf = (source: string): number => base.reads.findIndex((each) => each.source === source);

/** Moves the end of a cycle, and adds a claim of the read with this index that states the same. */
const confirmed = (slug: string, name: string, end: string, read: number): Change =>
  cycle(slug, name, (each) => ({ ...each, eol: end, also: [[read, end]] }));

/** The same with a read that the update brings. */
const confirmedBy =
  (read: StoredRead, end: string): Change =>
  (content) =>
    confirmed("nodejs", "18", end, content.reads.length)({ ...content, reads: [...content.reads, read] });

const own: StoredRead = { kind: "vendor-feed", source: "mallory", page: 0, on: "2026-11-22" };
const endOf = ({ catalogue }: ComparedContent): string | undefined => {
  const eol = catalogue.product("nodejs")?.cycles.find(({ name }) => name === "18")?.eol;
  return eol?.kind === "dated" ? eol.date.value : eol?.kind;
};

describe("an ended cycle keeps its end where the second source", () => {
  test.each<[string, Change]>([
    ["is one that only the update knows", confirmedBy(own, "2027-04-30")],
    ["is one that only the update knows, years later", confirmedBy(own, "2035-04-30")],
    ["is a person that only the update knows", confirmedBy({ ...own, kind: "human-check" }, "2027-04-30")],
    ["speaks about another product", confirmed("nodejs", "18", "2027-04-30", readOf("python-release-cycle"))],
    ["is named like a field of every object", confirmedBy({ ...own, source: "constructor" }, "2027-04-30")],
    ["states a copy", confirmedBy({ ...own, source: "nodejs-schedule", copied: true }, "2027-04-30")],
  ])("%s", (_, change) => {
    const { newer, held, quarantined } = check([older], change(base));
    expect(held.length + quarantined.length).toBeGreaterThan(0);
    expect(endOf(newer)).toBe("2025-04-30");
  });

  test("was brought by an accepted update", () => {
    const withSource: Change = (content) =>
      cycle("nodejs", "24", (each) => ({ ...each, also: [[content.reads.length, each.eol ?? false]] }))({
        ...content,
        reads: [...content.reads, own],
      });
    const accepted = check([older, older], withSource(base));
    expect(accepted.held).toEqual([]);
    const change = confirmed("nodejs", "18", "2027-04-30", base.reads.length);
    const { newer, held } = check([accepted.newer, older], change(accepted.newer.content));
    expect(held.length).toBeGreaterThan(0);
    expect(endOf(newer)).toBe("2025-04-30");
  });
});

describe("two sources that spoke about the product", () => {
  const schedule = readOf("nodejs-schedule");
  test.each(["2027-04-30", "2035-04-30"])("move an end to %s", (end) => {
    const { newer, held, quarantined } = check([older], confirmed("nodejs", "18", end, schedule)(base));
    expect([held, quarantined]).toEqual([[], []]);
    expect(endOf(newer)).toBe(end);
  });

  test("do not bring back a known exploited version", () => {
    const change = confirmed("nodejs", "18", "2027-04-30", schedule);
    const exploited = (content: StoredContent): StoredContent => ({
      ...content,
      products: {
        ...content.products,
        nodejs: {
          ...content.products["nodejs"],
          kev: [["CVE-2020-0001", "2020-01-01", "vendor", false, [schedule, 0, ["<99"]]]],
        } as never,
      },
    });
    const inUse = comparable(exploited(base), "in use");
    const { held } = check([inUse], chain(change)(base));
    expect(held.length).toBeGreaterThan(0);
  });

  test("do not revive more than twenty cycles in one update", () => {
    const ended = ["nodejs", "python", "debian", "ubuntu"].flatMap((slug) =>
      (base.products[slug]?.cycles ?? []).flatMap(({ name, eol, tracks, rolling }) =>
        typeof eol === "string" && eol < "2026-11-22" && eol > "2019" && !tracks && !rolling
          ? [[slug, name] as const]
          : [],
      ),
    );
    const sources = {
      nodejs: "nodejs-schedule",
      python: "python-release-cycle",
      debian: "distro-info-debian",
      ubuntu: "distro-info-ubuntu",
    };
    const revived = (count: number): Change =>
      chain(
        ...ended
          .slice(0, count)
          .map(([slug, name]) => confirmed(slug, name, "2027-01-01", readOf(sources[slug as keyof typeof sources]))),
      );
    expect(ended.length).toBeGreaterThan(20);
    expect(() => check([older], revived(ended.length)(base))).toThrow(
      expect.objectContaining({ code: "update-dates", exit: 4 }),
    );
    expect(() => check([older], revived(ended.length)(base), { allowDateChanges: true })).not.toThrow();
  });
});
