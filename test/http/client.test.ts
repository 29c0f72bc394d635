/** The HTTP client: who receives credentials, which redirects are followed, retries, limits and deadlines. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { MockAgent } from "undici";
import { afterEach, describe, expect, test } from "vitest";
import { followedAddress, isLoopback, type RedirectRule } from "../../src/http/address.ts";
import { createHttpClient, type HttpClientOptions, type HttpRequest, type RetryRule } from "../../src/http/client.ts";
import { HttpFailure } from "../../src/http/failure.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const SAME: RedirectRule = { max: 3, to: "same-origin" };
const ANY: RedirectRule = { max: 3, to: "any-host" };

function clientWith(options: Partial<HttpClientOptions>) {
  const client = createHttpClient({
    env: {},
    deadline: 5000,
    limit: 10_000,
    pause: () => Promise.resolve(),
    ...options,
  });
  closing.push(() => client.close());
  return client;
}

/** What was received, and the kind of the failure or the status. */
async function outcomeOf(act: Promise<{ readonly status: number }>): Promise<number | string> {
  try {
    return (await act).status;
  } catch (cause) {
    if (cause instanceof HttpFailure) return cause.kind;
    throw cause;
  }
}

/** Hosts without a network: each address answers with a redirect, or with 200. Returns what they received. */
function hosts(redirects: Readonly<Record<string, readonly [status: number, location: string]>>) {
  const agent = new MockAgent();
  agent.disableNetConnect();
  closing.push(() => agent.close());
  const received: string[] = [];
  const origins = new Set([START, ...Object.keys(redirects), ...Object.values(redirects).map(([, to]) => to)]);
  const valid = [...origins].filter((address) => URL.canParse(address, START));
  for (const origin of new Set(valid.map((address) => new URL(address, START).origin))) {
    if (!/^https?:/.test(origin)) continue;
    agent
      .get(origin)
      .intercept({ path: () => true, method: () => true })
      .reply((request) => {
        const headers = new Headers(request.headers);
        const address = `${origin}${request.path}`;
        received.push(
          `${address}${headers.has("authorization") ? " token" : ""}${request.body === undefined || request.body === null ? "" : " body"}`,
        );
        const [statusCode, location] = redirects[address] ?? [200, undefined];
        return {
          statusCode,
          data: "{}",
          ...(location !== undefined && { responseOptions: { headers: { location } } }),
        };
      })
      .persist();
  }
  return { agent, received };
}

const START = "https://api.example.org/start";
const TOKEN = { authorization: "Bearer secret" };

/** `refused`: no request is sent to the address. `token`: it receives the credentials. `bare`: it does not. */
type Expected = "token" | "bare" | "refused";

describe("credentials after a redirect", () => {
  const rows: readonly (readonly [what: string, location: string, sameOrigin: Expected, anyHost: Expected])[] = [
    ["another path", "/other", "token", "token"],
    ["the same origin as an address", "https://api.example.org/other", "token", "token"],
    ["the default port, written", "https://api.example.org:443/other", "token", "token"],
    ["the same host in capitals", "https://API.EXAMPLE.ORG/other", "token", "token"],
    ["an address without a scheme", "//api.example.org/other", "token", "token"],
    ["another host without a scheme", "//storage.example.net/other", "refused", "bare"],
    ["another host", "https://storage.example.net/other", "refused", "bare"],
    ["another port", "https://api.example.org:8443/other", "refused", "bare"],
    ["a subdomain", "https://a.api.example.org/other", "refused", "bare"],
    ["the parent domain", "https://example.org/other", "refused", "bare"],
    ["a host that ends with the name", "https://evilapi.example.org/other", "refused", "bare"],
    ["the host with a dot at its end", "https://api.example.org./other", "refused", "bare"],
    ["the same host without TLS", "http://api.example.org/other", "refused", "refused"],
    ["another host without TLS", "http://storage.example.net/other", "refused", "refused"],
    ["a user name", "https://user@api.example.org/other", "refused", "refused"],
    ["a password", "https://user:password@storage.example.net/other", "refused", "refused"],
    ["the host as a user name", "https://api.example.org@storage.example.net/other", "refused", "refused"],
    ["another scheme", "file:///etc/passwd", "refused", "refused"],
    ["no address", "https://[", "refused", "refused"],
    ["loopback", "https://127.0.0.1/other", "refused", "refused"],
    ["loopback as a number", "https://2130706433/other", "refused", "refused"],
    ["loopback in IPv6", "https://[::1]/other", "refused", "refused"],
    ["loopback, mapped into IPv6", "https://[::ffff:127.0.0.1]/other", "refused", "refused"],
    ["localhost", "https://localhost:8443/other", "refused", "refused"],
    ["a name of localhost", "https://x.localhost/other", "refused", "refused"],
    ["every address of this machine", "https://0.0.0.0/other", "refused", "refused"],
  ];
  const table = rows.flatMap(([what, location, same, any]) => [
    [what, "same-origin", location, same] as const,
    [what, "any-host", location, any] as const,
  ]);

  test.each(table)("to %s, with the rule %s (%s): %s", async (_, to, location, expected) => {
    const refused = expected === "refused";
    const target = URL.canParse(location, START) ? new URL(location, START) : new URL(START);
    const { agent, received } = hosts({ [START]: [302, location] });
    const client = clientWith({ dispatcher: agent, redirects: { max: 3, to } });
    expect(await outcomeOf(client.send({ url: new URL(START), credentials: TOKEN }))).toBe(refused ? "redirect" : 200);
    const followed = `${target.origin}/other${expected === "token" ? " token" : ""}`;
    expect(received).toEqual([`${START} token`, ...(refused ? [] : [followed])]);
  });

  test.each([301, 302, 303, 307, 308])("with status %i do not reach another host", async (status) => {
    const { agent, received } = hosts({ [START]: [status, "https://storage.example.net/x"] });
    const client = clientWith({ dispatcher: agent, redirects: ANY });
    expect(await outcomeOf(client.send({ url: new URL(START), credentials: TOKEN }))).toBe(200);
    expect(received).toEqual([`${START} token`, "https://storage.example.net/x"]);
  });

  test("are not sent again to the first host, which another host chose", async () => {
    const { agent, received } = hosts({
      [START]: [302, "https://storage.example.net/x"],
      "https://storage.example.net/x": [302, "https://api.example.org/admin"],
    });
    const client = clientWith({ dispatcher: agent, redirects: ANY });
    await client.send({ url: new URL(START), credentials: TOKEN });
    expect(received.at(-1)).toBe("https://api.example.org/admin");
  });

  test("are sent again by a retry", async () => {
    const { agent, received } = hosts({ [START]: [503, ""] });
    const client = clientWith({ dispatcher: agent, redirects: ANY, retry: { tries: 2 } });
    expect(await outcomeOf(client.send({ url: new URL(START), credentials: TOKEN }))).toBe(503);
    expect(received).toEqual([`${START} token`, `${START} token`]);
  });

  test.each([
    ["the same host", "/other", 200, ["https://api.example.org/other token body"]],
    ["another host", "https://storage.example.net/other", "redirect", []],
  ])("a body is repeated on %s only", async (_, location, expected, more) => {
    const { agent, received } = hosts({ [START]: [307, location] });
    const client = clientWith({ dispatcher: agent, redirects: ANY });
    const request: HttpRequest = { method: "POST", url: new URL(START), credentials: TOKEN, body: "refresh_token=x" };
    expect(await outcomeOf(client.send(request))).toBe(expected);
    expect(received).toEqual([`${START} token body`, ...more]);
  });
});

describe("redirects", () => {
  test.each([301, 302, 303, 307, 308])("with status %i are followed", async (status) => {
    const { agent } = hosts({ [START]: [status, "/other"] });
    const client = clientWith({ dispatcher: agent, redirects: SAME });
    expect(await outcomeOf(client.send({ url: new URL(START) }))).toBe(200);
    expect(await outcomeOf(client.open({ url: new URL(START) }))).toBe(200);
  });

  test.each([300, 304])("with status %i are answers", async (status) => {
    const { agent } = hosts({ [START]: [status, "/other"] });
    expect(await outcomeOf(clientWith({ dispatcher: agent, redirects: SAME }).send({ url: new URL(START) }))).toBe(
      status,
    );
  });

  test("are answers without a rule", async () => {
    const { agent, received } = hosts({ [START]: [302, "/other"] });
    expect(await outcomeOf(clientWith({ dispatcher: agent }).send({ url: new URL(START) }))).toBe(302);
    expect(received).toHaveLength(1);
  });

  test.each([
    [3, 200],
    [4, "redirect"],
  ])("%i in a row, with a maximum of 3: %s", async (count, expected) => {
    const chain = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        index === 0 ? START : `https://api.example.org/${String(index)}`,
        [302, `/${String(index + 1)}`] as const,
      ]),
    );
    const { agent } = hosts(chain);
    const client = clientWith({ dispatcher: agent, redirects: SAME });
    expect(await outcomeOf(client.send({ url: new URL(START) }))).toBe(expected);
  });

  test.each([
    ["ghcr.io", [], "https://storage.example.com/x", "allowed"],
    ["ghcr.io", [], "/v2/x", "allowed"],
    ["ghcr.io", [], "http://storage.example.com/x", "not https"],
    ["ghcr.io", [], "https://127.0.0.1/x", "on this machine"],
    ["ghcr.io", [], "https://localhost:8443/x", "on this machine"],
    ["ghcr.io", [], "https://[::1]/x", "on this machine"],
    ["ghcr.io", [], "ftp://storage.example.com/x", "not https"],
    ["ghcr.io", [], "https://u@storage.example.com/x", "user name"],
    ["localhost:5000", [], "http://127.0.0.1:9000/x", "allowed"],
    ["localhost:5000", [], "http://storage.example.com/x", "not https"],
    ["registry.lan", ["registry.lan"], "http://registry.lan/x", "allowed"],
    ["registry.lan", ["registry.lan"], "http://other.lan/x", "not https"],
    ["registry.lan", ["registry.lan:5000"], "http://registry.lan/x", "not https"],
  ])("from %s (insecure hosts: %j) to %s: %s", (host, insecure, address, expected) => {
    const follow = () => followedAddress(address, new URL(`https://${host}/`), { to: "any-host", insecure });
    if (expected === "allowed") expect(follow().pathname).toMatch(/x$/);
    else expect(follow).toThrow(expected);
  });
});

test.each([
  ["http://localhost/", true],
  ["http://127.0.0.1:5000/", true],
  ["http://127.8.9.10/", true],
  ["http://[::1]/", true],
  ["http://localhost.example.org/", false],
  ["http://127.0.0.1.example.org/", false],
  ["http://10.0.0.1/", false],
  ["http://x.localhost/", false],
])("%s is loopback: %s", (address, expected) => {
  expect(isLoopback(new URL(address))).toBe(expected);
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/x`);
}

/** Sends a byte every few milliseconds, without end. */
const drip = (response: ServerResponse): void => {
  response.writeHead(200);
  const timer = setInterval(() => response.write("x"), 20);
  response.on("close", () => clearInterval(timer));
};

describe("deadline", () => {
  const rows: readonly (readonly [string, (request: IncomingMessage, response: ServerResponse) => void])[] = [
    ["never answers", () => undefined],
    ["sends a byte at a time", (_, response) => drip(response)],
    [
      "redirects to an address that sends a byte at a time",
      (request, response) =>
        request.url === "/x" ? void response.writeHead(302, { location: "/y" }).end() : drip(response),
    ],
    [
      "sends headers only",
      (_, response) => {
        response.writeHead(200);
        response.flushHeaders();
      },
    ],
  ];
  test.each(rows)("ends the request to a server that %s, without a retry", async (_, answer) => {
    let count = 0;
    const url = await serve((request, response) => {
      count += request.url === "/x" ? 1 : 0;
      answer(request, response);
    });
    const client = clientWith({ deadline: 150, timeout: 5000, retry: { tries: 3 }, redirects: SAME });
    const started = performance.now();
    await expect(client.send({ url })).rejects.toMatchObject({
      kind: "timeout",
      message: "no complete answer within 0.15 s",
    });
    expect(performance.now() - started).toBeLessThan(3000);
    expect(count).toBe(1);
  });

  test("ends a body that is read as a stream", async () => {
    const url = await serve((_, response) => drip(response));
    const { body } = await clientWith({ deadline: 150 }).open({ url });
    const read = async () => {
      for await (const _ of body);
    };
    await expect(read()).rejects.toMatchObject({ kind: "timeout" });
  });

  test("of a request replaces the one of the client", async () => {
    const url = await serve((_, response) => drip(response));
    await expect(clientWith({ deadline: 60_000 }).send({ url, deadline: 100 })).rejects.toMatchObject({
      message: "no complete answer within 0.1 s",
    });
  });

  test("starts again with each try", async () => {
    let count = 0;
    const url = await serve((_, response) => {
      count += 1;
      setTimeout(() => response.writeHead(count < 4 ? 503 : 200).end(), 100);
    });
    expect(await outcomeOf(clientWith({ deadline: 300, retry: { tries: 4 } }).send({ url }))).toBe(200);
  });

  test("is not needed when no data arrives for too long", async () => {
    const url = await serve(() => undefined);
    await expect(clientWith({ timeout: 50, deadline: 60_000 }).send({ url })).rejects.toMatchObject({
      kind: "timeout",
      message: "no answer within 0.05 s",
    });
  });

  test("a cancelled request ends at once", async () => {
    const url = await serve((_, response) => drip(response));
    const signal = AbortSignal.timeout(50);
    expect(await outcomeOf(clientWith({ signal, retry: { tries: 3 } }).send({ url }))).toBe("cancelled");
    expect(await outcomeOf(clientWith({ signal }).send({ url }))).toBe("cancelled");
  });
});

describe("limit", () => {
  const body = Buffer.alloc(1000, "x");
  test.each([
    ["at the limit", body, {}, 1000, 200],
    ["above the limit", body, {}, 999, "too-large"],
    ["at the limit after decompression", gzipSync(body), { "content-encoding": "gzip" }, 1000, 200],
    ["above the limit after decompression", gzipSync(body), { "content-encoding": "gzip" }, 999, "too-large"],
    ["in another encoding", body, { "content-encoding": "br" }, 1000, "answer"],
    ["with damaged gzip data", body, { "content-encoding": "gzip" }, 1000, "connection"],
  ])("a body %s", async (_, sent, headers, limit, expected) => {
    const url = await serve((__, response) => void response.writeHead(200, headers).end(sent));
    expect(await outcomeOf(clientWith({ limit }).send({ url }))).toBe(expected);
    expect(await outcomeOf(clientWith({ limit: 1 }).send({ url, limit }))).toBe(expected);
  });

  test("applies to a stream while it is read", async () => {
    const url = await serve((_, response) => void response.end(body));
    const { body: chunks } = await clientWith({ limit: 999 }).open({ url });
    const read = async () => {
      for await (const _ of chunks);
    };
    await expect(read()).rejects.toMatchObject({ kind: "too-large" });
  });
});

describe("retries", () => {
  const retry = { tries: 4 };
  async function tries(answer: (count: number, response: ServerResponse) => void, rule: RetryRule) {
    let count = 0;
    const pauses: number[] = [];
    const url = await serve((_, response) => answer((count += 1), response));
    const client = clientWith({ retry: rule, pause: async (wait) => pauses.push(wait) });
    return { outcome: await outcomeOf(client.send({ url })), count, pauses };
  }
  const failing =
    (times: number, status: number, headers: Record<string, string> = {}) =>
    (count: number, response: ServerResponse): void => {
      response.writeHead(count <= times ? status : 200, headers).end();
    };

  test.each([
    [408, [500, 1000]],
    [425, [500, 1000]],
    [429, [500, 1000]],
    [500, [500, 1000]],
    [502, [500, 1000]],
    [503, [500, 1000]],
    [504, [500, 1000]],
  ])("after %i, with longer pauses", async (status, pauses) => {
    expect(await tries(failing(2, status), retry)).toEqual({ outcome: 200, count: 3, pauses });
  });

  test.each([400, 401, 403, 404, 409, 410, 413, 422, 501])("not after %i", async (status) => {
    expect(await tries(failing(1, status), retry)).toEqual({ outcome: status, count: 1, pauses: [] });
  });

  test.each([
    ["7", 200, [7000]],
    ["0", 200, [0]],
    ["31", 503, []],
    ["-1", 200, [500]],
    ["Wed, 21 Oct 2026 07:28:00 GMT", 200, [500]],
  ])("after Retry-After: %s", async (header, outcome, pauses) => {
    expect(await tries(failing(1, 503, { "retry-after": header }), retry)).toMatchObject({ outcome, pauses });
  });

  test("return the last answer", async () => {
    expect(await tries(failing(9, 503), retry)).toMatchObject({ outcome: 503, count: 4 });
    expect(await tries(failing(9, 503), { tries: 1 })).toMatchObject({ outcome: 503, count: 1 });
  });

  test("after a connection that breaks off, before or in the body", async () => {
    const broken = (count: number, response: ServerResponse): void => {
      if (count === 1) response.destroy();
      else if (count === 2) {
        response.writeHead(200, { "content-length": "100" });
        response.write("x", () => response.destroy());
      } else response.end("{}");
    };
    expect(await tries(broken, retry)).toEqual({ outcome: 200, count: 3, pauses: [500, 1000] });
    expect(await tries((_, response) => response.destroy(), retry)).toMatchObject({ outcome: "connection", count: 4 });
  });

  test("with a pause that the headers state", async () => {
    const rule = { tries: 2, statedPause: ({ status }: { status: number }) => (status === 403 ? 1234 : undefined) };
    expect(await tries(failing(1, 403), rule)).toEqual({ outcome: 200, count: 2, pauses: [1234] });
  });
});

describe("proxies", () => {
  test.each([
    ["http_proxy", (proxy: string) => ({ http_proxy: proxy }), true],
    ["HTTP_PROXY", (proxy: string) => ({ HTTP_PROXY: proxy }), true],
    ["lower case first", (proxy: string) => ({ http_proxy: proxy, HTTP_PROXY: "http://127.0.0.1:1" }), true],
    ["NO_PROXY", (proxy: string) => ({ HTTP_PROXY: proxy, NO_PROXY: "service.test" }), false],
    ["an empty variable", (proxy: string) => ({ HTTP_PROXY: proxy, http_proxy: "" }), false],
  ])("of the environment: %s", async (_, env, isUsed) => {
    const seen: string[] = [];
    const proxy = await serve((request, response) => {
      seen.push(String(request.url));
      response.end("{}");
    });
    const client = clientWith({ env: env(proxy.origin), retry: { tries: 1 } });
    const outcome = await outcomeOf(client.send({ url: new URL("http://service.test/a"), path: "/a/%2E%2E/b" }));
    expect([outcome, seen]).toEqual(isUsed ? [200, ["http://service.test/a/%2E%2E/b"]] : ["unreachable", []]);
  });

  test("an option replaces a variable", async () => {
    const proxy = await serve((_, response) => void response.end("{}"));
    const client = clientWith({ env: { HTTP_PROXY: "http://127.0.0.1:1" }, proxy: { http: proxy.origin } });
    expect(await outcomeOf(client.send({ url: new URL("http://service.test/a") }))).toBe(200);
  });
});
