/** The answer of a service about a document: it is about these components and no others. */
import { describe, expect, test } from "vitest";
import { assessBySentDocument } from "../../../src/api/remote/assess.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import type { Resolution } from "../../../src/model/index.ts";
import { toRows } from "../../../src/policy/rows.ts";
import { parseSbom } from "../../../src/sbom/read.ts";
import { linksUnder } from "../../../src/wire/links.ts";
import { scoreObject } from "../../../src/wire/score.ts";
import type { SbomResponse } from "../../../src/wire/schemas.ts";
import { assess } from "../../../src/lifecycle/assess.ts";
import { day, releaseCycle, product } from "../../lifecycle/builders.ts";

const TODAY = asIsoDate("2026-06-01");

describe("response for an SBOM", () => {
  const components = [
    { type: "library", "bom-ref": "a", name: "alpha", version: "1" },
    { type: "library", "bom-ref": "b", name: "beta", version: "2" },
  ];
  const bytes = new TextEncoder().encode(JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components }));
  const unmatched = [
    { component: "alpha", bom_ref: "a", version: "1", purl: null, reason: "name-not-recognised" as const },
    { component: "beta", bom_ref: "b", version: "2", purl: null, reason: "name-not-recognised" as const },
  ];
  const honest: Pick<SbomResponse, "components" | "results" | "unmatched"> = { components: 2, results: [], unmatched };

  async function checkWith(answer: Pick<SbomResponse, "components" | "results" | "unmatched">) {
    const document = parseSbom(bytes);
    const unresolved: Resolution = { kind: "unmatched", reason: "name-not-recognised" };
    const assessed = assessBySentDocument(
      // Only these fields are read.
      { sbom: async () => answer as SbomResponse, assessCycles: async () => [] },
      { strict: false },
    );
    return assessed({ document, resolutions: toRows(document.components, () => unresolved), bytes: () => bytes });
  }

  test("is accepted when it contains the components of the document", async () => {
    expect(await checkWith(honest)).toHaveLength(2);
  });

  test.each([
    ["fewer components", { ...honest, components: 1 }],
    ["more components", { ...honest, components: 3 }],
    [
      "a component of another document",
      { ...honest, unmatched: unmatched.map((each) => ({ ...each, component: "gamma" })) },
    ],
    ["another version of a component", { ...honest, unmatched: unmatched.map((each) => ({ ...each, version: "9" })) }],
  ])("is refused with %s", async (_, answer) => {
    await expect(checkWith(answer)).rejects.toMatchObject({ code: "unexpected-answer", exit: 5 });
  });

  test("may contain cycles that the local catalogue does not have", async () => {
    const cycle = { ...releaseCycle(day("2026-01-01")), name: "1" };
    const assessment = assess(product([cycle]), cycle, TODAY);
    const score = scoreObject(assessment, linksUnder("https://eol.example.org"));
    const member = {
      bom_ref: "a",
      name: "alpha",
      version: "1",
      purl: null,
      matched_by: "name" as const,
      gate: score.gate,
    };
    const rows = await checkWith({
      components: 2,
      results: [{ ...score, components: [member] }],
      unmatched: unmatched.slice(1),
    });
    expect(rows.at(0)).toMatchObject({ resolution: { kind: "resolved" }, assessment: { status: "eol" } });
    expect(rows.at(1)).toMatchObject({ resolution: { kind: "unmatched" } });
  });
});
