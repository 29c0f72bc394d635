/** Reports for the tests: every product and date in them is fictional. */
import { createHash } from "node:crypto";
import { forecast } from "../../src/compare/forecast.ts";
import { asIsoDate, asProductSlug, asPurl } from "../../src/text/ids.ts";
import { rowsOfFindings, toFindings } from "../../src/policy/rows.ts";
import { supportThatCounts } from "../../src/lifecycle/support.ts";
import { dependenciesOf } from "../../src/sbom/graph/dependency-graph.ts";
import type {
  Advice,
  Assessment,
  Component,
  Finding,
  LifecycleDate,
  Policy,
  Provenance,
  Report,
  Resolution,
  RuleOutcome,
  ParsedDocument,
  DocumentReport,
  Claim,
  Verdict,
  Waiver,
} from "../../src/model/index.ts";
import { subjectOf } from "../../src/sbom/subject.ts";

const AS_OF = asIsoDate("2026-09-01");
const DAY = 86_400_000;

const day = (value: string): LifecycleDate => ({ value: asIsoDate(value), precision: "day" });
const month = (value: string): LifecycleDate => ({ value: asIsoDate(value), precision: "month" });

interface LineFacts {
  readonly slug: string;
  readonly name: string;
  readonly cycle: string;
  readonly end?: LifecycleDate | "ended" | "unknown";
  readonly score: number;
  readonly kev?: boolean;
  readonly provenance?: Partial<Provenance>;
  readonly more?: Partial<Assessment["cycle"]>;
}

/** An assessment by the text of its end. */
export const assessmentOf = ({ end, ...facts }: Omit<LineFacts, "end"> & { readonly end: string }): Assessment =>
  assessment({ ...facts, end: day(end) });

/** An assessment of a package that its maintainers, or somebody else, retired. */
export const retiredOf = (slug: string, declaredBy: string): Assessment =>
  assessment({ slug, name: slug, cycle: "all", end: "ended", score: 60, more: { retired: true, declaredBy } });

/** Days until the end, in UTC. */
const daysTo = (end: LifecycleDate): number => (Date.parse(end.value) - Date.parse(AS_OF)) / DAY;

function assessment({ slug, name, cycle, end, score, kev = false, provenance, more }: LineFacts): Assessment {
  const date = typeof end === "object" ? end : null;
  const days = date === null ? null : daysTo(date);
  const eol = date
    ? { kind: "dated" as const, date }
    : { kind: end === "ended" ? ("ended" as const) : end === "unknown" ? ("unknown" as const) : ("open" as const) };
  const statement: Claim = {
    kind: "upstream",
    source: "invented-dataset",
    end: eol,
    url: `https://dates.example/${slug}`,
    retrievedAt: asIsoDate("2026-08-20"),
  };
  const status =
    days !== null
      ? days < 0
        ? "eol"
        : days <= 90
          ? "approaching"
          : "active"
      : end === "ended"
        ? "eol"
        : end === "unknown"
          ? "unknown"
          : "active";
  const grade = score <= 20 ? "A" : score <= 40 ? "B" : score <= 60 ? "C" : score <= 80 ? "D" : "F";
  return {
    releaseCycle: { product: asProductSlug(slug), cycle },
    productName: name,
    cycle: {
      name: cycle,
      lts: false,
      eol,
      claims: [statement],
      tracks: [],
      rolling: false,
      retired: false,
      ...more,
    },
    asOf: AS_OF,
    status,
    eolDate: date,
    eolBoolean: date === null ? end === "ended" : null,
    daysUntilEol: days !== null && days >= 0 ? days : null,
    daysPastEol: days !== null && days < 0 ? -days : null,
    support: supportThatCounts({ eol }, more?.tracks ?? [], AS_OF),
    score,
    grade,
    gradeLabel: { A: "Low risk", B: "Moderate risk", C: "Elevated risk", D: "High risk", F: "Critical risk" }[grade],
    band: score <= 25 ? "Low" : score <= 50 ? "Medium" : score <= 75 ? "High" : "Critical",
    factors: splitScore(score, kev),
    kevExposed: kev,
    kevBasis: kev ? "affected" : null,
    kevFixedIn: kev ? "3.2.9" : null,
    kevEntries: kev ? [{ cve: "CVE-2030-1", ransomware: true, affected: "before 3.2.9", fixedIn: "3.2.9" }] : [],
    extendedSupport: { available: false, vendor: null, until: null },
    doubts: [],
    provenance: {
      source: "upstream",
      url: `https://dates.example/${slug}`,
      verifiedAt: asIsoDate("2026-08-20"),
      status: "upstream",
      agreement: 1,
      confidence: "medium",
      claims: [statement],
      ...provenance,
    },
    cpes: [],
    purls: [],
  };
}

/** Factors that add up to the score, within their limits. */
function splitScore(score: number, kev: boolean): Assessment["factors"] {
  const cisaKevExposure = kev ? Math.min(20, score) : 0;
  const eolRecency = Math.min(40, score - cisaKevExposure);
  const attackSurface = Math.min(30, score - cisaKevExposure - eolRecency);
  return {
    eolRecency,
    attackSurface,
    cisaKevExposure,
    extendedSupport: Math.min(10, score - cisaKevExposure - eolRecency - attackSurface),
  };
}

let serial = 0;
export function component(name: string, version?: string, more: Partial<Component> = {}): Component {
  serial += 1;
  return {
    pointer: `/components/${serial}`,
    span: { start: serial * 100, end: serial * 100 + 90 },
    kind: "other",
    bomRef: `ref-${name}`,
    name,
    ...(version !== undefined && { version }),
    purls: version === undefined ? [] : [asPurl(`pkg:generic/${name}@${version}`)],
    cpes: [],
    licenses: ["MIT"],
    declared: [],
    ...more,
  };
}

const OK: RuleOutcome = { severity: "pass", condition: "none" };

export const resolved = (
  of: Assessment,
  component: Component,
  ruleOutcome: RuleOutcome = OK,
  distroAssessment?: Assessment,
): Finding => ({
  component,
  resolution: {
    kind: "resolved",
    releaseCycle: of.releaseCycle,
    matchedBy: component.purls.length > 0 ? "purl" : "name",
    versionMatchedBy: "release-line",
    requestedVersion: component.version ?? "",
    ...(component.purls[0] && { identifier: component.purls[0] }),
    ...(distroAssessment && { maintainedBy: distroAssessment.releaseCycle }),
  },
  assessment: of,
  distroAssessment,
  outcome: { ...ruleOutcome, assessment: distroAssessment ?? of },
});

const distroMaintained = (
  by: Assessment,
  component: Component,
  ruleOutcome: RuleOutcome,
  packageEnd?: Extract<Resolution, { kind: "distro-maintained" }>["packageEnd"],
): Finding => ({
  component,
  resolution: { kind: "distro-maintained", by: by.releaseCycle, ...(packageEnd && { packageEnd }) },
  assessment: by,
  outcome: { ...ruleOutcome, assessment: by },
});

export const unmatched = (
  component: Component,
  reason: Extract<Resolution, { kind: "unmatched" }>["reason"],
  ruleOutcome: RuleOutcome = OK,
): Finding => ({
  component,
  resolution: { kind: "unmatched", reason },
  outcome: ruleOutcome,
});

export const notApplicable = (component: Component): Finding => ({
  component,
  resolution: {
    kind: "not-applicable",
    why: component.kind === "root" || component.kind === "data" ? component.kind : "file",
  },
  outcome: OK,
});

const POLICY: Policy = {
  failOn: [{ kind: "eol" }],
  warnDays: 90,
  supersededAfterDays: 90,
  strict: false,
  minCoverage: 0,
  allowUnassessed: false,
  allowEmpty: false,
  support: "free",
  contracts: [],
  scope: "all",
  distroPackages: "distro",
  denyLicense: [],
  waivers: [],
  signals: "off",
  inactiveMonths: 24,
  privatePackages: [],
  signalsMaxAge: 7,
  signalsTimeout: 120,
  exitZero: false,
};

export function document(
  findings: readonly Finding[],
  dependencies: Record<string, readonly string[]>,
  more: Partial<ParsedDocument> = {},
): ParsedDocument {
  const base: ParsedDocument = {
    format: "CycloneDX",
    specVersion: "1.6",
    wrappers: [],
    serialNumber: "urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79",
    generator: "inventor 1.0",
    signed: false,
    components: findings.map((finding) => finding.component),
    roots: ["root"],
    dependencies: () => dependenciesOf(new Map(Object.entries(dependencies))),
    position: (byte) => ({ line: 1 + Math.floor(byte / 100), column: 1 + (byte % 100) }),
  };
  return { ...base, ...more };
}

/** Counts the outcomes as the gate does; the outcomes of the fixtures are given, not evaluated here. */
function verdictOf(findings: readonly Finding[], waivers: Partial<Verdict["waivers"]> = {}): Verdict {
  const counts = new Map<string, Verdict["reasons"][number]>();
  for (const { outcome } of findings) {
    if (outcome.condition === "none" || outcome.waived) continue;
    const key = `${outcome.severity}:${outcome.condition}`;
    counts.set(key, {
      verdict: outcome.severity,
      condition: outcome.condition,
      count: (counts.get(key)?.count ?? 0) + 1,
    });
  }
  const order = { fail: 0, warn: 1, pass: 2 };
  const reasons = [...counts.values()].sort((a, b) => order[a.verdict] - order[b.verdict] || b.count - a.count);
  const assessed = findings.filter(
    ({ resolution }) => resolution.kind === "resolved" || resolution.kind === "distro-maintained",
  ).length;
  const missed = findings.filter(({ resolution }) => resolution.kind === "unmatched").length;
  return {
    value: reasons[0]?.verdict ?? "pass",
    reasons,
    coverage: {
      assessed,
      notAssessed: missed,
      percent: assessed + missed === 0 ? 100 : Math.round((assessed / (assessed + missed)) * 1000) / 10,
    },
    waivers: { used: [], unused: [], expired: [], ...waivers },
  };
}

export const scanOf = (
  file: string,
  findings: readonly Finding[],
  doc: ParsedDocument,
  waivers?: Partial<Verdict["waivers"]>,
): DocumentReport => ({
  file,
  digest: () => `sha256:${"ab".repeat(32)}`,
  gzipped: false,
  subject: subjectOf(doc),
  // The value is text of a path.
  labels: { team: file },
  document: doc,
  rows: rowsOfFindings(findings),
  verdict: verdictOf(findings, waivers),
});

export function reportOf(scans: readonly DocumentReport[], more: Partial<Report> = {}): Report {
  const all = scans.flatMap(({ rows }) => toFindings(rows));
  const verdict = { ...verdictOf(all), waivers: scans[0]?.verdict.waivers ?? { used: [], unused: [], expired: [] } };
  return {
    tool: { name: "eolgate", version: "0.0.0" },
    asOf: AS_OF,
    policy: POLICY,
    catalogue: {
      date: asIsoDate("2026-08-22"),
      digest: `sha256:${"cd".repeat(32)}`,
      purlMapDate: asIsoDate("2026-08-21"),
      kevVersion: "2026.08.21",
      origin: "bundled",
      ageDays: 10,
    },
    documents: scans,
    failed: [],
    statement: {
      subjects: scans.map(({ file, digest }) => ({ name: file, digest: { sha256: digest().replace("sha256:", "") } })),
      validity: { validUntil: AS_OF, exitCodeUntil: AS_OF, limit: "not-computed" },
      sha256: (pieces) =>
        createHash("sha256")
          .update([...pieces].join(""))
          .digest("hex"),
    },
    verdict,
    exit:
      verdict.value === "fail"
        ? { code: 1, name: "fail", why: "the verdict is fail" }
        : { code: 0, name: verdict.value, why: `the verdict is ${verdict.value}` },
    links: {
      scoreCard: ({ product, cycle }) => `https://eolgate.example/score/${product}/${encodeURIComponent(cycle)}`,
      product: (slug) => `https://eolgate.example/${slug}`,
      products: "https://eolgate.example/v1/products",
      methodology: "https://eolgate.example/methodology",
      docs: "https://eolgate.example/docs",
    },
    ...more,
  };
}

const root = (name: string): Component => component(name, "1.0.0", { kind: "root", bomRef: "root" });
const agreed: Partial<Provenance> = { source: "vendor-fetched", status: "ok", agreement: 2, confidence: "high" };

const kestrel3 = assessment({
  slug: "kestrel",
  name: "Kestrel",
  cycle: "3",
  end: day("2024-03-01"),
  score: 88,
  kev: true,
  provenance: agreed,
});
const kestrel5 = assessment({
  slug: "kestrel",
  name: "Kestrel",
  cycle: "5",
  end: day("2028-04-30"),
  score: 18,
  provenance: agreed,
  more: { lts: true },
});
const lumen14 = assessment({
  slug: "lumen",
  name: "Lumen",
  cycle: "14",
  end: day("2026-11-10"),
  score: 35,
  provenance: agreed,
});
const lumen15 = assessment({ slug: "lumen", name: "Lumen", cycle: "15", score: 10 });
const heron = assessment({
  slug: "heron-linux",
  name: "Heron Linux",
  cycle: "10",
  end: day("2024-06-30"),
  score: 80,
  provenance: { ...agreed, agreement: 3 },
  more: { codename: "grey" },
});
/** Free support lasts longer than standard support, and ends within the warning window. */
const heronLts = assessment({
  slug: "heron-linux",
  name: "Heron Linux",
  cycle: "10",
  end: day("2024-06-30"),
  score: 80,
  provenance: { ...agreed, agreement: 3 },
  more: { codename: "grey", tracks: [{ name: "Heron LTS", vendor: "Heron", cost: "free", end: day("2026-11-30") }] },
});
const nearEnd = { severity: "warn", condition: "approaching" } as const;
const pike = assessment({ slug: "pike", name: "Pike", cycle: "2.4", end: month("2027-02-28"), score: 12 });
const wren = assessment({
  slug: "wren",
  name: "wren",
  cycle: "all",
  end: "ended",
  score: 45,
  provenance: { source: "custom", status: "custom" },
  more: { retired: true, declaredBy: "the wren project", successor: "finch" },
});
const stork7 = assessment({
  slug: "stork",
  name: "Stork",
  cycle: "7",
  end: day("2026-08-31"),
  score: 55,
  provenance: { source: "discrepancy", status: "mismatch", confidence: "low" },
});
const murky = assessment({ slug: "murky", name: "Murky", cycle: "1", end: "unknown", score: 20 });

export function passReport(): Report {
  serial = 0;
  const findings = [
    notApplicable(root("shop")),
    resolved(kestrel5, component("kestrel", "5.2.0")),
    resolved(pike, component("pike", "2.4.9")),
    resolved(lumen15, component("lumen-core", "15.0.1")),
    resolved(lumen15, component("lumen-router", "15.0.1")),
    unmatched(component("left-margin", "1.3.0"), "purl-not-tracked"),
    unmatched(component("readme", undefined, { kind: "other" }), "no-version"),
  ];
  return reportOf([scanOf("shop.cdx.json", findings, document(findings, { root: ["ref-kestrel", "ref-lumen-core"] }))]);
}

export function warnReport(): Report {
  serial = 0;
  const findings = [
    notApplicable(root("site")),
    resolved(lumen14, component("lumen-core", "14.2.0"), { severity: "warn", condition: "approaching" }),
    resolved(lumen14, component("lumen-router", "14.2.0"), { severity: "warn", condition: "approaching" }),
    resolved(heronLts, component("heron", "10.4", { kind: "operating-system", purls: [] }), nearEnd),
    distroMaintained(heronLts, component("libgull", "1.1-2"), nearEnd),
    distroMaintained(heronLts, component("libtern", "0.4-1"), nearEnd),
    resolved(wren, component("wren", "0.9.1"), { severity: "warn", condition: "retired" }),
    resolved(kestrel5, component("kestrel", "5.2.0")),
  ];
  const doc = document(findings, {
    root: ["ref-web"],
    "ref-web": ["ref-lumen-core"],
    "ref-lumen-core": ["ref-lumen-router"],
    "ref-lumen-router": ["ref-mid"],
    "ref-mid": ["ref-wren"],
  });
  return reportOf([scanOf("site.cdx.json", findings, doc)], { forecast: forecast(findings, POLICY, AS_OF, 24) });
}

const used: Waiver = {
  target: "stork:7",
  reason: "the rewrite lands in autumn",
  expires: asIsoDate("2026-12-01"),
  approvedBy: "Ada",
};
const expired: Waiver = { target: "kestrel:3", reason: "until the summer release", expires: asIsoDate("2026-07-01") };
const unused: Waiver = { target: "pkg:npm/gone", reason: "left over", expires: asIsoDate("2027-01-01") };

const ADVICE: ReadonlyMap<string, Advice> = new Map([
  [
    "kestrel:3",
    {
      nearest: {
        releaseCycle: { product: asProductSlug("kestrel"), cycle: "4" },
        eol: { kind: "dated", date: day("2027-03-01") },
        days: 181,
        lts: false,
      },
      longest: { releaseCycle: kestrel5.releaseCycle, eol: kestrel5.cycle.eol, days: 607, lts: true },
    },
  ],
  ["lumen:14", { nearest: { releaseCycle: lumen15.releaseCycle, eol: { kind: "open" }, days: null, lts: false } }],
]);

export function failReport(): Report {
  serial = 0;
  const shop = [
    notApplicable(root("shop")),
    resolved(kestrel3, component("kestrel", "3.2.1"), { severity: "fail", condition: "eol" }),
    resolved(kestrel3, component("http", "3.2.1", { group: "@kestrel", bomRef: "ref-kestrel-http" }), {
      severity: "fail",
      condition: "eol",
    }),
    resolved(heron, component("heron", "10.4", { kind: "operating-system", purls: [] }), {
      severity: "fail",
      condition: "eol",
    }),
    ...Array.from({ length: 12 }, (_, index) =>
      distroMaintained(heron, component(`libgull${index}`, `1.${index}-2`), { severity: "fail", condition: "eol" }),
    ),
    resolved(pike, component("pike", "2.4.9-3heron1"), { severity: "fail", condition: "eol" }, heron),
    distroMaintained(
      heron,
      component("oldbrowser", "60.0-1"),
      { severity: "fail", condition: "package-eol" },
      {
        kind: "ended",
        from: asIsoDate("2025-02-01"),
        url: "https://heron.example/ended",
        readOn: asIsoDate("2026-08-20"),
      },
    ),
    resolved(stork7, component("stork", "7.9"), { severity: "pass", condition: "eol", waived: used }),
    resolved(lumen14, component("lumen-core", "14.2.0"), { severity: "warn", condition: "approaching" }),
    resolved(lumen15, component("lumen-icons", "15.0.1", { licenses: ["GPL-3.0-only"] }), {
      severity: "fail",
      condition: "license",
    }),
    resolved(wren, component("wren", "0.9.1"), { severity: "warn", condition: "retired" }),
    resolved(murky, component("murky", "1.0"), { severity: "warn", condition: "unknown" }),
    resolved(kestrel5, component("kestrel", "5.2.0", { bomRef: "ref-kestrel-5" })),
    unmatched(component("left-margin", "1.3.0"), "purl-not-tracked"),
    unmatched(component("right-margin", "1.3.0"), "purl-not-tracked"),
    unmatched(component("top-margin", "1.3.0"), "purl-not-tracked"),
    unmatched(component("bottom-margin", "1.3.0"), "purl-not-tracked"),
    unmatched(component("heap", "^4.0.0"), "version-is-range"),
    notApplicable(component("index.js", undefined, { kind: "file" })),
  ];
  const api = [
    notApplicable(root("api")),
    resolved(kestrel3, component("kestrel", "3.0.0"), { severity: "fail", condition: "kev" }),
    unmatched(component("mystery", "1"), "name-not-recognised", { severity: "warn", condition: "untracked" }),
  ];
  const shopDocument = document(shop, {
    root: ["ref-api", "ref-stork"],
    "ref-api": ["ref-kestrel", "ref-wren"],
    "ref-kestrel": ["ref-kestrel-http"],
    "ref-stork": ["ref-lumen-core"],
    "ref-lumen-core": ["ref-murky"],
  });
  const waivers = { used: [used], expired: [expired], unused: [unused] };
  const scans = [
    scanOf("shop.cdx.json", shop, shopDocument, waivers),
    scanOf("api.spdx.json", api, document(api, {}, { format: "SPDX", specVersion: "2.3" })),
  ];
  const fresh = new Set(shop.slice(1, 3).map((finding) => finding.component));
  return reportOf(scans, {
    policy: {
      ...POLICY,
      failOn: [{ kind: "eol" }, { kind: "kev" }, { kind: "score", atLeast: 90 }],
      denyLicense: ["GPL-3.0-only"],
      waivers: [used, expired, unused],
      scope: "runtime",
    },
    catalogue: {
      date: asIsoDate("2026-07-20"),
      digest: `sha256:${"cd".repeat(32)}`,
      purlMapDate: asIsoDate("2026-07-19"),
      kevVersion: "2026.07.19",
      origin: "bundled",
      ageDays: 43,
    },
    failed: [
      {
        file: "broken.json",
        error: {
          kind: "input",
          code: "not-json",
          message: "this is not JSON",
          where: "line 3, column 7",
          hint: "Write the document again.",
        },
      },
    ],
    advice: ({ product, cycle }) => ADVICE.get(`${product}:${cycle}`),
    comparison: {
      against: "main.cdx.json",
      stateOf: ({ component }) => (fresh.has(component) ? "new" : "unchanged"),
      gone: 2,
    },
    exit: { code: 3, name: "input", why: "broken.json could not be read" },
  });
}

/** Characters that must not break the output. Each has broken the output of some tool. */
export const HOSTILE = {
  terminal: "\u001b[2K\u001b[31mred\u001b[0m\u009b31m\u0007",
  link: "\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007",
  command: "::set-output name=x::y",
  oldCommand: "##[set-env name=PATH]evil ##vso[task.setvariable variable=x]y",
  markdown: "a|b `c` **d** [e](https://evil.example) @admin #1 ![f](x) <!-- g -->",
  html: "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;",
  lines: "one\ntwo\r\n::error::three\u2028four",
  bidi: "safe\u202egnp.exe\u202c\u2066x\u2069\u200b",
  formula: '=HYPERLINK("https://evil.example","x")',
  /** Letters of the tag block: they are invisible, but language models read them. */
  tags: "plain\u{e0061}\u{e0062}\u{e007f}",
  formulas: ["+1+1", "-2+3", "@SUM(A1)", "\t=1", "\uff1d1"],
  xml: "nul\u0000 bell\u0007 fffe\ufffe lone\ud800 end]]>",
  template: "{{tool.name}} ${process.env.HOME} <%= 1 %>",
  long: "x".repeat(5000),
} as const;

export function hostileReport(): Report {
  serial = 0;
  const names = Object.values(HOSTILE).flat();
  const ruled = [kestrel3, lumen14, stork7, wren];
  const findings = [
    notApplicable(root(HOSTILE.html)),
    ...names.map((name, index) =>
      resolved(
        ruled[index % ruled.length] ?? kestrel3,
        component(name, `${name}1`, {
          bomRef: name,
          group: HOSTILE.terminal,
          licenses: [name],
          purls: [asPurl(`pkg:npm/${name}@1`)],
        }),
        {
          severity: index % 2 === 0 ? "fail" : "warn",
          condition: index % 3 === 0 ? "license" : "declared-mismatch",
        },
      ),
    ),
    ...names.map((name) => unmatched(component(name, name), "purl-not-tracked")),
  ];
  const hostileWaiver: Waiver = {
    target: HOSTILE.markdown,
    reason: HOSTILE.lines,
    expires: asIsoDate("2027-01-01"),
    approvedBy: HOSTILE.html,
  };
  const waived = resolved(stork7, component("stork", "7.9"), {
    severity: "pass",
    condition: "eol",
    waived: hostileWaiver,
  });
  const doc = document(
    [...findings, waived],
    { root: names, [names[0] ?? ""]: ["ref-stork"] },
    { generator: HOSTILE.terminal, serialNumber: HOSTILE.html },
  );
  return reportOf(
    [
      scanOf(HOSTILE.lines, [...findings, waived], doc, {
        used: [hostileWaiver],
        expired: [],
        unused: [hostileWaiver],
      }),
    ],
    {
      forecast: forecast(findings, POLICY, AS_OF, 24),
      failed: [
        {
          file: HOSTILE.terminal,
          error: {
            kind: "input",
            code: "not-json",
            message: HOSTILE.command,
            where: HOSTILE.bidi,
            hint: HOSTILE.oldCommand,
          },
        },
      ],
    },
  );
}
