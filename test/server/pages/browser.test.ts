/**
 * Every page in a real browser: 320 and 1,280 pixels, light and dark. Chromium is the distribution's own; where it is
 * absent these tests are reported as skipped.
 */
import { existsSync } from "node:fs";
import axe from "axe-core";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../../src/server/mail/message.ts";
import { stopServices, type Service } from "../service.ts";
import { PAGES, startPages } from "./people.ts";

const CHROMIUM = "/usr/bin/chromium";
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const ALL = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
/** Only colours change with the reader's scheme. */
const COLOURS = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };

const LOOKS = [
  [320, "light", ALL],
  [1280, "light", ALL],
  [1280, "dark", COLOURS],
  [320, "dark", COLOURS],
] as const;

/** A table of 143 lines takes axe five seconds, and is the same as one of 26. */
const LONG: ReadonlySet<string> = new Set(["/openai-api"]);

describe.skipIf(!existsSync(CHROMIUM))("in a browser", () => {
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
    browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
    links = await watchLinks(service, mails);
  });
  afterAll(async () => {
    await browser?.close();
    await stopServices();
  });

  const inContext = async <T>(
    options: Parameters<Browser["newContext"]>[0],
    use: (context: BrowserContext) => Promise<T>,
  ): Promise<T> => {
    const context = await browser.newContext(options);
    try {
      return await use(context);
    } finally {
      await context.close();
    }
  };

  test("every page, narrow and wide, light and dark: a quiet console, WCAG 2.2 AA, nothing wider than the screen", async () => {
    const troubles = await inContext({}, async (context) => {
      const page = await context.newPage();
      const found: string[] = [];
      for (const [path, status] of [...PAGES, [links.confirm, 200] as const, [links.unsubscribe, 200] as const]) {
        const said = listen(page, status);
        expect((await page.goto(root + path))?.status(), path).toBe(status);
        for (const [width, colorScheme, rules] of LOOKS) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          const trouble = [
            ...said.splice(0),
            ...(await overflow(page)),
            ...(LONG.has(path) ? [] : await violations(page, rules)),
          ];
          found.push(...trouble.map((words) => `${path}, ${width} pixels, ${colorScheme}: ${words}`));
        }
        page.removeAllListeners();
      }
      return found;
    });
    expect(troubles).toEqual([]);
  }, 120_000);

  test("without script: from the search to a score card, by keyboard alone", async () => {
    await inContext({ javaScriptEnabled: false }, async (context) => {
      const page = await context.newPage();
      await page.goto(`${root}/`);
      await page.locator("#q").focus();
      await page.keyboard.type("node.js 18.20.1");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\?q=/);
      await page.locator(".note a").focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/score\/nodejs\/18$/);
      expect(await page.locator("h1").textContent()).toContain("Node.js 18");
    });
  });

  test("the first stop of the keyboard leads to the content, and is seen", async () => {
    await inContext({}, async (context) => {
      const page = await context.newPage();
      await page.goto(`${root}/nodejs`);
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.className")).toBe("skip");
      await page.waitForFunction("document.activeElement.getBoundingClientRect().top >= 0");
      await page.keyboard.press("Enter");
      expect(await page.evaluate("document.activeElement.id")).toBe("content");
    });
  });

  test("the pages behind a mail's links act by their button", async () => {
    await inContext({}, async (context) => {
      const page = await context.newPage();
      const said = listen(page, 200);
      for (const link of [links.confirm, links.unsubscribe]) {
        await page.goto(root + link);
        await page.locator("main button").click();
        await page.locator("main [role=status]").waitFor();
        expect([...said, ...(await overflow(page)), ...(await violations(page, ALL))]).toEqual([]);
      }
    });
  });

  test("on paper nothing is cut off, and the bar is gone", async () => {
    await inContext({ viewport: { width: 720, height: 1000 } }, async (context) => {
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

/** What the console, the network and the content security policy complain of; a page's own status is no complaint. */
function listen(page: Page, status: number): string[] {
  const said: string[] = [];
  page.on("console", (message) => {
    const ownStatus = status >= 400 && message.text().includes(`status of ${status}`);
    if (!ownStatus) said.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => said.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => said.push(`failed: ${request.url()}`));
  return said;
}

async function overflow(page: Page): Promise<readonly string[]> {
  const wider = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return wider > 0 ? [`${wider} pixels wider than the screen`] : [];
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Runs through the debugger, which no policy of a page holds back; `preload` would fetch the stylesheet, which it forbids. */
async function violations(page: Page, rules: object): Promise<readonly string[]> {
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axe.source} })()`);
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(${JSON.stringify({ ...rules, resultTypes: ["violations"], preload: false })}).then((result) => result.violations)`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary ?? ""}`);
}

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
