/** Randomly damaged images are read, or refused with an input error. */
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { WantedPaths } from "../../src/images/contents/wanted.ts";
import { ArchiveReader } from "../../src/images/archive.ts";
import { readLayer } from "../../src/images/layer.ts";
import { IMAGE_LIMITS, ImageBudget } from "../../src/images/limits.ts";
import { BASE, buildImage, indexOf, layoutFiles, savedFiles, tarOf } from "./build.ts";

/** The bytes in chunks of the given size. */
async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function isReadOrRefused(step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (cause) {
    return cause instanceof EolgateError && cause.exit === 3;
  }
}

const damage = (bytes: Uint8Array, at: number, value: number, length: number): Uint8Array => {
  const damaged = Uint8Array.from(bytes);
  damaged.fill(value, at % bytes.length, (at % bytes.length) + length);
  return damaged;
};
const position = fc.nat({ max: 1 << 20 });
const arbitrary = {
  at: position,
  value: fc.nat({ max: 255 }),
  length: fc.integer({ min: 1, max: 40 }),
  size: fc.integer({ min: 1, max: 5000 }),
};

test("a mutated layer is read or refused, and never causes an internal error", async () => {
  const tar = await tarOf({ ...BASE, "var/lib/rpm -> ../x": "", "etc/.wh.gone": "", "a => etc/os-release": "" });
  const layers = [tar, gzipSync(tar)];
  await fc.assert(
    fc.asyncProperty(
      fc.record({ ...arbitrary, which: fc.nat({ max: 1 }) }),
      async ({ at, value, length, size, which }) => {
        const bytes = damage(layers[which] ?? tar, at, value, length);
        const read = () => readLayer(chunksOf(bytes, size), new WantedPaths(), new ImageBudget(IMAGE_LIMITS));
        expect(await isReadOrRefused(read)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test("a mutated archive is read or refused, and never causes an internal error", async () => {
  const image = await buildImage([BASE]);
  const archives = await Promise.all([
    tarOf(savedFiles(image)),
    tarOf(layoutFiles(indexOf([image.manifest]), [image])),
  ]);
  await fc.assert(
    fc.asyncProperty(
      fc.record({ ...arbitrary, which: fc.nat({ max: 1 }) }),
      async ({ at, value, length, size, which }) => {
        const bytes = damage(archives[which] ?? new Uint8Array(), at, value, length);
        const reader = new ArchiveReader(() => chunksOf(bytes, size), IMAGE_LIMITS);
        expect(await isReadOrRefused(() => reader.read(new WantedPaths()))).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

const plain = (tar: Uint8Array): Uint8Array => tar;
test.each([
  ["compressed layers in small pieces", gzipSync, 700],
  ["compressed layers as one piece", gzipSync, 1 << 20],
  ["plain layers in small pieces", plain, 700],
  ["plain layers as one piece", plain, 1 << 20],
])("refuses an archive truncated at any position: %s", async (_, compress, size) => {
  const image = await buildImage([{ ...BASE, "usr/share/text": "x".repeat(3000) }, { "opt/a": "y".repeat(5000) }], {
    compress,
  });
  const archive = await tarOf({ ...savedFiles(image), ...layoutFiles(indexOf([image.manifest]), [image]) });
  for (let at = 0; at < archive.length; at += at % 512 === 0 ? 1 : 127.75) {
    const bytes = archive.subarray(0, Math.floor(at));
    const reader = new ArchiveReader(() => chunksOf(bytes, size), IMAGE_LIMITS);
    await expect(reader.read(new WantedPaths())).rejects.toMatchObject({ code: "image-archive" });
  }
});
