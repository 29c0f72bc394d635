/** Routes, pages, tools and mails name the end that decided: with the catalogue's Debian, whose free LTS counts. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterAll, describe, expect, test } from "vitest";
import { createLocal } from "../../src/api/operations/local.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { BUNDLED } from "../../src/catalogue/places.ts";
import { readPackageFile } from "../../src/platform/package-files.ts";
import { assessCycles, cycleDetails } from "../../src/service/alerts/cycles.ts";
import { planAlerts } from "../../src/service/alerts/plan.ts";
import { createSiteApp } from "../../src/service/commands/site.ts";
import { alertCard, cycleCard } from "../../src/service/mail/cards.ts";
import { htmlOf, textOf } from "../../src/service/mail/message.ts";
import { createMcpServer } from "../../src/service/mcp/server.ts";
import { EXPORT_HEADERS } from "../../src/service/site/export.ts";
import { asIsoDate, asProductSlug } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { withoutLimits } from "../../src/service/mcp/tools.ts";

const catalogue = loadCatalogue();
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** The answers of a service whose day is `asOf`. */
async function serviceOn(asOf: string) {
  const app = createSiteApp({
    version: "1.0.0",
    served: { catalogue, bytes: () => readPackageFile(BUNDLED) },
    clock: () => Date.parse(asOf),
    publicUrl: "https://example.org",
    withServer: false,
  });
  const engine = createLocal({ catalogue, asOf: asIsoDate(asOf), links: linksUnder("https://example.org") });
  const tools = createMcpServer({
    version: "1.0.0",
    source: { url: "https://example.org", note: "test" },
    docs: "https://example.org/docs",
    context: withoutLimits(engine, engine.context.catalogue, engine.context.asOf),
    admit: () => Promise.resolve(),
    onBug: () => undefined,
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([tools.connect(far), client.connect(near)]);
  closing.push(
    () => client.close(),
    () => app.close(),
  );
  return {
    text: async (url: string): Promise<string> => (await app.inject({ url, headers: EXPORT_HEADERS })).body,
    tool: async (name: string, args: Record<string, unknown>): Promise<unknown> =>
      (await client.callTool({ name, arguments: args })).structuredContent,
  };
}

/** The mail about a release cycle of Debian on a day, as text and as HTML. */
function mailOn(version: string, asOf: string): string {
  const day = asIsoDate(asOf);
  const watched = [{ product: asProductSlug("debian"), cycle: version }];
  const [assessment] = assessCycles(catalogue, watched, day);
  if (assessment === undefined) throw new Error(version);
  const links = { scoreCard: (product: string, cycle: string) => `https://example.org/score/${product}/${cycle}` };
  const details = cycleDetails(assessment, catalogue);
  const { due } = planAlerts({
    assessments: [assessment],
    done: [],
    newCveIds: new Map(),
    email: "a@example.org",
    day,
  });
  const alerts = due.map(({ row: { trigger } }) => alertCard({ ...details, trigger }, links));
  const blocks = [cycleCard(details, links), ...alerts];
  return `${textOf(blocks)}\n${htmlOf("Debian", blocks)}`;
}

describe.each([
  ["12", "2026-11-22", "2028-06-30", "30 Jun 2028", true],
  ["12", "2028-06-30", "2028-06-30", "30 Jun 2028", true],
  ["12", "2028-07-01", "2028-06-30", "30 Jun 2028", false],
  ["11", "2026-08-31", "2026-08-31", "31 Aug 2026", true],
  ["11", "2026-09-01", "2026-08-31", "31 Aug 2026", false],
  ["11", "2026-11-22", "2026-08-31", "31 Aug 2026", false],
])("the end that decided of Debian %s on %s", (version, asOf, end, shown, isSupported) => {
  const counted = { support_end_date: end, support_track: "Debian LTS", is_supported_by_track: isSupported };
  const verb = `Debian LTS ${isSupported ? "ends" : "ended"}`;

  test.each(["status", "score"])("route /v1/%s", async (route) => {
    const { text } = await serviceOn(asOf);
    expect(JSON.parse(await text(`/v1/${route}/debian/${version}`))).toMatchObject(counted);
  });

  test("badge", async () => {
    const { text } = await serviceOn(asOf);
    const { message } = JSON.parse(await text(`/v1/badge/debian/${version}`));
    expect(message).toContain(`${end} (Debian LTS)`);
    expect(message.includes("since")).toBe(!isSupported);
  });

  test.each(["check_eol", "get_risk_score"])("tool %s", async (name) => {
    const { tool } = await serviceOn(asOf);
    expect(await tool(name, { slug: "debian", version })).toMatchObject(counted);
  });

  test("pages of the product and of the release cycle", async () => {
    const { text } = await serviceOn(asOf);
    expect(await text(`/score/debian/${version}`)).toContain(`${verb} ${shown}`);
    expect(await text("/debian")).toContain(`LTS until ${shown} (free)`);
  });

  test("calendar of the product", async () => {
    const { text } = await serviceOn(asOf);
    expect(await text("/feeds/debian/calendar.ics")).toContain(`DTSTART;VALUE=DATE:${end.replaceAll("-", "")}`);
  });

  test("mail", () => {
    const mail = mailOn(version, asOf);
    expect(mail).toContain(end);
    expect(mail).toContain("Debian LTS");
    expect(mail.includes("has reached its end of life")).toBe(!isSupported);
  });
});
