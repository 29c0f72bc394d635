import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../src/api/operations/operations.ts";
import { COMMAND } from "../processes.ts";
import { AFTER_CUT_OFF, startService, stopServices, type Service } from "../service.ts";
import { withoutLimits } from "../../../src/service/mcp/tools.ts";

afterAll(stopServices);

const TOOLS = [
  "check_eol",
  "get_risk_score",
  "scan_stack",
  "list_products",
  "get_product_lifecycle",
  "get_kev_exposure",
  "get_upcoming_eol",
  "get_upgrade_path",
  "get_edge_device_status",
  "check_sbom",
];
const BOM = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  components: ["express@3.1.0", "express@4.0.0", "express@2.0.0", "express@1.0.0"].map((each) => ({
    type: "library",
    name: "express",
    purl: `pkg:npm/${each}`,
  })),
};
const CALLS: readonly [name: string, words: Record<string, unknown>, expected: object][] = [
  ["check_eol", { slug: "nodejs", version: "18.1.0" }, { product: "nodejs", version: "18", is_eol: true }],
  ["get_risk_score", { slug: "nodejs", version: "20" }, { product: "nodejs", version: "20" }],
  ["get_risk_score", { slug: "nodejs" }, { product: "nodejs" }],
  [
    "scan_stack",
    { products: [{ slug: "python", version: "3.9" }, { slug: "nowhere" }] },
    { count: 2, results: [{ version: "3.9" }, { code: "product-not-found" }] },
  ],
  [
    "scan_stack",
    { items: [{ product: "python", version: "3.9" }, { purl: "pkg:npm/nowhere@1" }] },
    { count: 2, results: [{ version: "3.9" }, { code: "purl-not-tracked" }] },
  ],
  ["check_eol", { product: "nodejs", version: 18 }, { version: "18", source: { url: expect.any(String) } }],
  ["scan_stack", { items: [{ product: "nodejs", version: 18 }] }, { results: [{ version: "18" }] }],
  ["check_eol", { product: "nodejs", version: "18.1.0" }, { product: "nodejs", version: "18", is_eol: true }],
  ["get_upgrade_path", { product: "nodejs", version: "18" }, { nearest: { version: "24" } }],
  ["get_upcoming_eol", { days: 400, products: ["nodejs"] }, { days: 400 }],
  ["list_products", { query: "node" }, { products: [{ slug: "nodejs" }] }],
  ["list_products", { search: "node" }, { products: [{ slug: "nodejs" }] }],
  ["list_products", { query: "is node 18 dead" }, { cycles: [{ product: "nodejs", cycle: "18" }] }],
  ["list_products", { query: "nodejs 999" }, { refused: "newer than the catalogue", products: [{ slug: "nodejs" }] }],
  ["get_product_lifecycle", { slug: "redis" }, { product: "redis" }],
  ["get_kev_exposure", { slug: "log4j" }, { kev_exposed: true, count: 2 }],
  ["get_upcoming_eol", { days: 400, products: "nodejs" }, { days: 400 }],
  ["get_upgrade_path", { slug: "nodejs", version: "18" }, { nearest: { version: "24" } }],
  ["check_sbom", { sbom: BOM, warn_days: 30 }, { matched: 4, gate: { warn_days: 30 } }],
  ["check_sbom", { sbom: BOM, max_items: 1 }, { matched: 4, results: [{ score: expect.any(Number) }] }],
  ["get_kev_exposure", { product: "log4j", version: "1" }, { count: 2, version_status: { is_eol: true } }],
  ["get_upgrade_path", { product: "nodejs" }, { product: "nodejs", nearest: { version: "24" } }],
  [
    "get_upcoming_eol",
    { days: 0, recent_past_days: 2000, products: ["nodejs"] },
    { lines: expect.arrayContaining([expect.objectContaining({ version: "18", days_until_eol: null })]) },
  ],
  ["get_edge_device_status", { platform: "Firewall" }, { line_count: 4, platforms: [{ slug: "frobos" }] }],
  [
    "get_edge_device_status",
    { model: "13.0", status: "within-12-months" },
    { line_count: 1, platforms: [{ slug: "frobos", lines: [{ cycle: "13.0-sp2", eos: "2027-01-31" }] }] },
  ],
  ["get_edge_device_status", { platform: "nodejs" }, { line_count: 0, platforms: [], bod_26_02: {} }],
  ["check_sbom", { sbom: JSON.stringify(BOM), strict: true }, { matched: 4 }],
];

type Result = Awaited<ReturnType<Client["callTool"]>>;
const textOf = (result: Result): string => {
  const [first] = Array.isArray(result.content) ? result.content : [];
  return String(first?.text);
};

describe("Streamable HTTP at /mcp", () => {
  let service: Service;
  let base: string;
  beforeAll(async () => {
    service = await startService({ at: AFTER_CUT_OFF });
    base = await service.app.listen({ host: "127.0.0.1", port: 0 });
  });

  async function connected(headers: Record<string, string> = {}, url = base): Promise<Client> {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }));
    return client;
  }

  test("lists the tools with schemas and annotations", async () => {
    const client = await connected();
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).toSorted()).toEqual(TOOLS.toSorted());
    const rows = Object.values(OPERATIONS).flatMap((row) => ("tool" in row ? [row.tool] : []));
    expect(rows.toSorted()).toEqual(TOOLS.toSorted());
    // A client puts this list into the context of a model.
    expect(JSON.stringify(tools).length).toBeLessThan(25_000);
    for (const tool of tools) {
      expect(tool.outputSchema?.type).toBe("object");
      expect(Object.keys(tool.outputSchema?.properties ?? {})).toEqual(
        expect.arrayContaining([...(tool.outputSchema?.required ?? [])]),
      );
      expect(tool.annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
    await client.close();
  });

  test.each(CALLS)("%s %j", async (name, words, expected) => {
    const client = await connected({ "x-api-key": await service.key() });
    await client.listTools(); // so that the client holds each answer against the tool's output schema
    const result = await client.callTool({ name, arguments: words });
    expect(result.isError, textOf(result)).toBeUndefined();
    expect(result.structuredContent).toMatchObject(expected);
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    await client.close();
  });

  test("lists prompts and resources of a size for the context of a model, and answers each", async () => {
    const client = await connected({ "x-api-key": await service.key() });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["audit_stack", "eol_calendar", "upgrade_plan"]);
    for (const { name, arguments: accepted = [] } of prompts) {
      const given = Object.fromEntries(accepted.map((each) => [each.name, `value of ${each.name}`]));
      const { messages } = await client.getPrompt({ name, arguments: given });
      const text = JSON.stringify(messages);
      for (const value of Object.values(given)) expect(text).toContain(value);
      for (const [tool = ""] of text.matchAll(/\b(?:get|check|scan|list)_\w+/g)) expect(TOOLS).toContain(tool);
      expect(text.length).toBeLessThan(1000);
    }
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    const uris = [
      ...resources.map(({ uri }) => uri),
      ...resourceTemplates.map(({ uriTemplate }) =>
        uriTemplate.replace("{product}", "log4j").replace("{version}", "1"),
      ),
    ];
    expect(uris).toEqual([
      "eolgate://upcoming",
      "eolgate://product/log4j",
      "eolgate://kev/log4j",
      "eolgate://status/log4j/1",
    ]);
    for (const uri of uris) {
      const { contents } = await client.readResource({ uri });
      const [content] = contents;
      const text = content && "text" in content ? content.text : "";
      expect(JSON.parse(text)).toMatchObject({ source: { url: expect.any(String) } });
      expect(text.length).toBeLessThan(50_000);
    }
    await client.close();
  });

  test.each([
    ["eolgate://product/nowhere", 'product "nowhere" not found'],
    ["eolgate://product", "there is no resource"],
    ["eolgate://product/nodejs/20", "there is no resource"],
    ["eolgate://constructor/nodejs", "there is no resource"],
    ["https://example.org/nodejs", "there is no resource"],
    ["eolgate://product/%E0%A4%A", "is not encoded correctly"],
  ])("the resource %s is refused with the reason", async (uri, reason) => {
    const client = await connected({ "x-api-key": await service.key() });
    await expect(client.readResource({ uri })).rejects.toThrow(reason);
    await client.close();
  });

  test.each([
    ["audit_stack", {}, "arguments/stack is required"],
    ["upgrade_plan", { product: "nodejs" }, "arguments/version is required"],
    ["toString", {}, "there is no prompt"],
  ])("the prompt %s with %j is refused with the reason", async (name, given, reason) => {
    const client = await connected();
    await expect(client.getPrompt({ name, arguments: given })).rejects.toThrow(reason);
    await client.close();
  });

  test("a failed call returns a helpful error message", async () => {
    const client = await connected({ "x-api-key": await service.key() });
    for (const [name, words, code] of [
      ["check_eol", { slug: "frobos", version: "13.0" }, "ambiguous-version"],
      ["check_eol", { slug: "nowhere", version: "1" }, "product-not-found"],
      ["check_eol", { slug: 5 }, "invalid-request"],
      ["check_eol", { product: "nodejs", version: "20", vresion: "20" }, "invalid-request"],
      ["check_eol", { version: "20" }, "invalid-request"],
      ["check_eol", { product: "nodejs", slug: "python", version: "20" }, "invalid-request"],
      ["scan_stack", {}, "invalid-request"],
      ["check_sbom", { sbom: { hello: "world" } }, undefined],
      ["no_such_tool", {}, "unknown-tool"],
    ] as const) {
      const result = await client.callTool({ name, arguments: words });
      expect(result.isError).toBe(true);
      expect(JSON.parse(textOf(result))).toMatchObject({ error: expect.any(String), ...(code && { code }) });
    }
    await client.close();
  });

  test.each([
    [
      "check_eol",
      { product: "nodejs", version: "20", vresion: "20" },
      "arguments has no field",
      "vresion",
      "product, slug, version, max_characters",
    ],
    [
      "scan_stack",
      { items: [{ name: "a" }] },
      "arguments/items/0 has no field",
      "name",
      "product, slug, version, purl",
    ],
    ["list_products", { filter: "a" }, "arguments has no field", "filter", "query, search, limit, max_characters"],
  ])("an unknown argument of %s is named with the allowed ones", async (name, words, problem, field, allowed) => {
    const client = await connected({ "x-api-key": await service.key() });
    const { error, hint } = JSON.parse(textOf(await client.callTool({ name, arguments: words })));
    expect([error.toLowerCase(), hint]).toEqual([`${problem} "${field}"`, `Use ${allowed}.`]);
    await client.close();
  });

  test("the lifecycle of a product has each cycle without its identifiers and the claims of its sources", async () => {
    const client = await connected({ "x-api-key": await service.key() });
    const result = await client.callTool({ name: "get_product_lifecycle", arguments: { product: "nodejs" } });
    const { versions } = JSON.parse(textOf(result));
    expect(versions.length).toBeGreaterThan(5);
    for (const each of versions) {
      expect(each).toMatchObject({
        version: expect.any(String),
        status: expect.any(String),
        score: expect.any(Number),
      });
      expect(each).not.toHaveProperty("purl");
      expect(JSON.stringify(each).length).toBeLessThan(1100);
    }
    await client.close();
  });

  test("works without a key after the cut-off, with anonymous limits, and with higher limits with a key", async () => {
    const own = await startService({ at: AFTER_CUT_OFF, tiers: { anonymous: { requests_per_day: 3 } } });
    const address = await own.app.listen({ host: "127.0.0.1", port: 0 });
    const client = await connected({}, address);
    const stack = { products: [1, 2, 3, 4].map(() => ({ slug: "nodejs", version: "20" })) };
    expect(JSON.parse(textOf(await client.callTool({ name: "scan_stack", arguments: stack })))).toMatchObject({
      code: "batch-limit",
      limit: 3,
    });
    const sbom = await client.callTool({ name: "check_sbom", arguments: { sbom: BOM } });
    expect(sbom.structuredContent).toMatchObject({ scored: 3, not_scored_count: 1 });
    await client.listTools();
    await client.callTool({ name: "list_products", arguments: {} });
    const over = await client.callTool({ name: "list_products", arguments: {} });
    expect(JSON.parse(textOf(over))).toMatchObject({ code: "quota-exceeded", limit: 3 });
    const keyed = await connected({ authorization: `Bearer ${await own.key()}` }, address);
    expect((await keyed.callTool({ name: "scan_stack", arguments: stack })).structuredContent).toMatchObject({
      count: 4,
    });
    await expect(connected({ "x-api-key": "wrong" }, address)).rejects.toThrow();
    await client.close();
    await keyed.close();
  });

  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const headers = { accept: "application/json, text/event-stream" };
  test.each([
    ["the host of a DNS rebinding attack", { host: "evil.example" }, 403],
    ["another origin", { host: "127.0.0.1", origin: "https://evil.example" }, 403],
    ["an opaque origin", { host: "127.0.0.1", origin: "null" }, 403],
    ["an invalid host", { host: "a b" }, 403],
    ["the public host", { host: "eol.example.org", origin: "https://eol.example.org" }, 200],
    ["a page of another origin, by the public name", { host: "eol.example.org", origin: "https://agent.example" }, 200],
    ["localhost", { host: "localhost:8080", origin: "http://localhost:6274" }, 200],
    ["an IP address", { host: "192.0.2.1:8080" }, 200],
    ["IPv6", { host: "[::1]:8080" }, 200],
  ])("%s", async (_, extraHeaders, status) => {
    expect((await service.post("/mcp", ping, { ...headers, ...extraHeaders })).statusCode).toBe(status);
  });

  test("with --open, pages of other origins are refused by the public name too", async () => {
    const open = await startService({ at: AFTER_CUT_OFF, settings: { open: true } });
    const foreign = { ...headers, host: "eol.example.org", origin: "https://agent.example" };
    expect((await open.post("/mcp", ping, foreign)).statusCode).toBe(403);
  });

  test("requests that are not MCP", async () => {
    const host = { host: "127.0.0.1" };
    expect((await service.post("/mcp", ping, host)).statusCode).toBe(406);
    expect((await service.post("/mcp", "{", { ...headers, ...host })).statusCode).toBe(400);
    expect((await service.post("/mcp", { hello: "world" }, { ...headers, ...host })).statusCode).toBe(400);
    expect((await service.post("/mcp", "x", { ...headers, ...host, "content-type": "text/plain" })).statusCode).toBe(
      415,
    );
  });
});

describe("stdio", () => {
  test("provides the same tools without limits", async () => {
    const { createMcpServer } = await import("../../../src/service/mcp/server.ts");
    const { editions } = await startService({ at: AFTER_CUT_OFF });
    const { local } = editions.current();
    const server = createMcpServer({
      source: { url: "https://eol.example.org/methodology", note: "test" },
      version: "1",
      docs: "https://eol.example.org/docs",
      context: withoutLimits(local, local.context.catalogue, local.context.asOf),
      admit: async () => undefined,
      onBug: (cause) => {
        throw cause;
      },
    });
    const [here, there] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "test", version: "1" });
    await Promise.all([server.connect(here), client.connect(there)]);
    for (const [name, words, expected] of CALLS) {
      expect((await client.callTool({ name, arguments: words })).structuredContent).toMatchObject(expected);
    }
    await client.close();
  });

  test("starts as eolgate mcp like in an editor", async () => {
    const client = new Client({ name: "test", version: "1" });
    const fixture = new URL("../../fixtures/catalogue.json", import.meta.url).pathname;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [COMMAND, "mcp", "--catalogue", fixture],
      stderr: "pipe",
    });
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    const result = await client.callTool({ name: "check_eol", arguments: { slug: "nodejs", version: "18" } });
    expect(result.structuredContent).toMatchObject({ is_eol: true });
    await client.close();
  });
});
