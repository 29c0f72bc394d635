/** Every release cycle of the bundled catalogue is asked for by its own name, on each surface that takes a version. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLocal } from "../../src/api/operations/local.ts";
import { explain } from "../../src/api/explain.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { BUNDLED } from "../../src/catalogue/places.ts";
import { readPackageFile } from "../../src/platform/package-files.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { percentEncode } from "../../src/text/values.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { soaked } from "../soaked.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { createSiteApp } from "../../src/service/commands/site.ts";
import { createMcpServer } from "../../src/service/mcp/server.ts";
import { EXPORT_HEADERS, siteEntries } from "../../src/service/site/export.ts";
import { runCommand } from "../cli/fake-io.ts";
import { withoutLimits } from "../../src/service/mcp/tools.ts";

const catalogue = loadCatalogue({ env: {}, cwd: tmpdir() });
const asOf = asIsoDate("2026-11-23");
const cycles = catalogue
  .slugs()
  .flatMap((slug) => (catalogue.product(slug)?.cycles ?? []).map(({ name }) => ({ slug, name })));
/** Names with the same shape, such as `9.9` and `a-9`, are read by the same rules; of each shape, at most this many. */
const MOST = soaked(5, Infinity);
/** The first cycle of every third product, and some of every shape of names. A batch asks for all cycles. */
const asked = (() => {
  const counts = new Map<string, number>();
  const firsts = new Set(catalogue.slugs().filter((_, at) => at % 3 === 0));
  return cycles.filter(({ slug, name }, index) => {
    const shape = name.replaceAll(/\d+/g, "9").replaceAll(/[A-Za-z]+/g, "a");
    const count = (counts.get(shape) ?? 0) + 1;
    counts.set(shape, count);
    return count <= MOST || (firsts.has(slug) && cycles[index - 1]?.slug !== slug);
  });
})();
const local = createLocal({ catalogue, asOf, links: linksUnder("https://eol.example.org") });
const cwd = mkdtempSync(join(tmpdir(), "eolgate-names-"));

let app: FastifyInstance;
beforeAll(() => {
  app = createSiteApp({
    version: "1.0.0",
    served: { catalogue, bytes: () => readPackageFile(BUNDLED) },
    clock: () => Date.parse(asOf),
    publicUrl: "https://eol.example.org",
    withServer: false,
  });
});
afterAll(async () => {
  rmSync(cwd, { recursive: true });
  await app.close();
});

/** The cycles for which `ask` gives another answer than the cycle itself. */
async function refused(ask: (slug: string, name: string) => Promise<string>): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const { slug, name } of asked) {
    const answer = await ask(slug, name).catch((error: unknown) => String(error));
    if (answer !== name) wrong.push(`${slug}:${name} → ${answer}`);
  }
  return wrong;
}

describe(`each of ${String(asked.length)} release cycles answers by its own name`, () => {
  test("there are cycles to ask for", () => expect(cycles.length).toBeGreaterThan(5000));

  test.each(["status", "score", "upgrade"] as const)("operation %s", async (operation) => {
    expect(await refused(async (slug, version) => (await local[operation]({ slug, version })).version)).toEqual([]);
  });

  test("route /v1/status/:slug/:version", async () => {
    const ask = async (slug: string, name: string): Promise<string> => {
      const url = `/v1/status/${percentEncode(slug)}/${percentEncode(name)}`;
      const { statusCode, body } = await app.inject({ url, headers: EXPORT_HEADERS });
      return statusCode === 200 ? String(JSON.parse(body).version) : `${String(statusCode)} ${body}`;
    };
    expect(await refused(ask)).toEqual([]);
  });

  test("badge", async () => {
    const ask = async (slug: string, name: string): Promise<string> => {
      const { message } = await local.badge({ slug, version: name });
      return message === "ambiguous" || message === "not tracked" ? message : name;
    };
    expect(await refused(ask)).toEqual([]);
  });

  test("batch", async () => {
    const answers = await local.batch({ products: cycles.map(({ slug, name }) => ({ slug, version: name })) });
    expect(answers.map((each) => ("error" in each ? each.error : each.version))).toEqual(
      cycles.map(({ name }) => name),
    );
  });

  test("metrics", async () => {
    const ask = async (slug: string, name: string): Promise<string> =>
      (await local.metrics({ stack: `${slug}:${name}` })).includes("eol_lookup_error{") ? "error" : name;
    expect(await refused(ask)).toEqual([]);
  });

  test("MCP tool check_eol", async () => {
    const context = withoutLimits(local, local.context.catalogue, local.context.asOf);
    const server = createMcpServer({
      version: "1.0.0",
      source: { url: "https://eol.example.org", note: "test" },
      docs: "https://eol.example.org/docs",
      context,
      admit: () => Promise.resolve(),
      onBug: () => undefined,
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    const ask = async (slug: string, version: string): Promise<string> => {
      const { structuredContent } = await client.callTool({ name: "check_eol", arguments: { slug, version } });
      return String(Object(structuredContent).version);
    };
    expect(await refused(ask)).toEqual([]);
    await client.close();
  });

  test("command line: eolgate batch", async () => {
    const listed = cycles.filter(({ name }) => !name.startsWith("#"));
    const stdin = listed.map(({ slug, name }) => `${slug}:${name}\n`).join("");
    const { out } = await runCommand(["batch", "--from", "-", "--format", "json"], { cwd, stdin, today: asOf });
    const answers: readonly { readonly version?: string; readonly error?: string }[] = JSON.parse(out);
    expect(answers.map(({ version, error }) => error ?? version)).toEqual(listed.map(({ name }) => name));
  });

  test("command line: eolgate explain", async () => {
    const ask = async (slug: string, name: string): Promise<string> => {
      const { resolution } = explain(`${slug}:${name}`, { catalogue, policy: DEFAULT_POLICY, asOf }).finding;
      return resolution.kind === "resolved" ? resolution.releaseCycle.cycle : resolution.kind;
    };
    expect(await refused(ask)).toEqual([]);
  });

  test("static export, which has a file for each answer", { timeout: 240_000 }, async () => {
    const wrong: string[] = [];
    let read = 0;
    const isAsked = new Set(asked.map(({ slug, name }) => `/v1/score/${percentEncode(slug)}/${percentEncode(name)}`));
    for (const { url } of siteEntries(catalogue, ["api"])) {
      if (!url.startsWith("/v1/score/") || (MOST < Infinity && !isAsked.has(url) && url.split("/").length > 4))
        continue;
      read += 1;
      const { statusCode } = await app.inject({ url, headers: EXPORT_HEADERS });
      if (statusCode !== 200) wrong.push(`${url} → ${String(statusCode)}`);
    }
    expect(read).toBeGreaterThanOrEqual(asked.length);
    expect(wrong).toEqual([]);
  });
});

describe("a version that is not the name of a cycle", () => {
  test("one that several cycles can mean is refused, without itself among the candidates", async () => {
    const refusals = [];
    for (const slug of catalogue.slugs()) {
      for (const version of catalogue.product(slug)?.split.keys() ?? []) {
        const [answer] = await local.batch({ products: [{ slug, version }] });
        if (answer !== undefined && "error" in answer) refusals.push({ version, candidates: answer.candidates ?? [] });
      }
    }
    expect(refusals.filter(({ version, candidates }) => candidates.includes(version))).toEqual([]);
  });

  test("a bare major with one cycle below it means this cycle", async () => {
    const ambiguous: string[] = [];
    for (const { slug, name } of cycles) {
      const version = /^\d+(?=\.)/.exec(name)?.[0];
      if (version === undefined) continue;
      const [answer] = await local.batch({ products: [{ slug, version }] });
      if (answer !== undefined && "error" in answer && answer.candidates?.length === 1)
        ambiguous.push(`${slug}:${version}`);
    }
    expect(ambiguous).toEqual([]);
  });
});
