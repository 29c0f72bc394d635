import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { enrich } from "../../src/enrich/enrich.ts";
import { parseSbom } from "../../src/sbom/read.ts";
import { validateSbom } from "../../src/api/validate.ts";
import { bytesOf, cyclonedx, spdx2 } from "../sbom/documents.ts";
import { BREAK, enrichmentFor, MILESTONE, PAST, UNTRACKED, whole } from "../enrich/setting.ts";
import { describeWithShared } from "../shared.ts";

const violations = (document: object): readonly unknown[] => validateSbom(parseSbom(bytesOf(JSON.stringify(document))));

describe("official JSON Schema", () => {
  const lib = { type: "library", name: "a", version: "1" };
  test.each(["1.2", "1.3", "1.4", "1.5", "1.6", "1.7"])("accepts valid and refuses invalid CycloneDX %s", (version) => {
    expect(violations(cyclonedx({ components: [lib] }, version))).toEqual([]);
    expect(violations(cyclonedx({ components: [{ name: "a" }] }, version))).not.toEqual([]);
  });

  test("finds duplicates in any order of keys, with their position", () => {
    const twice = [{ ...lib }, { version: "1", name: "a", type: "library" }];
    expect(violations(cyclonedx({ components: twice }))).toEqual([
      { pointer: "/components", message: "must NOT have duplicate items" },
    ]);
    expect(violations(cyclonedx({ components: [lib, { ...lib, version: "2" }] }))).toEqual([]);
  });

  test("validates 20,000 components without comparing every pair", () => {
    const components = Array.from({ length: 20_000 }, (_, index) => ({ ...lib, name: `a${index}` }));
    expect(violations(cyclonedx({ components }))).toEqual([]);
  }, 10_000);

  test("is not available for SPDX", () => {
    expect(() => violations(spdx2())).toThrow(expect.objectContaining({ kind: "usage", code: "invalid-usage" }));
  });
});

interface ManifestEntry {
  readonly path: string;
  readonly format: string;
  readonly schema_valid: boolean | null;
}

describeWithShared("what was valid stays valid", "sboms/MANIFEST.json", (manifest) => {
  const { files } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly files: readonly ManifestEntry[] };
  const valid = files.filter(({ format, schema_valid }) => format === "CycloneDX" && schema_valid === true);
  test("accepts the real CycloneDX documents", () => {
    let enriched = 0;
    for (const { path } of valid) {
      const document = parseSbom(readFileSync(new URL(`documents/${path}`, manifest)));
      expect(validateSbom(document), path).toEqual([]);
      if (document.specVersion === "1.2") continue;
      const enrichment = enrichmentFor(document.components.length, [PAST, UNTRACKED, MILESTONE]);
      const after = parseSbom(whole(enrich(document, enrichment, BREAK)));
      expect(validateSbom(after), path).toEqual([]);
      enriched++;
    }
    expect(enriched).toBeGreaterThan(20);
  });
});
