/** Without a public address, links point to the sources of the dates, never to an address of this machine. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, test } from "vitest";
import { asIsoDate, asProductSlug } from "../../src/text/ids.ts";
import { sourceLinks } from "../../src/wire/links.ts";
import { check, EolgateError, loadCatalogue, renderReport } from "../../src/index.ts";
import { REPORTERS } from "../../src/report/reporters.ts";
import { COMMAND } from "../service/processes.ts";
import { runCommand } from "./fake-io.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const path = "test/fixtures/catalogue.json";
const asOf = asIsoDate("2026-11-21");
const catalogue = loadCatalogue({ path: join(root, path) });
const sbom = readFileSync(join(root, "examples/web-shop.cdx.json"));
const LOOPBACK = /127\.0\.0\.1|localhost|\[::1\]/i;
const PAGE = /^https:\/\/github\.com\/eolgate\/eolgate\/blob\/main\/(docs\/[\w-]+\.md)(?:#([\w-]+))?$/;

const eolgate = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(argv, {
    cwd: root,
    tty: true,
    columns: 110,
    env: { EOLGATE_CATALOGUE: path, TERM_PROGRAM: "vscode", ...env },
  });

describe("contains no loopback address when no public address is set", () => {
  test.each(Object.keys(REPORTERS))("report as %s", async (format) => {
    const { exit, out } = await eolgate(["check", "examples/web-shop.cdx.json", "--verbose", "--format", format]);
    expect(exit).toBe(1);
    expect(out).not.toBe("");
    expect(out).not.toMatch(LOOPBACK);
  });

  test.each([
    [["score", "nodejs", "18", "--format", "json"]],
    [["status", "python", "3.9", "--format", "json"]],
    [["product", "redis", "--format", "json"]],
    [["products", "--format", "json"]],
    [["batch", "nodejs:18", "nope:1", "--format", "json"]],
    [["explain", "debian:11", "--format", "json"]],
    [["explain", "debian:11"]],
    [["enrich", "examples/web-shop.cdx.json"]],
  ])("answer to %j", async (argv) => {
    const { exit, out, err } = await eolgate(argv);
    expect([exit, err]).toEqual([0, expect.not.stringMatching(LOOPBACK)]);
    expect(out).toContain("http");
    expect(out).not.toMatch(LOOPBACK);
  });

  test("error for an unknown product", async () => {
    const { out, err } = await eolgate(["score", "nodejz", "--format", "json"]);
    expect(`${out}${err}`).toContain("nodejz");
    expect(`${out}${err}`).not.toMatch(LOOPBACK);
  });

  test("reports from the library", async () => {
    const report = await check(sbom, { catalogue, asOf });
    for (const format of ["json", "sarif", "html", "markdown", "table"] as const)
      expect(await renderReport(report, format)).not.toMatch(LOOPBACK);
  });

  test("answers and errors of MCP over stdio", async () => {
    const client = new Client({ name: "test", version: "1" });
    const args = [COMMAND, "mcp", "--catalogue", path];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: root }));
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ["get_risk_score", { slug: "nodejs", version: "18" }],
      ["get_product_lifecycle", { slug: "redis" }],
      ["get_kev_exposure", { slug: "log4j" }],
      ["get_upgrade_path", { slug: "nodejs", version: "18" }],
      ["get_upcoming_eol", { days: 400 }],
      ["check_sbom", { sbom: sbom.toString() }],
      ["get_risk_score", { slug: "nodejz" }],
    ];
    for (const [name, given] of calls) {
      const answer = JSON.stringify(await client.callTool({ name, arguments: given }));
      expect(answer, name).toContain("https://");
      expect(answer, name).not.toMatch(LOOPBACK);
    }
    await client.close();
  });
});

describe("links to sources", () => {
  const links = sourceLinks(catalogue, asOf);

  test("of each recorded cycle point to the source of its effective date", async () => {
    const { out } = await eolgate(["product", "nodejs", "--format", "json"]);
    const { versions } = JSON.parse(out) as { versions: { eol_date_source_url?: string; score_card_url: string }[] };
    expect(versions.length).toBeGreaterThan(3);
    for (const { eol_date_source_url: source, score_card_url: link } of versions) expect(link).toBe(source);
  });

  test("of a product point to its policy page", () => {
    const product = catalogue
      .slugs()
      .flatMap((slug) => catalogue.product(slug) ?? [])
      .find(({ policyUrl }) => policyUrl);
    expect(product).toBeDefined();
    if (product) expect(links.product(product.slug)).toBe(product.policyUrl);
  });

  test("of a product without a policy page point to the source of its newest cycle", () => {
    const product = catalogue
      .slugs()
      .flatMap((slug) => catalogue.product(slug) ?? [])
      .find(({ policyUrl }) => !policyUrl);
    expect(product).toBeDefined();
    const [newest] = product?.cycles ?? [];
    if (product && newest)
      expect(links.product(product.slug)).toBe(links.scoreCard({ product: product.slug, cycle: newest.name }));
  });

  test("point to existing documentation", () => {
    const unknown = asProductSlug("nothing-of-this-kind");
    const pages = [links.docs, links.methodology, links.products, links.product(unknown)];
    for (const page of [...pages, links.scoreCard({ product: unknown, cycle: "1" })]) {
      const [, file = "", anchor] = PAGE.exec(page) ?? [];
      expect(existsSync(join(root, file)) && file !== "", page).toBe(true);
      const headings = readFileSync(join(root, file), "utf8").match(/^#+ .*$/gm) ?? [];
      if (anchor !== undefined)
        expect(headings.map((each) => each.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-"))).toContain(anchor);
    }
  });
});

test("links start with EOLGATE_PUBLIC_URL when it is set", async () => {
  const { out } = await eolgate(["score", "nodejs", "18", "--format", "json"], {
    EOLGATE_PUBLIC_URL: "https://eol.example.org",
  });
  expect(JSON.parse(out)).toMatchObject({
    score_card_url: "https://eol.example.org/score/nodejs/18",
    product_url: "https://eol.example.org/nodejs",
    methodology_url: "https://eol.example.org/methodology",
  });
});

describe("check refuses a policy that can never fail", () => {
  test.each([
    ["no condition", { failOn: [] }],
    ["a condition on support levels without signals", { failOn: [{ kind: "inactive" }] }],
  ] as const)("%s", async (_, policy) => {
    const error: unknown = await check(sbom, { catalogue, asOf, policy }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(EolgateError);
    expect(error).toMatchObject({ code: "bad-policy", where: expect.stringContaining("failOn") });
  });
});
