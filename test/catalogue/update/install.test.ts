/** A catalogue from elsewhere is verified, compared with the one in use, and installed as a whole or not at all. */
import { comparable } from "../../../src/catalogue/load.ts";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compile, type CompileInputs } from "../../../src/pipeline/compile/compile.ts";
import { encodeCatalogue, openCatalogue, readContent } from "../../../src/catalogue/file.ts";
import { parseCatalogue } from "../../../src/catalogue/load.ts";
import {
  keyId,
  readPrivateKey,
  readPublicKey,
  signDigest,
  type Trust,
  verifySignature,
} from "../../../src/catalogue/signature.ts";
import { acceptCatalogue, type AcceptOptions } from "../../../src/catalogue/update/install.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { cycle, inputs, recorded } from "../builders.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const other = generateKeyPairSync("ed25519");

function catalogueOf(count: number, readOn: string, sign = false): Buffer {
  const cycles = Array.from({ length: count }, (_, at) => cycle(String(at + 1), "2020-01-01", "2026-01-01"));
  const base: CompileInputs = inputs([recorded("a", cycles)]);
  const { content } = compile({ ...base, record: { ...base.record, readOn } });
  return encodeCatalogue(content, sign ? (digest) => signDigest(digest, privateKey) : undefined);
}
const UNSIGNED: Trust = { keys: [], allowUnsigned: true };
const trusting = (...keys: KeyObject[]): Trust => ({ keys, allowUnsigned: false });
const good = catalogueOf(30, "2025-03-01");

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-take-"));
  writeFileSync(join(folder, "catalogue.json"), good);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});
const here = () => readFileSync(join(folder, "catalogue.json"));
const accept = (bytes: Buffer, more: Partial<AcceptOptions> = {}) =>
  acceptCatalogue({
    folder,
    current: { bytes: good, origin: "here" },
    offered: { bytes, origin: "there" },
    today: asIsoDate("2025-04-01"),
    now: 0,
    trust: UNSIGNED,
    bundled: () => comparable(readContent(good, "good"), "good"),
    ...more,
  });

describe("acceptance of a new catalogue", () => {
  test("replaces the catalogue in use and its signature", async () => {
    const offered = catalogueOf(31, "2025-03-20", true);
    const accepted = await accept(offered, { trust: trusting(other.publicKey, publicKey) });
    expect(accepted.changes.cyclesAdded).toEqual([{ product: "a", cycle: "31" }]);
    expect(accepted.quarantined).toEqual([]);
    expect(here().equals(offered)).toBe(true);
  });

  test("accepts an older catalogue when that is allowed", async () => {
    await accept(catalogueOf(31, "2025-02-20"), { allowOlder: true });
    expect(here().equals(good)).toBe(false);
  });
});

describe("an end that only an accepted update brought", () => {
  const path = () => join(folder, "catalogue.json");
  const withEnd = (eol: string): Buffer => {
    const content = readContent(good, "x");
    const { a } = content.products;
    if (a === undefined) throw new Error("no product");
    const products = { a: { ...a, cycles: [{ name: "31", eol }, ...a.cycles] } };
    return encodeCatalogue({ ...content, products });
  };
  const update = async (eol: string): Promise<readonly [number, string | undefined]> => {
    const { held } = await accept(withEnd(eol), { current: { bytes: here(), origin: path() } });
    const end = readContent(here(), "x").products["a"]?.cycles.find(({ name }) => name === "31")?.eol;
    return [held.length, String(end)];
  };

  test("returns after a wrong one, and no later end does", async () => {
    expect(await update("2026-12-31")).toEqual([0, "2026-12-31"]);
    expect(await update("2025-03-25")).toEqual([0, "2025-03-25"]);
    expect(await update("2027-01-31")).toEqual([1, "2025-03-25"]);
    expect(await update("2026-12-31")).toEqual([0, "2026-12-31"]);
    expect(JSON.parse(readFileSync(join(folder, "accepted-ends.json"), "utf8"))).toEqual({
      "a:31": ["2026-12-31", "2025-03-25"],
    });
  });

  test.each(["", "{", "[]", '{"a:31": "2026-12-31"}'])("is forgotten with the damaged file %j", async (text) => {
    await update("2026-12-31");
    await update("2025-03-25");
    writeFileSync(join(folder, "accepted-ends.json"), text);
    expect(await update("2026-12-31")).toEqual([1, "2025-03-25"]);
  });
});

describe("end date that moves too far", () => {
  test.each([
    ["by years", "2099-12-31"],
    ["to no announced end", false],
  ])("keeps the end in use when it moves %s, and lists it", async (_, eol) => {
    const content = readContent(catalogueOf(30, "2025-03-20"), "x");
    const [first, ...others] = content.products["a"]?.cycles ?? [];
    if (first === undefined || content.products["a"] === undefined) throw new Error("no cycles");
    const cycles = [{ ...first, eol }, ...others];
    const products = { a: { ...content.products["a"], cycles } };
    const { quarantined } = await accept(encodeCatalogue({ ...content, products }));
    expect(quarantined).toEqual([{ product: "a", cycle: first.name, kept: "2026-01-01", moved: String(eol) }]);
    const installed = parseCatalogue(here(), "x")
      .product("a")
      ?.cycles.find(({ name }) => name === first.name);
    expect(installed?.eol).toMatchObject({ kind: "dated", date: { value: "2026-01-01" } });
  });
});

describe("keeps the catalogue in use when the offered one", () => {
  const signed = catalogueOf(31, "2025-03-20", true);
  const changed = Buffer.from(signed.toString("utf8").replace('"kevVersion"', '"kevversion"'));
  const trust = trusting(publicKey);
  test.each<[string, Buffer, Partial<AcceptOptions>, code: string]>([
    ["has a wrong digest", changed, {}, "catalogue-corrupt"],
    ["is truncated", signed.subarray(0, -20), {}, "catalogue-corrupt"],
    ["is an HTML page", Buffer.from("<html>\n</html>\n"), {}, "catalogue-corrupt"],
    ["is not signed", catalogueOf(31, "2025-03-20"), { trust }, "catalogue-unverified"],
    [
      "is not signed, and no key is configured",
      catalogueOf(31, "2025-03-20"),
      { trust: trusting() },
      "catalogue-unverified",
    ],
    ["is signed, and no key is configured", signed, { trust: trusting() }, "catalogue-unverified"],
    ["is signed by another key", signed, { trust: trusting(other.publicKey) }, "catalogue-unverified"],
    [
      "is signed by another key, although unsigned ones are allowed",
      signed,
      { trust: { keys: [other.publicKey], allowUnsigned: true } },
      "catalogue-unverified",
    ],
    ["is older", catalogueOf(31, "2025-02-20"), {}, "catalogue-older"],
    ["is dated after today", catalogueOf(31, "2025-04-02"), {}, "catalogue-from-future"],
    ["has a third fewer cycles", catalogueOf(20, "2025-03-20"), {}, "update-shrunken"],
  ])("%s", async (_, bytes, more, code) => {
    await expect(accept(bytes, more)).rejects.toMatchObject({ kind: "catalogue", code, exit: 4 });
    expect(here().equals(good)).toBe(true);
  });
});

describe("catalogue signatures", () => {
  const { head } = openCatalogue(catalogueOf(1, "2025-03-01", true), "x");
  test("are verified with any of the trusted keys", () => {
    expect(verifySignature(head, trusting(other.publicKey, publicKey), "x")).toBe(keyId(publicKey));
    expect(verifySignature(head, UNSIGNED, "x")).toBeUndefined();
  });
  test("cover the digest", () => {
    const moved = { ...head, signature: signDigest("sha256:1", privateKey) };
    expect(() => verifySignature(moved, trusting(publicKey), "x")).toThrow(EolgateError);
  });
  test("reads keys as PEM or as 32 bytes in Base64, and refuses anything else", () => {
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("base64");
    expect(keyId(readPublicKey(pem, "x"))).toBe(keyId(publicKey));
    expect(keyId(readPublicKey(raw, "x"))).toBe(keyId(publicKey));
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
    for (const text of ["", "hello", rsa.publicKey.export({ type: "spki", format: "pem" }).toString()])
      expect(() => readPublicKey(text, "x")).toThrow(EolgateError);
    expect(() => readPrivateKey(pem, "x")).toThrow(EolgateError);
    const secret = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    expect(readPrivateKey(secret, "x").type).toBe("private");
  });
});
