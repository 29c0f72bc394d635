import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkSecrets, loadSecrets, parseSecrets } from "../../../src/service/keys/secret.ts";
import { DEFAULT_TIERS, parseTiers } from "../../../src/service/keys/tiers.ts";
import { testStore } from "../harness.ts";

const LONG = "0123456789abcdef0123456789abcdef";

describe("secret", () => {
  let folder = "";
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "eolgate-secret-"))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("is created once in the data folder, readable by its owner only", () => {
    const made = loadSecrets({ folder });
    const file = join(folder, "secret");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, "utf8");
    const again = loadSecrets({ folder });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(again.current.derive("key", "x")).toEqual(made.current.derive("key", "x"));
  });

  test.each([
    ["prefers the file to the environment", { file: "f", text: `3:${LONG}`, folder: "" }, 2],
    ["prefers the environment to the folder", { text: `3:${LONG}`, folder: "" }, 3],
    ["ignores an empty environment variable", { text: "", folder: "" }, 1],
  ])("%s", (_, settings, version) => {
    writeFileSync(join(folder, "f"), `# the new one\n2:${LONG}\n1:${LONG}x\n`);
    const given = { ...settings, folder, ...("file" in settings ? { file: join(folder, "f") } : {}) };
    expect(loadSecrets(given).current.version).toBe(version);
  });

  test("is required without a data folder", () => {
    expect(() => loadSecrets({})).toThrowError(expect.objectContaining({ kind: "config", code: "server-config" }));
    expect(() => loadSecrets({ file: join(folder, "absent") })).toThrowError(
      expect.objectContaining({ code: "config-unreadable" }),
    );
  });

  test.each([
    ["empty", ""],
    ["too short", "1:short"],
    ["a version twice", `1:${LONG} 1:${LONG}y`],
    ["only a comment", "# nothing"],
  ])("is refused: %s", (_, text) => {
    expect(() => parseSecrets(text, "here")).toThrowError(
      expect.objectContaining({ kind: "config", code: "server-config" }),
    );
  });

  test("without a version prefix is version 1, and is never printed", () => {
    const ring = parseSecrets(LONG, "here");
    expect(ring.versions).toEqual([1]);
    expect(JSON.stringify(ring)).not.toContain(LONG);
  });

  test("is refused at startup when it differs from the store's, unless it is a new version", async () => {
    const { store, close } = await testStore();
    await checkSecrets(store, parseSecrets(LONG, "here"));
    await checkSecrets(store, parseSecrets(`2:${LONG}z\n1:${LONG}`, "here"));
    await expect(checkSecrets(store, parseSecrets(`${LONG}q`, "here"))).rejects.toMatchObject({
      code: "secret-mismatch",
    });
    await close();
  });
});

describe("tiers", () => {
  test("have the published limits by default", () => {
    expect(
      DEFAULT_TIERS.all.map((tier) => [
        tier.name,
        tier.requestsPerDay,
        tier.batchItems,
        tier.sbomComponents,
        tier.pricePerMonth,
      ]),
    ).toEqual([
      ["anonymous", 50, 3, 3, null],
      ["free", 150, 5, 5, 0],
      ["starter", 10_000, 25, 25, 89],
      ["pro", null, 50, 50, 199],
      ["enterprise", null, null, null, null],
    ]);
  });

  test("can be overridden by a file", () => {
    const tiers = parseTiers(
      {
        tiers: {
          anonymous: { requests_per_day: 100, batch_items: 5 },
          free: { requests_per_day: 500 },
          starter: { price_per_month: 79 },
          acme: { batch_items: 1000 },
        },
      },
      "tiers.json",
    );
    expect(tiers.anonymous).toMatchObject({ requestsPerDay: 100, batchItems: 5, sbomComponents: 3 });
    expect(tiers.free).toMatchObject({ requestsPerDay: 500, batchItems: 5 });
    expect(tiers.get("starter")).toMatchObject({ pricePerMonth: 79, requestsPerDay: 10_000 });
    expect(tiers.get("acme")).toMatchObject({ requestsPerDay: null, batchItems: 1000, pricePerMonth: null });
    expect(tiers.get("gold")).toBeUndefined();
  });

  test.each([
    ["not an object", []],
    ["no tiers", {}],
    ["an unknown limit", { tiers: { free: { requests: 5 } } }],
    ["a negative limit", { tiers: { free: { requests_per_day: -1 } } }],
    ["a fractional limit", { tiers: { free: { requests_per_day: 1.5 } } }],
    ["a limit that is a string", { tiers: { free: { requests_per_day: "5" } } }],
    ["a tier that is not an object", { tiers: { free: 5 } }],
    ["an invalid name", { tiers: { "Free Tier": {} } }],
  ])("%s: refused with its position", (_, document) => {
    expect(() => parseTiers(document, "tiers.json")).toThrowError(
      expect.objectContaining({ kind: "config", code: "server-config", where: "tiers.json" }),
    );
  });
});
