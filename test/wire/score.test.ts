import { Ajv } from "ajv";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { asIsoDate } from "../../src/text/ids.ts";
import type { Assessment } from "../../src/model/index.ts";
import { assessmentFromScore } from "../../src/wire/lifecycle.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { scoreSchema, statusSchema } from "../../src/wire/schemas.ts";
import { scoreObject, statusObject } from "../../src/wire/score.ts";
import { day, frob, variant } from "./sample.ts";

const links = linksUnder("https://eol.example.org/");
const ajv = new Ajv({ allowUnionTypes: true, strict: false });
formats.default(ajv);
const validScore = ajv.compile(scoreSchema);
const validStatus = ajv.compile(statusSchema);

const open = { kind: "open" } as const;
const undated = {
  eolDate: null,
  daysPastEol: null,
  extendedSupport: { available: false, vendor: null, until: null },
  provenance: { ...frob.provenance, url: null, verifiedAt: null, claims: [] },
};
const CASES: readonly [name: string, assessment: Assessment][] = [
  ["after the end", frob],
  [
    "before the end",
    variant({ asOf: asIsoDate("2025-10-12"), status: "active", daysPastEol: null, daysUntilEol: 200 }),
  ],
  [
    "older than the recorded cycles",
    variant(
      { ...undated, eolBoolean: true },
      { claims: [], eol: { kind: "ended" }, eolNoLaterThan: day("2020-04-30"), olderThan: "10" },
    ),
  ],
  ["no end announced", variant({ ...undated, status: "active", eolBoolean: false }, { eol: open, claims: [] })],
  [
    "ended, date unknown",
    variant(
      { ...undated, status: "eol", eolBoolean: true },
      { eol: { kind: "ended" }, retired: true, declaredBy: "its maintainers", successor: "brob", claims: [] },
    ),
  ],
  ["end unknown", variant({ ...undated, status: "unknown" }, { eol: { kind: "unknown" }, rolling: true, claims: [] })],
  [
    "month precision and not before",
    variant(
      { eolDate: day("2026-04-30", "month") },
      {
        eol: { kind: "dated", date: day("2026-04-30", "month") },
        eolNotBefore: day("2027-01-31", "month"),
        releaseDate: day("2023-04-30", "month"),
      },
    ),
  ],
  [
    "several claims",
    variant(
      {
        provenance: {
          ...frob.provenance,
          source: "discrepancy",
          status: "mismatch",
          claims: [
            ...frob.provenance.claims,
            {
              kind: "vendor-feed",
              source: "frob-feed",
              end: { kind: "ended" },
              url: "https://example.org/feed",
              retrievedAt: asIsoDate("2026-05-30"),
              basis: "stated",
              reason: "the feed names no day",
            },
          ],
        },
      },
      {
        claims: [
          ...frob.provenance.claims,
          {
            kind: "vendor-feed",
            source: "frob-feed",
            end: { kind: "ended" },
            url: "https://example.org/feed",
            retrievedAt: asIsoDate("2026-05-30"),
            basis: "stated",
            reason: "the feed names no day",
          },
        ],
      },
    ),
  ],
];

describe("score object", () => {
  test.each(CASES)("%s: is valid and converts back to the same assessment", (_, assessment) => {
    const wire = scoreObject(assessment, links);
    expect(validScore(wire), JSON.stringify(validScore.errors)).toBe(true);
    expect(assessmentFromScore(JSON.parse(JSON.stringify(wire)))).toEqual(assessment);
    expect(validStatus(statusObject(assessment)), JSON.stringify(validStatus.errors)).toBe(true);
  });

  test("contains the cycle, its links and the requested version", () => {
    const wire = scoreObject(frob, links, { version: "20.11.1", matchedBy: "release-line" });
    expect(wire).toMatchObject({
      product: "frob",
      version: "20",
      requested_version: "20.11.1",
      version_matched_by: "release-line",
      latest_release: "20.19.1",
      extended_support_date: "2028-04-30",
      extended_support_date_precision: "month",
      factors: { eol_recency: 25, attack_surface: 30, cisa_kev_exposure: 20, extended_support: 0 },
      data_source: "https://example.org/frob/lifecycle",
      score_card_url: "https://eol.example.org/score/frob/20",
      product_url: "https://eol.example.org/frob",
      methodology_url: "https://eol.example.org/methodology",
      generated_at: "2026-05-31T00:00:00Z",
    });
    expect(Object.keys(scoreObject(frob, links))).not.toContain("requested_version");
  });
});

test.each<readonly [string, Assessment["doubts"], unknown]>([
  ["without doubts", [], undefined],
  [
    "with a doubt",
    [{ kind: "end-may-have-come", from: asIsoDate("2026-05-01"), statedOn: null, url: "https://example.org/frob" }],
    [{ kind: "end-may-have-come", from: "2026-05-01", stated_on: null, url: "https://example.org/frob" }],
  ],
])("the status states the same doubts as the score: %s", (_, doubts, expected) => {
  const assessment = variant({ doubts });
  expect(statusObject(assessment).doubts).toEqual(expected);
  expect(scoreObject(assessment, links).doubts).toEqual(expected);
  expect(validStatus(statusObject(assessment))).toBe(true);
});

test.each([
  ["active", { is_eol: false, is_supported: true, eol_approaching: false }],
  ["approaching", { is_eol: false, is_supported: true, eol_approaching: true }],
  ["eol", { is_eol: true, is_supported: false, eol_approaching: false }],
  ["unknown", { is_eol: false, is_supported: false, eol_approaching: false }],
] as const)("sets the flags of the status %s", (status, flags) => {
  expect(statusObject(variant({ status }))).toMatchObject({ status, ...flags });
});
