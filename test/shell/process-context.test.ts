/** What is held in memory is bounded: standard input, the answers of a service, and files that are read as a whole. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { createProcessContext } from "../../src/shell/process-context.ts";
import { BOUNDED_FILES, type BoundedFileKind } from "../../src/platform/bounded-file.ts";
import { createServiceClient } from "../../src/api/remote/client.ts";
import { runCommand } from "../cli/fake-io.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Standard input that counts how much of it was read. */
function input(chunk: Buffer, count: number, limit?: number) {
  const progress = { chunks: 0 };
  const stdin = Readable.from(
    (function* () {
      for (; progress.chunks < count; progress.chunks += 1) yield chunk;
    })(),
  );
  const host = Object.create(process, { stdin: { value: stdin } });
  return { progress, read: () => createProcessContext(host, limit).stdin() };
}

describe("standard input", () => {
  test("is read up to the limit", async () => {
    expect(await input(Buffer.from("0123456789"), 10, 100).read()).toHaveLength(100);
  });

  test("is refused above the limit without being read completely", async () => {
    const { progress, read } = input(Buffer.from("0123456789"), 1_000_000, 100);
    await expect(read()).rejects.toMatchObject({ code: "too-large", exit: 3 });
    expect(progress.chunks).toBeLessThan(50);
  });

  test("with 1.5 GB of zero bytes is refused immediately", async () => {
    const { progress, read } = input(Buffer.alloc(64 * 1024), 24_000);
    await expect(read()).rejects.toMatchObject({ code: "unreadable", exit: 3 });
    expect(progress.chunks).toBeLessThan(50);
  });

  test("may start with a zero byte, as in UTF-16", async () => {
    expect(await input(Buffer.from("\0{\0}"), 20_000).read()).toHaveLength(80_000);
  });
});

describe("answer of a service", () => {
  test.each([
    [1000, undefined],
    [1001, "unexpected-answer"],
  ])("of %d bytes with a limit of 1000: %s", async (size, code) => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end(Buffer.alloc(size));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const client = createServiceClient({ base: `http://127.0.0.1:${port}`, env: {}, limit: 1000 });
    const answer = client.send({ method: "GET", path: "/" });
    if (code === undefined) expect((await answer).body).toHaveLength(size);
    else await expect(answer).rejects.toMatchObject({ code, exit: 5 });
    expect(requests).toBe(1);
    await client.close();
    server.close();
  });
});

describe("files that commands read as a whole", () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-limits-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  /** A file that starts with the text, and continues with zero bytes up to the size; it takes no space on the disk. */
  const file = (name: string, text: string, bytes: number): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    truncateSync(path, bytes);
    return path;
  };
  const limitOf = (kind: BoundedFileKind): number => BOUNDED_FILES[kind].limit;
  const run = (...argv: readonly string[]) =>
    runCommand(argv, { cwd: root, env: { EOLGATE_CATALOGUE: "test/fixtures/catalogue.json" } });
  const check = ["check", "examples/clean.cdx.json"];

  test.each([
    ["configuration file", [...check, "--config"], "a.yaml", 2],
    ["own catalogue", [...check, "--own-catalogue"], "a.yaml", 2],
    ["catalogue", [...check, "--catalogue"], "a.json", 4],
    ["catalogue", ["catalogue", "info", "--catalogue"], "a.json", 4],
    ["catalogue", ["catalogue", "import", "--allow-unsigned"], "a.json", 4],
    ["list of products", ["batch", "--from"], "a.txt", 3],
    ["exported cache", ["signals", "import"], "a.txt", 3],
  ] as const)("a %s of 1.5 GB, by %j, is refused with its limit", async (kind, argv, name, exit) => {
    const outcome = await run(...argv, file(name, "", 1_500_000_000));
    expect([outcome.exit, outcome.out]).toEqual([exit, ""]);
    expect(outcome.err).toContain(`the ${kind} is larger than ${limitOf(kind)} bytes`);
  });

  test("a configuration file of exactly the limit is read", async () => {
    const path = file("limit.yaml", "", 0);
    writeFileSync(path, `warnDays: 90\n#${" ".repeat(limitOf("configuration file") - 15)}\n`);
    expect((await run(...check, "--config", path)).exit).toBe(0);
  });

  test("a catalogue of exactly the limit is read, and refused for its content", async () => {
    const outcome = await run(...check, "--catalogue", file("limit.json", "", limitOf("catalogue")));
    expect(outcome.exit).toBe(4);
    expect(outcome.err).not.toContain("is larger than");
  });
});
