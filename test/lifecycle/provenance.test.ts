import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays } from "../../src/lifecycle/days.ts";
import { contradicts, effectiveEnd, effectiveClaim } from "../../src/lifecycle/ends.ts";
import { provenanceOf } from "../../src/lifecycle/provenance.ts";
import type { Claim, ClaimKind } from "../../src/model/index.ts";
import { day, end, claim } from "./builders.ts";

const AS_OF = day("2025-03-01");
const FRESH = "2025-02-20";
const X = "2025-06-15";
const Y = "2025-06-16";

describe("provenance of combined claims", () => {
  test.each<[string, Claim[], [source: string, status: string, confidence: string, agreement: number, served: string]]>(
    [
      [
        "vendor and record agree",
        [claim("vendor-feed", X, FRESH), claim("upstream", X)],
        ["vendor-fetched", "ok", "high", 2, X],
      ],
      [
        "all three agree",
        [claim("vendor-feed", X, FRESH), claim("human-check", X), claim("upstream", X)],
        ["vendor-fetched", "ok", "high", 3, X],
      ],
      ["vendor alone", [claim("vendor-feed", X, FRESH)], ["vendor-fetched", "ok", "medium", 1, X]],
      [
        "record without a claim",
        [claim("vendor-feed", X, FRESH), claim("upstream", "unknown")],
        ["vendor-fetched", "ok", "medium", 1, X],
      ],
      [
        "record without a date",
        [claim("vendor-feed", X, FRESH), claim("upstream", "open")],
        ["vendor-fetched", "ok", "medium", 1, X],
      ],
      [
        "stale, second class",
        [claim("vendor-feed", X, "2025-01-02"), claim("upstream", X)],
        ["vendor-fetched", "fallback", "high", 2, X],
      ],
      ["stale, alone", [claim("vendor-feed", X, "2025-01-02")], ["vendor-fetched", "fallback", "low", 1, X]],
      [
        "vendor differs from record",
        [claim("vendor-feed", Y, FRESH), claim("upstream", X)],
        ["discrepancy", "mismatch", "low", 1, X],
      ],
      [
        "a whole vendor feed, as recent as the record, differs",
        [{ ...claim("vendor-feed", Y, FRESH), complete: true }, claim("upstream", X, FRESH)],
        ["vendor-fetched", "ok", "medium", 1, Y],
      ],
      [
        "a whole vendor feed, 15 days older than the record, differs",
        [{ ...claim("vendor-feed", Y, "2025-02-05"), complete: true }, claim("upstream", X, FRESH)],
        ["discrepancy", "mismatch", "low", 1, X],
      ],
      [
        "a whole vendor feed that states a month differs",
        [{ ...claim("vendor-feed", "2025-07", FRESH), complete: true }, claim("upstream", X, FRESH)],
        ["discrepancy", "mismatch", "low", 1, X],
      ],
      [
        "a whole vendor feed, as recent as the record, states its quarter",
        [{ ...claim("vendor-feed", "2025-Q2", FRESH), complete: true }, claim("upstream", X, FRESH)],
        ["vendor-fetched", "ok", "high", 2, "2025-Q2"],
      ],
      [
        "a whole vendor feed, as recent as the record, states about its month",
        [{ ...claim("vendor-feed", "~2025-06", FRESH), complete: true }, claim("upstream", X, FRESH)],
        ["vendor-fetched", "ok", "high", 2, "~2025-06"],
      ],
      [
        "a whole vendor feed, as recent as the record, states its month",
        [{ ...claim("vendor-feed", "2025-06", FRESH), complete: true }, claim("upstream", X, FRESH)],
        ["vendor-fetched", "ok", "high", 2, X],
      ],
      [
        "a vendor feed that states a day, and another one that states its month",
        [
          { ...claim("vendor-feed", X, FRESH), complete: true },
          { ...claim("vendor-feed", "2025-06", FRESH), complete: true },
          claim("upstream", "2025-07-31", FRESH),
        ],
        ["vendor-fetched", "ok", "medium", 1, X],
      ],
      [
        "two vendor feeds that state different days",
        [
          { ...claim("vendor-feed", Y, FRESH), complete: true },
          { ...claim("vendor-feed", X, FRESH), complete: true },
          claim("upstream", "2025-07-31", FRESH),
        ],
        ["discrepancy", "mismatch", "low", 1, Y],
      ],
      [
        "a whole vendor feed, 15 days older than the record, states its quarter",
        [{ ...claim("vendor-feed", "2025-Q2", "2025-02-05"), complete: true }, claim("upstream", X, FRESH)],
        ["vendor-fetched", "fallback", "high", 2, X],
      ],
      [
        "an approximate month next to the record's",
        [claim("vendor-feed", "~2025-05", FRESH), claim("upstream", X)],
        ["upstream", "upstream", "medium", 1, X],
      ],
      [
        "an approximate month far from the record's",
        [claim("vendor-feed", "~2025-08", FRESH), claim("upstream", X)],
        ["discrepancy", "mismatch", "low", 1, X],
      ],
      [
        "stale, with the record that copied it",
        [claim("vendor-feed", X, "2025-01-02"), { ...claim("upstream", X), copied: true }],
        ["vendor-fetched", "fallback", "low", 1, X],
      ],
      [
        "an own record seen in a lock file only",
        [{ ...claim("custom", X), secondary: true }],
        ["custom", "custom", "low", 1, X],
      ],
      [
        "stale and different",
        [claim("vendor-feed", Y, "2024-01-01"), claim("upstream", X)],
        ["discrepancy", "mismatch", "low", 1, X],
      ],
      [
        "vendor differs, human with the record",
        [claim("vendor-feed", Y, FRESH), claim("human-check", X), claim("upstream", X)],
        ["discrepancy", "mismatch", "low", 2, X],
      ],
      [
        "vendor differs from an override",
        [claim("vendor-feed", Y, FRESH), claim("override", X), claim("upstream", Y)],
        ["discrepancy", "mismatch", "low", 1, X],
      ],
      [
        "override corrects the record",
        [claim("override", X), claim("upstream", Y)],
        ["vendor-override", "human", "medium", 1, X],
      ],
      [
        "override, the record now agrees",
        [claim("override", X), claim("upstream", X)],
        ["vendor-override", "human", "high", 2, X],
      ],
      ["human check", [claim("human-check", X), claim("upstream", Y)], ["vendor-verified", "human", "medium", 1, X]],
      [
        "human check and record",
        [claim("human-check", X), claim("upstream", X)],
        ["vendor-verified", "human", "high", 2, X],
      ],
      [
        "override before human check",
        [claim("human-check", Y), claim("override", X)],
        ["vendor-override", "human", "medium", 1, X],
      ],
      ["own record alone", [claim("custom", X)], ["custom", "custom", "medium", 1, X]],
      ["maintainers' declaration", [claim("declared", "ended")], ["custom", "custom", "medium", 1, "ended"]],
      ["upstream alone", [claim("upstream", X)], ["upstream", "upstream", "medium", 1, X]],
      [
        "two records are one class",
        [claim("upstream", X), claim("custom", X)],
        ["upstream", "upstream", "medium", 1, X],
      ],
      ["two records differ", [claim("custom", X), claim("declared", Y)], ["discrepancy", "mismatch", "low", 1, X]],
      [
        "two records differ, the vendor decides",
        [claim("upstream", X), claim("custom", Y), claim("vendor-feed", X, FRESH)],
        ["vendor-fetched", "ok", "high", 2, X],
      ],
      [
        "month and day agree",
        [claim("vendor-feed", "2025-06", FRESH), claim("upstream", X)],
        ["vendor-fetched", "ok", "high", 2, X],
      ],
      [
        "a feed without a date makes no claim",
        [claim("vendor-feed", "open", FRESH), claim("upstream", X)],
        ["upstream", "upstream", "medium", 1, X],
      ],
      [
        "a feed with an unknown end makes no claim",
        [claim("vendor-feed", "unknown", FRESH), claim("upstream", "open")],
        ["upstream", "upstream", "medium", 1, "open"],
      ],
      [
        "both announce no end",
        [claim("vendor-feed", "open", FRESH), claim("upstream", "open")],
        ["vendor-fetched", "ok", "high", 2, "open"],
      ],
      [
        "record: ended; vendor: a past date",
        [claim("vendor-feed", "2024-05-01", FRESH), claim("upstream", "ended")],
        ["vendor-fetched", "ok", "medium", 1, "2024-05-01"],
      ],
      [
        "record: ended; vendor: a future date",
        [claim("vendor-feed", X, FRESH), claim("upstream", "ended")],
        ["discrepancy", "mismatch", "low", 1, "ended"],
      ],
      [
        "record: ended; vendor: maintained",
        [claim("vendor-feed", "open", FRESH), claim("upstream", "ended")],
        ["discrepancy", "mismatch", "low", 1, "ended"],
      ],
      [
        "vendor maintains after the record's date",
        [claim("vendor-feed", "open", FRESH), claim("upstream", "2024-05-01")],
        ["discrepancy", "mismatch", "low", 1, "2024-05-01"],
      ],
    ],
  )("%s", (_, statements, [source, status, confidence, agreement, served]) => {
    const { claims: shown, ...provenance } = provenanceOf(statements, AS_OF);
    expect(provenance).toMatchObject({ source, status, confidence, agreement });
    expect(shown[0]?.end).toEqual(end(served));
    expect(effectiveEnd(statements)).toEqual(end(served));
    expect([...shown].sort(bySource)).toEqual([...statements].sort(bySource));
  });

  test("without any claim the source is upstream", () => {
    expect(provenanceOf([], AS_OF)).toMatchObject({
      source: "upstream",
      status: "upstream",
      confidence: "medium",
      agreement: 0,
      url: null,
      verifiedAt: null,
    });
    expect(effectiveEnd([])).toEqual({ kind: "unknown" });
  });
});

const bySource = (a: Claim, b: Claim): number =>
  `${a.source}${a.retrievedAt}`.localeCompare(`${b.source}${b.retrievedAt}`);

describe("page and date of a source", () => {
  test("are the vendor's when the vendor is the source", () => {
    const both = [
      claim("upstream", X, "2025-02-28"),
      claim("vendor-feed", X, "2025-02-20"),
      claim("vendor-feed", X, "2025-02-25"),
    ];
    expect(provenanceOf(both, AS_OF)).toMatchObject({
      url: "https://example.test/vendor-feed",
      verifiedAt: "2025-02-25",
    });
  });
  test("are those of the effective record in a mismatch", () => {
    const both = [claim("upstream", X, "2025-02-10"), claim("vendor-feed", Y, "2025-02-25")];
    expect(provenanceOf(both, AS_OF)).toMatchObject({ url: "https://example.test/upstream", verifiedAt: "2025-02-10" });
  });
});

const ends = fc.constantFrom("2024-05-01", X, Y, "2025-06", "ended", "open", "unknown");
const kinds = fc.constantFrom<ClaimKind>("vendor-feed", "override", "human-check", "upstream", "custom", "declared");
const readDays = fc.nat(60).map((days) => addDays(AS_OF, -days));
const statements = fc.array(
  fc.tuple(kinds, ends, readDays).map(([kind, ends, readOn]) => claim(kind, ends, readOn)),
  { minLength: 1, maxLength: 7 },
);

describe("provenance rules", () => {
  test("the status is fallback after more than 14 days", () => {
    fc.assert(
      fc.property(fc.nat(40), fc.boolean(), (age, second) => {
        const feed = claim("vendor-feed", X, addDays(AS_OF, -age));
        const { status, confidence } = provenanceOf(second ? [feed, claim("custom", X)] : [feed], AS_OF);
        expect(status).toBe(age > 14 ? "fallback" : "ok");
        if (!second && age > 14) expect(confidence).toBe("low");
      }),
    );
  });

  test("a copied claim never counts as agreement", () => {
    fc.assert(
      fc.property(statements, fc.nat(), (list, at) => {
        const copied = list[at % list.length];
        const before = provenanceOf(list, AS_OF);
        const after = provenanceOf(copied ? [...list, { ...copied, source: "copy" }] : list, AS_OF);
        expect({ ...after, claims: [] }).toEqual({ ...before, claims: [] });
      }),
    );
  });

  test("the confidence is low for every mismatch and high only with two kinds of sources", () => {
    fc.assert(
      fc.property(statements, (list) => {
        const { source, status, confidence, agreement, claims: shown } = provenanceOf(list, AS_OF);
        expect(source === "discrepancy").toBe(status === "mismatch");
        if (status === "mismatch") expect(confidence).toBe("low");
        if (confidence === "high") expect(agreement).toBeGreaterThanOrEqual(2);
        if (status === "ok" || status === "fallback") expect(source).toBe("vendor-fetched");
        expect(agreement).toBeGreaterThanOrEqual(1);
        expect(agreement).toBeLessThanOrEqual(3);
        expect(shown).toHaveLength(list.length);
        const disputed = list.some((each) => each.kind === "vendor-feed" && contradicts(shown[0] ?? each, each));
        if (disputed) expect(status).toBe("mismatch");
      }),
    );
  });

  test("the order of the sources does not change the effective claim", () => {
    fc.assert(
      fc.property(statements, (list) => {
        const served = effectiveClaim(list);
        const reversed = effectiveClaim(list.toReversed());
        expect(reversed?.kind).toBe(served?.kind);
        expect(reversed?.retrievedAt).toBe(served?.retrievedAt);
      }),
    );
  });
});
