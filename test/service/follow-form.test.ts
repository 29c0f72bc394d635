/** The form for a watch list on a server with support signals: packages besides release cycles. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { watchLink } from "../../src/service/alerts/manage.ts";
import { pages } from "../../src/service/pages/pages.ts";
import { hasBrowser, inContext, launch, listen, troublesOf } from "../browser.ts";
import { SECRETS } from "./harness.ts";
import { BROWSER } from "./pages/page-fixtures.ts";
import { startService, stopServices, type Service } from "./service.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-follow-form-"));
afterAll(async () => {
  await stopServices();
  rmSync(folder, { recursive: true, force: true });
});

const signals = {
  policy: { signals: "deps.dev" as const, privatePackages: ["pkg:npm/@acme/*"] },
  env: { HOME: folder, EOLGATE_DEPSDEV_URL: "http://127.0.0.1:9/" },
  folder,
  execPath: process.execPath,
  cachePath: join(folder, "signals.db"),
};

async function send(service: Service, list: string, follow = "deprecated") {
  const fields = { email: "ann@example.org", action: "watch", list, follow };
  return service.inject({
    method: "POST",
    url: "/watch",
    headers: { ...BROWSER, "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams(fields).toString(),
  });
}

describe("option to follow packages", () => {
  test("is shown only when a source of support signals is configured", async () => {
    const bodies = [];
    for (const pool of [{ signals }, {}]) {
      const service = await startService({ pages, pool });
      bodies.push((await service.get("/watch", BROWSER)).body.includes('type="checkbox"'));
    }
    expect(bodies).toEqual([true, false]);
  });

  test("stores public packages without a release cycle, and watches the others by their release cycle", async () => {
    const service = await startService({ pages, pool: { signals } });
    const list = "nodejs 18, pkg:npm/left-pad@1.0.0, pkg:npm/express@3.1.0";
    const answer = await send(service, list);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.body).toContain("pkg:npm/left-pad@1.0.0");
    const [mail] = await service.fixture.store.outbox.claim("test", service.clock(), service.clock() + 1, 10);
    const stored = await service.fixture.store.watch.byId(JSON.parse(mail?.facts ?? "{}").listId);
    expect(stored).toMatchObject({ follow: ["deprecated"], packages: ["pkg:npm/left-pad@1.0.0"] });
    expect(stored?.cycles.map(({ product, cycle }) => `${product}:${cycle}`).toSorted()).toEqual([
      "express:3",
      "nodejs:18",
    ]);
  });

  test.each([
    ["a private package", "nodejs 18, pkg:npm/%40acme/c@1.0.0", 400],
    ["a package without a version", "pkg:npm/left-pad", 400],
  ])("refuses %s and keeps the entry and the option", async (_, list, status) => {
    const service = await startService({ pages, pool: { signals } });
    const { statusCode, body } = await send(service, list);
    expect([statusCode, body.includes('role="alert"'), body.includes(" checked>")]).toEqual([status, true, true]);
    expect(body).toMatch(/<b>Entry \d: pkg:npm/);
  });

  test("is required for a package without a release cycle", async () => {
    const service = await startService({ pages, pool: { signals } });
    expect((await send(service, "pkg:npm/left-pad@1.0.0", "")).statusCode).toBe(404);
  });

  test("lists the packages on the page of the list and keeps them when the release cycles are saved", async () => {
    const service = await startService({ pages, pool: { signals } });
    await send(service, "nodejs 18, pkg:npm/left-pad@1.0.0");
    const { store } = service.fixture;
    const [mail] = await store.outbox.claim("test", service.clock(), service.clock() + 1, 10);
    await store.watch.confirm(JSON.parse(mail?.facts ?? "{}").listId, service.clock());
    const id = (await store.watch.confirmedOf("ann@example.org"))?.id ?? "";
    const page = `/watch/${watchLink("manage", id, SECRETS.current)}`;
    const { body } = await service.get(page, BROWSER);
    expect(body).toContain("1 release cycle and 1 package");
    expect(body).toContain("<li>pkg:npm/left-pad@1.0.0</li>");
    const saved = await service.inject({
      method: "POST",
      url: page,
      headers: { ...BROWSER, "content-type": "application/x-www-form-urlencoded" },
      payload: "action=save&list=debian+12",
    });
    expect(saved.statusCode).toBe(303);
    expect(await store.watch.byId(id)).toMatchObject({
      cycles: [{ product: "debian", cycle: "12" }],
      packages: ["pkg:npm/left-pad@1.0.0"],
    });
  });
});

describe.skipIf(!hasBrowser)("in a browser", () => {
  test("the form and the answer to it meet WCAG 2.2 AA, narrow and wide, light and dark", async () => {
    const service = await startService({ pages, pool: { signals } });
    const root = await service.app.listen({ host: "127.0.0.1", port: 0 });
    const browser = await launch();
    const troubles = await inContext(browser, {}, async (context) => {
      const page = await context.newPage();
      const messages = listen(page);
      await page.goto(`${root}/watch`);
      const form = await troublesOf(page);
      await page.locator("#email").fill("ann@example.org");
      await page.locator("[name=list]").fill("nodejs 18, pkg:npm/left-pad@1.0.0");
      await page.locator("[type=checkbox]").check();
      await page.locator("button[value=watch]").click();
      await page.getByText("pkg:npm/left-pad@1.0.0").first().waitFor();
      return [...form, ...(await troublesOf(page)), ...messages];
    });
    await browser.close();
    expect(troubles).toEqual([]);
  }, 60_000);
});
