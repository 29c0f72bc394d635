/** The catalogue commands through the command line: what they print, with which exit code, and what they leave behind. */
import { generateKeyPairSync } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeCatalogue, readContent } from "../../../src/catalogue/file.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { BUNDLED } from "../../../src/catalogue/places.ts";
import type { StoredContent } from "../../../src/catalogue/schema.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { catalogueQuality } from "../../../tools/catalogue-quality.ts";
import { runCommand } from "../fake-io.ts";
import { base } from "../../catalogue/update/changes.ts";
import { answers, type Mirror, serves, startMirror } from "../../pipeline/update/mirror.ts";

let folder = "";
let cache = "";
let mirror: Mirror;
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const content = readContent(readFileSync(BUNDLED), "bundled");

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-commands-"));
  cache = join(folder, "cache");
  mirror = await startMirror();
  writeFileSync(join(folder, "public.pem"), publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(join(folder, "private.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
});
afterAll(async () => {
  await mirror.close();
  rmSync(folder, { recursive: true });
});

const run = (...argv: string[]) =>
  runCommand(["catalogue", ...argv], { cwd: folder, env: { EOLGATE_CACHE: cache }, today: "2026-11-22" });

/** The content with one date of one release cycle changed. */
function moved(slug: string, name: string, eol: string, of = content): StoredContent {
  const product = of.products[slug];
  if (product === undefined) throw new Error(`no ${slug}`);
  const cycles = product.cycles.map((cycle) => (cycle.name === name ? { ...cycle, eol, also: [] } : cycle));
  return { ...of, products: { ...of.products, [slug]: { ...product, cycles } } };
}
function file(name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return name;
}

describe("catalogue info", () => {
  test("prints text and JSON", async () => {
    const words = await run("info");
    expect(words).toMatchObject({ exit: 0, err: "" });
    expect(words.out).toContain(content.metadata.date);
    const json = JSON.parse((await run("info", "--format", "json")).out);
    expect(json).toMatchObject({
      date: content.metadata.date,
      origin: "bundled",
      products: Object.keys(content.products).length,
      purls: Object.keys(content.purls).length,
      kev: { version: content.metadata.kevVersion, entries: expect.any(Number) },
      newest_versions: { on: content.metadata.newestOn, packages: Object.keys(content.newestVersions).length },
    });
    expect(json.dated_products).toBeGreaterThan(700);
    expect(json.dated_cycles).toBeLessThanOrEqual(json.cycles);
    expect(json.sources.map(({ id }: { id: string }) => id)).toContain("endoflife.date");
    // The shares of a note are parts of one another.
    const quality = catalogueQuality(content, asIsoDate(content.metadata.date));
    const { count, stated_by_vendor, recorded_from_feed, copied_from_vendor, own_statements, ...agreement } =
      quality.future_ends;
    expect(stated_by_vendor).toBeGreaterThanOrEqual(count * 0.15);
    expect(recorded_from_feed).toBeLessThan(stated_by_vendor);
    expect(copied_from_vendor + own_statements).toBeLessThanOrEqual(count);
    expect(agreement.agreed).toBeLessThanOrEqual(agreement.with_independent_record);
    expect(agreement.with_independent_record).toBeLessThanOrEqual(agreement.with_vendor_feed);
    expect(json.documents).toMatchObject({ documents: 91, measured_on: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) });
  });
  test("shows the age of a source's content", async () => {
    const { sources } = JSON.parse((await run("info", "--format", "json")).out);
    const record = sources.find(({ id }: { id: string }) => id === "endoflife.date");
    const today = new Date().toISOString().slice(0, 10);
    expect(record.content_on).toBe(content.metadata.date);
    expect(sources.filter(({ content_on }: { content_on: string | null }) => (content_on ?? "") > today)).toEqual([]);
  });
  test("refuses a file that is missing or malformed", async () => {
    expect(await run("info", "--catalogue", "none.json")).toMatchObject({ exit: 4, out: "" });
    file("broken.json", readFileSync(BUNDLED).subarray(0, 1_000_000));
    const broken = await run("info", "--catalogue", "broken.json");
    expect(broken).toMatchObject({ exit: 4, out: "" });
    expect(broken.err).toContain("corrupt");
  });
});

describe("catalogue export, verify and import", () => {
  test("transfer a signed catalogue between machines", async () => {
    expect(await run("export", "--sign-key", "private.pem", "-o", "signed.json")).toMatchObject({ exit: 0 });
    expect((await run("verify", "signed.json", "--publisher-key", "public.pem")).out).toContain("signature ok");
    expect(await run("import", "signed.json", "--publisher-key", "public.pem")).toMatchObject({ exit: 0 });
    expect(existsSync(join(cache, "catalogue.json"))).toBe(true);
    expect(JSON.parse((await run("info", "--format", "json")).out)).toMatchObject({
      origin: join(cache, "catalogue.json"),
      signed_by: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    rmSync(cache, { recursive: true });
  });
  test("refuse an unsigned catalogue unless a flag allows it, and always refuse a modified one", async () => {
    copyFileSync(BUNDLED, join(folder, "plain.json"));
    expect((await run("verify", "plain.json")).exit).toBe(0);
    expect(await run("verify", "plain.json", "--publisher-key", "public.pem")).toMatchObject({ exit: 4 });
    expect(await run("import", "plain.json", "--publisher-key", "public.pem")).toMatchObject({ exit: 4 });
    expect(await run("import", "plain.json")).toMatchObject({ exit: 4 });
    file("changed.json", Buffer.from(readFileSync(BUNDLED, "utf8").replace("2026", "2027")));
    expect(await run("verify", "changed.json")).toMatchObject({ exit: 4 });
    expect(await run("verify", "plain.json", "--publisher-key", "none.pem")).toMatchObject({ exit: 2 });
    expect(existsSync(cache)).toBe(false);
  });
  test("import names the rows by which tools and images are read that it keeps or leaves out", async () => {
    const { NODE_VERSION: _, ...imageVariables } = content.imageVariables;
    const systemCodeNames = { ...content.tools.systemCodeNames, slim: "alpine" };
    file("names.json", encodeCatalogue({ ...content, imageVariables, tools: { ...content.tools, systemCodeNames } }));
    const { out, exit } = await run("import", "names.json", "--allow-unsigned");
    expect(exit).toBe(0);
    expect(out).toContain("NODE_VERSION: a name of tools or images would be lost or changed; the current row is kept");
    expect(out).toContain("slim: a new name for tools or images that current names may match; left out");
    rmSync(cache, { recursive: true });
  });
  test("export ECMA-428 and OpenEoX", async () => {
    const cle = JSON.parse((await run("export", "--format", "cle", "--product", "nodejs")).out);
    expect(cle.identifier).toContain("pkg:generic/node");
    const rows = (await run("export", "--format", "cle")).out.trim().split("\n");
    expect(rows.length).toBeGreaterThan(700);
    for (const row of rows.slice(0, 20)) expect(JSON.parse(row).events.length).toBeGreaterThan(0);
    const eox = JSON.parse((await run("export", "--format", "openeox", "--product", "debian")).out);
    expect(eox.statements[0]).toMatchObject({
      product: { product_name: "Debian" },
      core: { last_updated: expect.any(String) },
    });
    expect(await run("export", "--format", "cle", "--product", "no-such")).toMatchObject({ exit: 2 });
  });
});

describe("catalogue diff", () => {
  test("prints text, JSON and Markdown", async () => {
    const old = file("old.json", encodeCatalogue(moved("debian", "11", "2030-01-01", base)));
    file("new.json", encodeCatalogue(base));
    const { eol } =
      loadCatalogue()
        .product("debian")
        ?.cycles.find(({ name }) => name === "11") ?? {};
    const stated = eol?.kind === "dated" ? eol.date.value : "";
    const text = (await run("diff", old, "new.json")).out;
    expect(text).toContain(`debian 11  end  2030-01-01  ${stated}`);
    expect(text).toMatch(/debian 11 {2}active {2}eol/);
    const json = JSON.parse((await run("diff", old, "new.json", "--format", "json")).out);
    expect(json.dates).toEqual([
      expect.objectContaining({ releaseCycle: { product: "debian", cycle: "11" }, field: "eol" }),
    ]);
    expect(json.statuses).toHaveLength(1);
    expect(json.answers).toContainEqual(expect.objectContaining({ section: "products", row: "debian", version: "11" }));
    const markdown = (await run("diff", old, "new.json", "--format", "markdown")).out;
    expect(markdown).toContain(`| debian 11 | end | 2030-01-01 | ${stated} |`);
    expect((await run("diff", "new.json", "new.json")).out).toBe("no differences\n");
    file("tags.json", encodeCatalogue({ ...base, tools: { ...base.tools, serviceActions: [] } }));
    expect((await run("diff", "tags.json", "new.json")).out).toContain("the contents differ");
  });
});

describe("catalogue update", () => {
  test("exits with code 5 and writes no files when a mirror does not respond", async () => {
    mirror.pages.set("/endoflife.date/api/v1/products/full", answers(500));
    const outcome = await run("update", "--source-base", mirror.base);
    expect(outcome).toMatchObject({ exit: 5, out: "" });
    expect(outcome.err).toContain("500");
    expect(existsSync(join(cache, "catalogue.json"))).toBe(false);
    expect(loadCatalogue({ env: { EOLGATE_CACHE: cache } }).metadata.origin).toBe("bundled");
  });
  test("reads one file of another server with --channel, and no folder without the metadata of a channel", async () => {
    mirror.pages.set("/catalogue.json", serves(readFileSync(BUNDLED)));
    expect(await run("update", "--channel", mirror.base, "--allow-unsigned")).toMatchObject({ exit: 5, out: "" });
    const file = `${mirror.base}/catalogue.json`;
    expect(await run("update", "--channel", file, "--allow-unsigned")).toMatchObject({ exit: 0, err: "" });
    expect(loadCatalogue({ env: { EOLGATE_CACHE: cache } }).metadata.origin).toBe(join(cache, "catalogue.json"));
    mirror.pages.set("/catalogue.json", serves(readFileSync(BUNDLED).subarray(0, 500_000)));
    expect(await run("update", "--channel", file, "--allow-unsigned")).toMatchObject({ exit: 4, out: "" });
    expect(loadCatalogue({ env: { EOLGATE_CACHE: cache } }).metadata.digest).toBe(loadCatalogue().metadata.digest);
  });
  test("refuses an address or a file that does not exist", async () => {
    expect(await run("update", "--channel", "ftp://example.com")).toMatchObject({ exit: 2 });
    expect(await run("update", "--channel", "nonsense")).toMatchObject({ exit: 4 });
  });
  test("lists the required options when no channel is configured", async () => {
    const outcome = await run("update");
    expect(outcome).toMatchObject({ exit: 2, out: "" });
    expect(outcome.err).toContain("--from-sources");
  });
});
