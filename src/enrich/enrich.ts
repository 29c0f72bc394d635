/** Writes lifecycle properties into a document, and removes them again. Every other byte stays as it was. */
import { allBytes } from "../json-rows/source.ts";
import { EolgateError } from "../messages/error.ts";
import { encodeBase64, encodeUtf16, joined } from "../text/encodings.ts";
import type { ParsedSbom } from "../sbom/component.ts";
import { planCycloneDx } from "./cyclonedx.ts";
import { type Edit, edited, inOrder } from "./edits.ts";
import type { Enrichment } from "./names.ts";
import type { DocumentPlan, Skipped, Writer } from "./plan.ts";
import { Renderer, Styles } from "./render.ts";
import { planSpdx2 } from "./spdx2.ts";
import { planSpdx3 } from "./spdx3.ts";
import { createScanner } from "../sbom/json-bytes.ts";
import { utf8Text } from "../json-rows/bytes.ts";
import type { Layer } from "../sbom/envelope.ts";

export interface EnrichOptions {
  /** Edit a signed document although its signature will no longer hold. */
  readonly breakSignature?: boolean;
}

export interface Edited {
  /** The bytes of the whole document, wrapped as it was; can be gone through once. */
  readonly chunks: Iterable<Uint8Array>;
  /** The document's own bytes, and what was changed in them, in order. */
  readonly bytes: Uint8Array;
  readonly edits: readonly Edit[];
  /** Places that could not be written to. */
  readonly skipped: readonly Skipped[];
}

const PLANS: Readonly<
  Record<
    ParsedSbom["opened"]["format"],
    (writer: Writer, document: ParsedSbom, enrichment: Enrichment | undefined) => DocumentPlan
  >
> = {
  cyclonedx: planCycloneDx,
  spdx2: planSpdx2,
  spdx3: planSpdx3,
  "cyclonedx-xml": () => {
    throw onlyJson("CycloneDX XML");
  },
  "spdx2-tag-value": () => {
    throw onlyJson("SPDX tag-value");
  },
};

/**
 * Writes the properties into a document. Properties that enrichment wrote before are replaced, so that enriching twice
 * gives the same result as enriching once.
 *
 * @throws EolgateError of kind `input`: `signed` unless `breakSignature`, `not-enrichable` (XML, tag-value, CycloneDX 1.2,
 * SPDX 3 of a single element, an envelope that cannot be restored).
 */
export const enrich = (document: ParsedSbom, enrichment: Enrichment, options: EnrichOptions = {}): Edited =>
  edit(document, enrichment, options);

/** Removes what `enrich` wrote: the result is the document as it was before, byte for byte. */
export const removeEnrichment = (document: ParsedSbom, options: EnrichOptions = {}): Edited =>
  edit(document, undefined, options);

function edit(document: ParsedSbom, enrichment: Enrichment | undefined, options: EnrichOptions): Edited {
  const { format, layers, source } = document.opened;
  const bytes = allBytes(source);
  const scanner = createScanner(bytes);
  const writer: Writer = { scanner, styles: new Styles(scanner), renderer: new Renderer() };
  const plan = PLANS[format](writer, document, enrichment);
  const edits = inOrder(plan.edits);
  if (edits.length > 0 && document.signed && options.breakSignature !== true) throw signed();
  if (edits.length > 0) requireRewrappable(layers, bytes);
  return { chunks: whole(document, edits), bytes, edits, skipped: plan.skipped };
}

function* whole(
  { opened: { source, layers } }: ParsedSbom,
  edits: readonly Edit[],
): Generator<Uint8Array, void, undefined> {
  const bytes = allBytes(source);
  if (layers.length === 0) yield* edited(bytes, edits);
  else yield rewrap(layers, joined([...edited(bytes, edits)]));
}

const onlyJson = (format: string): EolgateError =>
  EolgateError.of("not-enrichable", {
    problem: `the document is ${format}, but only JSON documents can be enriched`,
    advice: "Convert it to JSON first, for example with cyclonedx-cli convert or the SPDX tools, and enrich that.",
  });

const signed = (): EolgateError => EolgateError.of("signed", {});

/** `layers` are outermost first, as they were opened; `inner` are the bytes of the innermost one. */
export function requireRewrappable(layers: readonly Layer[], inner: Uint8Array): void {
  let bytes = inner;
  for (const layer of layers.toReversed()) {
    const outer = allBytes(layer.outer);
    if (!same(encode(bytes, layer.encoding), outer.subarray(layer.start, layer.end))) throw cannotRewrap(layer);
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

const cannotRewrap = ({ encoding }: Layer): EolgateError =>
  EolgateError.of("not-enrichable", {
    problem: `the document is wrapped in ${encoding}, which cannot be restored byte for byte`,
    advice: "Extract the document from its envelope and enrich that.",
  });
