/** What is held in memory is bounded: standard input, and the answers of a service. */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { createProcessContext } from "../../src/cli/process-context.ts";
import { createClient } from "../../src/platform/http-client.ts";

/** Standard input that counts how much of it was read. */
function input(chunk: Buffer, count: number, limit?: number) {
  const seen = { chunks: 0 };
  const stdin = Readable.from(
    (function* () {
      for (; seen.chunks < count; seen.chunks += 1) yield chunk;
    })(),
  );
  const host = Object.create(process, { stdin: { value: stdin } });
  return { seen, read: () => createProcessContext(host, limit).stdin() };
}

describe("standard input", () => {
  test("is read up to the limit", async () => {
    expect(await input(Buffer.from("0123456789"), 10, 100).read()).toHaveLength(100);
  });

  test("is refused above the limit without being read completely", async () => {
    const { seen, read } = input(Buffer.from("0123456789"), 1_000_000, 100);
    await expect(read()).rejects.toMatchObject({ code: "stdin-too-large", exit: 3 });
    expect(seen.chunks).toBeLessThan(50);
  });

  test("with 1.5 GB of zero bytes is refused immediately", async () => {
    const { seen, read } = input(Buffer.alloc(64 * 1024), 24_000);
    await expect(read()).rejects.toMatchObject({ code: "stdin-zeros", exit: 3 });
    expect(seen.chunks).toBeLessThan(50);
  });

  test("may start with a zero byte, as in UTF-16", async () => {
    expect(await input(Buffer.from("\0{\0}"), 20_000).read()).toHaveLength(80_000);
  });
});

describe("answer of a service", () => {
  test.each([
    [1000, undefined],
    [1001, "answer-too-large"],
  ])("of %d bytes with a limit of 1000: %s", async (size, code) => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end(Buffer.alloc(size));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const client = createClient({ base: `http://127.0.0.1:${port}`, env: {}, limit: 1000 });
    const answer = client.send({ method: "GET", path: "/" });
    if (code === undefined) expect((await answer).body).toHaveLength(size);
    else await expect(answer).rejects.toMatchObject({ code, exit: 5 });
    expect(requests).toBe(1);
    await client.close();
    server.close();
  });
});
