import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { enrich, removeEnrichment } from "../../src/enrich/enrich.ts";
import type { LifecycleProperties } from "../../src/enrich/names.ts";
import { parseSbom } from "../../src/sbom/read.ts";
import { describeWithShared } from "../shared.ts";
import { bytesOf, textOf } from "../sbom/documents.ts";
import { documents } from "./generated.ts";
import { BREAK, enriched, enrichmentFor, MILESTONE, PAST, removed, UNTRACKED, whole } from "./setting.ts";

const PROPERTIES: readonly LifecycleProperties[] = [PAST, UNTRACKED, MILESTONE, []];

const view = (bytes: Uint8Array): unknown =>
  [...parseSbom(bytes).components].map(({ pointer, name, version, purls, licenses, declared }) => [
    pointer,
    name,
    version,
    purls,
    licenses,
    declared,
  ]);

describe("enrichment of generated documents", () => {
  test("is removed byte for byte, is idempotent, and keeps the JSON valid", () => {
    let written = 0;
    fc.assert(
      fc.property(documents, (text) => {
        const before = bytesOf(text);
        const once = enriched(before, PROPERTIES);
        if (once.length > before.length) written++;
        expect(() => JSON.parse(textOf(once).replace(/^\uFEFF/, "")), textOf(once)).not.toThrow();
        expect(textOf(removed(once)), "removal").toBe(text);
        expect(textOf(enriched(once, PROPERTIES)), "twice").toBe(textOf(once));
        expect(textOf(enriched(enriched(before, [UNTRACKED]), PROPERTIES)), "replaced").toBe(textOf(once));
        expect(parseSbom(once).components.length).toBe(parseSbom(before).components.length);
      }),
      { numRuns: 600 },
    );
    expect(written, "documents that took properties").toBeGreaterThan(400);
  });

  test("keeps all other content", () => {
    fc.assert(
      fc.property(documents, (text) => {
        expect(view(enriched(bytesOf(text), PROPERTIES))).toEqual(view(bytesOf(text)));
      }),
      { numRuns: 200 },
    );
  });

  test("is removed from documents with nested components", () => {
    const depth = 200;
    const before = bytesOf(
      `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${'{"name":"x","components":['.repeat(depth)}${"]}".repeat(depth)}]}`,
    );
    const once = enriched(before);
    expect(parseSbom(once).components).toHaveLength(depth);
    expect(Buffer.from(removed(once)).equals(before)).toBe(true);
  });
});

describeWithShared("enrichment of real documents", "sboms/MANIFEST.json", (manifest) => {
  const { files } = JSON.parse(readFileSync(manifest, "utf8")) as {
    readonly files: readonly { readonly path: string }[];
  };
  /** The reasons for which some of these documents are not enriched. */
  const REFUSALS = new Set(["not-enrichable", "not-enrichable"]);
  const UNREADABLE = new Set(["not-json", "truncated", "unsupported-format", "unsupported-version"]);

  test("is removed byte for byte, is idempotent, and keeps the JSON valid", () => {
    const counts = { enriched: 0, refused: 0, unreadable: 0 };
    for (const { path } of files) {
      const before = readFileSync(new URL(`documents/${path}`, manifest));
      try {
        const document = parseSbom(before);
        const once = whole(enrich(document, enrichmentFor(document.components.length, PROPERTIES), BREAK));
        const again = parseSbom(once);
        expect(again.components.length, path).toBe(document.components.length);
        expect(whole(removeEnrichment(again, BREAK)), path).toEqual(before);
        expect(enriched(once, PROPERTIES), path).toEqual(once);
        expect(() => JSON.parse(textOf(once).replace(/^\uFEFF/, "")), path).not.toThrow();
        counts.enriched++;
      } catch (error) {
        if (!(error instanceof EolgateError)) throw error;
        if (REFUSALS.has(error.code)) counts.refused++;
        else {
          expect(UNREADABLE, `${path}: ${error.message}`).toContain(error.code);
          counts.unreadable++;
        }
      }
    }
    expect(counts).toEqual({ enriched: 79, refused: 7, unreadable: 5 });
  });
});
