/**
 * A real browser for tests: the distribution's own Chromium, if possible without its windows, which take
 * two thirds of its CPU time. Where it is missing, the tests report themselves as skipped.
 */
import { existsSync } from "node:fs";
import axe from "axe-core";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { soaked } from "./soaked.ts";

const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));
export const hasBrowser = CHROMIUM !== undefined;

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const launch = (): Promise<Browser> =>
  chromium.launch({ args: QUIET, ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }) });

export async function inContext<T>(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0],
  use: (context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(options);
  try {
    return await use(context);
  } finally {
    await context.close();
  }
}

const ALL = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
/** Only colours change with the reader's scheme. */
const COLOURS = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };

const LOOKS = [
  [320, "light", ALL],
  [1280, "light", ALL],
  [1280, "dark", COLOURS],
  [320, "dark", COLOURS],
] as const;

type Looks = readonly (typeof LOOKS)[number][];

/** Of the looks, in turn, one pair of widths and colour schemes or the other; `npm run soak:tests` takes all of them. */
export const looksAt = (turn: number): Looks =>
  soaked<Looks>(turn % 2 === 0 ? [LOOKS[0], LOOKS[2]] : [LOOKS[1], LOOKS[3]], LOOKS);

/** Checks the open page, narrow and wide, light and dark, for horizontal overflow and violations of WCAG 2.2 AA. */
export async function troublesOf(page: Page, looks: Looks = LOOKS): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [width, colorScheme, rules] of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const troubles = [...(await overflow(page)), ...(await violations(page, rules))];
    found.push(...troubles.map((words) => `${width} pixels, ${colorScheme}: ${words}`));
  }
  return found;
}

/** What a reader of the pages may have. */
interface Reader {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
  readonly javaScriptEnabled: boolean;
}

export const READERS: readonly Reader[] = [360, 1280].flatMap((width) =>
  (["light", "dark"] as const).flatMap((colorScheme) =>
    [true, false].map((javaScriptEnabled) => ({ width, colorScheme, javaScriptEnabled })),
  ),
);

/** Four of the eight, in which each two properties occur in each combination; all of them in `npm run soak:tests`. */
export const MOST_READERS: readonly Reader[] = soaked(
  READERS.filter(
    ({ width, colorScheme, javaScriptEnabled }) =>
      ((width === 360) === (colorScheme === "light")) === javaScriptEnabled,
  ),
  READERS,
);

/** A reader as the name of a test, and the options of the browser. */
export const describedReader = (reader: Reader): readonly [name: string, options: BrowserContextOptions] => [
  `${reader.width} pixels, ${reader.colorScheme}, ${reader.javaScriptEnabled ? "with" : "without"} a script`,
  contextOf(reader),
];

export const contextOf = ({ width, ...rest }: Reader): BrowserContextOptions => ({
  viewport: { width, height: 900 },
  ...rest,
});

/** Problems reported by the console, the network and the content security policy, except the status of the page. */
export function listen(page: Page, status = 200): string[] {
  const messages: string[] = [];
  page.on("console", (message) => {
    const ownStatus = status >= 400 && message.text().includes(`status of ${status}`);
    if (!ownStatus) messages.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => messages.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    // The browser ends requests of a page that the reader leaves, such as that for its icon.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") messages.push(`failed: ${request.url()}`);
  });
  return messages;
}

export async function overflow(page: Page): Promise<readonly string[]> {
  const wider = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return wider > 0 ? [`${wider} pixels wider than the screen`] : [];
}

interface Finding {
  readonly id: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly failureSummary?: string;
    readonly any: readonly { readonly data: { readonly messageKey?: string } | null }[];
  }[];
}

/**
 * Runs through the debugger, which no policy of a page holds back; `preload` would fetch the stylesheet, which it forbids.
 * Selectors of every node that is fine cost a third of the time on a page of 3,000 nodes, and are not used.
 */
export async function violations(page: Page, rules: object = ALL): Promise<readonly string[]> {
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axe.source} })()`);
  const options = { ...rules, resultTypes: ["violations", "incomplete"], preload: false, selectors: false };
  const found = await page.evaluate<{
    readonly violations: readonly Finding[];
    readonly incomplete: readonly Finding[];
  }>(`axe.run(${JSON.stringify(options)}).then(({ violations, incomplete }) => ({ violations, incomplete }))`);
  return [...found.violations, ...found.incomplete.flatMap(unseen)].map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} ${nodes[0]?.failureSummary ?? ""}`,
  );
}

/** Reports text in the colour of its background, which axe only marks as incomplete. Here it is always an error. */
function unseen(finding: Finding): readonly Finding[] {
  const nodes = finding.nodes.filter(({ any }) => any.some(({ data }) => data?.messageKey === "equalRatio"));
  return nodes.length === 0 ? [] : [{ ...finding, nodes }];
}
