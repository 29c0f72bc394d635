/**
 * Part of `npm run build`: writes the bundled catalogue in compressed pages, which the package contains instead of the
 * file. `src/platform/package-files.ts` reads them. The output is deterministic.
 * Run: node tools/bundle-catalogue.ts [FILE]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { PagedHead } from "../src/platform/package-files.ts";

/**
 * Size of a page in bytes. A small check decompresses 53 pages, which takes 3 ms. With pages of 8 KiB it takes as long, and
 * the file would be 7 % larger.
 */
const PAGE = 16_384;

const root = join(import.meta.dirname, "..");
const bytes = readFileSync(join(root, "src/data/catalogue.json"));
const pages: Buffer[] = [];
for (let start = 0; start < bytes.length; start += PAGE)
  pages.push(deflateRawSync(bytes.subarray(start, start + PAGE), { level: 9 }));
const head: PagedHead = { size: bytes.length, page: PAGE, lengths: pages.map(({ length }) => length) };
const target = process.argv[2] ?? join(root, "dist/catalogue.pages");
writeFileSync(target, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...pages]));
