/** A catalogue with invisible characters, addresses that are none of a page, or slow patterns is used by no command. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { encodeCatalogue, openCatalogue } from "../../src/catalogue/file.ts";
import { loadCatalogue, parseOffered } from "../../src/catalogue/load.ts";
import { BUNDLED } from "../../src/catalogue/places.ts";
import type { StoredContent } from "../../src/catalogue/schema.ts";
import { refuseUnsafe } from "../../src/catalogue/unsafe.ts";
import { acceptCatalogue } from "../../src/catalogue/update/install.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { runCommand } from "../cli/fake-io.ts";
import { cycle, inputs, recorded } from "./builders.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-unsafe-"));
afterAll(() => rmSync(folder, { recursive: true }));

const { content } = compile(inputs([recorded("a", [cycle("1", "2020-01-01", "2026-01-01")])]));
const product = content.products["a"];
if (product === undefined) throw new Error("the catalogue has no product");
const named = (name: string): Partial<StoredContent> => ({
  products: { a: { ...product, name } },
  names: { a: [name] },
});
const tools = (images: StoredContent["tools"]["images"]): Partial<StoredContent> => ({
  tools: { ...content.tools, images },
});

const UNSAFE: readonly (readonly [Partial<StoredContent>, string])[] = [
  [named("A\u001b[2J"), "U+001B"],
  [named("A\nB"), "U+000A"],
  [named("A\u0085"), "U+0085"],
  [named("A\u007f"), "U+007F"],
  [named("A\u202e"), "U+202E"],
  [named("A\u200b"), "U+200B"],
  [named("A\ud800"), "U+D800"],
  [{ cpes: { "a:b\u0007": "a" } }, "U+0007"],
  [{ addresses: [...content.addresses, "javascript:alert(1)"] }, "no address of http or https (addresses)"],
  [{ addresses: [...content.addresses, "file:///etc/passwd"] }, "no address"],
  [{ addresses: [...content.addresses, 'https://a.test/" onload="x'] }, "no address"],
  [{ packageMoves: { "npm/a": { to: ["npm/b"], page: "data:text/html,x", on: "2025-01-01" } } }, "packageMoves.npm/a"],
  [tools({ "docker.io/library/a": { version: "^(a+)+$" } }), "docker.io/library/a"],
  [tools({ "docker.io/library/a": { also: [["b", "(\\d+)x"]] } }), "many ways"],
  [{ alternativeVersions: [["^(?:a|a)*$", "a"]] }, "(a)"],
  [{ packageEnds: { "debian:12": { read: 0, packages: { "/a*a*/": "ended" } } } }, "debian:12"],
  [{ modelPlatforms: { names: {}, sharedIds: { a: "(" } } }, "regular expression"],
];
const rows = UNSAFE.map(([changes, reason], at) => ({
  at,
  reason,
  bytes: encodeCatalogue({ ...content, ...changes }),
}));

test("the bundled catalogue is accepted", () => {
  const bytes = readFileSync(BUNDLED);
  expect(() => refuseUnsafe(openCatalogue(bytes, "bundled"), bytes, "bundled")).not.toThrow();
});

test("letters of other scripts, an escaped letter and a backslash are accepted", () => {
  const text = encodeCatalogue({ ...content, ...named("Ä \\n 日本 é") });
  expect(parseOffered(text, "x").product("a")?.name).toBe("Ä \\n 日本 é");
});

describe.each(rows)("row $at: $reason", ({ at, bytes, reason }) => {
  const path = join(folder, `${at}.json`);
  writeFileSync(path, bytes);

  test("is not loaded, neither by path nor from the environment", () => {
    for (const options of [{ path }, { env: { EOLGATE_CATALOGUE: path } }])
      expect(() => loadCatalogue(options)).toThrow(
        expect.objectContaining({ code: "catalogue-unsafe", exit: 4, message: expect.stringContaining(reason) }),
      );
  });

  test("is not installed", async () => {
    const good = { bytes: encodeCatalogue(content), origin: "here" };
    const trust = { keys: [], allowUnsigned: true };
    const options = { folder, current: good, today: asIsoDate("2025-04-01"), now: 0, trust };
    await expect(acceptCatalogue({ ...options, offered: { bytes, origin: "there" } })).rejects.toMatchObject({
      code: "catalogue-unsafe",
    });
  });
});

describe("an own catalogue", () => {
  test.each([
    ['products: [{slug: x, name: "a\\u202eb"}]', 2],
    ['products: [{slug: x, name: "a\\eb"}]', 2],
    ['products: [{slug: x, cycles: [{cycle: "1\\0", eol: 2020-01-01}]}]', 2],
    ["products: [{slug: x, cycles: [{cycle: '1', eol: 2020-01-01, source: 'javascript:x'}]}]", 2],
    ["products:\n- slug: x\n  cycles:\n  - cycle: '1'\n    eol: 2099-01-01\n    reason: |\n      one\n      two\n", 0],
  ])("%j ends with %i", async (text, code) => {
    const own = join(folder, "own.yaml");
    writeFileSync(own, text);
    writeFileSync(
      join(folder, "empty.json"),
      '{"bomFormat":"CycloneDX","specVersion":"1.5","components":[{"type":"application","name":"x","version":"1"}]}',
    );
    const { exit } = await runCommand(["check", "empty.json", "--own-catalogue", own], { cwd: folder });
    expect(exit).toBe(code);
  });
});
