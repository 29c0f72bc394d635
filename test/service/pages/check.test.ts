/** `/check`: the HTML form. It assesses documents like `eolgate check` and does not store them. */
import { gzipSync } from "node:zlib";
import type { LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pages } from "../../../src/service/pages/pages.ts";
import { AFTER_CUT_OFF, startService, stopServices, type Service } from "../service.ts";
import { BROWSER, EVIL } from "./page-fixtures.ts";

let service: Service;
beforeAll(async () => void (service = await startService({ pages })));
afterAll(stopServices);

const SBOM = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  components: [
    { type: "application", name: "nodejs", version: "16.20.0" },
    { type: "library", name: EVIL, version: "1" },
  ],
};

interface Upload {
  readonly content: string | Buffer;
  readonly name: string;
}

/** What a browser sends. */
async function send(
  to: Service,
  fields: Readonly<Record<string, string | Upload>>,
  remoteAddress = "192.0.2.1",
): Promise<LightMyRequestResponse> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.set(name, value);
    else form.set(name, new File([new Uint8Array(Buffer.from(value.content))], value.name));
  }
  const request = new Request("http://localhost/check", { method: "POST", body: form });
  return to.inject({
    method: "POST",
    url: "/check",
    remoteAddress,
    headers: { ...BROWSER, "content-type": request.headers.get("content-type") ?? "" },
    payload: Buffer.from(await request.arrayBuffer()),
  });
}

const upload = (content: unknown, name = "bom.json"): Upload => ({ content: JSON.stringify(content), name });

test("shows the report of a document with the exit code for CI and both downloads", async () => {
  const { statusCode, body, headers } = await send(service, { document: upload(SBOM) });
  expect(statusCode).toBe(200);
  expect(headers["cache-control"]).toBe("no-store");
  expect(body).toContain("would exit with code <b>1</b>");
  expect(body).toContain("(Node.js 16) has reached end of life");
  expect(body).toContain("<code>bom.json</code>");
  expect(body).not.toContain("<img src=x");
  const files = [...body.matchAll(/<a download="([^"]*)" href="data:[\w/-]+;base64,([^"]*)"/g)].map(
    ([, name, data]) => [name, Buffer.from(data ?? "", "base64").toString()] as const,
  );
  expect(files.map(([name]) => name)).toEqual(["eolgate-report.html", "bom.enriched.json"]);
  expect(files[0]?.[1]).toMatch(/^<!doctype html>[\s\S]*\(Node\.js 16\) has reached end of life/);
  expect(JSON.parse(files[1]?.[1] ?? "").components[0].properties).toContainEqual({
    name: "lifecycle:status",
    value: "eol",
  });
});

test("creates a watch list from the release cycles of a result with one form", async () => {
  const { body } = await send(service, { document: upload(SBOM) });
  expect(body).toContain("Watch 1 release cycle</h2>");
  expect(body).toContain('<input type="hidden" name="list" value="nodejs 16">');
  const nothing = await send(service, { document: upload({ ...SBOM, components: SBOM.components.slice(1) }) });
  expect(nothing.body).not.toContain('action="/watch"');
});

test.each([
  ["report", "text/html; charset=utf-8", 'attachment; filename="eolgate-report.html"', "<!doctype html>"],
  ["enriched", "application/octet-stream", 'attachment; filename="bom.enriched.json"', '{"bomFormat"'],
])("the button for the %s downloads a file", async (answer, type, disposition, start) => {
  const { headers, body } = await send(service, { document: upload(SBOM), answer });
  expect(headers).toMatchObject({ "content-type": type, "content-disposition": disposition });
  expect(body.slice(0, start.length)).toBe(start);
});

test.each([
  ["nodejs 18, debian 11", ["Node.js 18", "Debian 11"]],
  ["Node.js v18.20.1\npython:3.9 # the old one\n\ndebian@12", ["Node.js 18", "Python 3.9", "Debian 12"]],
  ["pkg:npm/express@4.18.2\npkg:npm/left-pad@1.0.0, node 18", ["Express 4", "left-pad", "Node.js 18"]],
  ["Node 18; Postgres 12", ["Node.js 18", "PostgreSQL 12"]],
])("reads the list %j", async (list, names) => {
  const { statusCode, body } = await send(service, { list });
  expect(statusCode).toBe(200);
  for (const name of names) expect(body).toContain(name);
  expect(body).toContain("<code>pasted list</code>");
});

test.each([
  ["an unknown product", "nodejs 18\nfrobnicator 3", "frobnicator 3"],
  ["a word", "nodejs 18, hello", "hello"],
  ["a product without a version", "nodejs 18, nodejs", "nodejs"],
  ["a name of several products", "nodejs 18, java 8", "java 8"],
  ["a damaged package URL", "nodejs 18, pkg:npm", "pkg:npm"],
])("lists %s as not assessed, and checks the other entries", async (_, list, entry) => {
  const { statusCode, body } = await send(service, { list });
  expect([statusCode, body.includes("Node.js 18"), body.includes("exit with code <b>1</b>")]).toEqual([
    200,
    true,
    true,
  ]);
  expect(body).toMatch(/>Not assessed<\/h2><ul><li>1 × /);
  expect(body).toContain(entry);
});

test.each([
  ["node18", "Node.js 18"],
  ["Node.js v18.20.1", "Node.js 18"],
  ["postgres 12", "PostgreSQL 12"],
  ["debian bullseye", "Debian 11"],
  ["spring boot 2.7", "Spring Boot 2.7"],
])("reads %j like the search", async (list, name) => {
  expect((await send(service, { list })).body).toContain(name);
});

test("reads an urlencoded form without scripts and files", async () => {
  const { statusCode, body } = await service.inject({
    method: "POST",
    url: "/check",
    headers: { ...BROWSER, "content-type": "application/x-www-form-urlencoded" },
    payload: "list=nodejs+16",
  });
  expect([statusCode, body.includes("exit with code <b>1</b>")]).toEqual([200, true]);
});

test.each([
  ["a pasted document", { list: JSON.stringify(SBOM) }, "pasted document", 1],
  ["a Dockerfile by its name", { document: { content: "FROM node:16\n", name: "Dockerfile" } }, "Dockerfile", 1],
  ["a document that is supported", { list: "nodejs 24" }, "pasted list", 0],
  ["no SBOM", { document: { content: '{"a":1}', name: "a.json" } }, "Could not be read", 3],
  ["not JSON", { document: { content: "{", name: "a.json" } }, "Could not be read", 3],
  ["a document without components", { document: upload({ ...SBOM, components: [] }) }, "Could not be read", 3],
  [
    "nothing that can be assessed",
    { document: upload({ ...SBOM, components: SBOM.components.slice(1) }) },
    "NO VERDICT",
    6,
  ],
  [
    "a compressed document",
    { document: { content: gzipSync(JSON.stringify(SBOM)), name: "bom.json.gz" } },
    "Could not be read",
    3,
  ],
])("%s", async (_, fields, words, exit) => {
  const { statusCode, body } = await send(service, fields);
  expect(statusCode).toBe(200);
  expect(body).toContain(words);
  expect(body).toContain(`exit with code <b>${exit}</b>`);
});

describe("is refused with a page that contains a hint", () => {
  test.each([
    ["nothing", { list: "" }, "a file nor a list"],
    ["an empty list", { list: " \n# only a comment" }, "list is empty"],
    ["too many entries", { list: "nodejs 18,".repeat(501) }, "more than the limit"],
  ])("%s", async (_, fields, words) => {
    const { statusCode, body } = await send(service, fields);
    expect([statusCode, body.includes(words)]).toEqual([400, true]);
    expect(body).toContain("<h1>");
  });

  test.each(["text/plain", "application/json", "multipart/form-data", "multipart/form-data; boundary=x"])(
    "a body of type %s",
    async (type) => {
      const { statusCode, body } = await service.inject({
        method: "POST",
        url: "/check",
        headers: { ...BROWSER, "content-type": type },
        payload: "list=nodejs+18",
      });
      expect([statusCode, body.includes("not a form")]).toEqual([400, true]);
    },
  );

  test("an enriched document of a list", async () => {
    const { statusCode, body } = await send(service, { list: "nodejs 18", answer: "enriched" });
    expect([statusCode, body.includes("no enriched document")]).toEqual([400, true]);
  });

  test("form above the size limit", async () => {
    const small = await startService({ pages, settings: { maxBody: 1000 } });
    const { statusCode } = await send(small, { list: "x".repeat(2000) });
    expect(statusCode).toBe(413);
  });
});

test("counts against the anonymous quota, also after the end of keyless access", async () => {
  const late = await startService({ pages, at: AFTER_CUT_OFF, tiers: { anonymous: { requests_per_day: 2 } } });
  const checkFrom = (address: string) => send(late, { list: "nodejs 24" }, address);
  expect((await checkFrom("192.0.2.7")).headers["ratelimit-remaining"]).toBe("1");
  expect((await checkFrom("192.0.2.7")).statusCode).toBe(200);
  expect((await checkFrom("192.0.2.7")).statusCode).toBe(429);
  expect((await checkFrom("192.0.2.8")).statusCode).toBe(200);
});

test("writes nothing of the document to the store or the log", async () => {
  const lines: string[] = [];
  const write = (facts: object, text: string): void => void lines.push(JSON.stringify(facts) + text);
  const watched = await startService({ pages, log: { info: write, warn: write, error: write } });
  const secret = "a-very-internal-name";
  await send(watched, {
    document: upload({ ...SBOM, components: [{ type: "library", name: secret, version: "1" }] }, `${secret}.json`),
  });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("\n")).not.toContain(secret);
});
