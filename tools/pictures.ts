/**
 * The pictures of pages that the documentation shows: `npm run docs:pictures`. A real `eolgate serve` over the bundled
 * catalogue, looked at with Chromium.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
const WIDTH = 1000;
/** Keeps each picture below 150 kB. */
const SCALE = 0.9;

interface Picture {
  readonly file: string;
  readonly path: string;
  /** What is the last thing to be seen. */
  readonly until: string;
}

const PICTURES: readonly Picture[] = [
  { file: "score-card.png", path: "/score/nodejs/18.20.1", until: ".columns.wide" },
  { file: "product.png", path: "/postgresql", until: "section[aria-labelledby=timeline]" },
];

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

async function takePictures(address: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-lcd-text"],
  });
  try {
    const page = await browser.newPage({
      viewport: { width: WIDTH, height: 900 },
      colorScheme: "light",
      deviceScaleFactor: SCALE,
    });
    for (const { file, path, until } of PICTURES) {
      await page.goto(address + path);
      const last = await page.locator(until).boundingBox();
      if (!last) throw new Error(`${path} shows no ${until}`);
      const height = Math.ceil(last.y + last.height + 16);
      const target = fromRoot(`docs/pictures/${file}`);
      await page.screenshot({ path: target, fullPage: true, clip: { x: 0, y: 0, width: WIDTH, height } });
      console.log(`docs/pictures/${file}: ${WIDTH} × ${height}`);
    }
  } finally {
    await browser.close();
  }
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
    await takePictures(address);
    break;
  }
} finally {
  const stopped = new Promise((resolve) => serve.once("exit", resolve));
  serve.kill("SIGTERM");
  await stopped;
  rmSync(data, { recursive: true, force: true });
}
