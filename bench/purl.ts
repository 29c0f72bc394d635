/**
 * Compares the ways to read a purl, each with the same purls in one process: packageurl-js, the split of plain purls in
 * `src/resolve/purl/key.ts`, and the test of untracked packages on bytes in `src/resolve/purl/resolve.ts`, which decides for some
 * of them without creating a string. The purls are those of the documents in ../shared, or of `writeCycloneDx` without
 * them.
 * Run: node bench/purl.ts [rounds]
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCatalogue } from "../src/catalogue/load.ts";
import { parsePurl, purlKey } from "../src/resolve/purl/key.ts";
import { keyHash } from "../src/resolve/purl/pattern.ts";
import { untrackedTest } from "../src/resolve/purl/resolve.ts";
import { writeCycloneDx } from "./documents.ts";
import { row } from "./measure.ts";

const [rounds = 15] = process.argv.slice(2).map(Number);
/** Components of the documents, repeated up to this number. */
const PURLS = 100_000;
const SHARED = new URL("../../shared/sboms/", import.meta.url);

function texts(): readonly string[] {
  if (existsSync(SHARED))
    return readdirSync(SHARED, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json"))
      .map((file) => readFileSync(new URL(file, SHARED), "utf8"));
  const folder = mkdtempSync(join(tmpdir(), "eolgate-bench-"));
  const file = join(folder, "large.cdx.json");
  writeCycloneDx(file, PURLS);
  const text = readFileSync(file, "utf8");
  rmSync(folder, { recursive: true });
  return [text];
}

const found = texts().flatMap((text) => Array.from(text.matchAll(/"(pkg:[^"\\]{1,400})"/g), ([, purl = ""]) => purl));
const purls = Array.from({ length: PURLS }, (_, index) => found[index % found.length] ?? "");
const bytes = new TextEncoder().encode(purls.map((purl) => `"${purl}"`).join(""));
const starts = [...bytes.entries()]
  .filter(([at, byte]) => byte === 0x22 && bytes[at + 1] === 0x70)
  .map(([at]) => at + 1);

const isUntracked = untrackedTest(loadCatalogue(), PURLS);
if (isUntracked === undefined) throw new Error("the catalogue lists no purls");
const decoder = new TextDecoder();
/** Like the reading of documents: a string is created from the bytes where a reader needs one. */
const textAt = (at: number): string => decoder.decode(bytes.subarray(at, bytes.indexOf(0x22, at)));

let untracked = 0;
const works: readonly (readonly [name: string, work: (at: number) => unknown])[] = [
  ["packageurl-js", (at) => parsePurl(textAt(at))],
  ["plain purls split, others packageurl-js", (at) => purlKey(textAt(at))],
  [
    "untracked by bytes, others split",
    (at) => (isUntracked(keyHash(bytes, at)) ? (untracked += 1) : purlKey(textAt(at))),
  ],
];
const least = new Map<string, number>();
for (let round = 0; round < rounds; round += 1)
  for (const [name, work] of works) {
    const begin = process.cpuUsage();
    for (const at of starts) work(at);
    const { user, system } = process.cpuUsage(begin);
    least.set(name, Math.min(least.get(name) ?? Infinity, (user + system) / 1000));
  }
const distinct = new Set(found).size;
const share = Math.round((untracked * 100) / rounds / starts.length);
console.log(`${starts.length} purls, ${distinct} distinct, ${share} % untracked by bytes, least of ${rounds}`);
const floor = least.get("packageurl-js") ?? Number.NaN;
for (const [name] of works) console.log(row(name, least.get(name) ?? Number.NaN, floor));
