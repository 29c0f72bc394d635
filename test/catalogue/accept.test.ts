/** Catalogues from elsewhere: digest and signature first, sanity as for an update, the last good one survives. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compile, type CompileInputs } from "../../src/catalogue/compile.ts";
import { encodeCatalogue } from "../../src/catalogue/file.ts";
import { checkSignature, keyId, readPrivateKey, readPublicKey, signDigest } from "../../src/catalogue/signature.ts";
import { fetchCatalogue, acceptCatalogue, type AcceptOptions, verifyCatalogue } from "../../src/catalogue/accept.ts";
import { EolgateError } from "../../src/core/errors.ts";
import { asIsoDate } from "../../src/core/ids.ts";
import { cycle, inputs, recorded } from "./invented.ts";
import { answers, cuts, type Mirror, serves, startMirror } from "./mirror.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const other = generateKeyPairSync("ed25519");

function catalogueOf(lines: number, readOn: string, sign = false): Buffer {
  const cycles = Array.from({ length: lines }, (_, at) => cycle(String(at + 1), "2020-01-01", "2026-01-01"));
  const base: CompileInputs = inputs([recorded("a", cycles)]);
  const { content } = compile({ ...base, record: { ...base.record, readOn } });
  return encodeCatalogue(content, sign ? (digest) => signDigest(digest, privateKey) : undefined);
}
const good = catalogueOf(30, "2025-03-01");

let folder = "";
let mirror: Mirror;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-take-"));
  writeFileSync(join(folder, "catalogue.json"), good);
  mirror = await startMirror();
});
afterEach(async () => {
  await mirror.close();
  rmSync(folder, { recursive: true });
});
const here = () => readFileSync(join(folder, "catalogue.json"));
const take = (bytes: Buffer, more: Partial<AcceptOptions> = {}) =>
  acceptCatalogue({
    folder,
    current: { bytes: good, origin: "here" },
    offered: { bytes, origin: "there" },
    today: asIsoDate("2025-04-01"),
    now: 0,
    ...more,
  });

describe("a sound one", () => {
  test("takes the place of the one at hand, signature and all", async () => {
    const offered = catalogueOf(31, "2025-03-20", true);
    const taken = await take(offered, { key: publicKey });
    expect(taken.changes.linesAdded).toEqual([{ product: "a", cycle: "31" }]);
    expect(here().equals(offered)).toBe(true);
  });
  test("of another server, by its address alone", async () => {
    const offered = catalogueOf(31, "2025-03-20", true);
    mirror.pages.set("/catalogue.json", serves(offered));
    mirror.pages.set("/deep/catalogue.json", serves(offered));
    for (const from of [mirror.base, `${mirror.base}/`, `${mirror.base}/catalogue.json`, `${mirror.base}/deep`])
      expect((await fetchCatalogue(from, {})).bytes.equals(offered), from).toBe(true);
  });
});

describe("the last good one stays when the offered one", () => {
  const signed = catalogueOf(31, "2025-03-20", true);
  const changed = Buffer.from(signed.toString("utf8").replace('"kevVersion"', '"kevversion"'));
  const sealed = { key: publicKey };
  test.each<[string, Buffer, Partial<AcceptOptions>, code: string]>([
    ["has a wrong digest", changed, {}, "catalogue-corrupt"],
    ["is cut", signed.subarray(0, -20), {}, "catalogue-corrupt"],
    ["is a page", Buffer.from("<html>\n</html>\n"), {}, "catalogue-corrupt"],
    ["is unsigned, and a key is configured", catalogueOf(31, "2025-03-20"), sealed, "catalogue-unsigned"],
    ["is signed by somebody else", signed, { key: other.publicKey }, "catalogue-signature"],
    ["is older", catalogueOf(31, "2025-02-20"), {}, "catalogue-older"],
    ["is shrunken", catalogueOf(20, "2025-03-20"), {}, "update-shrunken"],
  ])("%s", async (_, bytes, more, code) => {
    await expect(take(bytes, more)).rejects.toMatchObject({ kind: "catalogue", code, exit: 4 });
    expect(here().equals(good)).toBe(true);
  });

  test("is older, unless that is asked for", async () => {
    await take(catalogueOf(31, "2025-02-20"), { allowOlder: true });
    expect(here().equals(good)).toBe(false);
  });

  test("does not come", async () => {
    mirror.pages.set("/catalogue.json", cuts(good.toString("utf8")));
    await expect(fetchCatalogue(mirror.base, {})).rejects.toMatchObject({ kind: "network", exit: 5 });
    mirror.pages.set("/catalogue.json", answers(503));
    await expect(fetchCatalogue(mirror.base, {})).rejects.toMatchObject({ kind: "network" });
    await expect(fetchCatalogue("http://example.test", {})).rejects.toMatchObject({ kind: "network" });
    await expect(fetchCatalogue("no address", {})).rejects.toMatchObject({ kind: "usage" });
  });
});

describe("signatures", () => {
  test("are over the digest, by a named key", () => {
    const bytes = catalogueOf(1, "2025-03-01", true);
    expect(verifyCatalogue(bytes, "x", publicKey)).toMatch(/^sha256:[0-9a-f]{64}$/);
    const head = { format: "f", digest: "sha256:0", checksum: 0, signature: signDigest("sha256:1", privateKey) };
    expect(() => checkSignature(head, publicKey, "x")).toThrow(EolgateError);
    expect(head.signature.key).toBe(keyId(publicKey));
  });
  test("keys are read as PEM or as 32 bytes in base64, and nothing else", () => {
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
