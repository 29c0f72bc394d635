/**
 * One round of fuzzing a layer or an archive of a container image: it is damaged, and then read, or refused with an input
 * error.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { ArchiveReader } from "../../src/images/archive.ts";
import { WantedPaths } from "../../src/images/contents/wanted.ts";
import { readLayer } from "../../src/images/layer.ts";
import { IMAGE_LIMITS, ImageBudget } from "../../src/images/limits.ts";
import { EolgateError } from "../../src/messages/error.ts";
import { BASE, buildImage, indexOf, layoutFiles, savedFiles, tarOf } from "../images/build.ts";
import { Random } from "./documents/random.ts";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Overwrites, removes or repeats some bytes, often in the headers of a tar archive, which are every 512 bytes. */
function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  let result = Buffer.from(bytes);
  for (let count = random.below(4); count >= 0; count -= 1) {
    const at = random.chance(50) ? random.below(result.length) : random.below(Math.ceil(result.length / 512)) * 512;
    const end = Math.min(result.length, at + 1 + random.below(160));
    const kind = random.below(4);
    if (kind === 0) result.fill(random.below(256), at, end);
    else if (kind === 1) result = Buffer.concat([result.subarray(0, at), result.subarray(end)]);
    else if (kind === 2) result = Buffer.concat([result.subarray(0, end), result.subarray(at)]);
    else result = result.subarray(0, Math.max(1, at));
  }
  return result;
}

const layer = await tarOf({ ...BASE, "var/lib/rpm -> ../x": "", "etc/.wh.gone": "", "a => etc/os-release": "" });
const images = [
  await buildImage([BASE, { "opt/a": "y".repeat(5000) }]),
  await buildImage([BASE], { compress: (tar) => tar }),
];
const ARCHIVES = await Promise.all([
  ...images.map((image) => tarOf(savedFiles(image))),
  ...images.map((image) => tarOf(layoutFiles(indexOf([image.manifest]), [image]))),
]);
const LAYERS = [layer, gzipSync(layer)];
/** Milliseconds after which a read counts as one that never ends. */
const FOREVER = 20_000;

export type ArchiveOutcome = "read" | "refused" | { readonly problem: string };

export async function fuzzArchive(seed: number): Promise<ArchiveOutcome> {
  const random = new Random(seed);
  const isLayer = random.chance(50);
  const of = isLayer ? LAYERS : ARCHIVES;
  const bytes = damaged(of[random.below(of.length)] ?? layer, random);
  const size = 1 + random.below(5000);
  const reading = isLayer
    ? readLayer(chunksOf(bytes, size), new WantedPaths(), new ImageBudget(IMAGE_LIMITS))
    : new ArchiveReader(() => chunksOf(bytes, size), IMAGE_LIMITS).read(new WantedPaths());
  const timer = new AbortController();
  try {
    const late = sleep(FOREVER, "late", { signal: timer.signal }).catch(() => "late");
    return (await Promise.race([reading, late])) === "late" ? { problem: "the read never ends" } : "read";
  } catch (error) {
    if (error instanceof EolgateError && error.exit === 3) return "refused";
    return { problem: String(error instanceof Error ? error.stack : error) };
  } finally {
    timer.abort();
  }
}
