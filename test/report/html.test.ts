/** The HTML report in a real browser, opened as a file. */
import { toFindings } from "../../src/policy/rows.ts";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { html } from "../../src/report/html.ts";
import { SCRIPT, SCRIPT_DIGEST } from "../../src/report/html/script.ts";
import { STYLE } from "../../src/report/html/style.ts";
import { formatComponentName } from "../../src/report/labels.ts";
import { escapeHtml } from "../../src/report/escape.ts";
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

const sorted = (names: readonly (string | undefined)[]): readonly string[] =>
  names.map((name) => name ?? "").toSorted((one, other) => (one < other ? -1 : 1));

const DETAILS = { ...PLAIN, details: true };

test("the content security policy contains the digest of the script", () => {
  expect(SCRIPT_DIGEST).toBe(`sha256-${createHash("sha256").update(SCRIPT).digest("base64")}`);
  expect(html(passReport(), PLAIN)).toContain(`script-src '${SCRIPT_DIGEST}'"`);
});

test("the page has one style besides the page margins and one script, which are the tested ones", () => {
  const page = html(failReport(), PLAIN);
  expect([...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => text)).toEqual([
    STYLE,
    expect.stringMatching(/^@page\{[^<]*\}$/),
  ]);
  expect([...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text)).toEqual([SCRIPT]);
});

test.each(Object.entries(REPORTS))("%s with details lists every component once", (_, make) => {
  const report = make();
  const listed = [...html(report, DETAILS).matchAll(/<li><code>(.*?)<\/code>/g)].map(([, name]) => name);
  const files = report.documents.length > 1 ? report.documents.map(({ file }) => file) : [];
  const waivers = Object.values(report.verdict.waivers).flatMap((each) => each.map(({ target }) => target));
  const names = report.documents.flatMap(({ rows }) =>
    toFindings(rows).map(({ component }) => formatComponentName(component)),
  );
  const expected = [...names, ...files, ...waivers].map((name) => escapeHtml(name));
  expect(sorted(listed)).toEqual(sorted(expected));
});

test("opens on the product, the verdict and what to do", () => {
  const page = html(failReport(), PLAIN);
  const [body = ""] = page.split("<form");
  expect(body).toMatch(/<h1><span class="badge fail">FAIL<\/span> 2 of 3 documents fail, [^<]*reached end of life/);
  expect(body).toMatch(/<h2>What to do<\/h2><ol>\n<li><b>[^<]+<\/b>: [^<]+ <span class="soft">clears \d+ component/);
  expect(html(passReport(), PLAIN)).not.toContain("What to do");
});

test("the margins of a page hold any name of a document as text", () => {
  const [, name = ""] = /content:"((?:[A-Za-z0-9 …]|\\[0-9a-f]+ )*)"/.exec(html(hostileReport(), PLAIN)) ?? [];
  expect(name).not.toBe("");
});

test("the header shows document, digest, policy and configuration file", () => {
  const settings = {
    configFile: "eolgate.config.yaml",
    configFrom: null,
    asOf: "clock",
    given: [{ setting: "failOn", origin: "eolgate.config.yaml: failOn" }],
  };
  const report = { ...failReport(), settings };
  const head = /<dl class="about">([\s\S]*?)<\/dl>/.exec(html(report, PLAIN))?.[1] ?? "";
  for (const { file, digest } of report.documents)
    expect(head).toContain(`<code>${file}</code> <code class="digest">${digest()}</code>`);
  expect(head).toContain("<dt>Policy</dt><dd>fails on eol, ");
  expect(head).toContain("<dt>Configuration</dt><dd>eolgate.config.yaml (failOn)</dd>");
  expect(html({ ...report, settings: { ...settings, configFile: null } }, PLAIN)).toContain("no configuration file");
});

test("files of a folder are grouped by release cycle, each component with its file", () => {
  const folder = {
    folder: ".",
    read: [],
    notRead: [],
    skipped: { directories: [], gitIgnored: 0, excluded: 0, links: 0 },
  };
  const page = html({ ...failReport(), folders: [folder] }, DETAILS);
  expect(page).toContain("<h2>Release cycles</h2>");
  expect(page).toMatch(/<code>kestrel 3\.2\.1<\/code> <span class="soft">shop\.cdx\.json:\d+ · /);
});

describe.skipIf(!hasBrowser)("in a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-html-"));
  const address = (name: string): string => pathToFileURL(join(folder, `${name}.html`)).href;
  let browser: Browser;
  beforeAll(async () => {
    for (const [name, make] of Object.entries(REPORTS))
      writeFileSync(join(folder, `${name}.html`), html(make(), name === "warn" ? PLAIN : DETAILS));
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test.each(Object.keys(REPORTS))(
    "%s, narrow and wide, light and dark: no console output, no requests, WCAG 2.2 AA, no horizontal overflow",
    async (name) => {
      await inContext(browser, {}, async (context) => {
        const page = await context.newPage();
        const messages = listen(page);
        const requested: string[] = [];
        page.on("request", (request) => requested.push(request.url()));
        page.on("dialog", (dialog) => messages.push(`dialog: ${dialog.message()}`));
        await page.goto(address(name));
        expect([...(await troublesOf(page)), ...messages]).toEqual([]);
        expect(requested).toEqual([address(name)]);
      });
    },
  );

  test("the search finds matching rows", async () => {
    await inContext(browser, {}, async (context) => {
      const page = await context.newPage();
      await page.setContent(
        '<body style="width:2000px"><img><p style="color:#999">pale</p><b style="color:#fff">white</b>',
      );
      const violations = (await troublesOf(page)).join("\n");
      for (const violation of [
        "320 pixels, light: 1688 pixels wider",
        "image-alt",
        "320 pixels, dark: color-contrast",
        "<b style",
      ])
        expect(violations).toContain(violation);
    });
  });

  test("the timeline can be scrolled by keyboard on a narrow screen", async () => {
    await inContext(browser, { viewport: { width: 320, height: 900 } }, async (context) => {
      const page = await context.newPage();
      await page.goto(address("fail"));
      const timeline = page.locator(".fold > summary").first();
      await timeline.focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      expect(await focused(page, "getAttribute('aria-label')")).toBe("Timeline");
      await page.keyboard.press("ArrowRight");
      // Polled from the test, because the content security policy forbids scripts in the page.
      await expect.poll(() => page.evaluate<number>("document.activeElement.scrollLeft")).toBeGreaterThan(0);
    });
  });

  test("rows can be sorted and filtered by status, source and text", async () => {
    await inContext(browser, {}, async (context) => {
      const page = await context.newPage();
      await page.goto(address("fail"));
      const shown = (): Promise<string[]> => page.locator(".rows > details:visible > summary b").allTextContents();
      const all = await shown();
      await page.getByLabel("Status").selectOption("warn");
      expect(await shown()).toEqual(["wren", "Lumen 14", "Murky 1", "mystery 1"]);
      await page.getByLabel("Source of the date").selectOption("own record");
      expect(await shown()).toEqual(["wren"]);
      expect(await page.locator("output").textContent()).toBe(`1 of ${all.length} rows`);
      await page.getByLabel("Status").selectOption("");
      await page.getByLabel("Source of the date").selectOption("");
      await page.getByLabel("Text").fill("libgull3");
      expect(await shown()).toEqual(["Heron Linux 10 (grey)"]);
      expect(await page.locator(".parts li:visible").allTextContents()).toEqual([
        expect.stringContaining("libgull3 1.3-2"),
      ]);
      await page.getByLabel("Text").fill("");
      expect(await shown()).toEqual(all);
      await page.getByLabel("Sort by").selectOption("count");
      expect((await shown())[0]).toBe("Heron Linux 10 (grey)");
    });
  });

  test("without scripts there is no form, and rows can be expanded by keyboard", async () => {
    await inContext(browser, { javaScriptEnabled: false }, async (context) => {
      const page = await context.newPage();
      await page.goto(address("fail"));
      expect(await page.locator("form").isVisible()).toBe(false);
      const row = page.locator("details.card", { hasText: "wren 0.9.1 was retired" });
      expect(await row.getByText("Risk score").isVisible()).toBe(false);
      await row.locator("summary").focus();
      await page.keyboard.press("Enter");
      expect(await row.getByText("Risk score").isVisible()).toBe(true);
    });
  });

  test("print has a row for each release cycle, lines to sign, and no row that expands", async () => {
    await inContext(browser, { javaScriptEnabled: false }, async (context) => {
      const page = await context.newPage();
      await page.emulateMedia({ media: "print" });
      await page.goto(address("fail"));
      expect(await page.locator(".rows").first().isVisible()).toBe(false);
      const cycles = await page.locator(".print tbody tr:visible td:nth-child(2)").allTextContents();
      const rows = page.locator(".rows > details:not([data-state=not-assessed]):not([data-state=out-of-scope])");
      expect(cycles).toHaveLength(await rows.count());
      expect(cycles).toContain("Heron Linux 10 (grey)");
      for (const shown of [page.getByText("Signature"), page.locator(".facts dl")])
        expect(await shown.isVisible()).toBe(true);
    });
  });

  test.each(["A4", "Letter"] as const)("a report of 11 release cycles has at most two pages of %s", async (format) => {
    await inContext(browser, {}, async (context) => {
      const page = await context.newPage();
      await page.goto(address("fail"));
      const pdf = (await page.pdf({ format })).toString("latin1");
      expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length).toBeLessThanOrEqual(2);
    });
  });

  test("no content is cut off in print", async () => {
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
