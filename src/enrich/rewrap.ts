/** Puts an edited document back into what it was wrapped in, each layer in its own writing. */
import { allBytes } from "../json-rows/source.ts";
import { EolgateError } from "../messages/error.ts";
import { encodeBase64, encodeUtf16, joined } from "../text/encodings.ts";
import { utf8Text } from "../json-rows/bytes.ts";
import type { Layer } from "../sbom/envelope.ts";

/** `layers` are outermost first, as they were opened; `inner` are the bytes of the innermost one. */
export function requireRewrappable(layers: readonly Layer[], inner: Uint8Array): void {
  let bytes = inner;
  for (const layer of layers.toReversed()) {
    const outer = allBytes(layer.outer);
    if (!same(encode(bytes, layer.encoding), outer.subarray(layer.start, layer.end))) throw notOurs(layer);
    bytes = outer;
  }
}

export function rewrap(layers: readonly Layer[], inner: Uint8Array): Uint8Array {
  let bytes = inner;
  for (const { outer, start, end, encoding } of layers.toReversed()) {
    const around = allBytes(outer);
    bytes = joined([around.subarray(0, start), encode(bytes, encoding), around.subarray(end)]);
  }
  return bytes;
}

function encode(bytes: Uint8Array, encoding: Layer["encoding"]): Uint8Array {
  switch (encoding) {
    case "base64":
      return encodeBase64(bytes);
    case "json-string":
      return new TextEncoder().encode(JSON.stringify(utf8Text(bytes, 0, bytes.length)).slice(1, -1));
    case "utf-16le":
    case "utf-16be":
      return encodeUtf16(bytes, encoding);
  }
}

const same = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, at) => byte === b[at]);

const notOurs = ({ encoding }: Layer): EolgateError => EolgateError.of("cannot-rewrap", { encoding });
