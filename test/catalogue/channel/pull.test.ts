/**
 * Publish and update over a static loopback server. What is tampered with, frozen, rolled back, truncated, expired or
 * signed by another key is refused with a code of its own, and the catalogue in use stays.
 */
import { comparable, parseCatalogue } from "../../../src/catalogue/load.ts";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { locate } from "../../../src/catalogue/channel/location.ts";
import { sealEnvelope } from "../../../src/catalogue/channel/envelope.ts";
import { publishChannel } from "../../../src/pipeline/publish.ts";
import type { PublishOptions } from "../../../src/pipeline/publication.ts";
import { updateFrom, type UpdateFromOptions } from "../../../src/catalogue/channel/pull.ts";
import { compile, type CompileInputs } from "../../../src/pipeline/compile/compile.ts";
import { encodeCatalogue, openCatalogue, readContent } from "../../../src/catalogue/file.ts";
import { keyId } from "../../../src/catalogue/signature.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { cycle, inputs, recorded } from "../builders.ts";
import { answers, type Mirror, startMirror } from "../../pipeline/update/mirror.ts";

const HOUR = 60 * 60 * 1000;
const NOW = Date.parse("2025-04-01T06:00:00Z");
const first = generateKeyPairSync("ed25519");
const second = generateKeyPairSync("ed25519");
const stranger = generateKeyPairSync("ed25519");

function catalogueOf(
  count: number,
  readOn: string,
  ends: Readonly<Record<string, string>> = {},
  newest: CompileInputs["newest"] = { on: {}, versions: {} },
): Buffer {
  const names = Array.from({ length: count }, (_, at) => String(at + 1));
  const cycles = names.map((name) => cycle(name, "2020-01-01", ends[name] ?? "2026-01-01"));
  const base = inputs([recorded("a", cycles)]);
  return encodeCatalogue(compile({ ...base, record: { ...base.record, readOn }, newest }).content);
}
/** The newest versions of `count` packages, read at the registries on a day. */
const newestOf = (count: number, on: string, version = "2.0.0"): CompileInputs["newest"] => ({
  on: { npm: on },
  versions: Object.fromEntries(Array.from({ length: count }, (_, at) => [`npm/acme-${at}`, version])),
});
const inUse = catalogueOf(30, "2025-03-01");

let folder = "";
let served = "";
let cache = "";
let mirror: Mirror;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-channel-"));
  [served, cache] = [join(folder, "served"), join(folder, "cache")];
  mirror = await startMirror();
});
afterEach(async () => {
  await mirror.close();
  rmSync(folder, { recursive: true });
});

/** Publishes, and serves every file of the folder at its path, as a static host does. */
async function publish(bytes: Buffer, more: Partial<PublishOptions> = {}) {
  const publication = await publishChannel({
    folder: served,
    catalogue: { bytes, origin: "published" },
    keys: [first.privateKey],
    now: NOW,
    today: asIsoDate("2025-04-01"),
    nextHours: 72,
    expiryHours: 336,
    revokedKeys: [],
    ...more,
  });
  serveFolder();
  return publication.metadata;
}
function serveFolder(): void {
  for (const name of readdirSync(join(served, "v1"))) serveFile(name, readFileSync(join(served, "v1", name)));
}
function serveFile(name: string, bytes: Buffer): void {
  mirror.pages.set(`/v1/${name}`, (_, response) => void response.writeHead(200).end(bytes));
}
/** Metadata as a publisher who holds these keys would sign it. */
function serveMetadata(change: Readonly<Record<string, unknown>>, keys: readonly KeyObject[] = [first.privateKey]) {
  const { payload } = JSON.parse(readFileSync(join(served, "v1/metadata.json"), "utf8"));
  const metadata = { ...JSON.parse(Buffer.from(payload, "base64").toString()), ...change };
  const envelope = sealEnvelope(Buffer.from(JSON.stringify(metadata)), keys);
  serveFile("metadata.json", Buffer.from(JSON.stringify(envelope)));
}

const current = () =>
  existsSync(join(cache, "catalogue.json"))
    ? { bytes: readFileSync(join(cache, "catalogue.json")), origin: join(cache, "catalogue.json") }
    : { bytes: inUse, origin: "bundled" };
async function update(more: Partial<UpdateFromOptions> = {}, from = mirror.base) {
  return updateFrom({
    folder: cache,
    current: current(),
    origin: await locate(from, folder, {}),
    trust: { keys: [first.publicKey, second.publicKey], allowUnsigned: false },
    now: NOW + HOUR,
    today: asIsoDate("2025-04-01"),
    bundled: () => comparable(readContent(inUse, "bundled"), "bundled"),
    ...more,
  });
}
const digestInUse = () => openCatalogue(current().bytes, "x").head.digest;
const requests = () => mirror.asked.map(({ path }) => path);

describe("published catalogue", () => {
  test("is installed with two requests, and with one when it did not change", async () => {
    const metadata = await publish(catalogueOf(31, "2025-03-31"));
    const result = await update();
    expect(result).toMatchObject({ kind: "installed", metadata: { version: metadata.version } });
    expect(digestInUse()).toBe(metadata.catalogue.digest);
    expect(openCatalogue(current().bytes, "x").head.signature?.key).toBe(keyId(first.publicKey));
    expect(requests()).toEqual(["/v1/metadata.json", `/v1/${metadata.catalogue.path}`]);
    expect(await update()).toMatchObject({ kind: "up-to-date" });
    expect(requests()).toHaveLength(3);
  });

  test("is compressed, and those before are kept for the history and for clients that read their metadata", async () => {
    const names = [];
    for (const [count, now] of [
      [31, NOW],
      [32, NOW + HOUR],
      [33, NOW + 2 * HOUR],
    ] as const)
      names.push((await publish(catalogueOf(count, "2025-03-31"), { now })).catalogue.path);
    const files = readdirSync(join(served, "v1")).filter((name) => !name.startsWith("history-"));
    expect(files.toSorted()).toEqual([...names, "metadata.json"].toSorted());
    const size = statSync(join(served, "v1", names[2] ?? "")).size;
    expect(size).toBeLessThan(catalogueOf(33, "2025-03-31").length / 2);
  });

  test("is also read from a folder and from the address of its metadata", async () => {
    const { catalogue } = await publish(catalogueOf(31, "2025-03-31"));
    await update({}, served);
    expect(digestInUse()).toBe(catalogue.digest);
    rmSync(cache, { recursive: true });
    await update({}, `${mirror.base}/v1/metadata.json`);
    expect(digestInUse()).toBe(catalogue.digest);
  });

  test("is installed again when the cached catalogue is missing", async () => {
    const { catalogue } = await publish(catalogueOf(31, "2025-03-31"));
    await update();
    rmSync(join(cache, "catalogue.json"));
    expect(await update()).toMatchObject({ kind: "installed" });
    expect(digestInUse()).toBe(catalogue.digest);
  });

  test("is installed without the ends that moved too far", async () => {
    await publish(catalogueOf(31, "2025-03-31", { 5: "2031-01-01" }));
    const result = await update();
    expect(result).toMatchObject({ kind: "installed", installed: { quarantined: [{ product: "a", cycle: "5" }] } });
    expect(await update()).toMatchObject({ kind: "up-to-date" });
  });

  test("cannot be published without a key, after today or before the previous one", async () => {
    await expect(publish(catalogueOf(31, "2025-03-31"), { keys: [] })).rejects.toMatchObject({
      code: "invalid-usage",
    });
    await expect(publish(catalogueOf(31, "2025-04-02"))).rejects.toMatchObject({ code: "catalogue-from-future" });
    await publish(catalogueOf(31, "2025-03-31"));
    await expect(publish(catalogueOf(31, "2025-03-30"))).rejects.toMatchObject({ code: "catalogue-older" });
  });
});

describe("the list of newest versions", () => {
  const LISTED = "2025-02-20";
  const published = (newest: CompileInputs["newest"]) => catalogueOf(30, "2025-03-02", {}, newest);
  const install = async (newest: CompileInputs["newest"], now = NOW) => {
    await publish(published(newest), { now });
    // A list that the bundled catalogue does not have may be lost: that is a return to it.
    const bundled = () => comparable(readContent(published(newestOf(40, LISTED)), "bundled"), "bundled");
    return update({ now: now + HOUR, bundled });
  };

  test("comes with the catalogue of the channel, with its own day", async () => {
    await install(newestOf(40, LISTED));
    const { newest } = parseCatalogue(current().bytes, "cache");
    expect(newest?.listedOn).toEqual({ npm: LISTED });
    expect(newest?.find("npm", "acme-39")).toEqual({ version: "2.0.0" });
  });

  test("is replaced by a newer one, although no release cycle changed", async () => {
    await install(newestOf(40, LISTED));
    await install(newestOf(41, "2025-03-01", "3.0.0"), NOW + 2 * HOUR);
    expect(parseCatalogue(current().bytes, "cache").newest?.find("npm", "acme-40")).toEqual({ version: "3.0.0" });
  });

  test.each<[what: string, code: string, CompileInputs["newest"]]>([
    ["older", "catalogue-older", newestOf(40, "2025-02-19")],
    ["from the future", "catalogue-from-future", newestOf(40, "2025-04-02")],
    ["smaller", "update-shrunken", newestOf(30, "2025-03-01")],
    ["empty", "update-shrunken", newestOf(0, "2025-03-01")],
    ["gone", "catalogue-older", { on: { pypi: "2025-03-01" }, versions: {} }],
    ["of older versions", "update-shrunken", newestOf(40, "2025-03-01", "1.9.9")],
    ["much larger", "update-grown", newestOf(700, "2025-03-01")],
  ])("that is %s is refused with %s, with its catalogue", async (_, code, newest) => {
    await install(newestOf(40, LISTED));
    const before = digestInUse();
    await expect(install(newest, NOW + 2 * HOUR)).rejects.toMatchObject({ code, exit: 4 });
    expect(digestInUse()).toBe(before);
  });
});

describe("keeps the catalogue in use and exits with a specific code when the channel", () => {
  const days = (count: number) => new Date(NOW + count * 24 * HOUR).toISOString();
  const packed = (metadata: { catalogue: { path: string } }) =>
    readFileSync(join(served, "v1", metadata.catalogue.path));

  test.each<
    [string, code: string, (metadata: Awaited<ReturnType<typeof publish>>) => Partial<UpdateFromOptions> | void]
  >([
    [
      "has metadata that was tampered with",
      "channel-signature",
      () => {
        const envelope = JSON.parse(readFileSync(join(served, "v1/metadata.json"), "utf8"));
        const payload = Buffer.from(envelope.payload, "base64")
          .toString()
          .replace(/"version": \d/, '"version": 9');
        serveFile(
          "metadata.json",
          Buffer.from(JSON.stringify({ ...envelope, payload: Buffer.from(payload).toString("base64") })),
        );
      },
    ],
    ["is signed by another key", "channel-signature", () => serveMetadata({}, [stranger.privateKey])],
    ["is not signed", "channel-signature", () => serveMetadata({}, [])],
    ["is signed, and no key is configured", "channel-signature", () => ({ trust: { keys: [], allowUnsigned: false } })],
    ["expired", "channel-expired", () => ({ now: NOW + 337 * HOUR })],
    ["was published in the future", "channel-expired", () => serveMetadata({ publishedAt: days(1) })],
    ["states a version far above its time of publication", "channel-damaged", () => serveMetadata({ version: 9e15 })],
    ["states a version that is no safe integer", "channel-damaged", () => serveMetadata({ version: 1e300 })],
    ["states a version of tomorrow", "channel-damaged", () => serveMetadata({ version: NOW / 1000 + 24 * 3600 })],
    ["expires in a hundred years", "channel-damaged", () => serveMetadata({ expires: days(36_500) })],
    ["is due again after it expires", "channel-damaged", () => serveMetadata({ nextBy: days(100), expires: days(99) })],
    [
      "states another date of its content",
      "channel-damaged",
      ({ catalogue }) => serveMetadata({ catalogue: { ...catalogue, contentDate: "2025-04-01" } }),
    ],
    [
      "is signed by another key, and unsigned content is accepted",
      "channel-signature",
      () => {
        serveMetadata({}, [stranger.privateKey]);
        return { trust: { keys: [first.publicKey], allowUnsigned: true } };
      },
    ],
    [
      "is not signed, has a catalogue of another key, and unsigned content is accepted",
      "catalogue-unverified",
      () => {
        serveMetadata({}, []);
        return { trust: { keys: [second.publicKey], allowUnsigned: true } };
      },
    ],
    ["has no metadata", "source-unread", () => void mirror.pages.set("/v1/metadata.json", answers(404))],
    [
      "has no metadata, and a signed catalogue beside it",
      "source-unread",
      (all) => {
        const signed = brotliDecompressSync(packed(all));
        mirror.pages.set("/v1/metadata.json", answers(404));
        mirror.pages.set("/catalogue.json", (_, response) => void response.end(signed));
      },
    ],
    ["has metadata that is not JSON", "channel-damaged", () => serveFile("metadata.json", Buffer.from("<html>"))],
    ["has metadata without signatures", "channel-damaged", () => serveFile("metadata.json", Buffer.from("{}"))],
    ["states another format", "channel-damaged", () => serveMetadata({ format: "eolgate-channel/2" })],
    [
      "names a file outside of its folder",
      "channel-damaged",
      ({ catalogue }) => serveMetadata({ catalogue: { ...catalogue, path: "../../etc/passwd" } }),
    ],
    [
      "has a truncated catalogue",
      "channel-damaged",
      (all) => serveFile(all.catalogue.path, packed(all).subarray(0, -10)),
    ],
    [
      "has a changed catalogue",
      "channel-damaged",
      (all) => {
        const bytes = packed(all);
        bytes[100] = (bytes[100] ?? 0) ^ 1;
        serveFile(all.catalogue.path, bytes);
      },
    ],
    [
      "states a wrong digest of the catalogue",
      "channel-damaged",
      ({ catalogue }) => serveMetadata({ catalogue: { ...catalogue, digest: `sha256:${"0".repeat(64)}` } }),
    ],
    [
      "has a catalogue that unpacks to more than it states",
      "channel-damaged",
      ({ catalogue }) => serveMetadata({ catalogue: { ...catalogue, unpackedSize: 1000 } }),
    ],
    ["has no catalogue", "source-unread", (all) => void mirror.pages.set(`/v1/${all.catalogue.path}`, answers(404))],
    [
      "has a catalogue that is larger than stated",
      "source-unread",
      (all) => serveFile(all.catalogue.path, Buffer.alloc(10_000_000)),
    ],
  ])("%s", async (_, code, arrange) => {
    const metadata = await publish(catalogueOf(31, "2025-03-31"));
    const before = digestInUse();
    await expect(update(arrange(metadata) ?? {})).rejects.toMatchObject({
      code,
      exit: code === "source-unread" ? 5 : 4,
    });
    expect(digestInUse()).toBe(before);
    expect(existsSync(cache)).toBe(false);
  });

  test("rolls back to an older version", async () => {
    const old = join(folder, "old");
    await publish(catalogueOf(31, "2025-03-30"));
    cpSync(join(served, "v1"), old, { recursive: true });
    await publish(catalogueOf(32, "2025-03-31"), { now: NOW + HOUR });
    await update({ now: NOW + 2 * HOUR });
    const before = digestInUse();
    for (const name of readdirSync(old)) serveFile(name, readFileSync(join(old, name)));
    await expect(update({ now: NOW + 2 * HOUR })).rejects.toMatchObject({ code: "channel-rollback", exit: 4 });
    expect(digestInUse()).toBe(before);
  });

  test("is frozen: offers the same version after the next one was due", async () => {
    await publish(catalogueOf(31, "2025-03-31"));
    await update();
    const before = digestInUse();
    expect(await update({ now: NOW + 71 * HOUR })).toMatchObject({ kind: "up-to-date" });
    await expect(update({ now: NOW + 73 * HOUR })).rejects.toMatchObject({ code: "channel-expired", exit: 4 });
    expect(digestInUse()).toBe(before);
  });

  test("serves other content with the same version", async () => {
    await publish(catalogueOf(31, "2025-03-31"));
    await update();
    serveMetadata({ expires: days(30) });
    await expect(update()).rejects.toMatchObject({ code: "channel-rollback" });
  });

  test("has no metadata but an unversioned catalogue", async () => {
    await publish(catalogueOf(31, "2025-03-31"));
    await update();
    mirror.pages.set("/v1/metadata.json", answers(404));
    mirror.pages.set("/catalogue.json", (_, response) => void response.end(catalogueOf(32, "2025-03-31")));
    await expect(update()).rejects.toMatchObject({ code: "source-unread", exit: 5 });
  });
});

test("a single catalogue is read where its file is named", async () => {
  const signed = brotliDecompressSync(
    readFileSync(join(served, "v1", (await publish(catalogueOf(31, "2025-03-31"))).catalogue.path)),
  );
  mirror.pages.set("/catalogue.json", (_, response) => void response.end(signed));
  expect(await update({}, `${mirror.base}/catalogue.json`)).toMatchObject({ kind: "installed" });
});

test.each<readonly [string, number, boolean]>([
  ["before the next publication is due", 71, false],
  ["after it was due", 73, true],
])("a channel that is read first %s has a note: %s hours", async (_, hours, isOverdue) => {
  const { nextBy } = await publish(catalogueOf(31, "2025-03-31"));
  const result = await update({ now: NOW + hours * HOUR });
  expect(result).toMatchObject({ kind: "installed" });
  expect("overdueSince" in result && result.overdueSince).toBe(isOverdue && nextBy);
});

describe("channel keys", () => {
  test("are rotated to the second key without a new release", async () => {
    await publish(catalogueOf(31, "2025-03-31"));
    await update();
    await publish(catalogueOf(32, "2025-03-31"), { keys: [second.privateKey], now: NOW + HOUR });
    expect(await update({ now: NOW + 2 * HOUR })).toMatchObject({ kind: "installed" });
  });

  test("accept one of two signatures for clients that have only one of the keys", async () => {
    await publish(catalogueOf(31, "2025-03-31"), { keys: [stranger.privateKey, first.privateKey] });
    expect(await update()).toMatchObject({ kind: "installed" });
  });

  test("are refused after the other key revoked them", async () => {
    const revokedKeys = [keyId(first.publicKey)];
    await publish(catalogueOf(31, "2025-03-31"), { keys: [second.privateKey], revokedKeys });
    await update();
    await publish(catalogueOf(32, "2025-03-31"), { now: NOW + HOUR });
    await expect(update({ now: NOW + 2 * HOUR })).rejects.toMatchObject({ code: "channel-signature" });
  });

  const [online, root, other] = [first, second, stranger].map((pair) => ({ ...pair, id: keyId(pair.publicKey) }));
  test.each<readonly [string, readonly (typeof first)[], readonly (string | undefined)[], typeof first, string]>([
    ["the online key revokes itself", [first], [online?.id], first, "installed"],
    ["the online key revokes the root key", [first], [root?.id], second, "installed"],
    ["the online key revokes another one", [first], [other?.id], stranger, "installed"],
    ["the root key revokes the online key", [second], [online?.id], first, "channel-signature"],
    ["the root key revokes another one", [second], [other?.id], stranger, "channel-signature"],
    ["both keys revoke another one", [first, second], [other?.id], stranger, "channel-signature"],
    ["both keys revoke the root key", [first, second], [root?.id], second, "installed"],
    ["the root key revokes itself", [second], [root?.id], second, "installed"],
  ])("when %s, it counts only if the root key signed", async (_, signers, revoked, next, outcome) => {
    const trust = { keys: [first.publicKey, stranger.publicKey, second.publicKey], allowUnsigned: false };
    const revokedKeys = revoked.flatMap((id) => id ?? []);
    await publish(catalogueOf(31, "2025-03-31"), { keys: signers.map(({ privateKey }) => privateKey), revokedKeys });
    await update({ trust });
    await publish(catalogueOf(32, "2025-03-31"), { keys: [next.privateKey], now: NOW + HOUR });
    const result = await update({ trust, now: NOW + 2 * HOUR }).catch((error: unknown) => error);
    expect(result).toMatchObject(outcome === "installed" ? { kind: outcome } : { code: outcome });
  });

  test("that were revoked are refused with --allow-unsigned, too", async () => {
    const trust = { keys: [first.publicKey, second.publicKey], allowUnsigned: true };
    await publish(catalogueOf(31, "2025-03-31"), { keys: [second.privateKey], revokedKeys: [keyId(first.publicKey)] });
    await update({ trust });
    await publish(catalogueOf(32, "2025-03-31"), { now: NOW + HOUR });
    await expect(update({ trust, now: NOW + 2 * HOUR })).rejects.toMatchObject({ code: "channel-signature" });
    await expect(update({ trust: { ...trust, keys: [first.publicKey] }, now: NOW + 2 * HOUR })).rejects.toMatchObject({
      code: "channel-signature",
    });
  });
});
