/** An OCI image layout in a folder. https://github.com/opencontainers/image-spec/blob/main/image-layout.md */
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { EolgateError } from "../messages/error.ts";
import type { Descriptor } from "./contents/manifest.ts";
import { errorCode } from "../platform/write-error.ts";
import { namedManifest } from "./layout-index.ts";
import type { ImageLimits } from "./limits.ts";
import type { ImageStore } from "./store.ts";
import { algorithmOf, type ByteStream, collect, digestOfBytes } from "./stream.ts";
import { digestError, requireDigest, verifiedLayer } from "./verified-layer.ts";

/** @param name name of an image in the layout, or undefined if the layout has only one */
export function openLayout(folder: string, name: string | undefined, limits: ImageLimits): ImageStore {
  const blobPath = (digest: string): string => join(folder, "blobs", ...digest.split(":"));

  async function read({ digest }: Descriptor, _: string, limit: number): Promise<Uint8Array> {
    const bytes = await collect(fileStream(blobPath(digest)), limit, `the blob ${digest}`);
    requireDigest(digest, digestOfBytes(bytes, algorithmOf(digest)), digestError);
    return bytes;
  }

  return {
    async root() {
      const path = join(folder, "index.json");
      const bytes = await collect(fileStream(path), limits.manifestBytes, "index.json");
      return namedManifest({ bytes, digest: digestOfBytes(bytes) }, name, (each) =>
        read(each, "manifest", limits.manifestBytes),
      );
    },
    read,
    async layers(requests, wanted, budget) {
      const layers = [];
      for (const request of requests) {
        const chunks = fileStream(blobPath(request.descriptor.digest));
        layers.push(await verifiedLayer(chunks, request, { wanted, budget, mismatch: digestError }));
      }
      return layers;
    },
    close: () => Promise.resolve(),
  };
}

/** Stream a regular file or a link to one; pipes and devices are refused. @throws EolgateError `image-archive` */
export async function* fileStream(path: string): ByteStream & AsyncGenerator<Uint8Array> {
  try {
    if (!statSync(path).isFile()) throw EolgateError.of("image-archive", { why: "it is not a file" }, { where: path });
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>)
      yield chunk;
  } catch (cause) {
    if (cause instanceof EolgateError || errorCode(cause) === "") throw cause;
    const why = errorCode(cause) === "ENOENT" ? "a file is missing" : `a file cannot be read (${errorCode(cause)})`;
    throw EolgateError.of("image-archive", { why }, { where: path, cause });
  }
}
