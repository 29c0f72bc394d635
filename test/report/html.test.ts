/** The HTML report in a real browser, opened from the disk as its readers do. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { html } from "../../src/report/html.ts";
import { PLAIN } from "../../src/report/reporter.ts";
import { hasBrowser, inContext, launch, listen, overflow, troublesOf } from "../browser.ts";
import { failReport, hostileReport, passReport, reportOf, warnReport } from "./reports.ts";

const REPORTS = {
  pass: passReport,
  warn: warnReport,
  fail: failReport,
  hostile: hostileReport,
  empty: () => reportOf([]),
};

describe.skipIf(!hasBrowser)("in a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-html-"));
  const address = (name: string): string => pathToFileURL(join(folder, `${name}.html`)).href;
  let browser: Browser;
  beforeAll(async () => {
    for (const [name, make] of Object.entries(REPORTS))
      writeFileSync(join(folder, `${name}.html`), html(make(), PLAIN));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test.each(Object.keys(REPORTS))(
    "%s, narrow and wide, light and dark: a quiet console, nothing asked for, WCAG 2.2 AA, nothing wider than the screen",
    async (name) => {
      await inContext(browser, {}, async (context) => {
        const page = await context.newPage();
        const messages = listen(page);
        const asked: string[] = [];
        page.on("request", (request) => asked.push(request.url()));
        page.on("dialog", (dialog) => messages.push(`dialog: ${dialog.message()}`));
        await page.goto(address(name));
        expect([...(await troublesOf(page)), ...messages]).toEqual([]);
        expect(asked).toEqual([address(name)]);
      });
    },
  );

  test("what is looked for is found", async () => {
    await inContext(browser, {}, async (context) => {
      const page = await context.newPage();
      await page.setContent(
        '<body style="width:2000px"><img><p style="color:#999">pale</p><b style="color:#fff">white</b>',
      );
      const troubles = (await troublesOf(page)).join("\n");
      for (const words of [
        "320 pixels, light: 1688 pixels wider",
        "image-alt",
        "320 pixels, dark: color-contrast",
        "<b style",
      ])
        expect(troubles).toContain(words);
    });
  });

  test("the timeline scrolls by keyboard on a narrow screen", async () => {
    await inContext(browser, { viewport: { width: 320, height: 900 } }, async (context) => {
      const page = await context.newPage();
      await page.goto(address("fail"));
      await page.keyboard.press("Tab");
      expect(await focused(page, "getAttribute('aria-label')")).toBe("Timeline");
      await page.keyboard.press("ArrowRight");
      // Asked from outside: a page that allows no script cannot be waited for within.
      await expect.poll(() => page.evaluate<number>("document.activeElement.scrollLeft")).toBeGreaterThan(0);
    });
  });

  test("on paper nothing is cut off", async () => {
    await inContext(browser, { viewport: { width: 720, height: 1000 } }, async (context) => {
      const page = await context.newPage();
      await page.emulateMedia({ media: "print" });
      for (const name of Object.keys(REPORTS)) {
        await page.goto(address(name));
        expect(await overflow(page), name).toEqual([]);
        const cut = `[...document.querySelectorAll(".scroll")].filter((each) => each.scrollWidth > each.clientWidth).length`;
        expect(await page.evaluate(cut), name).toBe(0);
      }
    });
  });
});

const focused = (page: Page, what: string): Promise<unknown> => page.evaluate(`document.activeElement.${what}`);
