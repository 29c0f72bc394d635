import { describe, expect, test } from "vitest";
import { asIsoDate, asProductSlug, asPurl } from "../../src/text/ids.ts";
import type { AssessedComponent, Finding, Resolution } from "../../src/model/index.ts";
import { toEnrichment, type EnrichmentContext } from "../../src/enrich/lifecycle-properties.ts";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { isGeneratedName, type LifecycleProperties } from "../../src/enrich/names.ts";
import { AS_OF, assessed, component, distroMaintained, resolved } from "../policy/builders.ts";

const PASS: Finding["outcome"] = { severity: "pass", condition: "none" };
const setting: EnrichmentContext = {
  asOf: AS_OF,
  tool: { name: "eolgate", version: "1.2.3" },
  purlMapDate: asIsoDate("2025-06-01"),
  scoreCard: ({ product, cycle }) => `https://eol.example/score/${product}/${cycle}`,
};
const finding = (candidate: Omit<Finding, "outcome">): Finding => ({ ...candidate, outcome: PASS });
const unmatched = (more: Partial<Extract<Resolution, { kind: "unmatched" }>> = {}): Finding =>
  finding({ component: component(), resolution: { kind: "unmatched", reason: "purl-not-tracked", ...more } });
const root = finding({ component: component({ kind: "root" }), resolution: { kind: "not-applicable", why: "root" } });
const past = assessed("2025-01-01", {}, { is: "angular" });
const near = assessed("2025-07-01", {}, { is: "django" });
const byPurl = (purl: string, more: Partial<EnrichmentContext> = {}): readonly (readonly [string, string])[] => {
  const candidate = resolved(past, { purls: [purl] });
  const { resolution } = candidate;
  const identified = resolution.kind === "resolved" ? { ...resolution, identifier: asPurl(purl) } : resolution;
  return pairs(
    toEnrichment(
      { findings: [finding({ ...candidate, resolution: identified })], verdict: { value: "fail" } },
      { ...setting, ...more },
    ).components[0],
  );
};
const pairs = (properties: LifecycleProperties | undefined): readonly (readonly [string, string])[] =>
  (properties ?? []).map(({ name, value }) => [name, value]);
const propertiesOf = (one: Finding, more: Partial<EnrichmentContext> = {}): readonly (readonly [string, string])[] =>
  pairs(toEnrichment({ findings: [one], verdict: { value: "fail" } }, { ...setting, ...more }).components[0]);

describe("properties of a component", () => {
  test("lists the properties of a cycle in the order of the specification", () => {
    expect(byPurl("pkg:npm/%40angular/core@14.2.0?x=y#z")).toEqual([
      ["lifecycle:status", "eol"],
      ["lifecycle:product", "angular"],
      ["lifecycle:cycle", past.releaseCycle.cycle],
      ["lifecycle:eol_date", "2025-01-01"],
      ["lifecycle:days_past_eol", "165"],
      ["lifecycle:purl_matched", "pkg:npm/%40angular/core"],
      ["lifecycle:matched_by", "purl"],
      ["lifecycle:gate", "pass"],
      ["lifecycle:extended_support_available", String(past.extendedSupport.available)],
      ["lifecycle:score_url", `https://eol.example/score/angular/${past.releaseCycle.cycle}`],
      ["lifecycle:risk_score", String(past.score)],
      ["lifecycle:risk_grade", past.grade],
      ["lifecycle:kev_exposed", String(past.kevExposed)],
    ]);
  });

  test("writes the days until an end in the future", () => {
    const properties = Object.fromEntries(propertiesOf(finding(resolved(near))));
    expect(properties).toMatchObject({ "lifecycle:status": "approaching", "lifecycle:days_until_eol": "16" });
    expect(properties).not.toHaveProperty("lifecycle:days_past_eol");
    expect(properties).not.toHaveProperty("lifecycle:purl_matched");
  });

  test("omits the score beyond the limit of the tier", () => {
    const names = propertiesOf(finding(resolved(past)), { scored: new Set() }).map(([name]) => name);
    expect(names).not.toContain("lifecycle:risk_score");
    expect(names).toContain("lifecycle:score_url");
  });

  test.each<readonly [string, Finding, readonly (readonly [string, string])[]]>([
    [
      "untracked",
      unmatched(),
      [
        ["lifecycle:status", "not-tracked"],
        ["lifecycle:gate", "not-assessed"],
        ["lifecycle:reason", "purl-not-tracked"],
      ],
    ],
    [
      "of a known product",
      unmatched({ reason: "version-ambiguous", product: asProductSlug("windows") }),
      [
        ["lifecycle:status", "not-tracked"],
        ["lifecycle:product", "windows"],
        ["lifecycle:gate", "not-assessed"],
        ["lifecycle:reason", "version-ambiguous"],
      ],
    ],
    [
      "the root",
      root,
      [
        ["lifecycle:status", "not-tracked"],
        ["lifecycle:reason", "not-applicable"],
      ],
    ],
  ])("contains the reason for %s", (_, one, properties) => {
    expect(propertiesOf(one)).toEqual(properties);
  });

  test("contains the properties of the distribution's cycle and the reason for a distribution-maintained package", () => {
    const debian = assessed("2024-01-01", {}, { is: "debian" });
    const properties = Object.fromEntries(propertiesOf(finding(distroMaintained(debian))));
    expect(properties).toMatchObject({
      "lifecycle:status": "eol",
      "lifecycle:product": "debian",
      "lifecycle:reason": "distro-maintained",
    });
    expect(properties).not.toHaveProperty("lifecycle:matched_by");
  });

  test("uses only names that removal recognizes", () => {
    const all = [
      byPurl("pkg:npm/a@1"),
      propertiesOf(unmatched()),
      propertiesOf(root),
      propertiesOf(finding(resolved(near))),
    ].flat();
    expect(all.filter(([name]) => !isGeneratedName(name))).toEqual([]);
  });
});

describe("the gate's word stands beside the specified status", () => {
  const evaluated = (candidate: AssessedComponent, policy = DEFAULT_POLICY): Finding => {
    const [one] = evaluatePolicy([candidate], policy, AS_OF).findings;
    if (one === undefined) throw new TypeError("no finding");
    return one;
  };
  const word = (one: Finding): readonly (string | undefined)[] => {
    const properties = Object.fromEntries(propertiesOf(one));
    const names = ["status", "gate", "support_end_date", "maintained_by"];
    return names.map((name) => properties[`lifecycle:${name}`]);
  };
  const lts = {
    name: "Debian LTS",
    vendor: "Debian",
    cost: "free",
    end: { value: asIsoDate("2028-06-30"), precision: "day" },
  } as const;
  const debian = assessed("2025-01-01", { tracks: [lts] }, { is: "debian" });
  const rocky = assessed("2032-05-31", {}, { is: "rocky-linux" });
  const rolling = assessed("2025-01-01", { rolling: true });
  const dropped = { kind: "ended", from: asIsoDate("2024-05-01"), url: "https://x.example", readOn: AS_OF } as const;

  test.each<readonly [string, AssessedComponent, readonly (string | undefined)[]]>([
    ["ended", resolved(past), ["eol", "fail:eol", "2025-01-01", undefined]],
    ["ending soon", resolved(near), ["approaching", "warn:approaching", "2025-07-01", near.productName]],
    ["superseded", resolved(rolling), ["eol", "warn:superseded", "2025-01-01", undefined]],
    ["retired", resolved(assessed("2025-01-01", { retired: true })), ["eol", "warn:retired", "2025-01-01", undefined]],
    ["with long-term support", resolved(debian), ["eol", "pass", "2028-06-30", "Debian LTS"]],
    [
      "a package that such a distribution builds",
      distroMaintained(debian),
      ["eol", "pass", "2028-06-30", `${debian.productName} ${debian.releaseCycle.cycle} (Debian LTS)`],
    ],
    [
      "an ended version that its distribution maintains",
      resolved(past, {}, rocky),
      ["eol", "pass", "2032-05-31", `${rocky.productName} ${rocky.releaseCycle.cycle}`],
    ],
    [
      "a package that its distribution dropped",
      distroMaintained(rocky, {}, dropped),
      ["active", "fail:package-eol", "2024-04-30", undefined],
    ],
    ["without a cycle", unmatched(), ["not-tracked", "not-assessed", undefined, undefined]],
  ])("%s", (_, candidate, expected) => {
    expect(word(evaluated(candidate))).toEqual(expected);
  });

  test("components of one cycle with different outcomes have different properties", () => {
    const waiver = { target: "pkg:npm/a@1", reason: "x", expires: asIsoDate("2027-01-01") };
    const policy = { ...DEFAULT_POLICY, waivers: [waiver], scope: "runtime" } as const;
    const each = [["pkg:npm/a@1"], ["pkg:npm/b@1"], ["pkg:npm/c@1"]].map((purls, index) =>
      resolved(past, { purls, ...(index === 2 && { scope: "optional" }) }),
    );
    const { findings } = evaluatePolicy(each, policy, AS_OF);
    const { components } = toEnrichment({ findings, verdict: { value: "fail" } }, setting);
    const gates = components.map((list) => Object.fromEntries(pairs(list))["lifecycle:gate"]);
    expect(gates).toEqual(["waived:eol", "fail:eol", undefined]);
  });
});

describe("registered property names", () => {
  const name = "cdx:lifecycle:milestone:endOfSupport";
  const names = (properties: readonly (readonly [string, string])[]): readonly string[] =>
    properties.map(([each]) => each);

  test("are added to its own names or replace them", () => {
    expect(byPurl("pkg:npm/a@1", { properties: "both" }).at(-1)).toEqual([name, "2025-01-01"]);
    expect(byPurl("pkg:npm/a@1", { properties: "cdx" })).toEqual([[name, "2025-01-01"]]);
    expect(propertiesOf(unmatched(), { properties: "cdx" })).toEqual([]);
  });

  test("are omitted where the document declares the milestone itself", () => {
    const declared = [{ milestone: "end-of-support", value: "2026-01-01", pointer: "/x" }] as const;
    const findings = [finding(resolved(past, { declared })), finding(resolved(past))];
    const { components } = toEnrichment({ findings, verdict: { value: "pass" } }, { ...setting, properties: "both" });
    expect(names(pairs(components[0]))).not.toContain(name);
    expect(names(pairs(components[1]))).toContain(name);
  });
});

describe("properties of the whole document", () => {
  const findings = [
    root,
    finding(resolved(past)),
    finding(resolved(past)),
    finding(resolved(near)),
    unmatched(),
    unmatched(),
  ];
  const enrichment = toEnrichment({ findings, verdict: { value: "warn" } }, setting);

  test("contain a summary", () => {
    expect(Object.fromEntries(pairs(enrichment.summary))).toEqual({
      "lifecycle:summary:components": "5",
      "lifecycle:summary:matched": "3",
      "lifecycle:summary:scored": "3",
      "lifecycle:summary:past_eol": "2",
      "lifecycle:summary:approaching": "1",
      "lifecycle:summary:not_tracked": "2",
      "lifecycle:summary:unique_products": "2",
      "lifecycle:gate:verdict": "warn",
      "lifecycle:purl_map_date": "2025-06-01",
    });
  });

  test("count ended components, including distribution packages", () => {
    const all = [...findings, finding(distroMaintained(past)), finding(distroMaintained(near))];
    const { components, summary } = toEnrichment({ findings: all, verdict: { value: "fail" } }, setting);
    const marked = (status: string) =>
      components.filter((properties) =>
        pairs(properties).some(([name, value]) => name === "lifecycle:status" && value === status),
      );
    const expected = Object.fromEntries(pairs(summary));
    expect([expected["lifecycle:summary:past_eol"], marked("eol").length]).toEqual(["3", 3]);
    expect([expected["lifecycle:summary:approaching"], marked("approaching").length]).toEqual(["2", 2]);
  });

  test("share one list for equal properties", () => {
    expect(enrichment.components[1]).toBe(enrichment.components[2]);
    expect(enrichment.components[4]).toBe(enrichment.components[5]);
    expect(enrichment.components[1]).not.toBe(enrichment.components[3]);
  });
});
