import { describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { asIsoDate, asProductSlug } from "../../src/text/ids.ts";
import type { Assessment } from "../../src/model/index.ts";
import { upcomingObject, upgradeObject } from "../../src/wire/advice.ts";
import { badge, greyBadge } from "../../src/wire/product.ts";
import { errorObject } from "../../src/wire/error.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { metrics } from "../../src/wire/metrics.ts";
import { day, frob, variant } from "./sample.ts";

const links = linksUnder("https://eol.example.org");

describe("links", () => {
  test("encode names as path segments and accept a base with trailing slashes", () => {
    const odd = linksUnder("https://eol.example.org/below//");
    expect(odd.scoreCard({ product: asProductSlug("c++"), cycle: "1/2 x" })).toBe(
      "https://eol.example.org/below/score/c%2B%2B/1%2F2%20x",
    );
    expect(odd.docs).toBe("https://eol.example.org/below/docs");
  });
});

describe("badge", () => {
  const undated = { eolDate: null, daysPastEol: null, eolBoolean: false };
  test.each<[string, Assessment, string, string]>([
    [
      "supported with an end",
      variant({ status: "active", kevBasis: "not-affected" }),
      "supported until 2026-04-30",
      "brightgreen",
    ],
    ["exploited", variant({ status: "active" }), "supported until 2026-04-30, known to be exploited", "red"],
    [
      "exploited, ending soon",
      variant({ status: "approaching" }),
      "end of life 2026-04-30, known to be exploited",
      "red",
    ],
    ["supported, no end", variant({ ...undated, status: "active", kevBasis: null }), "supported", "brightgreen"],
    ["ending soon", variant({ status: "approaching", kevBasis: "not-affected" }), "end of life 2026-04-30", "yellow"],
    ["past", frob, "end of life since 2026-04-30", "red"],
    ["ended, month precision", variant({ eolDate: day("2026-04-01", "month") }), "end of life since 2026-04", "red"],
    ["ended, date unknown", variant({ ...undated, status: "eol" }), "end of life", "red"],
    ["retired", variant({ status: "eol" }, { retired: true }), "retired", "red"],
    ["superseded", variant({ status: "eol" }, { rolling: true }), "superseded since 2026-04-30", "yellow"],
    ["superseded, date unknown", variant({ ...undated, status: "eol" }, { rolling: true }), "superseded", "yellow"],
    ["unknown", variant({ ...undated, status: "unknown" }), "unknown", "lightgrey"],
  ])("%s", (_, assessment, message, color) => {
    expect(badge(assessment)).toEqual({ schemaVersion: 1, label: "frob 20", message, color, cacheSeconds: 3600 });
  });
  test("is grey for an unknown state", () => {
    expect(greyBadge("x 1", "ambiguous")).toMatchObject({ label: "x 1", message: "ambiguous", color: "lightgrey" });
  });
});

describe("metrics", () => {
  test("contain every metric family", () => {
    expect(metrics([{ kind: "answer", assessment: frob }], "prometheus"))
      .toBe(`# HELP eol_risk_score EOL Risk Score, 0 to 100, higher is riskier
# TYPE eol_risk_score gauge
eol_risk_score{product="frob",version="20"} 75
# HELP eol_days_until_eol Days until end of life, negative once past
# TYPE eol_days_until_eol gauge
eol_days_until_eol{product="frob",version="20"} -31
# HELP eol_past_eol 1 when past end of life
# TYPE eol_past_eol gauge
eol_past_eol{product="frob",version="20"} 1
# HELP eol_approaching 1 when end of life is near
# TYPE eol_approaching gauge
eol_approaching{product="frob",version="20"} 0
# HELP eol_kev_exposed 1 when the product has known exploited vulnerabilities
# TYPE eol_kev_exposed gauge
eol_kev_exposed{product="frob",version="20"} 1
# HELP eol_date_timestamp_seconds Day of end of life as a Unix timestamp
# TYPE eol_date_timestamp_seconds gauge
eol_date_timestamp_seconds{product="frob",version="20"} 1777507200
# HELP eol_cycle_info Grade, band and status as labels
# TYPE eol_cycle_info gauge
eol_cycle_info{product="frob",version="20",grade="D",band="High",status="eol"} 1
`);
  });
  test("omit the date series of a cycle without a date, and escape labels", () => {
    const text = metrics(
      [
        { kind: "answer", assessment: variant({ eolDate: null, daysPastEol: null, status: "unknown" }) },
        { kind: "error", product: 'a"\n\\', version: "1", reason: "product-not-found" },
      ],
      "openmetrics",
    );
    expect(text).not.toContain("eol_days_until_eol");
    expect(text).not.toContain("eol_date_timestamp_seconds");
    expect(text).toContain('eol_lookup_error{product="a\\"\\n\\\\",version="1",reason="product-not-found"} 1\n# EOF\n');
  });
});

describe("error object", () => {
  const docs = "https://eol.example.org/docs";
  test("contains the problem, its location, a hint and facts", () => {
    const problem = EolgateError.raw("ambiguous", {
      code: "ambiguous-version",
      message: "split",
      where: "path",
      hint: "choose",
      details: { candidates: ["a"] },
    });
    expect(errorObject(problem, docs)).toEqual({
      error: "split",
      docs,
      code: "ambiguous-version",
      where: "path",
      hint: "choose",
      candidates: ["a"],
    });
  });
  test("contains no details of an internal error", () => {
    const problem = EolgateError.raw("internal", { code: "x", message: "/etc/secret", details: { path: "/etc" } });
    expect(errorObject(problem, docs)).toEqual({ error: "Internal error", docs, code: "internal" });
  });
});

describe("cycles that end soon", () => {
  const line = (cycle: string, days: number): Assessment =>
    variant({
      releaseCycle: { product: asProductSlug("frob"), cycle },
      status: "active",
      daysPastEol: null,
      daysUntilEol: days,
    });
  test("are sorted by date, then by name, with the total beyond the limit and without ended ones", () => {
    const assessments = [
      line("c", 30),
      line("b", 5),
      line("a", 5),
      line("d", 31),
      frob,
      variant({ eolDate: null, daysPastEol: null }),
    ];
    const answer = upcomingObject(assessments, { days: 30, past: 0, limit: 2, asOf: "2026-05-31" }, links);
    expect(answer).toMatchObject({ days: 30, total: 3, count: 2, as_of: "2026-05-31" });
    expect(answer.lines.map((each) => [each.version, each.days_until_eol])).toEqual([
      ["a", 5],
      ["b", 5],
    ]);
  });
});

describe("upgrade targets", () => {
  test("contain a target with and without an end, and a successor", () => {
    const product = asProductSlug("frob");
    const advice = {
      nearest: {
        releaseCycle: { product, cycle: "22" },
        eol: { kind: "dated", date: { value: asIsoDate("2027-04-01"), precision: "month" } },
        days: 334,
        lts: false,
      },
      longest: { releaseCycle: { product, cycle: "24" }, eol: { kind: "open" }, days: null, lts: true },
      successor: "brob",
    } as const;
    expect(upgradeObject(frob, advice, links)).toMatchObject({
      nearest: { version: "22", eol_date: "2027-04-30", days_until_eol: 334 },
      longest: { version: "24", eol_date: null, lts: true },
      successor: "brob",
    });
    expect(upgradeObject(frob, undefined, links)).toMatchObject({ nearest: null, longest: null });
  });
});
