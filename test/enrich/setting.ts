/** Properties and helpers for the tests of enrichment. */
import { enrich, removeEnrichment, type Edited, type EnrichOptions } from "../../src/enrich/enrich.ts";
import type { Enrichment, LifecycleProperties } from "../../src/enrich/names.ts";
import { parseSbom } from "../../src/sbom/read.ts";
import { bytesOf, textOf } from "../sbom/documents.ts";

export const PAST: LifecycleProperties = [
  { name: "lifecycle:status", value: "eol" },
  { name: "lifecycle:product", value: "nodejs" },
];
export const UNTRACKED: LifecycleProperties = [
  { name: "lifecycle:status", value: "not-tracked" },
  { name: "lifecycle:reason", value: "purl-not-tracked" },
];
export const MILESTONE: LifecycleProperties = [
  ...PAST,
  { name: "cdx:lifecycle:milestone:endOfSupport", value: "2025-04-30" },
];
const SUMMARY: LifecycleProperties = [{ name: "lifecycle:gate:verdict", value: "fail" }];

export const BREAK: EnrichOptions = { breakSignature: true };

export function enrichmentFor(count: number, of: readonly LifecycleProperties[] = [PAST]): Enrichment {
  return {
    components: Array.from({ length: count }, (_, index) => of[index % of.length] ?? PAST),
    summary: SUMMARY,
    asOf: "2026-11-21",
    tool: { name: "eolgate", version: "1.2.3" },
  };
}

export function whole({ chunks }: Pick<Edited, "chunks">): Uint8Array {
  return Buffer.concat([...chunks]);
}

export function enriched(
  bytes: Uint8Array,
  of?: readonly LifecycleProperties[],
  options: EnrichOptions = BREAK,
): Uint8Array {
  const document = parseSbom(bytes);
  return whole(enrich(document, enrichmentFor(document.components.length, of), options));
}

export const removed = (bytes: Uint8Array, options: EnrichOptions = BREAK): Uint8Array =>
  whole(removeEnrichment(parseSbom(bytes), options));

export const enrichedText = (text: string, of?: readonly LifecycleProperties[]): string =>
  textOf(enriched(bytesOf(text), of));
export const removedText = (text: string): string => textOf(removed(bytesOf(text)));
