/** An organisation's own catalogue over ours, and vendors' documents in the forms of ECMA-428 and OpenEoX. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../src/pipeline/compile/compile.ts";
import { toCle, cycleOfRange } from "../../../src/catalogue/own/cle.ts";
import { toOpenEox } from "../../../src/catalogue/own/openeox.ts";
import { encodeCatalogue } from "../../../src/catalogue/file.ts";
import { loadCatalogue, parseCatalogue } from "../../../src/catalogue/load.ts";
import { overlay } from "../../../src/catalogue/own/overlay.ts";
import { readOwnCatalogue } from "../../../src/catalogue/own/read.ts";
import { OwnCatalogueSchema } from "../../../src/catalogue/own/schema.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import type { Catalogue, ReleaseCycle } from "../../../src/model/index.ts";
import { cycle, inputs, recorded } from "../builders.ts";

const record = [
  recorded("base", [cycle("2", "2022-01-01", "2026-06-30"), cycle("1", "2020-01-01", "2024-06-30")], {
    name: "Base",
    identifiers: [{ type: "purl", id: "pkg:npm/base" }],
  }),
];
const catalogue = parseCatalogue(encodeCatalogue(compile(inputs(record)).content), "invented");
const TODAY = asIsoDate("2025-03-01");

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "eolgate-own-"))));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
async function over(content: string, name = "eolgate.catalogue.yaml"): Promise<Catalogue> {
  const path = file(name, content);
  return overlay(catalogue, await readOwnCatalogue(path, catalogue), path, TODAY);
}
const cycleOf = (from: Catalogue, slug: string, name: string): ReleaseCycle | undefined =>
  from.product(slug)?.cycles.find((each) => each.name === name);

describe("custom catalogue", () => {
  const OWN = `
products:
  - slug: acme-billing
    name: ACME Billing
    category: server-app
    attack_surface: elevated
    aliases: [billing]
    purls: ["pkg:maven/com.acme/billing"]
    cpes: ["cpe:2.3:a:acme:billing"]
    source: https://intranet.test/lifecycle
    read_on: 2025-01-15
    cycles:
      - {cycle: 5, released: 2025-01-01, eol: false}
      - {cycle: 4, released: 2023-01-01, eol: 2025-09, eoas: 2024-12-31, successor: "5"}
      - {cycle: "3.10", eol: true}
  - slug: base
    cycles:
      - {cycle: 1, eol: 2027-12-31, reason: extended by our own build, source: "https://intranet.test/base"}
      - {cycle: "2", eol: 2026-06-29}
      - {cycle: 3, released: 2025-02-01, eol: 2029-01-01}
purls:
  pkg:npm/@acme/base: base
  pkg:npm/@acme/core: {product: acme-billing, min: "4"}
contracts:
  - {product: base, cycle: 2, vendor: Longcare, until: 2028-06-30}
`;

  test("adds products", async () => {
    const own = await over(OWN);
    expect(own.slugs()).toEqual(["acme-billing", "base"]);
    expect(own.product("acme-billing")).toMatchObject({
      name: "ACME Billing",
      record: "custom",
      attackSurface: "elevated",
    });
    expect(own.purl("maven/com.acme/billing")).toEqual({ product: "acme-billing", basis: "own" });
    expect(own.purl("npm/@acme/core")).toEqual({ product: "acme-billing", basis: "own", min: "4" });
    expect(own.cpe("acme:billing")).toBe("acme-billing");
    expect(own.named("acmebilling")).toEqual(["acme-billing"]);
    expect(own.named("billing")).toEqual(["acme-billing"]);
    expect(cycleOf(own, "acme-billing", "4")).toMatchObject({
      eol: { kind: "dated", date: { value: "2025-09-30", precision: "month" } },
      successor: "5",
      claims: [{ kind: "custom", source: "own", url: "https://intranet.test/lifecycle", retrievedAt: "2025-01-15" }],
    });
    expect(cycleOf(own, "acme-billing", "3.10")?.eol).toEqual({ kind: "ended" });
  });

  test("makes a date effective when it has a reason, and otherwise adds it to the record's", async () => {
    const own = await over(OWN);
    expect(cycleOf(own, "base", "1")?.eol).toMatchObject({ date: { value: "2027-12-31" } });
    expect(cycleOf(own, "base", "1")?.claims.map(({ kind }) => kind)).toEqual(["upstream", "override"]);
    expect(cycleOf(own, "base", "2")?.eol).toMatchObject({ date: { value: "2026-06-30" } });
    expect(cycleOf(own, "base", "2")?.claims.map(({ kind }) => kind)).toEqual(["upstream", "custom"]);
    expect(own.product("base")?.cycles.map(({ name }) => name)).toEqual(["3", "2", "1"]);
    expect(own.product("base")?.purls).toContain("pkg:npm/base");
  });

  test("adds a contract as a paid track of its cycle only", async () => {
    const own = await over(OWN);
    expect(cycleOf(own, "base", "2")?.tracks).toEqual([
      { name: "contract", vendor: "Longcare", cost: "paid", end: { value: "2028-06-30", precision: "day" } },
    ]);
    expect(cycleOf(own, "base", "1")?.tracks).toEqual([]);
  });

  test("does not modify the bundled catalogue", async () => {
    await over(OWN);
    expect(catalogue.slugs()).toEqual(["base"]);
    expect(cycleOf(catalogue, "base", "1")?.claims).toHaveLength(1);
  });

  test.each<[string, content: string, code: string, where: RegExp]>([
    ["invalid YAML", "products: [", "own-catalogue-invalid", /yaml$/],
    ["YAML with nested aliases", "a: &a [x]\nproducts: [*a, *a]", "own-catalogue-invalid", /yaml$/],
    ["an unknown field", "product: []", "own-catalogue-invalid", /#/],
    [
      "a number that YAML rounds",
      "products: [{slug: a, cycles: [{cycle: 3.10}]}]",
      "own-catalogue-invalid",
      /cycles\/0\/cycle/,
    ],
    ["an invalid slug", "products: [{slug: A B}]", "own-catalogue-invalid", /slug/],
    [
      "a date that does not exist",
      "products: [{slug: a, cycles: [{cycle: 1, eol: 2025-02-30}]}]",
      "own-catalogue-invalid",
      /yaml$/,
    ],
    ["an invalid purl", "products: [{slug: a, purls: ['pkg:maven/x']}]", "own-catalogue-invalid", /yaml$/],
    ["a purl of an unknown product", "purls: {'pkg:npm/x': nowhere}", "own-catalogue-invalid", /yaml$/],
    [
      "a contract for an unknown product",
      "contracts: [{product: nowhere, vendor: v, until: 2026-01-01}]",
      "own-catalogue-invalid",
      /yaml$/,
    ],
    ["an include in an unknown format", "include: [eolgate.catalogue.yaml]", "own-catalogue-invalid", /yaml$/],
  ])("refuses %s with the location", async (_, content, code, where) => {
    await expect(over(content)).rejects.toMatchObject({ kind: "config", code, where: expect.stringMatching(where) });
  });

  test("shows a number that YAML rounds, with a hint", async () => {
    await expect(over("products: [{slug: a, cycles: [{cycle: 3.10}]}]")).rejects.toMatchObject({
      message: expect.stringMatching(/^3\.1 must be /),
      hint: expect.stringContaining("in quotes"),
    });
  });

  test("reads package URLs without products", async () => {
    const own = await readOwnCatalogue(file("map.json", JSON.stringify({ purls: { "pkg:npm/x": "base" } })), catalogue);
    expect(overlay(catalogue, own, "map.json", TODAY).purl("npm/x")).toEqual({ product: "base", basis: "own" });
  });

  test("has a published JSON Schema that matches its validation", () => {
    const published = JSON.parse(
      readFileSync(new URL("../../../schemas/catalogue-own.schema.json", import.meta.url), "utf8"),
    );
    expect(published).toMatchObject(JSON.parse(JSON.stringify(OwnCatalogueSchema)));
  });
});

describe("ECMA-428 import", () => {
  const CLE = JSON.stringify({
    $schema: "https://example.test/cle.json",
    identifier: "pkg:npm/base",
    updatedAt: "2025-02-01T00:00:00Z",
    definitions: { support: [{ id: "standard", description: "Standard", url: "https://base.test/policy" }] },
    events: [
      { id: 6, type: "withdrawn", effective: "2025-02-01T00:00:00Z", published: "2025-02-01T00:00:00Z", eventId: 5 },
      {
        id: 5,
        type: "endOfSupport",
        effective: "2020-01-01T00:00:00Z",
        published: "2025-01-01T00:00:00Z",
        supportId: "standard",
        versions: [{ range: "vers:npm/>=4|<5" }],
      },
      {
        id: 4,
        type: "endOfSupport",
        effective: "2030-12-31T23:59:59Z",
        published: "2025-01-01T00:00:00Z",
        supportId: "standard",
        versions: [{ range: "vers:npm/>=3.0.0|<4.0.0" }],
      },
      { id: 3, type: "released", effective: "2025-01-01T00:00:00Z", published: "2025-01-01T00:00:00Z", version: "3" },
    ],
  });

  test("merges into the product of the identifier and ignores withdrawn events", async () => {
    const own = await over(CLE, "base.cle.json");
    expect(cycleOf(own, "base", "3")).toMatchObject({
      eol: { date: { value: "2030-12-31" } },
      releaseDate: { value: "2025-01-01" },
      claims: [{ kind: "custom", url: "https://base.test/policy", retrievedAt: "2025-02-01" }],
    });
    expect(cycleOf(own, "base", "4")).toBeUndefined();
  });

  test("can be included", async () => {
    file("base.cle.json", CLE);
    expect(cycleOf(await over("include: [base.cle.json]"), "base", "3")?.eol.kind).toBe("dated");
  });

  test.each([
    ["vers:npm/>=1.0.0|<2.0.0", "1"],
    ["vers:pypi/>=3.11|<3.12", "3.11"],
    ["vers:generic/2024-ltsc", "2024-ltsc"],
    ["vers:npm/*", "all"],
    ["vers:npm/>=1.2|<2", undefined],
    ["vers:npm/>=1", undefined],
    ["1.x", undefined],
  ])("reads the range %s as the cycle %s", (range, expected) => {
    expect(cycleOfRange(range)).toBe(expected);
  });

  test("reads exported dates unchanged", () => {
    const ours = loadCatalogue();
    for (const slug of ["nodejs", "python", "debian", "akka"]) {
      const product = ours.product(slug);
      if (product === undefined) throw new Error(`no ${slug}`);
      const document = toCle(product);
      expect(document.events.map(({ id }) => id)).toEqual(document.events.map((_, at) => document.events.length - at));
      const ends = document.events.filter(({ type, supportId }) => type === "endOfSupport" && supportId === "standard");
      const dated = product.cycles.filter(({ eol }) => eol.kind === "dated");
      expect(ends).toHaveLength(dated.length);
      for (const { versions, effective } of ends) {
        const name = cycleOfRange(versions?.[0]?.range ?? "");
        const eol = product.cycles.find((each) => each.name === name)?.eol;
        expect(eol?.kind === "dated" && effective.startsWith(eol.date.value), `${slug}:${name}`).toBe(true);
      }
    }
  });
});

describe("OpenEoX import", () => {
  const document = (...statements: readonly (readonly [name: string, version: string, core: object, own?: object])[]) =>
    JSON.stringify({
      $schema: "shell",
      statements: statements.map(([name, version, core, eolgate]) => ({
        core: { $schema: "x", end_of_life: "tba", last_updated: "2025-02-01T00:00:00Z", ...core },
        product: { product_name: name, product_version: version, vendor_name: "V" },
        ...(eolgate && { eolgate }),
      })),
    });

  test("matches an existing product exactly or creates one", async () => {
    const own = await over(
      document(
        ["Base", "9", { end_of_security_support: "2031-01-01T00:00:00Z" }],
        ["Base", "8", { end_of_security_support: "2030-06-30T00:00:00Z" }, { precision: "month" }],
        ["Base", "7", { end_of_security_support: "tba", end_of_life: "2029-06-30T00:00:00Z" }],
        ["New Thing", "1", { end_of_security_support: "tba" }],
      ),
      "vendor.openeox.json",
    );
    expect(cycleOf(own, "base", "9")?.eol).toMatchObject({ date: { value: "2031-01-01", precision: "day" } });
    expect(cycleOf(own, "base", "8")?.eol).toMatchObject({ date: { precision: "month" } });
    expect(cycleOf(own, "base", "7")?.eol).toMatchObject({ date: { value: "2029-06-30" } });
    expect(cycleOf(own, "new-thing", "1")?.eol).toEqual({ kind: "open" });
  });

  test.each([
    ["no product", { statements: [{ core: {} }] }, "a statement needs core, and product"],
    ["another date", JSON.parse(document(["A", "1", { end_of_security_support: "soon" }])), "soon is not a timestamp"],
  ])("refuses a statement with %s", async (_, value, message) => {
    await expect(over(JSON.stringify(value), "vendor.openeox.json")).rejects.toMatchObject({
      code: "own-catalogue-invalid",
      where: expect.stringContaining("#/statements/0"),
      message: expect.stringContaining(message),
    });
  });

  test("exports each cycle whose end has a date or is to be announced", () => {
    const product = loadCatalogue().product("debian");
    if (product === undefined) throw new Error("no debian");
    const { statements } = toOpenEox([product], {});
    expect(statements).toHaveLength(product.cycles.length);
    expect(statements.find(({ product: { product_version: version } }) => version === "11")?.core).toMatchObject({
      end_of_security_support: "2024-08-14T23:59:59Z",
      end_of_life: "2031-06-30T23:59:59Z",
      general_availability: "2021-08-14T00:00:00Z",
    });
  });
});

test("the example in the documentation is valid", async () => {
  const docs = readFileSync(new URL("../../../docs/own-catalogue.md", import.meta.url), "utf8");
  const example = /```yaml\n([^]*?)```/.exec(docs)?.[1] ?? "";
  const ours = loadCatalogue();
  const path = file("docs.yaml", example.replace(/include:[^]*/, ""));
  const own = overlay(ours, await readOwnCatalogue(path, ours), path, TODAY);
  expect(cycleOf(own, "nodejs", "18")?.eol).toMatchObject({ date: { value: "2027-06-30" } });
  expect(cycleOf(own, "rhel", "7")?.tracks.at(-1)).toMatchObject({ name: "contract", vendor: "Red Hat" });
  expect(cycleOf(own, "acme-billing", "3.10")?.eol).toEqual({ kind: "ended" });
});
