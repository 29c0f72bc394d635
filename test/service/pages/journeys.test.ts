/** Common tasks in a real browser, by keyboard only: narrow and wide, light and dark, with and without script. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contextOf, hasBrowser, inContext, launch, MOST_READERS, overflow, violations } from "../../browser.ts";
import { stopServices, type Service } from "../service.ts";
import { startPages } from "./page-fixtures.ts";

/** Counts the steps of a user: an input of text is one step, and so is each key press with an effect. */
function person(page: Page) {
  let steps = 0;
  return {
    steps: () => steps,
    async open(address: string) {
      steps += 1;
      await page.goto(address);
    },
    async type(text: string) {
      steps += 1;
      await page.keyboard.type(text);
    },
    async enter(expected: RegExp) {
      steps += 1;
      await page.keyboard.press("Enter");
      await page.waitForURL(expected);
    },
    /** Tab until the element has the focus; moving through a page is not counted. */
    async reach(selector: string) {
      for (let tabs = 0; tabs < 80; tabs += 1) {
        if (await page.locator(`${selector}:focus`).count()) return;
        await page.keyboard.press("Tab");
      }
      throw new Error(`no way to ${selector} by keyboard`);
    },
  };
}

describe.skipIf(!hasBrowser)("journeys (skipped without a browser)", () => {
  let service: Service;
  let browser: Browser;
  let root: string;
  beforeAll(async () => {
    service = await startPages({ settings: { open: true } });
    root = await service.app.listen({ host: "127.0.0.1", port: 0 });
    browser = await launch();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await stopServices();
  });

  describe.each(MOST_READERS)("$width pixels, $colorScheme, script $javaScriptEnabled", (look) => {
    const { javaScriptEnabled } = look;
    const context = contextOf(look);
    const check = async (page: Page): Promise<void> => {
      expect(await overflow(page)).toEqual([]);
      if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
    };

    test("finds the end of Node.js 18 in three steps from the home page", async () => {
      await inContext(browser, context, async (opened) => {
        const page = await opened.newPage();
        const user = person(page);
        await user.open(`${root}/`);
        await user.reach("#q");
        await user.type("node 18");
        await user.enter(/\/score\/nodejs\/18$/);
        expect(await page.locator("h1").textContent()).toContain("Node.js 18");
        expect(await page.locator("main").textContent()).toContain("30 Apr 2025");
        expect(user.steps()).toBe(3);
        await check(page);
      });
    }, 60_000);

    test("checks a version on the page of a product in three steps", async () => {
      await inContext(browser, context, async (opened) => {
        const page = await opened.newPage();
        const user = person(page);
        await user.open(`${root}/nodejs`);
        await user.reach("#version");
        await user.type("18.20.1");
        await user.enter(/\/score\/nodejs\/18\.20\.1$/);
        expect(user.steps()).toBe(3);
        await check(page);
      });
    }, 60_000);

    test("copies a badge in one step by keyboard", async () => {
      await inContext(browser, context, async (opened) => {
        const page = await opened.newPage();
        const user = person(page);
        await user.open(`${root}/score/nodejs/18`);
        await user.reach('[aria-label="Badge in Markdown"]');
        const text = await page.locator('[aria-label="Badge in Markdown"]').textContent();
        expect(text).toMatch(/^\[!\[Node\.js 18\]\(https:\/\/img\.shields\.io\/endpoint\?url=/);
        expect(user.steps()).toBe(1);
      });
    }, 60_000);

    test("finds the reason in one step from a CI log", async () => {
      const sbom = {
        bomFormat: "CycloneDX",
        specVersion: "1.5",
        components: [{ type: "application", name: "nodejs", version: "18.20.1" }],
      };
      const { results } = (await service.post("/v1/sbom", sbom)).json<{ results: { score_card_url: string }[] }>();
      await inContext(browser, context, async (opened) => {
        const page = await opened.newPage();
        const user = person(page);
        await user.open(root + new URL(results[0]?.score_card_url ?? "").pathname);
        const text = await page.locator("main").textContent();
        for (const reason of ["30 Apr 2025", "Longest support"]) expect(text).toContain(reason);
        expect(await page.locator("section[aria-labelledby=sources] a").count()).toBeGreaterThan(0);
        expect(user.steps()).toBe(1);
        await check(page);
      });
    }, 60_000);
  });
});
