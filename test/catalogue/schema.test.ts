/** A catalogue whose bytes are intact and whose content has another shape: exit 4, never a bug and never a pass. */
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { encodeCatalogue, readContent } from "../../src/catalogue/file.ts";
import type { StoredContent } from "../../src/catalogue/schema.ts";
import { runCommand } from "../cli/fake-io.ts";

const fixture = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
const content = readContent(readFileSync(fixture), fixture);
const folder = mkdtempSync(join(tmpdir(), "eolgate-shape-"));
afterAll(() => rmSync(folder, { recursive: true }));

const components = [
  { type: "platform", name: "nodejs", version: "16.1.0", purl: "pkg:generic/node@16.1.0" },
  { type: "library", name: "django", version: "3.2.1", purl: "pkg:pypi/django@3.2.1" },
  { type: "operating-system", name: "debian", version: "10" },
  { type: "library", name: "curl", version: "7.64.0-4", purl: "pkg:deb/debian/curl@7.64.0-4?distro=debian-10" },
  { type: "machine-learning-model", name: "gpt-4" },
  // Found by name, and by CPE.
  { type: "application", name: "python", version: "3.13.0" },
  { type: "application", name: "unknown-name", version: "3.13.0", cpe: "cpe:2.3:a:python:python:3.13.0:*:*:*:*:*:*:*" },
];
writeFileSync(join(folder, "bom.json"), JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components }));

async function check(changed: Record<string, unknown>): Promise<{ readonly exit: number; readonly err: string }> {
  // The type is what this test breaks.
  writeFileSync(join(folder, "catalogue.json"), encodeCatalogue(changed as unknown as StoredContent));
  const setup = { cwd: folder, today: "2026-12-01", env: { EOLGATE_CATALOGUE: join(folder, "catalogue.json") } };
  return runCommand(["check", "bom.json"], setup);
}

const WRONG = [null, 7, "text", [], [null], {}, { x: null }] as const;
const WRONG_ROWS = WRONG.map((value) => [JSON.stringify(value), value] as const);

test("the catalogue that the tests modify is valid", async () => {
  expect((await check({ ...content })).exit).toBe(1);
});

/** The section with each of its entries replaced. */
const filledWith = (section: unknown, value: unknown): unknown =>
  Array.isArray(section)
    ? section.map(() => value)
    : Object.fromEntries(Object.keys(Object(section)).map((key) => [key, value]));

/** These are read and rearranged when the file is written, so they cannot be written with another shape. */
const REARRANGED = new Set(["names", "distroPackages"]);
const sections = Object.entries(content).filter(([name]) => !REARRANGED.has(name));
describe.each(sections)("entries of the section %s", (name, section) => {
  test.each(WRONG_ROWS)("%s", async (_, value) => {
    const { exit, err } = await check({ ...content, [name]: filledWith(section, value) });
    expect(err).not.toContain("bug in eolgate");
    // An entry that this document does not need is not looked at, and an empty one can be well-formed.
    expect([0, 1, 4, 6]).toContain(exit);
  });
});

describe("record of a product", () => {
  const nodejs: Record<string, unknown> = { ...content.products["nodejs"] };

  test.each(Object.keys(nodejs))("field %s", async (field) => {
    for (const value of WRONG) {
      const products = { ...content.products, nodejs: { ...nodejs, [field]: value } };
      const { exit, err } = await check({ ...content, products });
      expect([field, value, err]).toEqual([field, value, expect.not.stringContaining("bug in eolgate")]);
      expect([0, 1, 4]).toContain(exit);
    }
  });

  test("without release cycles", async () => {
    const { kev: _, split: __, ...rest } = nodejs;
    const products = { ...content.products, nodejs: { ...rest, cycles: [] } };
    expect((await check({ ...content, products })).exit).toBe(4);
  });

  test.each(WRONG_ROWS)("as a whole: %s", async (_, value) => {
    expect((await check({ ...content, products: { ...content.products, nodejs: value } })).exit).toBe(4);
  });
});
