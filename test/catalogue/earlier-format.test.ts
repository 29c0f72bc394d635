/** Files of format 2 are in caches, channels and archives: they are read, verified, imported and updated as before. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { acceptCatalogue } from "../../src/catalogue/accept.ts";
import { publishChannel } from "../../src/pipeline/publish.ts";
import { diffCatalogues } from "../../src/catalogue/diff.ts";
import {
  encodeCatalogue,
  openByBlocks,
  openCatalogue,
  readContent,
  resignCatalogue,
} from "../../src/catalogue/file.ts";
import { sourceOfBytes } from "../../src/catalogue/format/byte-source.ts";
import { parseCatalogue, StoredCatalogue } from "../../src/catalogue/load.ts";
import { FORMAT } from "../../src/catalogue/schema.ts";
import { signDigest, verifySignature } from "../../src/catalogue/signature.ts";
import { EolgateError } from "../../src/messages/error.ts";
import { asIsoDate } from "../../src/text/ids.ts";

/** Written by a version that wrote format 2. */
const earlier = readFileSync(new URL("../fixtures/catalogue-format-2.json", import.meta.url));
const TODAY = asIsoDate("2025-04-01");
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const current = encodeCatalogue(readContent(earlier, "earlier"));

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "eolgate-earlier-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const formatOf = (bytes: Buffer): string => openCatalogue(bytes, "x").head.format;

describe("a catalogue of format 2", () => {
  test("has release cycles, version rules and metadata", () => {
    expect(earlier.toString()).toContain('"lines":[["1","2020-01-01"');
    const catalogue = parseCatalogue(earlier, "earlier");
    expect(catalogue.product("a")?.cycles).toHaveLength(30);
    expect(catalogue.product("b")).toMatchObject({
      versionRule: "cycle-names",
      cycles: [
        { name: "2.14-lts", eol: { kind: "dated", date: { value: "2025-12-31" } } },
        { name: "2.13", eol: { kind: "open" } },
      ],
    });
    expect(catalogue.metadata).toMatchObject({ date: "2025-03-01", kevVersion: "2025.03.01" });
  });

  test("is also read by blocks, as the bundled one is", () => {
    const catalogue = new StoredCatalogue(openByBlocks(sourceOfBytes(earlier), "x"), "x");
    expect(catalogue.product("b")?.cycles.map(({ name }) => name)).toEqual(["2.14-lts", "2.13"]);
    expect(catalogue.metadata.date).toBe("2025-03-01");
  });

  test("has the same content in the current format", () => {
    expect([formatOf(earlier), formatOf(current)]).toEqual(["eolgate-catalogue/2", FORMAT]);
    expect(readContent(current, "current")).toEqual(readContent(earlier, "earlier"));
    expect(current.toString()).not.toMatch(/"(?:lines|stamp|line-names)"/);
    const [before, after] = [parseCatalogue(earlier, "earlier"), parseCatalogue(current, "current")];
    expect(diffCatalogues(before, after, TODAY)).toMatchObject({ cyclesAdded: [], cyclesRemoved: [], dates: [] });
  });

  test("keeps its format and digest when it is signed", () => {
    const signed = resignCatalogue(earlier, "x", (digest) => signDigest(digest, privateKey));
    const { head } = openCatalogue(signed, "x");
    expect(head).toMatchObject({ format: "eolgate-catalogue/2", digest: openCatalogue(earlier, "x").head.digest });
    expect(() => verifySignature(head, { keys: [publicKey], allowUnsigned: false }, "x")).not.toThrow();
  });

  test.each([
    ["is replaced by one of the current format", earlier, current],
    ["replaces one of the current format", current, earlier],
  ])("%s on import", async (_, inUse, offered) => {
    writeFileSync(join(folder, "catalogue.json"), inUse);
    const accepted = await acceptCatalogue({
      folder,
      current: { bytes: inUse, origin: "here" },
      offered: { bytes: offered, origin: "there" },
      today: TODAY,
      now: 0,
      trust: { keys: [], allowUnsigned: true },
    });
    expect(accepted.changes.cyclesAdded).toEqual([]);
    expect(readFileSync(join(folder, "catalogue.json")).equals(offered)).toBe(true);
  });

  test("is published with its own format in the channel's metadata", async () => {
    const { metadata } = await publishChannel({
      folder,
      catalogue: { bytes: earlier, origin: "x" },
      keys: [privateKey],
      now: Date.parse("2025-04-01T06:00:00Z"),
      today: TODAY,
      nextHours: 72,
      expiryHours: 336,
      revokedKeys: [],
    });
    expect(metadata.catalogue.format).toBe("eolgate-catalogue/2");
  });

  test("is refused if it is damaged", () => {
    const damaged = Buffer.from(earlier.toString().replace("2025-12-31", "2035-12-31"));
    expect(() => parseCatalogue(damaged, "x")).toThrow(EolgateError);
  });
});

test.each(["eolgate-catalogue/1", "eolgate-catalogue/4", "eolgate-catalogue/22"])("refuses the format %s", (format) => {
  const other = Buffer.from(earlier.toString().replace("eolgate-catalogue/2", format));
  expect(() => parseCatalogue(other, "x")).toThrow(expect.objectContaining({ code: "catalogue-format" }));
});
