/** Answers of a service that cannot be true: exit 5, never a verdict. */
import { describe, expect, test } from "vitest";
import { assessBySentDocument } from "../../../src/api/remote/assess.ts";
import { validateScores } from "../../../src/api/remote/remote.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import type { Resolution } from "../../../src/model/index.ts";
import { toRows } from "../../../src/policy/rows.ts";
import { parseSbom } from "../../../src/sbom/read.ts";
import { linksUnder } from "../../../src/wire/links.ts";
import { scoreObject } from "../../../src/wire/score.ts";
import type { SbomResponse, ScoreObject } from "../../../src/wire/schemas.ts";
import { assess } from "../../../src/lifecycle/assess.ts";
import { day, releaseCycle, product } from "../../lifecycle/builders.ts";

const TODAY = asIsoDate("2026-06-01");
const scoreOn = (asOf: string, end = "2026-01-01"): ScoreObject => {
  const cycle = releaseCycle(day(end));
  return scoreObject(assess(product([cycle]), cycle, asIsoDate(asOf)), linksUnder("https://eol.example.org"));
};

describe("validateScores", () => {
  test.each([
    ["of today", scoreOn("2026-06-01")],
    ["of yesterday", scoreOn("2026-05-31")],
    ["of tomorrow", scoreOn("2026-06-02")],
    ["of a supported cycle", scoreOn("2026-06-01", "2030-01-01")],
    ["of a cycle that ends soon", scoreOn("2026-06-01", "2026-06-30")],
  ])("accepts an answer %s", (_, score) => {
    expect(() => validateScores(score, TODAY)).not.toThrow();
  });

  const ended = scoreOn("2026-06-01");
  const lies: readonly [string, ScoreObject][] = [
    ["an answer of 2020", scoreOn("2020-01-01")],
    ["an answer of two days ago", scoreOn("2026-05-30")],
    ["active with a past date", { ...ended, status: "active" }],
    ["approaching with a past date", { ...ended, status: "approaching" }],
    ["ended with a future date", { ...scoreOn("2026-06-01", "2030-01-01"), status: "eol" }],
    ["unknown with a date", { ...ended, status: "unknown" }],
    ["days that do not follow from the date", { ...ended, days_past_eol: 1 }],
    ["days until an end that is past", { ...ended, days_past_eol: null, days_until_eol: 10 }],
    ["a score that is not the sum of its factors", { ...ended, score: 0 }],
    ["exploitation without its factor", { ...ended, kev_exposed: true }],
  ];
  test.each(lies)("refuses %s, also deep in an answer", (_, score) => {
    const refused = { code: "unexpected-answer", exit: 5 };
    for (const answer of [score, [score], { versions: [score] }, { results: [{ ...score, components: [] }] }])
      expect(() => validateScores(answer, TODAY)).toThrow(expect.objectContaining(refused));
  });
});

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
