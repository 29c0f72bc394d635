/** Answers of a service that cannot be true: exit 5, never a verdict. */
import { describe, expect, test } from "vitest";
import { validateScores } from "../../../src/api/remote/consistency.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { assess } from "../../../src/lifecycle/assess.ts";
import type { Assessment, Claim, ReleaseCycle, SupportTrack } from "../../../src/model/index.ts";
import { asIsoDate } from "../../../src/text/ids.ts";
import { linksUnder } from "../../../src/wire/links.ts";
import type { ScoreObject, StatusObject } from "../../../src/wire/schemas.ts";
import { scoreObject, statusObject } from "../../../src/wire/score.ts";
import { soaked } from "../../soaked.ts";
import { claim, date, kev, product, releaseCycle } from "../../lifecycle/builders.ts";

const TODAY = asIsoDate("2026-06-01");
const LINKS = linksUnder("https://eol.example.org");
const REFUSED: unknown = expect.objectContaining({ code: "unexpected-answer", exit: 5 });

function assessmentOf(ends: string | readonly Claim[], more: Partial<ReleaseCycle> = {}, asOf = "2026-06-01") {
  const cycle = releaseCycle(ends, more);
  return assess(product([cycle], { kev: kev("affected") }), cycle, asIsoDate(asOf));
}
/** What is sent over the network. */
const sent = <Answer>(answer: Answer): Answer => structuredClone(answer);
const score = (...of: Parameters<typeof assessmentOf>): ScoreObject => sent(scoreObject(assessmentOf(...of), LINKS));
const status = (...of: Parameters<typeof assessmentOf>): StatusObject => sent(statusObject(assessmentOf(...of)));

const track = (cost: SupportTrack["cost"], end: string): SupportTrack => {
  return { name: "LTS", vendor: "Invented Inc.", cost, end: date(end) };
};
const TWO = [claim("upstream", "2023-12-31"), claim("vendor-feed", "2023-12-31")];

const ended = score(TWO);
const running = score("2030-01-31");
const open = score([{ ...claim("vendor-feed", "open"), basis: "absence" }], {
  eolNotBefore: date("2030-01-01"),
  latest: { name: "1.2", date: asIsoDate("2026-05-01") },
});
const paid = score("2026-01-01", { tracks: [track("paid", "2028-01-01")] });
const free = score("2026-01-01", { tracks: [track("free", "2028-01-01")] });
const quarter = score("2027-Q1");
const long = score("2030-01-31", { lts: true, ltsFrom: asIsoDate("2026-01-01") });

describe("accepted", () => {
  test.each<[string, ScoreObject | StatusObject]>([
    ["of yesterday", score("2026-01-01", {}, "2026-05-31")],
    ["of tomorrow", score("2026-01-01", {}, "2026-06-02")],
    ["of an ended cycle", ended],
    ["of a supported cycle", running],
    ["of a cycle that ends soon", score("2026-06-30")],
    ["without an announced end", open],
    ["with a paid track", paid],
    ["with a free track", free],
    ["with an end in a quarter", quarter],
    ["of a long-term cycle", long],
    [
      "with claims that contradict each other",
      score([claim("upstream", "2023-12-31"), claim("vendor-feed", "2027-01-01")]),
    ],
    [
      "with a claim that is not used",
      score([claim("upstream", "2027-01-01"), { ...claim("vendor-feed", "2040-01-01"), quarantined: true }]),
    ],
    ["without a claim", score([])],
    [
      "with an end of extended support and no track",
      score("2026-01-01", { eoesFrom: { kind: "dated", date: date("2028-01-01") } }),
    ],
    ["with the status of an ended cycle", status(TWO)],
    ["with the status of a free track", status("2026-01-01", { tracks: [track("free", "2028-01-01")] })],
    ["with the status of an open end", status("open")],
  ])("an answer %s", (_, answer) => {
    expect(() => validateScores(answer, { asOf: TODAY })).not.toThrow();
  });

  test(
    "release cycles of the bundled catalogue, on three days",
    () => {
      const step = soaked(50, 1);
      const catalogue = loadCatalogue();
      let count = 0;
      for (const slug of catalogue.slugs()) {
        const found = catalogue.product(slug);
        for (const cycle of found?.cycles ?? []) {
          if (found === undefined || (count += 1) % step !== 0) continue;
          for (const asOf of ["2026-08-22", "2027-06-01", "2029-01-01"].map(asIsoDate)) {
            const assessment = assess(found, cycle, asOf);
            const answers = [scoreObject(assessment, LINKS), statusObject(assessment)];
            validateScores(JSON.parse(JSON.stringify(answers)), { asOf });
          }
        }
      }
      expect(count).toBeGreaterThan(10_000);
    },
    soaked(20_000, 300_000),
  );
});

/** Moves the end, and everything that the earlier checks compared with it. */
const revived: ScoreObject = {
  ...running,
  eol_date_statements: ended.eol_date_statements,
};

const CONTRADICTIONS: readonly (readonly [what: string, answer: object])[] = [
  ["an answer of 2020", score("2026-01-01", {}, "2020-01-01")],
  ["an answer of two days ago", score("2026-01-01", {}, "2026-05-30")],
  ["an end that no claim states", revived],
  ["an end of 2099 beside two claims of 2023", { ...revived, eol_date: "2099-12-31", days_until_eol: 26_876 }],
  ["no end beside two claims of 2023", { ...ended, eol_date: null }],
  ["an open end beside two claims of 2023", { ...ended, eol_date: null, eol_boolean: false }],
  ["active with a past date", { ...ended, status: "active" }],
  ["approaching with a past date", { ...ended, status: "approaching" }],
  ["ended with a future date", { ...running, status: "eol" }],
  ["unknown with a date", { ...ended, status: "unknown" }],
  ["days that do not follow from the date", { ...ended, days_past_eol: 1 }],
  ["days until an end that is past", { ...ended, days_past_eol: null, days_until_eol: 10 }],
  ["a month as the precision of a day", { ...ended, eol_date_precision: "month" }],
  ["a quarter without its precision", { ...quarter, eol_date_precision: undefined }],
  ["the end of another support", { ...ended, support_end_date: "2099-12-31" }],
  ["a track that is not among the tracks", { ...ended, support_track: "LTS" }],
  ["a paid track as the one that counts", { ...paid, support_track: "LTS", support_end_date: "2028-01-01" }],
  ["no track that counts beside a free one", { ...free, support_track: null }],
  ["support by a track without one", { ...ended, is_supported_by_track: true }],
  ["a track without its support", { ...free, is_supported_by_track: false }],
  ["two sources where both are one", { ...running, eol_date_agreement: 2 }],
  ["more confidence than the claims give", { ...running, eol_date_confidence: "high" }],
  ["another status of the date", { ...ended, eol_date_status: "human" }],
  ["another source of the date", { ...ended, eol_date_source: "vendor-override" }],
  ["another page of the date", { ...ended, eol_date_source_url: "https://example.test/other" }],
  ["a later reading than the claims state", { ...ended, eol_date_verified_at: "2026-05-31" }],
  ["a month as the day of reading", { ...ended, eol_date_verified_precision: "month" }],
  ["another page of the data", { ...ended, data_source: "https://example.test/other" }],
  ["long-term support before its first day", { ...long, lts_from: "2027-01-01" }],
  ["maintenance only beside a date", { ...running, maintenance_only: true }],
  [
    "extended support that is past",
    { ...ended, extended_support_available: true, extended_support_date: "2024-01-01" },
  ],
  ["no extended support beside a track", { ...paid, extended_support_available: false }],
  ["another vendor than its track", { ...paid, extended_support_vendor: "Other" }],
  ["another end than its track", { ...paid, extended_support_date: "2029-01-01" }],
  ["a less precise end than its track", { ...paid, extended_support_date_precision: "month" }],
  ["exploitation without its factor", { ...ended, kev_exposed: false }],
  ["entries of another state", { ...ended, kev_basis: "not-affected", kev_exposed: false }],
  ["exploitation without entries", { ...ended, kev_entries: [] }],
  ["a fixed version that its entries do not state", { ...ended, kev_fixed_in: "1.0" }],
  [
    "points that do not follow from the end",
    { ...ended, score: ended.score - 10, factors: { ...ended.factors, eol_recency: ended.factors.eol_recency - 10 } },
  ],
  ["a score that is not the sum of its factors", { ...ended, score: 0 }],
  ["a grade that is not the one of its score", { ...ended, grade: "A" }],
  ["a label that is not the one of its grade", { ...ended, grade_label: "Low risk" }],
  ["a band that is not the one of its score", { ...ended, band: "Low" }],
  ["another scoring method", { ...ended, score_version: "0.1" }],
  ["a gate that passes an ended cycle", { ...ended, gate: { ...ended.gate, outcome: "pass" } }],
  ["a gate with another condition", { ...ended, gate: { ...ended.gate, condition: "none" } }],
  ["a maintainer of an ended cycle", { ...ended, gate: { ...ended.gate, maintained_by: "Invented" } }],
  ["a moment of another day", { ...ended, generated_at: "2026-01-01T00:00:00Z" }],
  ["no doubt about an end that no list names", { ...open, doubts: open.doubts?.slice(0, 1) }],
  ["no doubt from a stated day on", { ...open, doubts: open.doubts?.slice(1) }],
  ["no doubts", { ...open, doubts: undefined }],
  ["a status that ended and is supported", { ...status(TWO), is_supported: true }],
  ["a status that ended and does not say so", { ...status(TWO), is_eol: false }],
  ["a status with a past date that is active", { ...status(TWO), status: "active", is_eol: false, is_supported: true }],
  ["a status with days that do not follow", { ...status(TWO), days_past_eol: 3 }],
  ["a status that approaches and is not approaching", { ...status(TWO), eol_approaching: true }],
  ["a status with another end of support", { ...status(TWO), support_end_date: "2099-12-31" }],
  ["a status by a track without one", { ...status(TWO), is_supported_by_track: true }],
  [
    "a status that ended, with a gate that passes",
    { ...status(TWO), gate: { outcome: "pass", condition: "none", maintained_by: null } },
  ],
];

describe("refused, also deep in an answer", () => {
  test.each(CONTRADICTIONS)("%s", (_, contradiction) => {
    const answer: unknown = JSON.parse(JSON.stringify(contradiction));
    for (const nested of [
      answer,
      [answer],
      { versions: [answer] },
      { results: [{ ...contradiction, components: [] }] },
    ])
      expect(() => validateScores(nested, { asOf: TODAY })).toThrow(REFUSED);
  });
});

describe("an end that the local catalogue states as past", () => {
  const later = { name: "1", tracks: [track("free", "2030-01-01")] };
  test.each<[string, local: Assessment | undefined, answer: ScoreObject | StatusObject, isRefused: boolean]>([
    ["by two sources, is not revived by a score", assessmentOf(TWO), running, true],
    ["by two sources, is not revived by a status", assessmentOf(TWO), status("2030-01-31"), true],
    ["by two sources, is not revived by an open end", assessmentOf(TWO), score("open"), true],
    ["by two sources, is not revived by a track", assessmentOf(TWO), score(TWO, later), true],
    ["by two sources, can become unknown", assessmentOf(TWO), score("unknown"), false],
    ["by two sources, can be another past day", assessmentOf(TWO), score("2024-01-01"), false],
    ["by one source, can be corrected", assessmentOf("2023-12-31"), running, false],
    [
      "by two records, can be corrected",
      assessmentOf([claim("upstream", "2023-12-31"), claim("custom", "2023-12-31")]),
      running,
      false,
    ],
    [
      "as to come, can move",
      assessmentOf([claim("upstream", "2027-01-01"), claim("vendor-feed", "2027-01-01")]),
      running,
      false,
    ],
    ["by no one, because it does not have the cycle", undefined, running, false],
  ])("%s", (_, local, answer, isRefused) => {
    const validate = (): void => validateScores(answer, { asOf: TODAY, known: () => local });
    if (isRefused) expect(validate).toThrow(REFUSED);
    else expect(validate).not.toThrow();
  });
});
