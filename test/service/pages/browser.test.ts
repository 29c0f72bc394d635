/** Every page in a real browser: 320 and 1,280 pixels, light and dark, in turn; in `npm run soak:tests`, all of them. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../../src/service/mail/message.ts";
import { hasBrowser, inContext, launch, listen, looksAt, overflow, troublesOf, violations } from "../../browser.ts";
import { stopServices, type Service } from "../service.ts";
import { PAGES, startPages } from "./page-fixtures.ts";

describe.skipIf(!hasBrowser)("in a browser", () => {
  let service: Service;
  let browser: Browser;
  let root: string;
  let links: { readonly confirm: string; readonly unsubscribe: string };

  beforeAll(async () => {
    const mails: Message[] = [];
    service = await startPages({
      settings: { open: true },
      store: { transport: { send: async (mail) => void mails.push(mail), close: () => undefined } },
    });
    root = await service.app.listen({ host: "127.0.0.1", port: 0 });
    browser = await launch();
    links = await watchLinks(service, mails);
  });
  afterAll(async () => {
    await browser?.close();
    await stopServices();
  });

  test("every page, narrow and wide, light and dark: no console output, WCAG 2.2 AA, no horizontal overflow", async () => {
    const troubles = await inContext(browser, {}, async (context) => {
      const page = await context.newPage();
      const found: string[] = [];
      const pages = [...PAGES, [links.confirm, 200] as const, [links.unsubscribe, 200] as const];
      for (const [turn, [path, status]] of pages.entries()) {
        const messages = listen(page, status);
        expect((await page.goto(root + path))?.status(), path).toBe(status);
        const troubles = [...(await troublesOf(page, path === "/hostile" ? undefined : looksAt(turn))), ...messages];
        found.push(...troubles.map((words) => `${path}, ${words}`));
        page.removeAllListeners();
      }
      return found;
    });
    expect(troubles).toEqual([]);
  }, 240_000);

  test("the search leads to a score card by keyboard without scripts", async () => {
    await inContext(browser, { javaScriptEnabled: false }, async (context) => {
      const page = await context.newPage();
      await page.goto(`${root}/`);
      await page.locator("#q").focus();
      await page.keyboard.type("node.js 18.20.1");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/score\/nodejs\/18\.20\.1$/);
      expect(await page.locator("h1").textContent()).toContain("Node.js 18");
    });
  });

  test("the first focus stop is a visible link to the content", async () => {
    await inContext(browser, {}, async (context) => {
      const page = await context.newPage();
      await page.goto(`${root}/nodejs`);
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.className")).toBe("skip");
      // Asked from outside: a page that allows no script cannot be waited for within.
      const top = () => page.evaluate<number>("document.activeElement.getBoundingClientRect().top");
      await expect.poll(top).toBeGreaterThanOrEqual(0);
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("content");
    });
  });

  test("the pages that mails link to act only when their button is pressed", async () => {
    await inContext(browser, {}, async (context) => {
      const page = await context.newPage();
      const messages = listen(page, 200);
      for (const link of [links.confirm, links.unsubscribe]) {
        await page.goto(root + link);
        await page.locator("main button").click();
        await page.locator("main [role=status]").waitFor();
        expect([...messages, ...(await overflow(page)), ...(await violations(page))]).toEqual([]);
      }
    });
  });

  test("in print no content is cut off and the header bar is hidden", async () => {
    await inContext(browser, { viewport: { width: 720, height: 1000 } }, async (context) => {
      const page = await context.newPage();
      await page.emulateMedia({ media: "print" });
      for (const path of ["/score/nodejs/18", "/nodejs", "/methodology", "/docs"]) {
        await page.goto(root + path);
        expect(await page.locator(".bar").isVisible()).toBe(false);
        expect(await overflow(page), path).toEqual([]);
      }
    });
  });
});

/** A confirmed list and a pending one: both kinds of links. */
async function watchLinks(service: Service, mails: Message[]): Promise<{ confirm: string; unsubscribe: string }> {
  const sbom = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    components: ["18.1.0", "20.1.0"].map((version) => ({ type: "library", name: "nodejs", version })),
  };
  const watch = async (email: string): Promise<Message | undefined> => {
    await service.post("/v1/sbom/watch", { email, sbom });
    await service.over.jobs.wake("mails");
    return mails.at(-1);
  };
  const first = linkIn(await watch("ann@example.org"), "confirm");
  await service.inject({ method: "POST", url: first });
  await service.over.jobs.wake("mails");
  const unsubscribe = linkIn(mails.at(-1), "unsubscribe");
  return { confirm: linkIn(await watch("bob@example.org"), "confirm"), unsubscribe };
}

const linkIn = (mail: Message | undefined, purpose: string): string =>
  new RegExp(`/v1/watch/${purpose}\\?token=[\\w%-]+`).exec(mail?.text ?? "")?.[0] ?? "";
