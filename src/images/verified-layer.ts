/** Reads a layer and verifies two digests: of the stored bytes and of the uncompressed archive. */
import { EolgateError } from "../messages/error.ts";
import type { Layer } from "./contents/root.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import { readLayer } from "./layer.ts";
import type { ImageBudget } from "./limits.ts";
import type { LayerRequest } from "./store.ts";
import { algorithmOf, type ByteStream, DigestMeter } from "./stream.ts";

/** @param mismatch creates the error for stored bytes with another digest. @throws that error, `image-digest`, `image-layer`, `image-limit` */
export async function verifiedLayer(
  chunks: ByteStream,
  { descriptor, diffId }: LayerRequest,
  { wanted, budget, mismatch }: { wanted: WantedPaths; budget: ImageBudget; mismatch: typeof digestError },
): Promise<Layer> {
  const meter = new DigestMeter(algorithmOf(descriptor.digest));
  const read = await readLayer(meter.measure(chunks), wanted, budget).catch(async (cause: unknown) => {
    // If the data is damaged, report the wrong digest rather than the error of the decoder.
    if (meter.ended && cause instanceof EolgateError && cause.code === "image-layer")
      requireDigest(descriptor.digest, meter.digest(), mismatch);
    throw cause;
  });
  requireDigest(descriptor.digest, meter.digest(), mismatch);
  requireDigest(diffId, read.diffId, digestError);
  return read.layer;
}

export const digestError = (expected: string, found: string): EolgateError =>
  EolgateError.of("image-digest", { expected, found });

/** @throws the error of `mismatch` if the digests differ */
export function requireDigest(expected: string, found: string, mismatch: typeof digestError): void {
  if (expected !== found) throw mismatch(expected, found);
}
