import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { upgradeAdvice } from "../../src/compare/upgrade-targets.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import type { Advice, Product, ReleaseCycle } from "../../src/model/index.ts";
import { day, releaseCycle, product } from "../lifecycle/builders.ts";

const AS_OF = day("2026-01-01");
const cycle = (name: string, ends: string, more: Partial<ReleaseCycle> = {}): ReleaseCycle => ({
  ...releaseCycle(ends, more),
  name,
});
/** Supported at least until the day, without an announced end. */
const promised = (name: string, notBefore: string): ReleaseCycle =>
  cycle(name, "open", { eolNotBefore: { value: day(notBefore), precision: "day" } });
const summary = (advice: Advice | undefined): string =>
  advice === undefined
    ? "none"
    : [
        advice.longest?.releaseCycle.cycle ?? "-",
        advice.nearest?.releaseCycle.cycle ?? "-",
        ...(advice.endsSoon ? ["soon"] : []),
        ...(advice.orNewer ? [`${advice.orNewer.cycle} or newer`] : []),
        ...(advice.successor === undefined ? [] : [advice.successor]),
      ].join(" ");

/** `names` are newest first, as in the catalogue; the last one is the cycle in use. */
function adviceFor(cycles: readonly ReleaseCycle[], of: Partial<Product> = {}): string {
  const last = cycles.at(-1);
  if (last === undefined) throw new Error("no cycle");
  return summary(upgradeAdvice(product(cycles, of), last, AS_OF));
}

describe("upgradeAdvice", () => {
  const OLD = cycle("1", "2020-01-01");

  test.each<[string, readonly ReleaseCycle[], string]>([
    [
      "the longest-supported cycle first, then the nearest",
      [cycle("4", "2030-01-01"), cycle("3", "2028-01-01"), OLD],
      "4 3",
    ],
    ["a long-term cycle that outlives a newer one", [cycle("4", "2026-09-01"), cycle("3", "2030-01-01"), OLD], "3 -"],
    ["no announced end as the longest", [cycle("4", "open"), cycle("3", "2040-01-01"), OLD], "4 3"],
    ["the newest of several without an end", [cycle("4", "open"), cycle("3", "open"), OLD], "4 3"],
    [
      "no cycle that ends before the one in use",
      [cycle("6.1", "2027-12-31"), cycle("6.0", "2027-04-30"), cycle("5.2", "2028-04-30")],
      "none",
    ],
    ["no cycle that ends with the one in use", [cycle("2", "2028-04-30"), cycle("1", "2028-04-30")], "none"],
    [
      "a cycle that ends after the one in use",
      [cycle("7.2", "2031-04-30"), cycle("6.1", "2027-12-31"), cycle("5.2", "2028-04-30")],
      "7.2 -",
    ],
    ["a cycle without an announced end", [cycle("2", "open"), cycle("1", "2028-04-30")], "2 -"],
    ["no nearest that ends within 12 months", [cycle("3", "2030-01-01"), cycle("2", "2026-12-31"), OLD], "3 -"],
    ["a nearest that ends in exactly 12 months", [cycle("3", "2030-01-01"), cycle("2", "2027-01-01"), OLD], "3 2"],
    ["no cycle that ends within 6 months", [cycle("3", "2026-06-30"), cycle("2", "2026-08-01"), OLD], "2 -"],
    [
      "a cycle that ends within 6 months if there is no other, with a note",
      [cycle("2", "2026-03-01"), OLD],
      "2 - soon",
    ],
    ["no cycle that may end within 6 months", [promised("3", "2026-06-30"), cycle("2", "2026-08-01"), OLD], "2 -"],
    ["a cycle that is promised for 6 months", [promised("3", "2026-07-01"), cycle("2", "2026-08-01"), OLD], "3 -"],
    [
      "a cycle that may end within 6 months if there is no other, with a note",
      [promised("2", "2026-06-30"), OLD],
      "2 - soon",
    ],
    ["a cycle that may end today, with a note", [promised("2", "2026-01-01"), OLD], "2 - soon"],
    ["no cycle that may have ended yesterday", [promised("2", "2025-12-31"), OLD], "none"],
    ["a nearest that is promised for 6 months", [cycle("3", "open"), promised("2", "2026-07-01"), OLD], "3 2"],
    ["no nearest that is promised for less", [cycle("3", "open"), promised("2", "2026-06-30"), OLD], "3 -"],
    [
      "no retired, ended or unknown cycle",
      [cycle("4", "open", { retired: true }), cycle("3", "2025-01-01"), cycle("2", "unknown"), OLD],
      "none",
    ],
    ["no older cycle", [OLD], "none"],
    ["only the successor when no cycle is left", [{ ...OLD, successor: "other" }], "- - other"],
  ])("names %s", (_, cycles, expected) => {
    expect(adviceFor(cycles)).toBe(expected);
  });

  test("offers every recorded cycle for a version older than all of them", () => {
    const ancient = cycle("0.1", "2020-01-01");
    const recorded = [cycle("3", "2030-01-01"), cycle("2", "2028-01-01")];
    expect(summary(upgradeAdvice(product(recorded), ancient, AS_OF))).toBe("3 2");
  });

  test.each<[string, readonly string[], string, boolean]>([
    ["an edition stays an edition", ["11-2-w", "11-2-e", "11-2-iot-lts", "10-1-w"], "11-2-w -", false],
    ["a cycle without an edition avoids special editions", ["11-2-iot-lts", "11-1-w", "10"], "11-1-w -", false],
    [
      "a runtime stays a runtime",
      ["java21", "python3.14", "nodejs24.x", "python3.13", "python3.9"],
      "python3.14 python3.13",
      false,
    ],
    ["a name that starts with a word needs the same word", ["java21", "nodejs24.x", "python3.9"], "none", false],
    ["a service pack can move to a plain version", ["17.0", "13.0-sp1"], "17.0 -", false],
    [
      "a chat model is never replaced by an embedding model",
      ["text-embedding-3", "gpt-image-2", "gpt-audio-2", "gpt-4"],
      "none",
      true,
    ],
    [
      "a chat model is replaced by a chat model",
      ["gpt-5.5", "text-embedding-3", "gpt-5-codex", "gpt-4"],
      "gpt-5.5 -",
      true,
    ],
    ["a small model stays a small one where there is one", ["gpt-6", "gpt-6-mini", "gpt-4-mini"], "gpt-6-mini -", true],
    [
      "an embedding model stays one",
      ["gpt-6", "text-embedding-3-large", "text-embedding-ada-002"],
      "text-embedding-3-large -",
      true,
    ],
    [
      "names of another order are one family",
      ["claude-haiku-4-5", "claude-opus-5", "claude-3-haiku"],
      "claude-haiku-4-5 -",
      true,
    ],
  ])("%s", (_, names, expected, models) => {
    const cycles = names.map((name, index) => cycle(name, index === names.length - 1 ? "2020-01-01" : "open"));
    expect(adviceFor(cycles, { models })).toBe(expected);
  });
});

describe("a model's name without a day", () => {
  const OLD = cycle("gpt-1", "2020-01-01");
  const alias = cycle("gpt-4", "open");
  const other = cycle("gpt-3", "2026-08-01");

  test.each<[string, readonly ReleaseCycle[], boolean, string]>([
    [
      "is no target when each of its snapshots ends within 6 months",
      [cycle("gpt-4-2025-04-14", "2026-06-30")],
      true,
      "gpt-3 -",
    ],
    ["is one while a snapshot lasts", [cycle("gpt-4-2025-04-14", "2026-07-01")], true, "gpt-4 -"],
    ["is no target when its snapshot of a month and day ends", [cycle("gpt-4-0613", "2026-06-30")], true, "gpt-3 -"],
    ["is no target when its numbered snapshot ends", [cycle("gpt-4-001", "2026-06-30")], true, "gpt-3 -"],
    ["is no target when its snapshot with hyphens ends", [cycle("gpt-4-05-20", "2026-06-30")], true, "gpt-3 -"],
    [
      "is one where another version ends",
      [cycle("gpt-4-1", "2026-06-30"), cycle("gpt-4-32k", "2026-06-30")],
      true,
      "gpt-4 -",
    ],
    ["is one without a snapshot", [cycle("gpt-4-mini-2025-04-14", "2026-02-01")], true, "gpt-4 -"],
    ["means nothing of other products", [cycle("gpt-4-2025-04-14", "2026-06-30")], false, "gpt-4 -"],
  ])("%s", (_, snapshots, models, expected) => {
    expect(adviceFor([alias, ...snapshots, other, OLD], { models })).toBe(expected);
  });
});

describe("upgradeAdvice with the bundled catalogue", () => {
  const catalogue = loadCatalogue({ env: {} });

  test.each([
    ["ruby", "2.5", "4.0 3.4"],
    ["tomcat", "7", "11.0 10.1"],
    ["postgresql", "13", "18 16"],
    ["nodejs", "18", "26 24"],
    // Each snapshot of GPT-4o ends by 2027-01-14.
    ["openai-api", "gpt-4", "gpt-5.5 gpt-5.4"],
    // The "not before" of Claude Haiku 4.5 is past, those of Opus 4.5 and 4.6 come within 6 months.
    ["claude", "claude-3-haiku-20240307", "claude-opus-5 claude-opus-4-8"],
    ["aws-lambda", "python3.8", "python3.14 python3.12"],
    // A release that would end 3.9 was due in October.
    ["apache-maven", "3.0", "- - 3.9 or newer"],
    ["apache-maven", "3.9", "none"],
    // 25.0 ends in two weeks; of 29, a later release was due.
    ["docker-engine", "20.10", "- - 29 or newer"],
    ["windows", "10-1809-w", "11-26h2-w 11-26h1-w"],
  ])("recommends for %s %s the upgrade to %s", (slug, name, expected) => {
    const found = catalogue.product(slug);
    const from = found?.cycles.find((each) => each.name === name);
    if (found === undefined || from === undefined) throw new Error(`no cycle ${slug}:${name}`);
    expect(summary(upgradeAdvice(found, from, asIsoDate("2026-11-22")))).toBe(expected);
  });

  test("names the newest recorded cycle as one to move to only after a release after it was due", () => {
    const maven = catalogue.product("apache-maven");
    const old = maven?.cycles.find(({ name }) => name === "3.0");
    if (!maven || !old) throw new Error("no Apache Maven 3.0");
    const on = (asOf: string): string => summary(upgradeAdvice(maven, old, asIsoDate(asOf)));
    expect([on("2026-10-06"), on("2026-10-07")]).toEqual(["3.9 -", "- - 3.9 or newer"]);
  });

  test("never names a target that ends or may end within six months without stating it", () => {
    const soon: string[] = [];
    let stated = 0;
    for (const slug of catalogue.slugs()) {
      const found = catalogue.product(slug);
      const cycles = new Map(found?.cycles.map((each) => [each.name, each]));
      for (const from of found?.cycles ?? []) {
        const advice = found && upgradeAdvice(found, from, asIsoDate("2026-11-22"));
        for (const target of [advice?.longest, advice?.nearest]) {
          const to = cycles.get(target?.releaseCycle.cycle ?? "");
          const until = to?.eol.kind === "dated" ? to.eol.date.value : to?.eolNotBefore?.value;
          if (until === undefined || until >= "2027-05-22") continue;
          if (advice?.endsSoon) stated++;
          else soon.push(`${slug}:${from.name} to ${to?.name ?? ""}`);
        }
      }
    }
    expect(soon).toEqual([]);
    expect(stated).toBeGreaterThan(100);
  });

  test("never recommends a model of another kind", () => {
    const embedding = /embed|similarity/;
    for (const slug of catalogue.slugs()) {
      const found = catalogue.product(slug);
      if (!found?.models) continue;
      for (const from of found.cycles) {
        const advice = upgradeAdvice(found, from, asIsoDate("2026-11-22"));
        for (const target of [advice?.longest, advice?.nearest])
          if (target)
            expect([from.name, target.releaseCycle.cycle, embedding.test(target.releaseCycle.cycle)]).toEqual([
              from.name,
              target.releaseCycle.cycle,
              embedding.test(from.name),
            ]);
      }
    }
  });
});
