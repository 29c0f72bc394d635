/** The signing of a channel: without packages, and never a catalogue that differs too much from what was published last. */
import { spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { METADATA_PATH, sealEnvelope, signersOf, type Envelope } from "../../src/catalogue/channel/envelope.ts";
import { parseMetadata } from "../../src/catalogue/channel/metadata.ts";
import { encodeCatalogue, readContent } from "../../src/catalogue/file.ts";
import type { StoredContent } from "../../src/catalogue/schema.ts";
import { publicKeysFrom, signChannel } from "../../tools/sign-channel.ts";

const SOURCE = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
const TOOL = fileURLToPath(new URL("../../tools/sign-channel.ts", import.meta.url));
const bundled = readContent(readFileSync(SOURCE), "bundled");
const NOW = Date.parse(`${bundled.metadata.date}T12:00:00Z`) + 86_400_000;
const { privateKey: key } = generateKeyPairSync("ed25519");
const { privateKey: other } = generateKeyPairSync("ed25519");

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sign-channel-"));
  folders.push(folder);
  return folder;
}

function fileOf(content: StoredContent): string {
  const path = join(newFolder(), "catalogue.json");
  writeFileSync(path, encodeCatalogue(content));
  return path;
}

const sign = (folder: string, catalogue: string, now = NOW, publicKeys: readonly KeyObject[] = []): Promise<void> =>
  signChannel({ folder, catalogue, key, publicKeys, now, bundled: SOURCE });
const envelopeOf = (folder: string): Envelope => JSON.parse(readFileSync(join(folder, METADATA_PATH), "utf8"));
const metadataOf = (folder: string) => parseMetadata(envelopeOf(folder), folder);

async function signed(): Promise<string> {
  const folder = newFolder();
  await sign(folder, SOURCE);
  return folder;
}

type Change = (content: StoredContent) => StoredContent;
const withProducts = (change: (products: StoredContent["products"]) => StoredContent["products"]): Change => {
  return (content) => ({ ...content, products: change(content.products) });
};
/** The first cycles of products whose record states a day. */
const moved = (count: number, days: (year: number) => number): Change =>
  withProducts((products) => {
    let left = count;
    return Object.fromEntries(
      Object.entries(products).map(([slug, product]) => {
        const cycles = product.cycles.map((cycle) => {
          if (left === 0 || typeof cycle.eol !== "string" || !/^\d{4}-/.test(cycle.eol)) return cycle;
          left -= 1;
          return { ...cycle, also: undefined, eol: `${days(Number(cycle.eol.slice(0, 4)))}${cycle.eol.slice(4)}` };
        });
        return [slug, { ...product, cycles: cycles.map((cycle) => JSON.parse(JSON.stringify(cycle))) }];
      }),
    );
  });

describe("signing", () => {
  test("writes a channel that the key signed, twice, with its history", async () => {
    const folder = await signed();
    const first = metadataOf(folder);
    await sign(folder, SOURCE, NOW + 3_600_000);
    const second = metadataOf(folder);
    expect(signersOf(envelopeOf(folder), [createPublicKey(key)])).toHaveLength(1);
    expect(second.version).toBeGreaterThan(first.version);
    expect(readdirSync(join(folder, "v1"))).toContain(second.history?.path);
    const history: { publications: unknown[] } = JSON.parse(
      readFileSync(join(folder, "v1", second.history?.path ?? ""), "utf8"),
    );
    expect(history.publications).toHaveLength(2);
  });

  test("keeps the revoked keys", async () => {
    const folder = await signed();
    const metadata = { ...metadataOf(folder), revokedKeys: ["0123456789abcdef"] };
    const envelope = sealEnvelope(Buffer.from(JSON.stringify(metadata)), [key]);
    writeFileSync(join(folder, METADATA_PATH), JSON.stringify(envelope));
    await sign(folder, SOURCE, NOW + 3_600_000);
    expect(metadataOf(folder).revokedKeys).toEqual(["0123456789abcdef"]);
  });

  test("accepts what another configured key published", async () => {
    const folder = newFolder();
    await signChannel({ folder, catalogue: SOURCE, key: other, publicKeys: [], now: NOW, bundled: SOURCE });
    await sign(folder, SOURCE, NOW + 3_600_000, [createPublicKey(other)]);
    expect(signersOf(envelopeOf(folder), [createPublicKey(key)])).toHaveLength(1);
  });
});

describe("does not sign", () => {
  const rows: readonly (readonly [what: string, change: Change, problem: string])[] = [
    [
      "a catalogue without its products",
      withProducts((all) => Object.fromEntries(Object.entries(all).slice(0, 4))),
      "would be lost",
    ],
    ["an end that moved by ten years", moved(1, (year) => year + 10), "without a second known source"],
    ["a hundred such ends", moved(100, (year) => year + 10), "would move by more than two years"],
  ];
  test.each(rows)("%s", async (_, change, problem) => {
    const folder = await signed();
    const before = readFileSync(join(folder, METADATA_PATH), "utf8");
    await expect(sign(folder, fileOf(change(bundled)), NOW + 3_600_000)).rejects.toThrow(problem);
    expect(readFileSync(join(folder, METADATA_PATH), "utf8")).toBe(before);
  });

  test("beside a channel of another key", async () => {
    const folder = newFolder();
    await signChannel({ folder, catalogue: SOURCE, key: other, publicKeys: [], now: NOW, bundled: SOURCE });
    await expect(sign(folder, SOURCE, NOW + 3_600_000)).rejects.toThrow("not signed by a key");
  });

  test("beside a published catalogue that was changed", async () => {
    const folder = await signed();
    const path = join(folder, "v1", metadataOf(folder).catalogue.path);
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from("x")]));
    await expect(sign(folder, SOURCE, NOW + 3_600_000)).rejects.toThrow("differs from the metadata");
  });

  test("a catalogue whose digest does not match", async () => {
    const path = join(newFolder(), "catalogue.json");
    writeFileSync(path, readFileSync(SOURCE).subarray(0, -100));
    await expect(sign(newFolder(), path)).rejects.toMatchObject({ code: "catalogue-corrupt" });
  });
});

describe("the program", () => {
  test("imports Node's modules and files of the checkout only", () => {
    const [seen, packages] = [new Set<string>(), new Set<string>()];
    const queue = [TOOL];
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      const code = stripTypeScriptTypes(readFileSync(file, "utf8"));
      for (const [, name = ""] of code.matchAll(/(?:\bfrom|^import|\bimport\()\s*"([^"\n]+)"/gm)) {
        if (name.startsWith(".")) queue.push(resolve(dirname(file), name));
        else if (!name.startsWith("node:")) packages.add(name);
      }
    }
    expect([...packages]).toEqual([]);
    expect(seen.size).toBeGreaterThan(30);
  });

  test("runs from its sources, with the key in a variable", () => {
    const folder = newFolder();
    const pem = key.export({ type: "pkcs8", format: "pem" }).toString();
    const run = (SIGN_KEY: string) =>
      spawnSync(process.execPath, [TOOL, folder, SOURCE], { env: { SIGN_KEY }, encoding: "utf8" });
    // The catalogue of the tests is much smaller than the one of the checkout.
    expect(run(pem)).toMatchObject({ status: 1, stderr: expect.stringContaining("would be lost") as unknown });
    expect(run("")).toMatchObject({ status: 1, stderr: expect.stringContaining("SIGN_KEY") as unknown });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("reads public keys as PEM and as raw keys", () => {
    const keys = [key, other].map((each) => createPublicKey(each));
    const pem = keys.map((each) => each.export({ type: "spki", format: "pem" }).toString());
    const raw = keys.map((each) => Buffer.from(each.export({ format: "jwk" }).x ?? "", "base64url").toString("base64"));
    const read = [pem.join(","), pem.join("\n"), raw.join(","), raw.join("\n")].map((text) =>
      publicKeysFrom(text).map((each) => each.equals(keys[0] as KeyObject) || each.equals(keys[1] as KeyObject)),
    );
    expect(read).toEqual(Array.from({ length: 4 }, () => [true, true]));
    expect(publicKeysFrom("")).toEqual([]);
  });
});
