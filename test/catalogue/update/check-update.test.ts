/**
 * What may change between two catalogues: losses, moved ends, revived cycles. Over the bundled one where the numbers matter,
 * otherwise over a part of it, for speed.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compact, lazy } from "../../../src/text/values.ts";
import { encodeCatalogue, readContent } from "../../../src/catalogue/file.ts";
import { parseCatalogue } from "../../../src/catalogue/load.ts";
import { BUNDLED } from "../../../src/catalogue/places.ts";
import { checkUpdate } from "../../../src/catalogue/update/check-update.ts";
import { comparable } from "../../../src/catalogue/load.ts";
import { isMove } from "../../../src/catalogue/update/moves.ts";
import type { StoredContent, StoredCycle, StoredProduct } from "../../../src/catalogue/schema.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { end } from "../builders.ts";
import { base, older } from "./changes.ts";

const today = asIsoDate("2026-11-22");
const bundled = readContent(readFileSync(BUNDLED), "bundled");
/** Read once: it decodes a product when it is first compared. */
const inUse = comparable(bundled, "older");
const checked = (content: StoredContent, offered: StoredContent, allow = {}) => {
  const known = [older, inUse].find((each) => each.content === content) ?? comparable(content, "older");
  const { newer, ...result } = checkUpdate([known], comparable(offered, "newer"), { origin: "x", today, ...allow });
  return { ...result, content: newer.content };
};
const checkPart = (newer: StoredContent) => checked(base, newer);
const check = (newer: StoredContent, allow = {}) => checked(bundled, newer, allow);

/** The content with changed cycles. */
function changed(
  content: StoredContent,
  change: (cycle: StoredCycle, slug: string, product: StoredProduct) => StoredCycle,
): StoredContent {
  const products = Object.entries(content.products).map(([slug, product]) => [
    slug,
    { ...product, cycles: product.cycles.map((cycle) => change(cycle, slug, product)) },
  ]);
  return { ...content, products: Object.fromEntries(products) };
}
const without = <Value>(record: Readonly<Record<string, Value>>, keep: (key: string, index: number) => boolean) =>
  Object.fromEntries(Object.entries(record).filter(([key], index) => keep(key, index)));

describe("identical content", () => {
  test("is accepted unchanged", () => {
    const { content, quarantined } = check(bundled);
    expect(quarantined).toEqual([]);
    expect(encodeCatalogue(content).equals(encodeCatalogue(bundled))).toBe(true);
  });
  test("is refused when dated after today", () => {
    const newer = { ...bundled, metadata: { ...bundled.metadata, date: "2026-11-23" } };
    expect(() => check(newer)).toThrow(expect.objectContaining({ code: "catalogue-from-future", exit: 4 }));
  });
});

describe("the list of newest versions", () => {
  const rows = Object.entries(base.newestVersions);
  const listed = (change: (row: string, index: number) => string | undefined) => ({
    ...base,
    newestVersions: Object.fromEntries(
      rows.flatMap(([key, row], index) => {
        const changedRow = change(row, index);
        return changedRow === undefined ? [] : [[key, changedRow]];
      }),
    ),
  });
  const refused = (code: string) => expect.objectContaining({ code, exit: 4 });
  test("is refused when dated after today", () => {
    const newer = {
      ...base,
      metadata: { ...base.metadata, newestOn: { ...base.metadata.newestOn, npm: "2026-11-23" } },
    };
    expect(() => checkPart(newer)).toThrow(refused("catalogue-from-future"));
  });
  test("is refused with more than 5 % fewer packages", () => {
    expect(() => checkPart(listed((row, index) => (index % 19 === 0 ? undefined : row)))).toThrow(
      refused("update-shrunken"),
    );
    expect(checkPart(listed((row, index) => (index % 21 === 0 ? undefined : row))).held).toEqual([]);
  });
  test("is refused with older versions of more than 5 % of the packages", () => {
    const isNewer = (row: string) => /^[1-9]/.test(row);
    const olderAt = (every: number) => listed((row, index) => (index % every === 0 && isNewer(row) ? "0.0.1" : row));
    expect(() => checkPart(olderAt(10))).toThrow(refused("update-shrunken"));
    expect(() => checked(base, olderAt(10), { allowLoss: true })).not.toThrow();
    expect(checkPart(olderAt(40)).held).toEqual([]);
  });
  test("is refused with half as many more packages", () => {
    const known = Object.entries(bundled.newestVersions);
    const more = Object.fromEntries(known.slice(0, known.length * 0.6).map(([key, row]) => [`${key}-more`, row]));
    const newer = { ...bundled, newestVersions: { ...bundled.newestVersions, ...more } };
    expect(() => check(newer)).toThrow(refused("update-grown"));
  });
});

describe("ends that move", () => {
  test("are refused when every dated cycle moves to 2099", () => {
    const newer = changed(base, (cycle) =>
      typeof cycle.eol === "string" ? { ...cycle, eol: "2099-12-31", also: [] } : cycle,
    );
    expect(() => checkPart(newer)).toThrow(expect.objectContaining({ code: "update-dates", exit: 4 }));
  });

  test("are also refused when claims of a vendor or an override move", () => {
    const vendor = base.reads.findIndex(({ kind }) => kind === "vendor-feed");
    const reads = [...base.reads, { kind: "override", source: "eolgate", page: 0, on: "2026-08-22" } as const];
    const newer = changed(base, (cycle) => ({
      ...cycle,
      also: [...(cycle.also ?? []), [base.reads.length, "2099-12-31"]],
    }));
    expect(vendor).toBeGreaterThan(0);
    expect(() => checkPart({ ...newer, reads })).toThrow(expect.objectContaining({ code: "update-dates" }));
  });

  const kept = (eol: StoredCycle["eol"]): StoredContent =>
    changed(base, (cycle, slug) =>
      slug === "nodejs" && cycle.name === "18" ? compact({ ...cycle, eol, also: [] }) : cycle,
    );

  test.each([
    ["another date, years later", "2030-04-30"],
    ["no announced end", false],
    ["ended on an unknown date", true],
    ["no claim at all", undefined],
  ])("to %s keep the end in use for a single cycle, and list it", (_, eol) => {
    const { content, quarantined } = checkPart(kept(eol));
    expect(quarantined).toEqual([{ product: "nodejs", cycle: "18", kept: "2025-04-30", moved: String(eol) }]);
    const cycle = parseCatalogue(encodeCatalogue(content), "x")
      .product("nodejs")
      ?.cycles.find(({ name }) => name === "18");
    expect(cycle?.eol).toMatchObject({ kind: "dated", date: { value: "2025-04-30" } });
    expect(cycle?.claims.filter((claim) => claim.quarantined)).toHaveLength(eol === undefined ? 0 : 1);
  });

  test("are effective when an independent source has the same date", () => {
    const newer = changed(base, (cycle, slug, { read }) => {
      if (slug !== "nodejs" || cycle.name !== "18") return cycle;
      const vendor = base.reads.findIndex(({ source }) => source === "nodejs-schedule");
      expect(vendor).not.toBe(read);
      return { ...cycle, eol: "2030-04-30", also: [[vendor, "2030-04-30"]] };
    });
    expect(checkPart(newer).quarantined).toEqual([]);
  });

  test("are compared with the end in use instead of the record's", () => {
    const once = checkPart(kept("2030-04-30")).content;
    const again = checked(once, kept("2030-04-30"));
    expect(again.quarantined).toEqual([{ product: "nodejs", cycle: "18", kept: "2025-04-30", moved: "2030-04-30" }]);
  });

  test.each<[before: string, after: string, boolean]>([
    ["2025-01-01", "2027-01-02", false],
    ["2025-01-01", "2027-01-03", true],
    ["2025-01-01", "2022-12-31", true],
    ["2025-01-01", "open", true],
    ["2025-01-01", "ended", true],
    ["ended", "open", true],
    ["ended", "2027-01-01", true],
    ["ended", "2020-01-01", false],
    ["ended", "ended", false],
    ["open", "2027-01-01", false],
    ["open", "ended", false],
    ["open", "open", false],
  ])("from %s to %s: %s", (before, after, expected) => {
    expect(isMove(end(before), end(after), today)).toBe(expected);
  });
});

describe("ended cycles that become supported again", () => {
  /** Moves `count` ended dates of the last two years to next year: no single one is a move. */
  const revived = (content: StoredContent, count: number): StoredContent => {
    let left = count;
    return changed(content, (cycle) => {
      if (typeof cycle.eol !== "string" || cycle.eol < "2025-11-25" || cycle.eol >= today || cycle.also) return cycle;
      if (cycle.retired || cycle.rolling || cycle.tracks || cycle.name === "all") return cycle;
      left -= 1;
      return left >= 0 ? { ...cycle, eol: "2027-01-01" } : cycle;
    });
  };
  test("are refused in numbers, unless a flag allows it", () => {
    expect(() => check(revived(bundled, 100))).toThrow(expect.objectContaining({ code: "update-dates", exit: 4 }));
    expect(check(revived(bundled, 100), { allowDateChanges: true })).toMatchObject({ quarantined: [], held: [] });
  });
  test("keep the older row if they are few", () => {
    const { content, held } = checkPart(revived(base, 1));
    expect(held[0]).toMatchObject({ section: "products", before: { severity: "fail" } });
    expect(checkPart(content).held).toEqual([]);
  });
});

describe("missing content", () => {
  const everyTenth = (_: string, index: number) => index % 10 !== 0;
  const tables: readonly [string, Partial<StoredContent>][] = [
    ["purls", { purls: without(bundled.purls, everyTenth) }],
    ["names", { names: without(bundled.names, everyTenth) }],
    ["cpes", { cpes: without(bundled.cpes, everyTenth) }],
    ["models", { models: without(bundled.models, everyTenth) }],
    ["systems", { systems: without(bundled.systems, everyTenth) }],
  ];
  /** Of all tables at once, for speed. */
  const allowed = lazy(() => {
    const newer = Object.assign({ ...bundled }, ...tables.map(([, part]) => part));
    return check(newer, { allowLoss: true, allowDateChanges: true });
  });
  test.each(tables)("a loss of a tenth of the %s is refused, unless a flag allows it", (table, part) => {
    const newer = { ...bundled, ...part };
    const refusal = { code: "update-shrunken", details: expect.objectContaining({ table }) };
    expect(() => check(newer)).toThrow(expect.objectContaining(refusal));
    expect(allowed()).toMatchObject({ quarantined: [], held: [] });
  });

  test("a loss of distribution packages is refused", () => {
    const deb = base.distroPackages["deb"];
    if (deb === undefined) throw new Error("no deb");
    const newer = { ...base, distroPackages: { ...base.distroPackages, deb: { ...deb, names: {} } } };
    expect(() => checkPart(newer)).toThrow(expect.objectContaining({ code: "update-shrunken" }));
  });

  test("a loss of KEV entries is refused", () => {
    const products = Object.entries(base.products).map(
      ([slug, product]) => [slug, compact({ ...product, kev: undefined })] as const,
    );
    const newer = { ...base, products: Object.fromEntries(products) };
    expect(() => checkPart(newer)).toThrow(/KEV entries would be lost/);
  });

  test("a loss of most cycles of one large product is refused, even when it is a small part of the whole", () => {
    const { debian } = bundled.products;
    if (debian === undefined) throw new Error("no debian");
    const newer = {
      ...bundled,
      products: { ...bundled.products, debian: { ...debian, cycles: debian.cycles.slice(0, 3) } },
    };
    expect(() => check(newer)).toThrow(/cycles of debian would be lost/);
    expect(() => check({ ...bundled, products: without(bundled.products, (slug) => slug !== "debian") })).toThrow(
      /cycles of debian would be lost/,
    );
  });

  test("a loss in one small product is accepted", () => {
    const [slug] = Object.entries(base.products).find(([, { cycles }]) => cycles.length === 1) ?? [""];
    expect(() => checkPart({ ...base, products: without(base.products, (key) => key !== slug) })).not.toThrow();
  });
});
