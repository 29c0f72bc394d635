/** The counts in the response for an SBOM are consistent for any combination of outcomes. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asIsoDate, asProductSlug, asPurl } from "../../src/text/ids.ts";
import type { Assessment, Component, Finding, Resolution, SbomDocument, Status } from "../../src/model/index.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { sbomResponse, scoredFindings } from "../../src/wire/sbom.ts";
import { variant } from "./sample.ts";

const links = linksUnder("https://eol.example.org");

function component(index: number): Component {
  return {
    pointer: `/components/${index}`,
    span: { start: 0, end: 0 },
    kind: "other",
    bomRef: `ref-${index}`,
    name: `part-${index}`,
    version: "1",
    purls: [asPurl(`pkg:npm/part-${index}@1`)],
    cpes: [],
    licenses: [],
    declared: [],
  };
}

const none = { severity: "pass", condition: "none" } as const;
const statuses: readonly Status[] = ["active", "approaching", "eol", "unknown"];

const assessment = fc
  .record({ product: fc.constantFrom("frob", "brob", "zap"), cycle: fc.constantFrom("1", "2"), seed: fc.nat(3) })
  .map(({ product, cycle, seed }): Assessment => {
    // A release cycle has one assessment: score and status follow from the name.
    const score = (product.length * 13 + Number(cycle) * 29) % 101;
    const status = statuses[(product.charCodeAt(0) + Number(cycle)) % 4] ?? "unknown";
    return variant({
      releaseCycle: { product: asProductSlug(product), cycle },
      score,
      status,
      kevExposed: seed < 0 || product === "zap",
    });
  });
const outcome = fc.oneof(
  fc
    .record({ assessed: assessment, matchedBy: fc.constantFrom("purl", "name", "model", "cpe") })
    .map(({ assessed, matchedBy }) => ({
      resolution: {
        kind: "resolved",
        releaseCycle: assessed.releaseCycle,
        matchedBy,
        requestedVersion: "1",
      } as Resolution,
      assessment: assessed,
    })),
  assessment.map((assessed) => ({
    resolution: { kind: "distro-maintained", by: assessed.releaseCycle } as Resolution,
    assessment: assessed,
  })),
  fc
    .constantFrom("purl-not-tracked", "no-version")
    .map((reason) => ({ resolution: { kind: "unmatched", reason } as Resolution })),
  fc.constantFrom("root", "file", "data").map((why) => ({ resolution: { kind: "not-applicable", why } as Resolution })),
);
const findings = fc
  .array(outcome, { maxLength: 40 })
  .map((all): Finding[] => all.map((each, index) => ({ component: component(index), outcome: none, ...each })));

const document: SbomDocument = {
  format: "CycloneDX",
  specVersion: "1.6",
  wrappers: [],
  signed: false,
  components: [],
  roots: [],
  dependencies: new Map(),
  position: () => ({ line: 1, column: 1 }),
};
const verdict = {
  value: "pass",
  reasons: [],
  coverage: { assessed: 0, notAssessed: 0, percent: 0 },
  waivers: { used: [], unused: [], expired: [] },
} as const;
const catalogue = { purlMapDate: asIsoDate("2026-01-01") };
const answerOf = (all: readonly Finding[], cap?: number) =>
  sbomResponse(
    {
      document,
      findings: all,
      verdict,
      policy: { warnDays: 90, distroPackages: "distro" },
      catalogue,
      ...(cap === undefined ? {} : { cap: { components: cap, tier: "free" } }),
    },
    links,
  );

describe("response for an SBOM", () => {
  test("counts every component exactly once", () => {
    fc.assert(
      fc.property(findings, (all) => {
        const answer = answerOf(all);
        const expected = all.filter((each) => each.resolution.kind !== "not-applicable").length;
        expect(answer.components).toBe(expected);
        expect(answer.matched + answer.distro_maintained + answer.unmatched_count).toBe(expected);
        const { purl, name, model, cpe } = answer.matched_by;
        expect(purl + name + model + cpe).toBe(answer.matched);
        const { past_eol, approaching, supported, unknown } = answer.summary;
        expect(past_eol + approaching + supported + unknown).toBe(answer.matched + answer.distro_maintained);
        const { root, file, data } = answer.not_applicable ?? { root: 0, file: 0, data: 0 };
        expect(answer.components + root + file + data).toBe(all.length);
        expect(answer.unmatched).toHaveLength(answer.unmatched_count);
        expect(answer.results.flatMap((each) => each.components)).toHaveLength(answer.scored);
      }),
    );
  });

  test("a result limit keeps the highest scores and changes no counts", () => {
    fc.assert(
      fc.property(findings, fc.integer({ min: 0, max: 10 }), (all, cap) => {
        const [whole, capped] = [answerOf(all), answerOf(all, cap)];
        expect(capped.scored).toBe(Math.min(cap, whole.matched));
        expect(capped.scored + capped.not_scored_count).toBe(whole.matched);
        expect(capped.limit_note === undefined).toBe(capped.not_scored_count === 0);
        const { scored, not_scored_count, limit_note, results, ...rest } = capped;
        expect(whole).toMatchObject(rest);
        const kept = Math.min(...results.map((each) => each.score), 101);
        const ranked = all
          .flatMap((each) => (each.resolution.kind === "resolved" && each.assessment ? [each.assessment.score] : []))
          .toSorted((a, b) => b - a);
        for (const score of ranked.slice(scored)) expect(score).toBeLessThanOrEqual(kept);
        expect([not_scored_count, limit_note === undefined || limit_note.includes("free")]).toEqual([
          ranked.length - scored,
          true,
        ]);
        expect(scoredFindings(all, cap).size).toBe(scored);
      }),
    );
  });

  test("contains one score object for each cycle, highest score first", () => {
    fc.assert(
      fc.property(findings, (all) => {
        const { results } = answerOf(all);
        const names = results.map((each) => `${each.product}:${each.version}`);
        expect(new Set(names).size).toBe(names.length);
        expect(results.map((each) => each.score)).toEqual(results.map((each) => each.score).toSorted((a, b) => b - a));
      }),
    );
  });
});
