/** Arguments and answers of a service that a command prints never control the terminal or a build log. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const catalogue = join(root, "test/fixtures/catalogue.json");
const cwd = mkdtempSync(join(tmpdir(), "eolgate-echo-"));
afterAll(() => rmSync(cwd, { recursive: true }));

/** A colour, a right-to-left override, and a workflow command on its own line. */
const HOSTILE = "x\u001b[31m\u202e\n::error::y";
const OBEYED = /(?!\n)[\p{Cc}\p{Cf}]|^::/mu;
const eolgate = (...argv: string[]) => runCommand(argv, { cwd, env: { EOLGATE_CATALOGUE: catalogue } });

describe("an argument", () => {
  test.each<[exit: number, argv: string[]]>([
    [0, ["products", HOSTILE]],
    [2, ["product", HOSTILE]],
    [2, ["score", HOSTILE]],
    [2, ["score", "nodejs", HOSTILE]],
    [2, ["status", "nodejs", HOSTILE]],
    [6, ["batch", `${HOSTILE}:1`]],
    [0, ["explain", HOSTILE]],
    [3, ["check", HOSTILE]],
    [3, ["diff", HOSTILE, HOSTILE]],
    [2, ["completion", HOSTILE]],
    [2, [HOSTILE]],
    [2, ["check", `--${HOSTILE}`]],
  ])("exit %d: %j", async (exit, argv) => {
    const outcome = await eolgate(...argv);
    const printed = `${outcome.out}${outcome.err}`;
    expect(printed).not.toMatch(OBEYED);
    expect([outcome.exit, printed]).toEqual([exit, expect.stringContaining("\\u{202e}")]);
  });

  test("the name of a catalogue file", async () => {
    const name = "x\u001b[31m\u202e.json";
    copyFileSync(catalogue, join(cwd, name));
    const { out, err } = await eolgate("catalogue", "verify", name);
    expect([err, out]).toEqual(["", expect.stringContaining("\\u{202e}.json")]);
    expect(out).not.toMatch(OBEYED);
  });
});

describe("the answer of a service", () => {
  let server: Server;
  beforeAll(async () => {
    const product = {
      product: HOSTILE,
      product_url: "https://example.org/",
      slug: HOSTILE,
      name: HOSTILE,
      category: HOSTILE,
      aliases: [],
      version_count: 0,
      cpe: [],
      purl: [],
    };
    const list = { count: 1, products: [HOSTILE], items: [product], docs: "https://example.org/" };
    server = createServer((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...product, ...list, versions: [] }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => void server.close());

  test.each([
    ["product", ["product", "nodejs"]],
    ["products", ["products"]],
  ])("%s", async (_, argv) => {
    const { port } = server.address() as AddressInfo;
    const { out, err } = await eolgate(...argv, "--api", `http://127.0.0.1:${port}`);
    expect(out, err).toContain("\\u{202e}");
    expect(out).not.toMatch(OBEYED);
  });
});
