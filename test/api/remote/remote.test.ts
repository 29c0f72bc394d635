import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { asIsoDate, asProductSlug } from "../../../src/text/ids.ts";
import { createRemote, type RemoteOptions } from "../../../src/api/remote/remote.ts";
import { assess } from "../../../src/lifecycle/assess.ts";
import { linksUnder } from "../../../src/wire/links.ts";
import { scoreObject } from "../../../src/wire/score.ts";
import { day, product, releaseCycle } from "../../lifecycle/builders.ts";

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A service that answers as the test defines. */
async function service(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => answer(request, response, body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
};

function remoteTo(base: string, options: Partial<RemoteOptions> = {}) {
  const pauses: number[] = [];
  const remote = createRemote({
    base,
    env: {},
    asOf: asIsoDate("2026-12-01"),
    pause: async (wait) => void pauses.push(wait),
    ...options,
  });
  return { remote, pauses };
}

const KEV = {
  product: "frob",
  name: "Frob",
  kev_exposed: false,
  kev_basis: null,
  count: 0,
  entries: [],
  kev_catalog: "2026.01.01",
  product_url: "https://eol.example.org/frob",
  docs: "https://eol.example.org/docs",
};
const failure = { error: "x", code: "y", docs: "https://eol.example.org/docs" };

describe("scores that cannot be true", () => {
  const cycle = releaseCycle(day("2026-01-01"));
  const score = (asOf: string) =>
    scoreObject(assess(product([cycle]), cycle, asIsoDate(asOf)), linksUnder("https://eol.example.org"));
  const asked = { product: product([cycle]).slug, cycle: cycle.name };

  test.each([
    ["the answer", score("2026-12-01"), undefined],
    ["the status contradicts the date", { ...score("2026-12-01"), status: "active" }, "unexpected-answer"],
    ["the day is another one", score("2020-01-01"), "unexpected-answer"],
    ["the cycle is another one", { ...score("2026-12-01"), version: "99" }, "cycle-not-at-service"],
    ["the product is another one", { ...score("2026-12-01"), product: "other" }, "cycle-not-at-service"],
  ])("end with exit 5: %s", async (_, answered, code) => {
    const base = await service((_request, response) => json(response, 200, { results: [answered] }));
    const { remote } = remoteTo(base);
    const found = await remote.assessCycles([asked]).catch((error: unknown) => error);
    if (code === undefined) expect(found).toMatchObject([{ releaseCycle: asked }]);
    else expect(found).toMatchObject({ code, exit: 5 });
    await remote.close();
  });
});

describe("an answer that does not end", () => {
  const bytes =
    (count: number, every: number): Answer =>
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" ".repeat(count)), every);
      response.on("close", () => clearInterval(timer));
    };

  test.each<[string, Partial<RemoteOptions>, string]>([
    ["has a pace", { pace: { period: 100, bytes: 1000 } }, "fewer than 1000 bytes within 0.1 s"],
    ["has a budget of the run", { budget: 100 }, "all requests took 0.1 s"],
    ["has a deadline", { deadline: 100 }, "no complete answer within 0.1 s"],
  ])("%s, and ends with exit 5", async (_, options, why) => {
    const base = await service(bytes(1, 5));
    const { remote } = remoteTo(base, options);
    const found = await remote.kev({ slug: "frob" }).catch((error: unknown) => error);
    expect(found).toMatchObject({ code: "no-answer", exit: 5 });
    expect(String(found)).toContain(why);
    await remote.close();
  });

  test("keeps its pace, and ends", async () => {
    const base = await service((_, response) => {
      const parts = [JSON.stringify(KEV), ...Array.from({ length: 8 }, () => " ".repeat(500))];
      const timer = setInterval(() => {
        const part = parts.shift();
        if (part === undefined) response.end();
        else response.write(part);
      }, 40);
      response.on("close", () => clearInterval(timer));
    });
    const { remote } = remoteTo(base, { pace: { period: 200, bytes: 500 } });
    expect(await remote.kev({ slug: "frob" })).toEqual(KEV);
    await remote.close();
  });

  test("the budget is one of all requests, and the time between them does not count", async () => {
    const base = await service((_, response) => setTimeout(() => json(response, 200, KEV), 60));
    const { remote } = remoteTo(base, { budget: 300 });
    const asked = async (): Promise<unknown> => remote.kev({ slug: "frob" }).catch((error: unknown) => error);
    const answers: unknown[] = [await asked()];
    await new Promise((resolve) => setTimeout(resolve, 350));
    for (let requests = 0; requests < 6; requests += 1) answers.push(await asked());
    expect(answers.slice(0, 2)).toEqual([KEV, KEV]);
    expect(answers.at(-1)).toMatchObject({ code: "no-answer", exit: 5 });
    await remote.close();
  });

  test("a long document has the time that sending it takes", async () => {
    const base = await service((_request, response) => setTimeout(() => json(response, 400, failure), 300));
    const { remote } = remoteTo(base, { sendSbom: true, pace: { period: 100, bytes: 1000 } });
    const sent = (size: number): Promise<unknown> =>
      remote.sbom({ document: new Uint8Array(size) }).catch((error: unknown) => error);
    expect(await sent(2000)).toMatchObject({ code: "y" });
    expect(await sent(10)).toMatchObject({ code: "no-answer" });
    await remote.close();
  });
});

describe("retries", () => {
  test.each([429, 500, 502, 503, 504])("repeat the request after %i with back-off", async (status) => {
    let requests = 0;
    const base = await service((_, response) => {
      requests += 1;
      json(response, requests < 3 ? status : 200, requests < 3 ? failure : KEV);
    });
    const { remote, pauses } = remoteTo(base);
    expect(await remote.kev({ slug: "frob" })).toEqual(KEV);
    expect(pauses).toEqual([500, 1000]);
  });

  test("use the delay of Retry-After", async () => {
    let requests = 0;
    const base = await service((_, response) => {
      requests += 1;
      if (requests === 1) json(response, 503, failure, { "retry-after": "7" });
      else json(response, 200, KEV);
    });
    const { remote, pauses } = remoteTo(base);
    await remote.kev({ slug: "frob" });
    expect(pauses).toEqual([7000]);
  });

  test("do not wait for a quota that resets at midnight", async () => {
    const base = await service((_, response) =>
      json(response, 429, { ...failure, code: "quota-exceeded" }, { "retry-after": "3600" }),
    );
    const { remote, pauses } = remoteTo(base);
    await expect(remote.kev({ slug: "frob" })).rejects.toMatchObject({
      kind: "quota",
      code: "quota-exceeded",
      exit: 5,
    });
    expect(pauses).toEqual([]);
  });

  test("repeat the request after a dropped connection, then report a network error", async () => {
    let requests = 0;
    const base = await service((request) => {
      requests += 1;
      request.socket.destroy();
    });
    const { remote } = remoteTo(base);
    await expect(remote.kev({ slug: "frob" })).rejects.toMatchObject({ kind: "network", code: "no-answer", exit: 5 });
    expect(requests).toBe(4);
  });

  test.each([400, 401, 403, 404, 409, 413])("do not repeat the request after %i", async (status) => {
    let requests = 0;
    const base = await service((_, response) => {
      requests += 1;
      json(response, status, failure);
    });
    await expect(remoteTo(base).remote.kev({ slug: "frob" })).rejects.toMatchObject({ code: "y", message: "x" });
    expect(requests).toBe(1);
  });
});

test("an answer that arrives a byte at a time ends at the deadline", async () => {
  const base = await service((_, response) => {
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  });
  await expect(remoteTo(base, { deadline: 150 }).remote.kev({ slug: "frob" })).rejects.toMatchObject({
    code: "no-answer",
    exit: 5,
    message: "the service did not answer: no complete answer within 0.15 s",
  });
});

describe("response validation", () => {
  test.each([
    ["not JSON", "<html>", "unexpected-answer"],
    ["another object", '{"hello":"world"}', "unexpected-answer"],
    ["a wrong type", JSON.stringify({ ...KEV, count: "0" }), "unexpected-answer"],
  ])("refuses %s with an error", async (_, body, code) => {
    const base = await service((__, response) => void response.end(body));
    await expect(remoteTo(base).remote.kev({ slug: "frob" })).rejects.toMatchObject({ kind: "network", code });
  });

  test("refuses an error page that is not from the service", async () => {
    const base = await service((_, response) => void response.writeHead(404).end("<h1>Not here</h1>"));
    await expect(remoteTo(base).remote.kev({ slug: "frob" })).rejects.toMatchObject({ code: "unexpected-status" });
  });

  test("prints the notice for requests without a key once, separate from the result", async () => {
    const base = await service((_, response) => json(response, 200, { ...KEV, keyless_access_notice: "soon" }));
    const notices: string[] = [];
    const { remote } = remoteTo(base, { onNotice: (notice) => void notices.push(notice) });
    expect(await remote.kev({ slug: "frob" })).toEqual(KEV);
    await remote.kev({ slug: "frob" });
    expect(notices).toEqual(["soon"]);
  });
});

const lines = (count: number) => Array.from({ length: count }, (_, index) => ({ slug: `p${index}`, version: "1" }));
const errorFor = (product: { slug?: string }) => ({ ...product, error: "not found", code: "product-not-found" });

describe("batches", () => {
  test.each([
    ["bare", (results: unknown) => results],
    ["enveloped", (results: unknown) => ({ count: 1, results, tier: "free" })],
  ])("stay within the limit of the tier and keep the order of %s results", async (_, wrap) => {
    const sizes: number[] = [];
    const base = await service((request, response, body) => {
      if (request.url === "/v1") return json(response, 200, { limits: { batch_items: 5 } });
      const { products } = JSON.parse(body);
      sizes.push(products.length);
      return json(response, 200, wrap(products.map(errorFor)));
    });
    const answer = await remoteTo(base).remote.batch({ products: lines(12) });
    expect(sizes.toSorted((a, b) => a - b)).toEqual([2, 5, 5]);
    expect(answer.map((each) => ("slug" in each ? each.slug : ""))).toEqual(lines(12).map(({ slug }) => slug));
  });

  test("refuse a response with another number of results", async () => {
    const base = await service((_, response) => json(response, 200, []));
    await expect(remoteTo(base).remote.batch({ products: lines(2) })).rejects.toMatchObject({
      code: "unexpected-answer",
    });
  });

  test("stop the scan when the response contains an error for a cycle", async () => {
    const base = await service((_, response, body) => json(response, 200, JSON.parse(body).products.map(errorFor)));
    const releaseCycle = { product: asProductSlug("frob"), cycle: "1" };
    await expect(remoteTo(base).remote.assessCycles([releaseCycle])).rejects.toMatchObject({
      code: "cycle-not-at-service",
    });
  });
});

describe("request data", () => {
  test("contains the key and the user agent, and nothing about the machine", async () => {
    const seen: IncomingMessage[] = [];
    const base = await service((request, response) => {
      seen.push(request);
      json(response, 200, KEV);
    });
    await remoteTo(base, { key: "eolg_x" }).remote.kev({ slug: "a b/c" });
    expect(seen[0]?.url).toBe("/v1/kev/a%20b%2Fc");
    expect(Object.keys(seen[0]?.headers ?? {}).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
      "x-api-key",
    ]);
    expect(seen[0]?.headers["user-agent"]).toMatch(/^eolgate\/\d/);
  });

  test("is sent below the base path and through the proxy of the environment", async () => {
    const seen: string[] = [];
    const proxy = await service((request, response) => {
      seen.push(String(request.url));
      json(response, 200, KEV);
    });
    const { remote } = remoteTo("http://localhost:9/below/", { env: { HTTP_PROXY: proxy } });
    await remote.kev({ slug: "frob" });
    expect(seen).toEqual(["http://localhost:9/below/v1/kev/frob"]);
    const direct = await service((_, response) => json(response, 200, KEV));
    await remoteTo(direct, { env: { http_proxy: proxy, no_proxy: "127.0.0.1" } }).remote.kev({ slug: "frob" });
    expect(seen).toHaveLength(1);
  });

  test.each(["ftp://example.org", "not a url", "https://user:secret@example.org"])(
    "refuses %s as an address",
    (base) => {
      expect(() => createRemote({ base, env: {}, asOf: asIsoDate("2026-12-01") })).toThrow(
        expect.objectContaining({ kind: "usage", code: "invalid-value" }),
      );
    },
  );
});
