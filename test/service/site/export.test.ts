/** The static export against a running service over the same catalogue on the same day. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asProductSlug } from "../../../src/text/ids.ts";
import type { Catalogue } from "../../../src/model/index.ts";
import { createSiteApp } from "../../../src/service/commands/site.ts";
import {
  EXPORT_HEADERS,
  type ExportedSite,
  type SiteEntry,
  type SitePart,
  exportSite,
  siteEntries,
} from "../../../src/service/site/export.ts";
import { pages } from "../../../src/service/pages/pages.ts";
import { releaseCycle, product } from "../../lifecycle/builders.ts";
import { withProducts } from "../pages/page-fixtures.ts";
import { BEFORE_CUT_OFF, PUBLIC_URL, served, startService, stopServices } from "../service.ts";

const folders: string[] = [];
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-site-"));
  folders.push(folder);
});
afterAll(async () => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
  await stopServices();
});

interface Options {
  readonly at?: string;
  readonly withServer?: boolean;
  readonly parts?: readonly SitePart[];
  readonly catalogue?: Catalogue;
}

async function exported(options: Options = {}, target = folder): Promise<ExportedSite> {
  const { at = BEFORE_CUT_OFF, withServer = true, parts, catalogue = served.catalogue } = options;
  const app = createSiteApp({
    version: "0.0.0-test",
    served: { ...served, catalogue },
    clock: () => Date.parse(at),
    publicUrl: PUBLIC_URL,
    withServer,
  });
  const { date, digest } = catalogue.metadata;
  try {
    return await exportSite({
      app,
      entries: siteEntries(catalogue, parts),
      folder: target,
      about: {
        generator: "eolgate site export",
        version: "0.0.0-test",
        public_url: PUBLIC_URL,
        as_of: at.slice(0, 10),
        catalogue: { date, digest },
      },
    });
  } finally {
    await app.close();
  }
}

/** Every file of a small part, and 250 spread over all of them. */
function sample(all: readonly SiteEntry[]): readonly SiteEntry[] {
  const step = Math.max(1, Math.floor(all.length / 250));
  return all.filter(({ part }, index) => part === "files" || index % step === 0);
}

describe("export of everything", () => {
  let site: ExportedSite;
  let whole = "";
  beforeAll(async () => {
    whole = mkdtempSync(join(tmpdir(), "eolgate-site-"));
    folders.push(whole);
    site = await exported({}, whole);
  });

  test("has at least 200 answers that equal the server's, with the same type", async () => {
    const service = await startService({ pages });
    const key = { "x-api-key": await service.key() };
    const chosen = sample([...siteEntries(served.catalogue)]);
    let compared = 0;
    for (const { url, file } of chosen) {
      const { statusCode, rawPayload, headers } = await service.get(url, key);
      const entry = site.manifest.files[file];
      expect(entry === undefined ? 404 : 200, url).toBe(statusCode);
      if (entry === undefined) continue;
      expect(readFileSync(join(whole, file)).equals(rawPayload), url).toBe(true);
      expect(entry.type).toBe(headers["content-type"]);
      compared += 1;
    }
    expect(compared).toBeGreaterThanOrEqual(200);
    expect(new Set(chosen.map(({ file }) => file)).size).toBe(chosen.length);
  });

  test("lists every written file in the manifest with its digest and size", async () => {
    const { manifest, files } = site;
    const found = readdirSync(whole, { recursive: true, encoding: "utf8" }).filter((file) =>
      statSync(join(whole, file)).isFile(),
    );
    expect(new Set(found)).toEqual(new Set([...Object.keys(manifest.files), "manifest.json"]));
    expect(files).toBe(Object.keys(manifest.files).length);
    for (const [file, { sha256, bytes }] of Object.entries(manifest.files)) {
      const content = readFileSync(join(whole, file));
      expect(createHash("sha256").update(content).digest("hex"), file).toBe(sha256);
      expect(content.length).toBe(bytes);
    }
    expect(JSON.parse(readFileSync(join(whole, "manifest.json"), "utf8"))).toEqual(manifest);
  });

  test("every link between pages points to a file", () => {
    const { files } = site.manifest;
    const dead = new Set<string>();
    for (const file of Object.keys(files).filter((name) => name.endsWith(".html"))) {
      for (const [, target = ""] of readFileSync(join(whole, file), "utf8").matchAll(/(?:href|src)="(\/[^"#?]*)/g)) {
        const path = decodeURIComponent(target.replaceAll("&amp;", "&")).slice(1);
        if (["check", "watch", "keys"].includes(path)) continue; // forms that the server answers
        const candidates = path === "" ? ["index.html"] : [path, `${path}.html`, `${path}.json`];
        if (!candidates.some((name) => Object.hasOwn(files, name))) dead.add(`${file}: ${target}`);
      }
    }
    expect([...dead]).toEqual([]);
  });
});

/** Four products: the rules for a folder do not depend on how many there are. */
const FEW: Catalogue = {
  ...withProducts(served.catalogue, []),
  slugs: () => ["nodejs", "debian", "python", "frobos"].map(asProductSlug),
};

describe("repeated export to the same folder", () => {
  test("writes nothing when nothing changed", async () => {
    const { files } = await exported({ catalogue: FEW, parts: ["api"] });
    expect(await exported({ catalogue: FEW, parts: ["api"] })).toMatchObject({
      files,
      written: 0,
      unchanged: files,
      removed: 0,
    });
  });

  test("writes only the files that change with the date", async () => {
    const first = await exported({ catalogue: FEW, parts: ["api"] });
    const next = await exported({ catalogue: FEW, parts: ["api"], at: "2026-09-02T00:00:00Z" });
    expect(next.written).toBeGreaterThan(0);
    expect(next.unchanged).toBeGreaterThan(0);
    const differ = Object.entries(next.manifest.files).filter(
      ([file, { sha256 }]) => first.manifest.files[file]?.sha256 !== sha256,
    );
    expect(next.written).toBe(differ.length);
  });

  test("restores changed files, removes obsolete ones and keeps foreign files", async () => {
    const first = await exported({ catalogue: FEW, parts: ["files", "pages"] });
    writeFileSync(join(folder, "scanner-db.json"), "{}");
    writeFileSync(join(folder, "CNAME"), "eol.example.org");
    const next = await exported({ catalogue: FEW, parts: ["files"] });
    expect(next).toMatchObject({ written: 1, removed: first.files - next.files });
    expect(readFileSync(join(folder, "CNAME"), "utf8")).toBe("eol.example.org");
    expect(readdirSync(folder)).not.toContain("nodejs.html");
    expect(readFileSync(join(folder, "scanner-db.json"), "utf8")).toContain('"products"');
  });

  test.each([
    ["a manifest of a web application", '{"name":"app","icons":[]}'],
    ["no JSON", "{"],
    ["a file outside", JSON.stringify({ files: { "../../x": { sha256: "", bytes: 0, type: "" } } })],
  ])("refuses %s and changes nothing", async (_, text) => {
    writeFileSync(join(folder, "manifest.json"), text);
    await expect(exported({ catalogue: FEW, parts: ["api"] })).rejects.toMatchObject({ code: "not-written" });
    expect(readdirSync(folder)).toEqual(["manifest.json"]);
  });
});

test.each(["../../escape", "a/../../b", "..", "a\\b", "a\u0000b", "/etc/passwd"])(
  "refuses a catalogue with the release cycle %j",
  (name) => {
    const evil = product([releaseCycle("2027-01-01", { name })], { slug: asProductSlug("evil") });
    const catalogue = withProducts(served.catalogue, [evil]);
    expect(() => [...siteEntries(catalogue)]).toThrow(expect.objectContaining({ code: "not-written" }));
  },
);

test("without a server the pages have no search, and the documentation requires no key", async () => {
  await exported({ catalogue: FEW, withServer: false, parts: ["pages"] });
  for (const file of ["index.html", "nodejs.html", "score/nodejs/18.html", "docs.html"])
    expect(readFileSync(join(folder, file), "utf8"), file).not.toContain("<form");
  expect(readFileSync(join(folder, "docs.html"), "utf8")).toContain("needs no key");
});

test("a service does not accept the header of an export as authentication", async () => {
  const service = await startService({ pages });
  expect((await service.get("/v1/products", EXPORT_HEADERS)).statusCode).toBe(401);
});
