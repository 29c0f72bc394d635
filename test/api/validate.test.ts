import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { enrich } from "../../src/core/sbom/edit/enrich.ts";
import { readSbom } from "../../src/core/sbom/read.ts";
import { validateSbom } from "../../src/api/validate.ts";
import { bytesOf, cyclonedx, spdx2 } from "../core/sbom/documents.ts";
import { BREAK, enrichmentFor, MILESTONE, PAST, UNTRACKED, whole } from "../core/sbom/edit/setting.ts";
import { describeWithShared } from "../shared.ts";

const violations = (document: object): Promise<readonly unknown[]> =>
  validateSbom(readSbom(bytesOf(JSON.stringify(document))));

describe("the official schema", () => {
  const lib = { type: "library", name: "a", version: "1" };
  test.each(["1.2", "1.3", "1.4", "1.5", "1.6", "1.7"])("of CycloneDX %s accepts and refuses", async (version) => {
    expect(await violations(cyclonedx({ components: [lib] }, version))).toEqual([]);
    expect(await violations(cyclonedx({ components: [{ name: "a" }] }, version))).not.toEqual([]);
  });

  test("sees duplicates, whatever the order of their keys, and says where", async () => {
    const twice = [{ ...lib }, { version: "1", name: "a", type: "library" }];
    expect(await violations(cyclonedx({ components: twice }))).toEqual([
      { pointer: "/components", message: "must NOT have duplicate items" },
    ]);
    expect(await violations(cyclonedx({ components: [lib, { ...lib, version: "2" }] }))).toEqual([]);
  });

  test("takes 20,000 components without comparing each with each", async () => {
    const components = Array.from({ length: 20_000 }, (_, index) => ({ ...lib, name: `a${index}` }));
    expect(await violations(cyclonedx({ components }))).toEqual([]);
  }, 10_000);

  test("is not there for SPDX", async () => {
    await expect(violations(spdx2())).rejects.toMatchObject({ kind: "usage", code: "no-schema" });
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
  test("over the real CycloneDX documents", async () => {
    let enriched = 0;
    for (const { path } of valid) {
      const document = readSbom(readFileSync(new URL(`documents/${path}`, manifest)));
      expect(await validateSbom(document), path).toEqual([]);
      if (document.specVersion === "1.2") continue;
      const enrichment = enrichmentFor(document.components.length, [PAST, UNTRACKED, MILESTONE]);
      const after = readSbom(whole(enrich(document, enrichment, BREAK)));
      expect(await validateSbom(after), path).toEqual([]);
      enriched++;
    }
    expect(enriched).toBeGreaterThan(20);
  });
});
