/** Loading: found in order, verified always, cheap enough for each command. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeCatalogue } from "../../src/catalogue/file.ts";
import { compile } from "../../src/catalogue/compile.ts";
import { loadCatalogue, parseCatalogue } from "../../src/catalogue/load.ts";
import { BUNDLED } from "../../src/catalogue/places.ts";
import { cacheFolder, locateCatalogue } from "../../src/catalogue/locate.ts";
import { EolgateError } from "../../src/core/errors.ts";
import { cycle, inputs, recorded } from "./invented.ts";

const small = encodeCatalogue(compile(inputs([recorded("a", [cycle("1", "2020-01-01", "2026-01-01")])])).content);
let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "eolgate-load-"))));
afterAll(() => rmSync(folder, { recursive: true }));

const fault = (act: () => unknown): EolgateError => {
  try {
    act();
  } catch (error) {
    if (error instanceof EolgateError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
};

describe("found in order", () => {
  test("flag, environment, user's cache, bundled", () => {
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

  test("the cache stands where each platform keeps caches", () => {
    expect(cacheFolder({ HOME: "/h" }, "linux")).toBe(join("/h", ".cache", "eolgate"));
    expect(cacheFolder({ HOME: "/h", XDG_CACHE_HOME: "/x" }, "linux")).toBe(join("/x", "eolgate"));
    expect(cacheFolder({ HOME: "/h" }, "darwin")).toBe(join("/h", "Library", "Caches", "eolgate"));
    expect(cacheFolder({ USERPROFILE: "/u", LOCALAPPDATA: "/l" }, "win32")).toBe(join("/l", "eolgate"));
  });
});

describe("a file that is not sound is never read", () => {
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
    const thrown = fault(() => parseCatalogue(bytes, "x"));
    expect(thrown).toMatchObject({ kind: "catalogue", code, exit: 4, where: "x" });
    expect(thrown.hint).toMatch(/catalogue/);
  });

  test.each(["digest", "checksum"] as const)("each cut of the bundled one is seen by its %s", (proof) => {
    const bytes = readFileSync(BUNDLED);
    expect(parseCatalogue(bytes, "x", proof).slugs().length).toBeGreaterThan(1000);
    for (let cut = 1; cut < bytes.length; cut = cut * 3 + 1)
      expect(() => parseCatalogue(bytes.subarray(0, -cut), "x", proof)).toThrow(EolgateError);
  });

  test.each([
    ["a date edited", changed((text) => text.replace("2026-01-01", "2036-01-01"))],
    ["line ends of another system", changed((text) => text.replaceAll("\n", "\r\n"))],
    ["the checksum edited", changed((text) => text.replace(/"crc32":\d+/, '"crc32":1'))],
    [
      "no checksum and a wrong digest",
      changed((text) => text.replace(/"crc32":\d+,/, "").replace(/sha256:./, "sha256:x")),
    ],
  ])("damage of the file that comes with the code is seen by its checksum: %s", (_, bytes) => {
    expect(fault(() => parseCatalogue(bytes, "x", "checksum"))).toMatchObject({ code: "catalogue-corrupt", exit: 4 });
  });

  test("a catalogue without a checksum is read by its digest", () => {
    const bytes = changed((text) => text.replace(/"crc32":\d+,/, ""));
    for (const proof of ["digest", "checksum"] as const)
      expect(parseCatalogue(bytes, "x", proof).slugs()).toEqual(["a"]);
  });

  test("a file that somebody named is held against its digest, whatever its checksum says", () => {
    const path = join(folder, "renamed.json");
    writeFileSync(
      path,
      changed((text) => text.replace(/sha256:./, "sha256:x")),
    );
    expect(fault(() => loadCatalogue({ path }))).toMatchObject({ code: "catalogue-corrupt", where: path });
  });

  test("a file that is not there", () => {
    expect(fault(() => loadCatalogue({ path: join(folder, "none.json") }))).toMatchObject({
      kind: "catalogue",
      code: "catalogue-missing",
      exit: 4,
    });
    expect(fault(() => loadCatalogue({ path: folder }))).toMatchObject({ code: "catalogue-missing" });
  });
});

/** Milliseconds for reading, verifying and one look-up. */
function loadingTime(): number {
  const started = performance.now();
  loadCatalogue().purl("npm/lodash");
  return performance.now() - started;
}

describe("cost", () => {
  test("the bundled data stays under 3 MB raw", () => {
    expect(statSync(BUNDLED).size).toBeLessThan(3_000_000);
  });

  test("loading with a look-up stays under 25 ms", () => {
    const times = Array.from({ length: 7 }, loadingTime).sort((a, b) => a - b);
    // The median: a busy machine must not fail it, a slow loader must.
    expect(times[3]).toBeLessThan(25);
  });

  test("a product is decoded once", () => {
    const catalogue = loadCatalogue();
    expect(catalogue.product("nodejs")).toBe(catalogue.product("nodejs"));
    expect(catalogue.product("no-such-product")).toBeUndefined();
    expect(catalogue.product("constructor")).toBeUndefined();
  });
});

test("the file is one JSON document that anybody can read", () => {
  const whole = JSON.parse(readFileSync(BUNDLED, "utf8"));
  expect(whole.format).toBe("eolgate-catalogue/1");
  expect(Object.keys(whole.content.products)).toEqual(loadCatalogue().slugs());
});
