/** Where the catalogue is loaded from, and what is refused. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeCatalogue, openByBlocks } from "../../src/catalogue/file.ts";
import { sourceOfBytes } from "../../src/catalogue/format/head.ts";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { loadCatalogue, parseCatalogue } from "../../src/catalogue/load.ts";
import { BUNDLED, cacheFolder, locateCatalogue } from "../../src/catalogue/places.ts";
import { overlay } from "../../src/catalogue/own/overlay.ts";
import { EolgateError } from "../../src/messages/error.ts";
import type { Catalogue } from "../../src/model/index.ts";
import { asIsoDate, asProductSlug } from "../../src/text/ids.ts";
import { cycle, inputs, recorded } from "./builders.ts";

const small = encodeCatalogue(compile(inputs([recorded("a", [cycle("1", "2020-01-01", "2026-01-01")])])).content);
let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "eolgate-load-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const errorOf = (act: () => unknown): EolgateError => {
  try {
    act();
  } catch (error) {
    if (error instanceof EolgateError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};

describe("location of the catalogue", () => {
  test("is taken from the flag, then the environment, then the user's cache, then the bundled file", () => {
    const cached = join(folder, "cache");
    mkdirSync(cached);
    const env = { EOLGATE_CACHE: cached };
    expect(locateCatalogue({ env })).toBeUndefined();
    writeFileSync(join(cached, "catalogue.json"), small);
    expect(locateCatalogue({ env })).toBe(join(cached, "catalogue.json"));
    expect(locateCatalogue({ env: { ...env, EOLGATE_CATALOGUE: "/e.json" } })).toBe("/e.json");
    expect(locateCatalogue({ path: "/f.json", env: { ...env, EOLGATE_CATALOGUE: "/e.json" } })).toBe("/f.json");
    expect(locateCatalogue({})).toBeUndefined();
    expect(loadCatalogue({ env }).metadata.origin).toBe(join(cached, "catalogue.json"));
    expect(loadCatalogue().metadata.origin).toBe("bundled");
  });

  test("uses the cache folder of the platform", () => {
    expect(cacheFolder({ HOME: "/h" }, "linux")).toBe(join("/h", ".cache", "eolgate"));
    expect(cacheFolder({ HOME: "/h", XDG_CACHE_HOME: "/x" }, "linux")).toBe(join("/x", "eolgate"));
    expect(cacheFolder({ HOME: "/h" }, "darwin")).toBe(join("/h", "Library", "Caches", "eolgate"));
    expect(cacheFolder({ USERPROFILE: "/u", LOCALAPPDATA: "/l" }, "win32")).toBe(join("/l", "eolgate"));
  });
});

describe("damaged catalogue", () => {
  const changed = (edit: (text: string) => string) => Buffer.from(edit(small.toString("utf8")));
  test.each<[string, Buffer, code: string]>([
    ["empty", Buffer.alloc(0), "catalogue-corrupt"],
    ["another file", Buffer.from("{}\n"), "catalogue-corrupt"],
    ["no JSON", Buffer.from("<html>\n"), "catalogue-corrupt"],
    ["cut after the first row", small.subarray(0, small.indexOf(10) + 1), "catalogue-corrupt"],
    ["cut in the middle", small.subarray(0, Math.floor(small.length / 2)), "catalogue-corrupt"],
    ["cut by one byte", small.subarray(0, -1), "catalogue-corrupt"],
    ["one byte more", Buffer.concat([small, Buffer.from(" ")]), "catalogue-corrupt"],
    ["a date edited", changed((text) => text.replace("2026-01-01", "2036-01-01")), "catalogue-corrupt"],
    ["the digest edited", changed((text) => text.replace(/sha256:./, "sha256:x")), "catalogue-corrupt"],
    [
      "a later format",
      changed((text) => text.replace("eolgate-catalogue/1", "eolgate-catalogue/9")),
      "catalogue-format",
    ],
  ])("%s", (_, bytes, code) => {
    const thrown = errorOf(() => parseCatalogue(bytes, "x"));
    expect(thrown).toMatchObject({ kind: "catalogue", code, exit: 4, where: "x" });
    expect(thrown.hint).toMatch(/catalogue/);
  });

  test("line endings of another platform are damage, also in the bundled file", () => {
    const bytes = changed((text) => text.replaceAll("\n", "\r\n"));
    expect(errorOf(() => openByBlocks(sourceOfBytes(bytes), "x"))).toMatchObject({
      code: "catalogue-corrupt",
      exit: 4,
    });
  });

  test("a file given by the user is compared with its digest", () => {
    const path = join(folder, "renamed.json");
    writeFileSync(
      path,
      changed((text) => text.replace(/sha256:./, "sha256:x")),
    );
    expect(errorOf(() => loadCatalogue({ path }))).toMatchObject({ code: "catalogue-corrupt", where: path });
  });

  test("refuses a file that is missing", () => {
    expect(errorOf(() => loadCatalogue({ path: join(folder, "none.json") }))).toMatchObject({
      kind: "catalogue",
      code: "catalogue-unreadable",
      exit: 4,
    });
    expect(errorOf(() => loadCatalogue({ path: folder }))).toMatchObject({ code: "catalogue-unreadable" });
  });
});

describe("every look-up answers alike", () => {
  const bundled = loadCatalogue();
  const questions: readonly ((catalogue: Catalogue) => unknown)[] = [
    (catalogue) => catalogue.product("nodejs")?.cycles.length,
    (catalogue) => catalogue.purl("npm/react"),
    (catalogue) => [...(catalogue.purlHashes?.() ?? [])].length,
    (catalogue) => catalogue.named("node.js"),
    (catalogue) => catalogue.cpe("nodejs:node.js"),
    (catalogue) => [catalogue.isCpeVendor?.("apache"), catalogue.isCpeVendor?.("no-such-vendor")],
    (catalogue) => catalogue.model("gpt-4").length,
    (catalogue) => catalogue.operatingSystem("debian"),
    (catalogue) => catalogue.packageEnd(asProductSlug("debian"), "11", "binutils"),
    (catalogue) => catalogue.packages?.inDebian("bash"),
    (catalogue) => [catalogue.newest?.listedOn, catalogue.newest?.find("npm", "lodash")],
    (catalogue) => catalogue.facts.tools,
    (catalogue) => catalogue.slugs(),
  ];
  test.each([
    ["from a file", loadCatalogue({ path: fileURLToPath(BUNDLED) })],
    ["with own entries", overlay(bundled, {}, "own.yaml", asIsoDate("2026-11-22"))],
  ])("in a catalogue %s", (_, catalogue) => {
    const answers = questions.map((ask) => ask(catalogue));
    expect(answers.map((answer, at) => (answer === undefined ? at : -1)).filter((at) => at >= 0)).toEqual([]);
    expect(answers).toEqual(questions.map((ask) => ask(bundled)));
  });
});

describe("cost of loading", () => {
  test("the bundled data is smaller than 6 MB", () => {
    expect(statSync(BUNDLED).size).toBeLessThan(6_000_000);
  });

  test("a look-up reads the header and one block instead of the whole file", () => {
    const bytes = readFileSync(BUNDLED);
    let read = 0;
    const source = {
      size: bytes.length,
      read: (start: number, end: number) => ((read += end - start), bytes.subarray(start, end)),
    };
    const { sections } = openByBlocks(source, "x");
    const head = read;
    expect(head).toBeLessThanOrEqual(64 * 1024);
    expect(sections.record("purls", "npm/express")).toBeDefined();
    expect(read - head).toBeLessThan(8192);
  });

  test("a product is decoded once", () => {
    const catalogue = loadCatalogue();
    expect(catalogue.product("nodejs")).toBe(catalogue.product("nodejs"));
    expect(catalogue.product("no-such-product")).toBeUndefined();
    expect(catalogue.product("constructor")).toBeUndefined();
  });
});

test("the file is one JSON document", () => {
  const whole = JSON.parse(readFileSync(BUNDLED, "utf8"));
  expect(whole.format).toBe("eolgate-catalogue/1");
  expect(Object.keys(whole.content.products)).toEqual(loadCatalogue().slugs());
});
