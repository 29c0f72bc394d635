/**
 * What a person does in the browser from the first page to the result: at 360 and 1,280 pixels, light and dark, by
 * keyboard alone, and without a script. Each journey counts its steps: a key press that acts, a text, a file.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  describedReader,
  hasBrowser,
  inContext,
  launch,
  listen,
  MOST_READERS,
  overflow,
  troublesOf,
} from "../../browser.ts";
import { stopServices, type Service } from "../service.ts";
import { Keyboard } from "./keyboard.ts";
import { startPages } from "./page-fixtures.ts";

const LOOKS = MOST_READERS.map(describedReader);

describe.skipIf(!hasBrowser)("in a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-journeys-"));
  const sbom = join(folder, "bom.json");
  let service: Service;
  let browser: Browser;
  let root = "";

  beforeAll(async () => {
    const components = [
      { type: "application", name: "nodejs", version: "16.20.0" },
      { type: "library", name: "something", version: "1" },
    ];
    writeFileSync(sbom, JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.5", components }));
    service = await startPages({ settings: { open: true } });
    root = await service.app.listen({ host: "127.0.0.1", port: 0 });
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await stopServices();
    rmSync(folder, { recursive: true });
  });

  test.each(LOOKS)("assesses an SBOM in 3 steps: %s", async (_, options) => {
    await inContext(browser, { ...options, acceptDownloads: true }, async (context) => {
      const page = await context.newPage();
      const messages = listen(page);
      const keyboard = new Keyboard(page);
      await page.goto(root);
      await keyboard.press("Check");
      await page.waitForURL("**/check");
      await page.locator("input[type=file]").setInputFiles(sbom);
      keyboard.steps += 1;
      await keyboard.reach("Or a list, or the text of a document");
      await keyboard.press("Check");
      await page.locator(".badge", { hasText: "FAIL" }).waitFor();
      expect(keyboard.steps).toBe(3);
      expect(await page.locator(".note").textContent()).toContain("exit with code 1");
      expect(await overflow(page)).toEqual([]);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download the enriched document" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("bom.enriched.json");
      expect(readFileSync(await download.path(), "utf8")).toContain("lifecycle:status");
      expect(messages).toEqual([]);
    });
  });

  test.each(LOOKS)("assesses a list in 3 steps: %s", async (_, options) => {
    await inContext(browser, options, async (context) => {
      const page = await context.newPage();
      const keyboard = new Keyboard(page);
      await page.goto(root);
      await keyboard.press("Check");
      await page.waitForURL("**/check");
      await keyboard.type("Or a list, or the text of a document", "nodejs 24, debian 12");
      await keyboard.press("Check");
      await page.locator(".badge").waitFor();
      expect(keyboard.steps).toBe(3);
      expect(await page.locator(".card b").allTextContents()).toEqual(
        expect.arrayContaining(["Debian 12 (Bookworm)", "Node.js 24"]),
      );
    });
  });

  test.each(LOOKS)("subscribes to a calendar in 4 steps: %s", async (_, options) => {
    await inContext(browser, options, async (context) => {
      const page = await context.newPage();
      const keyboard = new Keyboard(page);
      await page.goto(root);
      await keyboard.type("Find a product, version or package URL", "nodejs");
      await page.keyboard.press("Enter");
      keyboard.steps += 1;
      await page.waitForURL(/\?q=nodejs$/);
      await keyboard.press("Node.js");
      await page.waitForURL(/\/nodejs$/);
      await keyboard.reach("Calendar");
      keyboard.steps += 1;
      const address = await page.evaluate<string>("document.activeElement.getAttribute('href')");
      expect(new URL(address).pathname).toBe("/feeds/nodejs/calendar.ics");
      const answer = await page.request.get(root + new URL(address).pathname);
      expect(answer.headers()["content-type"]).toBe("text/calendar; charset=utf-8");
      expect(keyboard.steps).toBe(4);
    });
  });

  test.each([360, 1280])("copies a badge in 2 steps: %i pixels, by keyboard", async (width) => {
    const options = { viewport: { width, height: 800 }, permissions: ["clipboard-read", "clipboard-write"] };
    await inContext(browser, options, async (context) => {
      const page = await context.newPage();
      const messages = listen(page);
      const keyboard = new Keyboard(page);
      await page.goto(`${root}/nodejs`);
      keyboard.steps += 1;
      await page.getByRole("button", { name: "Copy: Badge in Markdown" }).focus();
      await page.keyboard.press("Enter");
      keyboard.steps += 1;
      await page.getByText("Copied").waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^\[!\[Node\.js/);
      expect([...messages, ...(await overflow(page))]).toEqual([]);
    });
  });

  test("the result conforms to WCAG 2.2 AA in every layout and colour scheme", async () => {
    await inContext(browser, {}, async (context) => {
      const page = await context.newPage();
      const messages = listen(page);
      await page.goto(`${root}/check`);
      await page.locator("input[type=file]").setInputFiles(sbom);
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.locator(".badge").waitFor();
      expect([...(await troublesOf(page)), ...messages]).toEqual([]);
      await page.getByLabel("Status").selectOption("not-assessed");
      expect(await page.locator(".rows > details:visible").count()).toBe(1);
    });
  });
});
