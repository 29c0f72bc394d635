/** `check --known-at`: past catalogues of a channel of three publications, over a loopback server. */
import { generateKeyPairSync } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { encodeCatalogue, openCatalogue } from "../../src/catalogue/file.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { compile } from "../../src/pipeline/compile/compile.ts";
import { sealEnvelope } from "../../src/catalogue/channel/envelope.ts";
import { publishChannel } from "../../src/pipeline/publish.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { cycle, inputs, recorded } from "../catalogue/builders.ts";
import { type Mirror, startMirror } from "../pipeline/update/mirror.ts";
import { runCommand } from "./fake-io.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");

/** A catalogue of one product, whose cycle 1 ends on a day that the vendor moves. */
function catalogueOf(readOn: string, end: string): Buffer {
  const base = inputs([recorded("a", [cycle("1", "2020-01-01", end), cycle("2", "2024-01-01", "2030-01-01")])]);
  return encodeCatalogue(compile({ ...base, record: { ...base.record, readOn } }).content);
}
const digestOf = (bytes: Buffer): string => openCatalogue(bytes, "test").head.digest;

/** Day of publication and the catalogue. The second one expires two weeks later, on 2025-05-15. */
const PUBLISHED = [
  ["2025-04-01", catalogueOf("2025-03-31", "2025-12-31"), 45 * 24],
  ["2025-05-01", catalogueOf("2025-04-30", "2025-06-30"), 14 * 24],
  ["2025-07-01", catalogueOf("2025-06-30", "2025-05-31"), 14 * 24],
] as const;
const TODAY = "2025-07-02";

let base = "";
let folder = "";
let mirror: Mirror;
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "eolgate-history-"));
  for (const [day, bytes, expiryHours] of PUBLISHED) await publish(day, bytes, { expiryHours });
});
afterAll(() => rmSync(base, { recursive: true }));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-known-"));
  cpSync(base, join(folder, "served"), { recursive: true });
  writeFileSync(join(folder, "public.pem"), publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(join(folder, "bom.json"), bom);
  for (const [day, bytes] of PUBLISHED) writeFileSync(join(folder, `${day}.json`), bytes);
  mirror = await startMirror();
  serve();
});
afterEach(async () => {
  await mirror.close();
  rmSync(folder, { recursive: true });
});

const bom = JSON.stringify({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [{ type: "application", name: "a", version: "1.4.2" }],
});

const publish = (day: string, bytes: Buffer, more: { expiryHours?: number; historyDays?: number; in?: string } = {}) =>
  publishChannel({
    folder: more.in ?? base,
    catalogue: { bytes, origin: "published" },
    keys: [privateKey],
    now: Date.parse(`${day}T06:00:00Z`),
    today: asIsoDate(day),
    nextHours: 72,
    expiryHours: 14 * 24,
    revokedKeys: [],
    ...more,
  });

function serve(): void {
  mirror.pages.clear();
  const v1 = join(folder, "served/v1");
  for (const name of readdirSync(v1))
    mirror.pages.set(`/v1/${name}`, (_, response) => void response.end(readFileSync(join(v1, name))));
}
const paths = () => mirror.asked.map(({ path }) => path.replace(/-[0-9a-f]{16}/, "-…"));

const run = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(["check", ...argv], {
    cwd: folder,
    env: { EOLGATE_CACHE: join(folder, "cache"), EOLGATE_PUBLISHER_KEY: "public.pem", ...env },
    today: TODAY,
  });
const fromChannel = (...argv: readonly string[]) => run([...argv, "--update"], { EOLGATE_CHANNEL: mirror.base });
const digestUsed = (out: string): string => JSON.parse(out).catalogue.digest;

describe("the catalogue of a day", () => {
  test.each([
    ["2025-04-01", 0],
    ["2025-04-30", 0],
    ["2025-05-01", 1],
    ["2025-05-15", 1],
    // The second one has expired; a client that still had the metadata of the first one could use it for one more day.
    ["2025-05-16", 0],
    ["2025-07-01", 2],
    [TODAY, 2],
  ])("on %s is that of publication %i", async (day, at) => {
    const { out, err } = await fromChannel("bom.json", "--known-at", day, "--as-of", day, "--format", "json");
    expect(err).toBe("");
    expect(digestUsed(out)).toBe(digestOf(PUBLISHED[at]?.[1] ?? Buffer.alloc(0)));
  });

  test.each([
    ["2025-03-31", "the history of the channel begins on 2025-04-01, after 2025-03-31"],
    [
      "2025-06-15",
      "no catalogue of the channel was valid on 2025-06-15: the last one expired on 2025-05-16, and the next was published on 2025-07-01",
    ],
  ])("on %s is not known", async (day, text) => {
    const { exit, out, err } = await fromChannel("bom.json", "--known-at", day);
    expect({ exit, out }).toEqual({ exit: 4, out: "" });
    expect(err).toContain(text);
    expect(err).toContain("name the file of the catalogue with --catalogue");
  });

  test.each([
    ["2025-07-03", "2025-07-03 is after today"],
    ["2025-02-30", '"2025-02-30" is neither a date nor a digest'],
    ["", '"" is neither a date nor a digest'],
    ["sha256:12", '"sha256:12" is neither a date nor a digest'],
  ])("refuses %s", async (day, text) => {
    const { exit, err } = await fromChannel("bom.json", "--known-at", day);
    expect(exit).toBe(2);
    expect(err).toContain(text);
    expect(paths()).toEqual([]);
  });
});

test("a past statement is repeated byte for byte, by its day and by its digest", async () => {
  for (const [day, bytes] of PUBLISHED) {
    const statement = ["bom.json", "--as-of", day, "--format", "in-toto"];
    const then = await run([...statement, "--catalogue", `${day}.json`]);
    const byDay = await fromChannel(...statement, "--known-at", day);
    const byDigest = await fromChannel(...statement, "--known-at", digestOf(bytes));
    expect(JSON.parse(then.out).predicate.catalogue.digest).toEqual({ sha256: digestOf(bytes).slice(7) });
    expect([byDay.out, byDigest.out, byDay.exit]).toEqual([then.out, then.out, then.exit]);
  }
  const verdicts = await Promise.all(
    PUBLISHED.map(async ([day]) => (await fromChannel("bom.json", "--as-of", TODAY, "--known-at", day)).exit),
  );
  expect(verdicts).toEqual([0, 1, 1]);
});

describe("the network", () => {
  test("is not used without --update, and the message names what to do", async () => {
    const { exit, err } = await run(["bom.json", "--known-at", "2025-04-02"], { EOLGATE_CHANNEL: mirror.base });
    expect(exit).toBe(4);
    expect(err).toContain("Add --update");
    expect(paths()).toEqual([]);
  });

  test("is used for metadata, history and catalogue once, and not for a digest that was read before", async () => {
    const known = ["bom.json", "--format", "json", "--known-at"];
    await fromChannel(...known, "2025-05-02");
    expect(paths()).toEqual(["/v1/metadata.json", "/v1/history-….json", "/v1/catalogue-….json.brotli"]);
    await fromChannel(...known, "2025-05-02");
    expect(paths().slice(3)).toEqual(["/v1/metadata.json", "/v1/history-….json"]);
    const digest = digestOf(PUBLISHED[1][1]);
    expect(digestUsed((await run([...known, digest])).out)).toBe(digest);
    expect(paths()).toHaveLength(5);
    expect(readdirSync(join(folder, "cache"))).toEqual(["known"]);
  });

  test("is used again when the kept copy is damaged", async () => {
    const known = ["bom.json", "--format", "json", "--known-at", digestOf(PUBLISHED[1][1])];
    await fromChannel(...known);
    appendFileSync(join(folder, "cache/known", readdirSync(join(folder, "cache/known"))[0] ?? ""), "x");
    expect(await run(known)).toMatchObject({ exit: 4 });
    expect(digestUsed((await fromChannel(...known)).out)).toBe(digestOf(PUBLISHED[1][1]));
  });

  test("is not used for the catalogues in the cache and in this release", async () => {
    const { digest } = loadCatalogue().metadata;
    const known = ["bom.json", "--format", "json", "--as-of", "2026-11-21", "--known-at"];
    expect(digestUsed((await run([...known, digest])).out)).toBe(digest);
    mkdirSync(join(folder, "cache"));
    cpSync(join(folder, "2025-05-01.json"), join(folder, "cache/catalogue.json"));
    const cached = digestOf(PUBLISHED[1][1]);
    expect(digestUsed((await run(["bom.json", "--format", "json", "--known-at", cached])).out)).toBe(cached);
    // The catalogue in the cache takes precedence over that of the release, unless the digest names the latter.
    expect(digestUsed((await run([...known, digest])).out)).toBe(digest);
  });
});

test("a run over many documents uses the same catalogue in each thread", async () => {
  mkdirSync(join(folder, "many"));
  for (let at = 0; at < 4; at += 1) writeFileSync(join(folder, `many/${at}.json`), bom);
  const argv = ["many/*.json", "--format", "ndjson", "--jobs", "2", "--as-of", TODAY, "--known-at"];
  const [first, second] = [await fromChannel(...argv, "2025-04-01"), await fromChannel(...argv, "2025-05-01")];
  expect([first.exit, second.exit]).toEqual([0, 1]);
});

describe("a named catalogue", () => {
  test.each([
    ["2025-05-01.json", "2025-04-30", 0],
    ["2025-05-01.json", "2025-04-29", 4],
    ["2025-05-01.json", digestOf(PUBLISHED[1][1]), 0],
    ["2025-05-01.json", digestOf(PUBLISHED[0][1]), 4],
  ])("%s known at %s: exit code %i", async (file, known, exit) => {
    const outcome = await run(["bom.json", "--as-of", "2025-05-01", "--catalogue", file, "--known-at", known]);
    expect(outcome.exit).toBe(exit);
    if (exit === 4) expect(outcome.err).toMatch(/it was not known on that day|the digest of this catalogue is/);
  });
});

describe("refuses", () => {
  const history = (): string => {
    const { payload } = JSON.parse(readFileSync(file("metadata.json"), "utf8"));
    return JSON.parse(Buffer.from(payload, "base64").toString()).history.path;
  };
  const file = (name: string) => join(folder, "served/v1", name);
  const failing = async () => {
    serve();
    const { exit, err } = await fromChannel("bom.json", "--known-at", "2025-04-02");
    return { exit, err };
  };

  test("a changed history", async () => {
    writeFileSync(file(history()), readFileSync(file(history()), "utf8").replace("2025-04-01", "2025-03-01"));
    const outcome = await failing();
    expect(outcome.exit).toBe(4);
    expect(outcome.err).toContain("the history of the channel differs from its metadata");
  });
  test("a history that is missing", async () => {
    rmSync(file(history()));
    const outcome = await failing();
    expect(outcome.exit).toBe(5);
    expect(outcome.err).toContain("the history is not there");
  });
  test("another catalogue under the name of a past one", async () => {
    const rows: { publications: { catalogue: { path: string } }[] } = JSON.parse(readFileSync(file(history()), "utf8"));
    const [first, , third] = rows.publications.map(({ catalogue }) => catalogue.path);
    // Signatures make the sizes differ by a few bytes. A file of more bytes than stated is not read to its end.
    const { size } = statSync(file(first ?? ""));
    writeFileSync(file(first ?? ""), readFileSync(file(third ?? "")).subarray(0, size));
    expect((await failing()).exit).toBe(4);
    rmSync(file(first ?? ""));
    const missing = await failing();
    expect(missing).toMatchObject({ exit: 5 });
    expect(missing.err).toContain("the catalogue is not there");
  });
  test("metadata that another key signed", async () => {
    const envelope = JSON.parse(readFileSync(file("metadata.json"), "utf8"));
    const sealed = sealEnvelope(Buffer.from(envelope.payload, "base64"), [generateKeyPairSync("ed25519").privateKey]);
    writeFileSync(file("metadata.json"), JSON.stringify(sealed));
    expect((await failing()).err).toContain("not signed with a trusted key");
  });
  test("a single catalogue in the place of a channel, no channel, and a service", async () => {
    const known = ["bom.json", "--known-at", "2025-05-01"];
    expect((await run([...known, "--update"], { EOLGATE_CHANNEL: "2025-05-01.json" })).err).toContain("no history");
    expect(await run([...known, "--update"])).toMatchObject({ exit: 2 });
    expect(await run([...known, "--api", mirror.base])).toMatchObject({ exit: 2 });
  });
});

describe("the history", () => {
  test("begins with the last publication of a release that wrote none", async () => {
    const path = join(folder, "served/v1/metadata.json");
    const { history: _, ...older } = JSON.parse(
      Buffer.from(JSON.parse(readFileSync(path, "utf8")).payload, "base64").toString(),
    );
    writeFileSync(path, JSON.stringify(sealEnvelope(Buffer.from(JSON.stringify(older)), [privateKey])));
    serve();
    const digest = digestOf(PUBLISHED[2][1]);
    expect(digestUsed((await fromChannel("bom.json", "--format", "json", "--known-at", TODAY)).out)).toBe(digest);
    await publish(TODAY, catalogueOf("2025-07-01", "2025-05-31"), { in: join(folder, "served") });
    serve();
    const known = await fromChannel("bom.json", "--format", "json", "--known-at", "2025-07-01");
    expect(digestUsed(known.out)).toBe(digest);
  });
  test("keeps what it names, and with a limit only what was replaced within it", async () => {
    const served = join(folder, "served");
    const names = () => readdirSync(join(served, "v1")).map((name) => name.split("-")[0]);
    const countOf = (kind: string) => names().filter((name) => name === kind).length;
    expect([countOf("catalogue"), countOf("history")]).toEqual([3, 2]);
    await publish(TODAY, catalogueOf("2025-07-01", "2025-05-31"), { in: served, historyDays: 30 });
    serve();
    const { err } = await fromChannel("bom.json", "--known-at", "2025-05-01");
    // The second one was in use until 2025-07-01, and the first one until 2025-05-01.
    expect(err).toBe("");
    expect((await fromChannel("bom.json", "--known-at", "2025-04-30")).exit).toBe(4);
    expect(countOf("catalogue")).toBe(3);
  });
  test("is refused for publication when it is damaged, and the channel stays", async () => {
    const served = join(folder, "served");
    const metadata = () => statSync(join(served, "v1/metadata.json")).mtimeMs;
    const before = metadata();
    for (const name of readdirSync(join(served, "v1")))
      if (name.startsWith("history-")) writeFileSync(join(served, "v1", name), "{}");
    const attempt = publish(TODAY, catalogueOf("2025-07-01", "2025-05-31"), { in: served });
    await expect(attempt).rejects.toMatchObject({ code: "channel-damaged" });
    expect(metadata()).toBe(before);
  });
});
