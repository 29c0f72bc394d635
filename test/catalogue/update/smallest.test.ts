/** What an update keeps of the catalogue in use is the smallest part, and what the bundled catalogue states can return. */
import { describe, expect, test } from "vitest";
import type { ComparedContent } from "../../../src/catalogue/load.ts";
import { comparable } from "../../../src/catalogue/load.ts";
import { base, chain, check, cycle, older, product, withoutClaims } from "./changes.ts";

const endOf = ({ catalogue }: ComparedContent, name: string, slug = "nodejs"): string | undefined => {
  const eol = catalogue.product(slug)?.cycles.find((each) => each.name === name)?.eol;
  return eol?.kind === "dated" ? eol.date.value : eol?.kind;
};
const ends = (name: string, eol: string, slug = "nodejs") =>
  cycle(slug, name, (each) => ({ ...withoutClaims(each), eol }));

describe("beside a release cycle that is kept, an update takes", () => {
  const weaker = ends("18", "2026-12-22");
  test("an earlier end of another one", () => {
    const { newer, held } = check([older], chain(weaker, ends("24", "2026-11-01"))(base));
    expect([endOf(newer, "18"), endOf(newer, "24")]).toEqual(["2025-04-30", "2026-11-01"]);
    expect(held[0]).toMatchObject({ section: "products", row: "nodejs", before: { resolution: "nodejs:18" } });
  });

  test("an end that two sources state", () => {
    const read = base.reads.findIndex(({ source }) => source === "nodejs-schedule");
    const confirmed = cycle("nodejs", "16", (each) => ({ ...each, eol: "2027-04-30", also: [[read, "2027-04-30"]] }));
    const { newer } = check([older], chain(weaker, confirmed)(base));
    expect([endOf(newer, "18"), endOf(newer, "16")]).toEqual(["2025-04-30", "2027-04-30"]);
  });

  test("a new release cycle, and newer releases", () => {
    const added = product("nodejs", (found) => ({
      ...found,
      cycles: [{ name: "99", eol: "2099-12-31" }, ...found.cycles],
    }));
    const { newer } = check(
      [older],
      chain(
        weaker,
        added,
        cycle("nodejs", "22", (of) => ({ ...of, latest: "22.99.9" })),
      )(base),
    );
    expect(endOf(newer, "99")).toBe("2099-12-31");
    const latest = newer.catalogue.product("nodejs")?.cycles.find(({ name }) => name === "22")?.latest;
    expect(latest?.name).toBe("22.99.9");
  });

  test("nothing, where a flag of the product makes the answer weaker", () => {
    const change = product("nodejs", (found) => ({
      ...found,
      cycles: found.cycles.filter(({ name }) => name !== "18"),
    }));
    const { newer } = check([older], chain(change, ends("24", "2026-11-01"))(base));
    expect([endOf(newer, "18"), endOf(newer, "24")]).toEqual(["2025-04-30", endOf(older, "24")]);
  });
});

describe("after an accepted update that was wrong, the bundled catalogue's", () => {
  const wrong = (change: ReturnType<typeof ends>): ComparedContent => {
    const { newer } = check([older, older], change(base));
    return newer;
  };
  test("end of a release cycle is taken again", () => {
    const inUse = wrong(ends("24", "2026-11-01"));
    expect(endOf(inUse, "24")).toBe("2026-11-01");
    const { newer, held, quarantined } = check([inUse, older], base);
    expect([held, quarantined]).toEqual([[], []]);
    expect(endOf(newer, "24")).toBe(endOf(older, "24"));
  });

  test("end is taken again where it lies years later", () => {
    const end = endOf(older, "3.14", "python") ?? "";
    const inUse = comparable(ends("3.14", "2026-11-01", "python")(base), "in use");
    expect(end > "2030").toBe(true);
    const { newer, held, quarantined } = check([inUse, older], base);
    expect([held, quarantined]).toEqual([[], []]);
    expect(endOf(newer, "3.14", "python")).toBe(end);
  });

  test("ends are taken again in any number", () => {
    const all = Object.entries(base.products).flatMap(([slug, { cycles }]) =>
      cycles.flatMap(({ name, eol }) =>
        typeof eol === "string" && eol > "2026-11-22" ? [ends(name, "2026-11-01", slug)] : [],
      ),
    );
    expect(all.length).toBeGreaterThan(20);
    const inUse = comparable(chain(...all)(base), "in use");
    expect(check([inUse, older], base).held).toEqual([]);
  });

  test("end is no reason to take a later one", () => {
    const inUse = wrong(ends("18", "2025-04-29"));
    const { newer, held } = check([inUse, older], ends("18", "2026-12-22")(base));
    expect(held.length).toBeGreaterThan(0);
    expect(endOf(newer, "18")).toBe("2025-04-29");
  });
});

describe("after an accepted update, to return to the bundled catalogue is no loss", () => {
  const many = <Row>(row: Row, prefix: string) =>
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${prefix}${at}`, row]));
  test.each([
    ["purls", { purls: { ...base.purls, ...many("react", "npm/added-") } }],
    ["products", { products: { ...base.products, ...many(base.products["react"], "added-") } as never }],
    [
      "newer versions",
      { newestVersions: Object.fromEntries(Object.keys(base.newestVersions).map((key) => [key, "999.0.0 2026-10"])) },
    ],
    ["images", { tools: { ...base.tools, images: { ...base.tools.images, ...many({}, "registry.test/added-") } } }],
    ["tools", { tools: { ...base.tools, tools: { ...base.tools.tools, ...many({ name: "x-added" }, "added-") } } }],
    [
      "actions of services",
      { tools: { ...base.tools, serviceActions: [...base.tools.serviceActions, "added/service"] } },
    ],
    ["variables", { imageVariables: { ...base.imageVariables, ADDED_VERSION: { name: "python" } } }],
  ] as const)("of %s", (_, added) => {
    const inUse = comparable({ ...base, ...added }, "in use");
    const { newer, held, quarantined } = check([inUse, older], base);
    expect([held, quarantined]).toEqual([[], []]);
    expect(newer.content).toEqual(base);
  });

  test("and a loss of what the bundled catalogue has stays one", () => {
    const inUse = comparable({ ...base, purls: { ...base.purls, ...many("react", "npm/added-") } }, "in use");
    expect(() => check([inUse, older], { ...base, purls: {} })).toThrow("purls would be lost");
  });
});
