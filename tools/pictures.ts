/**
 * Takes the pictures of the documentation: `npm run docs:pictures`. Screenshots of `eolgate serve` with the bundled
 * catalogue and of an HTML report in Chromium, and the output in a terminal.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
/** Keeps each picture below 150 kB. */
const SCALE = 0.9;
const WIDE = { width: 1000, colorScheme: "light" } as const;
const WIDE_DARK = { width: 1000, colorScheme: "dark" } as const;
const NARROW = { width: 360, colorScheme: "dark" } as const;

interface Picture {
  readonly file: string;
  /** Path of the page in the service; the report is a file. */
  readonly path: string;
  /** The last element that the picture shows. */
  readonly until: string;
  readonly look: typeof WIDE | typeof WIDE_DARK | typeof NARROW;
}

const REPORT = "report";
/** The result of a check: the form is sent with the example document. */
const CHECKED = "checked";
const PICTURES: readonly Picture[] = [
  { file: "home.png", path: "/", until: ".cards", look: WIDE },
  { file: "search.png", path: "/?q=postgres", until: "main table", look: WIDE },
  { file: "product.png", path: "/postgresql", until: ".columns", look: WIDE },
  { file: "product-dark.png", path: "/debian", until: ".columns", look: WIDE_DARK },
  { file: "product-narrow.png", path: "/debian", until: "table.cycles tr:nth-child(6)", look: NARROW },
  { file: "score-card.png", path: "/score/nodejs/18.20.1", until: ".columns.wide", look: WIDE },
  { file: "methodology.png", path: "/methodology", until: ".columns > :nth-child(2)", look: WIDE },
  { file: "check.png", path: "/check", until: "form.check", look: WIDE },
  { file: "check-result.png", path: CHECKED, until: "details.card", look: WIDE },
  { file: "check-result-dark.png", path: CHECKED, until: "details.card", look: WIDE_DARK },
  { file: "check-result-narrow.png", path: CHECKED, until: "details.card", look: NARROW },
  { file: "api.png", path: "/docs", until: ".contents", look: WIDE },
  { file: "html-report.png", path: REPORT, until: "details.card", look: WIDE },
  { file: "html-report-dark.png", path: REPORT, until: "details.card", look: WIDE_DARK },
  { file: "home-narrow.png", path: "/", until: ".cards li:nth-child(4)", look: NARROW },
  { file: "score-card-narrow.png", path: "/score/nodejs/18.20.1", until: ".stack", look: NARROW },
  { file: "html-report-narrow.png", path: REPORT, until: "details.card", look: NARROW },
];

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

async function takePictures(address: string, report: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-lcd-text"],
  });
  try {
    for (const { file, path, until, look } of PICTURES) {
      const { width, colorScheme } = look;
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, deviceScaleFactor: SCALE });
      await (path === CHECKED ? check(page, address) : page.goto(path === REPORT ? report : address + path));
      const last = await page.locator(until).first().boundingBox();
      if (!last) throw new Error(`${path} shows no ${until}`);
      const height = Math.ceil(last.y + last.height + 16);
      const target = fromRoot(`docs/pictures/${file}`);
      await page.screenshot({ path: target, fullPage: true, clip: { x: 0, y: 0, width, height } });
      await page.close();
      console.log(`docs/pictures/${file}: ${width} × ${height}`);
    }
  } finally {
    await browser.close();
  }
}

async function check(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/check`);
  await page.locator("input[type=file]").setInputFiles(fromRoot(EXAMPLE));
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.locator(".badge").waitFor();
}

const EXAMPLE = "examples/web-shop.cdx.json";

/** The catalogue's own day, so that the pictures of a release do not show an old catalogue. */
function catalogueDay(): string {
  const args = [fromRoot("bin/eolgate.js"), "catalogue", "info", "--format", "json"];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const day = /"date": ?"(\d{4}-\d{2}-\d{2})"/.exec(stdout)?.[1];
  if (day === undefined) throw new Error("catalogue info states no date");
  return day;
}

/** Writes both reports of one check: the terminal's as a picture, and the HTML file, whose address is returned. */
function writeReports(folder: string): string {
  const html = join(folder, "report.html");
  const run = {
    cwd: fromRoot("."),
    encoding: "utf8",
    env: { ...process.env, FORCE_COLOR: "1", COLUMNS: "112" },
  } as const;
  const args = [fromRoot("bin/eolgate.js"), "check", EXAMPLE, "--as-of", catalogueDay(), "--report", `html=${html}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, run);
  if (status !== 1) throw new Error(`check ended with ${status}: ${stderr}`);
  const shot = [fromRoot("tools/screenshot.ts"), `eolgate check ${EXAMPLE}`];
  const picture = spawnSync(process.execPath, shot, { ...run, input: stdout });
  if (picture.status !== 0) throw new Error(picture.stderr);
  writeFileSync(fromRoot("docs/pictures/report.svg"), picture.stdout);
  return pathToFileURL(html).href;
}

const data = mkdtempSync(join(tmpdir(), "eolgate-pictures-"));
const serve = spawn(
  process.execPath,
  [fromRoot("bin/eolgate.js"), "serve", "--port", "0", "--data", data, "--refresh", "off", "--open"],
  {
    stdio: ["ignore", "ignore", "pipe"],
  },
);
try {
  for await (const line of createInterface(serve.stderr)) {
    const address = /^eolgate serves (http\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    await takePictures(address, writeReports(data));
    break;
  }
} finally {
  const stopped = new Promise((resolve) => serve.once("exit", resolve));
  serve.kill("SIGTERM");
  await stopped;
  rmSync(data, { recursive: true, force: true });
}
