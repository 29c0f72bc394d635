/**
 * A key and a watch list, from the first page to the mail and back, over a real SMTP server: at 360 and 1,280 pixels,
 * light and dark, by keyboard alone, with and without a script. Each journey counts its steps.
 */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { smtpTransport } from "../../../src/service/mail/transport.ts";
import {
  describedReader,
  hasBrowser,
  inContext,
  launch,
  listen,
  looksAt,
  MOST_READERS,
  overflow,
  READERS,
  troublesOf,
} from "../../browser.ts";
import { readMail, type ReadMail } from "../mail/received.ts";
import { startSink, type Sink } from "../mail/smtp-sink.ts";
import { AFTER_CUT_OFF, PUBLIC_URL, stopServices, type Service } from "../service.ts";
import { Keyboard } from "./keyboard.ts";
import { startPages } from "./page-fixtures.ts";

const LOOKS = MOST_READERS.map(describedReader);

const NARROW_AND_WIDE = READERS.map(describedReader).filter(([name]) =>
  /^360.*light, without|^1280.*dark, with /.test(name),
);

interface Visit {
  readonly page: Page;
  readonly keyboard: Keyboard;
  readonly service: Service;
  /** The newest mail, as its reader sees it. */
  mail(): Promise<ReadMail>;
  /** Opens an address of a mail on this service. */
  follow(address: string): Promise<void>;
}

describe.skipIf(!hasBrowser)("in a browser", () => {
  let browser: Browser;
  let sink: Sink;

  beforeAll(async () => {
    browser = await launch();
    sink = await startSink();
  });
  afterAll(async () => {
    await browser?.close();
    await stopServices();
    await sink?.close();
  });

  /** Each visit has a service of its own: limits count per network. */
  const visit = async (options: BrowserContextOptions, use: (visit: Visit) => Promise<void>): Promise<void> => {
    const transport = await smtpTransport(sink.address, "alerts@eol.example.org");
    const service = await startPages({ at: AFTER_CUT_OFF, store: { transport } });
    const root = await service.app.listen({ host: "127.0.0.1", port: 0 });
    await inContext(browser, options, async (context) => {
      const page = await context.newPage();
      const messages = listen(page);
      await page.goto(root);
      const mail = async (): Promise<ReadMail> => {
        await service.over.jobs.wake("mails");
        return readMail(sink.received.at(-1)?.raw ?? "");
      };
      const follow = async (address: string): Promise<void> => {
        await page.goto(address.replace(PUBLIC_URL, root));
      };
      await use({ page, keyboard: new Keyboard(page), service, mail, follow });
      // A refused form has status 400; a page that is left at once may not have loaded its icon.
      expect(messages.filter((message) => !/status of 400|^failed: .*\/assets\//.test(message))).toEqual([]);
    });
  };

  const linkIn = (text: string, start: string): string =>
    text.split(/\s+/).find((word) => word.startsWith(`${PUBLIC_URL}${start}`)) ?? "";

  test.each(LOOKS)("gets a key in 3 steps: %s", async (_, options) => {
    await visit(options, async ({ page, keyboard, service, mail }) => {
      await keyboard.press("Get a key");
      await page.waitForURL("**/keys");
      expect(await overflow(page)).toEqual([]);
      await keyboard.type("E-mail address", "ann@example.org");
      await page.keyboard.press("Enter");
      keyboard.steps += 1;
      await page.locator("main .note[role=status]").waitFor();
      expect(keyboard.steps).toBe(3);
      expect(await overflow(page)).toEqual([]);
      const { headers, text, html } = await mail();
      expect(headers["from"]).toBe("eolgate <alerts@eol.example.org>");
      const key = /eolg_[a-z2-7]{48}/.exec(text)?.[0] ?? "";
      expect(html).toContain(key);
      expect((await service.get("/v1/products", { "x-api-key": key })).statusCode).toBe(200);
    });
  });

  test.each(LOOKS)("watches a stack in 6 steps: %s", async (_, options) => {
    await visit(options, async ({ page, keyboard, service, mail, follow }) => {
      await keyboard.press("Watch");
      await page.waitForURL("**/watch");
      await keyboard.type("Products and versions, or package URLs", "nodejs 24, debian 11");
      await keyboard.type("E-mail address", "ann@example.org");
      await page.keyboard.press("Enter");
      keyboard.steps += 1;
      await page.locator("main .note[role=status]").waitFor();
      expect(await overflow(page)).toEqual([]);
      await follow(linkIn((await mail()).text, "/v1/watch/confirm"));
      keyboard.steps += 1;
      await keyboard.press("Confirm");
      await page.locator("main .note[role=status]").waitFor();
      expect(keyboard.steps).toBe(6);
      expect(await page.locator("main").textContent()).toContain("Your watch list is confirmed.");
      expect((await service.fixture.store.watch.confirmedOf("ann@example.org"))?.cycles).toHaveLength(2);

      const { headers, text, html } = await mail();
      expect(headers["subject"]).toBe("Your watch list: 2 release cycles");
      expect(headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
      expect(headers["list-unsubscribe"]).toContain(linkIn(text, "/v1/watch/unsubscribe"));
      for (const part of [text, html]) {
        expect(part).toContain("eolgate at eol.example.org");
        expect(part).toContain("Debian 11 (Bullseye)");
        expect(part).toMatch(/Upgrade to:(?:<[^>]*>| )*Debian 13/);
      }
    });
  });

  test.each(NARROW_AND_WIDE)("pauses, changes and deletes a list in 2 steps each: %s", async (_, options) => {
    await visit(options, async ({ page, keyboard, service, mail, follow }) => {
      const store = service.fixture.store.watch;
      await keyboard.press("Watch");
      await page.waitForURL("**/watch");
      await keyboard.type("Products and versions, or package URLs", "nodejs 24");
      await keyboard.type("E-mail address", "ann@example.org");
      await page.keyboard.press("Enter");
      await page.locator("main .note[role=status]").waitFor();
      await follow(linkIn((await mail()).text, "/v1/watch/confirm"));
      await keyboard.press("Confirm");
      await page.locator("main .note[role=status]").waitFor();
      const welcome = (await mail()).text;

      keyboard.steps = 1;
      await follow(linkIn(welcome, "/watch/"));
      expect(await overflow(page)).toEqual([]);
      await keyboard.reach("Products and versions, or package URLs");
      await page.keyboard.press("Control+End");
      await page.keyboard.type("\nnonsense");
      await keyboard.press("Save");
      await page.getByText("1 entry not recognised").waitFor();
      expect(await page.locator("textarea").inputValue()).toBe("nodejs 24\nnonsense");
      expect(await overflow(page)).toEqual([]);
      await page.locator("textarea").fill("nodejs 24\npython 3.9");
      await keyboard.press("Save");
      await page.getByText("The list is saved.").waitFor();
      expect((await store.confirmedOf("ann@example.org"))?.cycles).toHaveLength(2);

      keyboard.steps = 1;
      await follow(linkIn(welcome, "/v1/watch/unsubscribe"));
      await keyboard.press("Unsubscribe");
      await page.locator("main .note[role=status]").waitFor();
      expect([keyboard.steps, await store.confirmedOf("ann@example.org")]).toEqual([2, undefined]);
      await follow(linkIn(welcome, "/v1/watch/unsubscribe"));
      expect(await page.locator("main .note[role=status]").textContent()).toContain("It sends no more mails.");
    });
  });

  test("watches the result of a check in 2 more steps: 360 pixels, without scripts", async () => {
    await visit(
      { viewport: { width: 360, height: 900 }, javaScriptEnabled: false },
      async ({ page, keyboard, mail }) => {
        await keyboard.press("Check");
        await keyboard.type("Or a list, or the text of a document", "nodejs 24, debian 12");
        await keyboard.press("Check");
        await page.locator(".badge").waitFor();
        const before = keyboard.steps;
        await keyboard.type("E-mail address", "ann@example.org");
        await page.keyboard.press("Enter");
        await page.locator("main .note[role=status]").waitFor();
        expect(keyboard.steps - before).toBe(1);
        expect((await mail()).text).toContain("Debian 12 (Bookworm)");
      },
    );
  });

  test("all pages conform to WCAG 2.2 AA in every layout and colour scheme", async () => {
    await visit({}, async ({ page, service, mail, follow }) => {
      const troubles: string[] = [];
      let turn = 0;
      const look = async (name: string): Promise<void> => {
        troubles.push(...(await troublesOf(page, looksAt(turn))).map((words) => `${name}, ${words}`));
        turn += 1;
      };
      const submit = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("link", { name: "Get a key" }).click();
      await page.getByLabel("E-mail address").fill("ann@example.org");
      await submit("Send me a key");
      await page.locator("main .note[role=status]").waitFor();
      await look("key sent");
      await page.getByRole("link", { name: "Watch", exact: true }).click();
      await page.locator("#list").fill("nodejs 24, debian 11");
      await page.locator("#email").fill("ann@example.org");
      await submit("Watch");
      await page.locator("main .note[role=status]").waitFor();
      await look("list requested");
      await follow(linkIn((await mail()).text, "/v1/watch/confirm"));
      await submit("Confirm");
      await page.locator("main .note[role=status]").waitFor();
      await look("list confirmed");
      await page.getByRole("link", { name: "Open your watch list" }).click();
      await look("list");
      const list = await service.fixture.store.watch.confirmedOf("ann@example.org");
      await service.fixture.store.watch.setCycles(list?.id ?? "", [
        ...(list?.cycles ?? []),
        { product: list?.cycles[0]?.product ?? ("" as never), cycle: "gone" },
      ]);
      await submit("Save");
      await look("list with a lost release cycle");
      expect(troubles).toEqual([]);
    });
  }, 120_000);
});
