/** Packs a sorted list of names in compressed blocks, as `src/catalogue/debian-packages.ts` reads it. */
import { deflateRawSync } from "node:zlib";

const BLOCK = 256;

/** Packs names in ASCII without line ends. Deterministic for a version of zlib. */
export function packNames(names: readonly string[]): Buffer {
  const sorted = [...new Set(names)].sort();
  const keys: string[] = [];
  const starts: number[] = [];
  const blocks: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < sorted.length; at += BLOCK) {
    const block = deflateRawSync(`${sorted.slice(at, at + BLOCK).join("\n")}\n`, { level: 9 });
    keys.push(sorted[at] ?? "");
    starts.push(size);
    blocks.push(block);
    size += block.length;
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify({ keys, starts: [...starts, size] })}\n`), ...blocks]);
}
