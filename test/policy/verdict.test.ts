import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exitFor, worstExit } from "../../src/policy/exit.ts";
import { evaluatePolicy, evaluateRows } from "../../src/policy/evaluate.ts";
import { mergeVerdicts, withDocument } from "../../src/policy/verdict.ts";
import { rowsOfComponents } from "../../src/policy/rows.ts";
import type {
  AssessedComponent,
  Assessment,
  Coverage,
  FailedDocument,
  Policy,
  SbomFormat,
  VerdictValue,
} from "../../src/model/index.ts";
import { date, day } from "../lifecycle/builders.ts";
import { AS_OF, assessed, distroMaintained, file, CYCLES, policy, resolved, root, unmatched } from "./builders.ts";

const dated = assessed("2027-01-01", { name: "12" }, { is: "debian" });
const undated = assessed("open", { name: "13" }, { is: "debian" });
const times = (count: number, make: () => AssessedComponent): AssessedComponent[] =>
  Array.from({ length: count }, make);
const known = () => resolved(CYCLES.supported);

describe("coverage", () => {
  test.each<[string, AssessedComponent[], [assessed: number, notAssessed: number, percent: number], Partial<Policy>?]>([
    ["no components", [], [0, 0, 0]],
    ["root and files are left out", [root(), file(), known()], [1, 0, 100]],
    ["root that is not resolved", [unmatched("name-not-recognised", { kind: "root" }), known()], [1, 0, 100]],
    ["unmatched", [known(), unmatched(), unmatched()], [1, 2, 33.3]],
    ["distribution-maintained, cycle with a date", [distroMaintained(dated), unmatched()], [1, 1, 50]],
    ["distribution-maintained, ended cycle", [distroMaintained(CYCLES.pastUnknownDay)], [1, 0, 100]],
    ["distribution-maintained, cycle without an end", [distroMaintained(undated), known()], [1, 1, 50]],
    ["distribution-maintained, cycle with an unknown end", [distroMaintained(CYCLES.unknown), known()], [1, 1, 50]],
    ["a cycle without an end is assessed", [resolved(undated)], [1, 0, 100]],
    ["a cycle with an unknown end is not assessed", [resolved(CYCLES.unknown)], [0, 1, 0]],
    ["unknown end, but its distribution is known", [resolved(CYCLES.unknown, {}, dated)], [1, 0, 100]],
    [
      "unknown end, distribution ignored",
      [resolved(CYCLES.unknown, {}, dated)],
      [0, 1, 0],
      { distroPackages: "upstream" },
    ],
    [
      "a denied licence does not count as assessed",
      [unmatched("no-version", { licenses: ["MIT"] })],
      [0, 1, 0],
      { denyLicense: ["MIT"] },
    ],
    [
      "components outside the scope are omitted",
      [resolved(CYCLES.past, { scope: "development" }), known()],
      [1, 0, 100],
      { scope: "runtime" },
    ],
    ["is never rounded up to 100 %", [...times(1999, known), unmatched()], [1999, 1, 99.9]],
  ])("%s", (_, candidates, [assessed, notAssessed, percent], more = {}) => {
    expect(evaluatePolicy(candidates, policy(more), AS_OF).verdict.coverage).toEqual({
      assessed,
      notAssessed,
      percent,
    });
  });
});

describe("coverage of version pins and packages", () => {
  type Part = readonly [format: SbomFormat, candidates: readonly AssessedComponent[]];
  const locked = (component: AssessedComponent): AssessedComponent => ({
    ...component,
    component: { ...component.component, bomRef: "x" },
  });
  const filesOf = (parts: readonly Part[], policy_: Policy) =>
    parts.map(([format, candidates], index) => {
      const { rows, verdict } = evaluateRows(rowsOfComponents(candidates), policy_, AS_OF);
      return { file: `${index}`, rows, verdict: withDocument(verdict, rows, { format }, policy_), partOf: "app" };
    });
  const [pins, lockfile]: readonly [Part, Part] = [
    ["pins", [known(), unmatched(), unmatched()]],
    ["lockfile", [...times(8, () => locked(known())), ...times(2, () => locked(unmatched()))]],
  ];
  const both: Part = ["lockfile", [...pins[1], ...lockfile[1]]];
  const shares = { pins: [1, 2, 33.3], packages: [8, 2, 80] };

  test.each<readonly [string, readonly Part[], typeof shares | undefined]>([
    ["of files with pins and lockfiles are apart", [pins, lockfile], shares],
    ["of one file with both are apart", [both], shares],
    [
      "of an SBOM are packages, also without a bom-ref",
      [pins, ["CycloneDX", [...times(8, known), unmatched(), unmatched()]]],
      shares,
    ],
    ["are not apart where there are only pins", [pins], undefined],
    ["are not apart where there are only packages", [lockfile], undefined],
    ["are not apart where the pins are out of the count", [lockfile, ["pins", [root()]]], undefined],
  ])("%s", (_, parts, expected) => {
    const { coverage } = mergeVerdicts(filesOf(parts, policy()).map(({ verdict }) => verdict));
    const figures = (share: Coverage["pins"]) => share && [share.assessed, share.notAssessed, share.percent];
    expect(coverage.packages && { pins: figures(coverage.pins), packages: figures(coverage.packages) }).toEqual(
      expected,
    );
  });

  test.each<readonly [string, readonly Part[], number, number, string]>([
    [
      "fails for pins that many packages would hide",
      [pins, lockfile],
      60,
      6,
      "app: 1 of 3 version pins could be assessed (33.3 %), below the 60 %",
    ],
    [
      "fails for packages that pins would hide",
      [["pins", times(90, known)], lockfile],
      85,
      6,
      "app: 8 of 10 packages could be assessed (80 %), below the 85 %",
    ],
    ["passes where each reaches it", [["pins", [known()]], lockfile], 80, 0, "9 components assessed"],
    ["applies to all components where there is one kind", [lockfile], 80, 0, "8 components assessed"],
    ["names components where there is one kind", [pins], 40, 6, "app: 1 of 3 components could be assessed"],
  ])("the required share %s", (_, parts, minCoverage, code, why) => {
    const policy_ = policy({ minCoverage });
    const files = filesOf(parts, policy_);
    const result = exitFor(files, [], mergeVerdicts(files.map(({ verdict }) => verdict)), policy_);
    expect([result.code, result.why]).toEqual([code, expect.stringContaining(why)]);
  });

  test("a file with both has no verdict if one share is too small", () => {
    const values = [33, 34].map((minCoverage) => filesOf([both], policy({ minCoverage }))[0]?.verdict.value);
    expect(values).toEqual(["pass", "none"]);
  });
});

describe("verdict", () => {
  test("is the most severe outcome, with counted reasons in order of severity", () => {
    const { verdict } = evaluatePolicy(
      [
        known(),
        resolved(CYCLES.near),
        resolved(CYCLES.retired),
        resolved(CYCLES.past),
        resolved(CYCLES.near),
        unmatched(),
      ],
      policy(),
      AS_OF,
    );
    expect(verdict.value).toBe("fail");
    expect(verdict.reasons).toEqual([
      { verdict: "fail", condition: "eol", count: 1 },
      { verdict: "warn", condition: "retired", count: 1 },
      { verdict: "warn", condition: "approaching", count: 2 },
    ]);
  });

  test("reports two findings when a bom-ref and product occur twice, each with its own cycle", () => {
    const twins = [resolved(CYCLES.past, { bomRef: "x" }), resolved(CYCLES.supported, { bomRef: "x" })];
    expect(evaluatePolicy(twins, policy(), AS_OF).findings.map(({ outcome }) => outcome.severity)).toEqual([
      "fail",
      "pass",
    ]);
  });

  test("combines several documents", () => {
    const waivers = [
      { target: "invented", reason: "r", expires: AS_OF },
      { target: "python", reason: "r", expires: AS_OF },
    ];
    const verdicts = [[resolved(CYCLES.near), known()], [resolved(CYCLES.past), unmatched()], [known()]].map(
      (candidates, index) => evaluatePolicy(candidates, policy(index === 1 ? {} : { waivers }), AS_OF).verdict,
    );
    expect(mergeVerdicts(verdicts)).toEqual({
      value: "fail",
      reasons: [{ verdict: "fail", condition: "eol", count: 1 }],
      coverage: { assessed: 4, notAssessed: 1, percent: 80 },
      oldestStatement: { day: "2025-01-01", ageDays: 165, releaseCycle: { product: "invented", cycle: "1" } },
      waivers: { used: [waivers[0]], unused: [waivers[1]], expired: [] },
    });
    expect(mergeVerdicts([])).toEqual({
      value: "pass",
      reasons: [],
      coverage: { assessed: 0, notAssessed: 0, percent: 0 },
      waivers: { used: [], unused: [], expired: [] },
    });
  });
});

const broken = (kind: string, message = "broken"): FailedDocument => ({
  file: "b.json",
  error: { kind, code: "x", message },
});

function exit(
  documents: readonly (readonly AssessedComponent[])[],
  more: Partial<Policy> = {},
  failed: readonly FailedDocument[] = [],
) {
  const with_ = policy(more);
  const scans = documents.map((candidates, index) => ({
    file: `${index}.json`,
    ...evaluateRows(rowsOfComponents(candidates), with_, AS_OF),
  }));
  return exitFor(scans, failed, mergeVerdicts(scans.map(({ verdict }) => verdict)), with_);
}

const past = () => resolved(CYCLES.past);

describe("exit code on the days around a doubt", () => {
  const bounded = (asOf: string) => assessed("open", { eolNotBefore: date("2025-06-15") }, {}, day(asOf));
  const undocumented = assessed("2027-01-01", {}, { gateEnd: { end: "eol", basis: "not-stated" } });
  test.each<[string, Assessment, Partial<Policy>, [code: number, name: string, why: string]]>([
    ["on the last day", bounded("2025-06-15"), {}, [0, "pass", "1 component assessed, no policy violations"]],
    ["on the first day", bounded("2025-06-16"), {}, [0, "warn", "1 component may have ended"]],
    [
      "on the last day, strictly",
      bounded("2025-06-15"),
      { strict: true },
      [0, "pass", "1 component assessed, no policy violations"],
    ],
    ["on the first day, strictly", bounded("2025-06-16"), { strict: true }, [1, "fail", "1 component may have ended"]],
    [
      "on the first day, by its condition",
      bounded("2025-06-16"),
      { failOn: [{ kind: "end-may-have-come" }] },
      [1, "fail", "1 component may have ended"],
    ],
    [
      "a date without a stated meaning",
      undocumented,
      {},
      [0, "warn", "1 component has a date whose meaning is not stated"],
    ],
  ])("%s", (_, assessment, more, [code, name, why]) => {
    expect(exit([[resolved(assessment)]], more)).toEqual({ code, name, why });
  });

  // The statements of these cycles were read 165 days before.
  test.each<[string, AssessedComponent[], Partial<Policy>, number]>([
    ["as old as the limit", [known()], { maxCatalogueAge: 165 }, 0],
    ["older than the limit", [known()], { maxCatalogueAge: 164 }, 0],
    ["older, and about an ended cycle", [past()], { maxCatalogueAge: 164 }, 1],
    ["older, and about no release cycle", [unmatched(), root()], { maxCatalogueAge: 164 }, 6],
  ])("a statement %s", (_, candidates, more, code) => {
    expect(exit([candidates], more).code).toBe(code);
  });
});

describe("exit code", () => {
  test.each<[string, ReturnType<typeof exit>, [code: number, name: string, why: string]]>([
    ["pass", exit([[known()]]), [0, "pass", "1 component assessed, no policy violations"]],
    [
      "pass, some not assessed",
      exit([[known(), known(), unmatched()]]),
      [0, "pass", "2 components assessed, no policy violations; 1 could not be assessed"],
    ],
    ["warn", exit([[resolved(CYCLES.near)]]), [0, "warn", "1 component ends soon"]],
    ["fail", exit([[past(), past(), resolved(CYCLES.near)]]), [1, "fail", "2 components have reached end of life"]],
    [
      "fail for two reasons",
      exit([[past(), unmatched()]], { failOn: [{ kind: "eol" }, { kind: "untracked" }] }),
      [1, "fail", "1 component has reached end of life, and 1 is not in the catalogue"],
    ],
    [
      "nothing assessed",
      exit([[unmatched(), unmatched()]]),
      [
        6,
        "unassessed",
        "0.json: nothing could be assessed, because none of 2 components could be matched to a release cycle",
      ],
    ],
    [
      "nothing assessable",
      exit([[root(), file()]]),
      [
        6,
        "unassessed",
        "0.json: nothing could be assessed, because it contains only files, the described software itself, or components out of scope",
      ],
    ],
    [
      "nothing assessed, accepted",
      exit([[unmatched()]], { allowUnassessed: true }),
      [0, "pass", "nothing could be assessed, and --allow-unassessed is set"],
    ],
    [
      "nothing assessed in one of two documents",
      exit([[known()], [unmatched()]]),
      [
        6,
        "unassessed",
        "1.json: nothing could be assessed, because none of 1 component could be matched to a release cycle",
      ],
    ],
    [
      "nothing assessed, but a failure in another document",
      exit([[past()], [unmatched()]]),
      [1, "fail", "1 component has reached end of life"],
    ],
    [
      "empty, accepted",
      exit([[]], { allowEmpty: true }),
      [0, "pass", "there are no components, and --allow-empty is set"],
    ],
    [
      "coverage at the limit",
      exit([[known(), unmatched()]], { minCoverage: 50 }),
      [0, "pass", "1 component assessed, no policy violations; 1 could not be assessed"],
    ],
    [
      "coverage below the limit",
      exit([[known(), unmatched()]], { minCoverage: 50.1 }),
      [
        6,
        "unassessed",
        "0.json: 1 of 2 components could be assessed (50 %), below the 50.1 % that the policy requires",
      ],
    ],
    [
      "coverage without components",
      exit([[unmatched()]], { allowUnassessed: true, minCoverage: 1 }),
      [6, "unassessed", "0.json: 0 of 1 component could be assessed (0 %), below the 1 % that the policy requires"],
    ],
    [
      "fail, reported only",
      exit([[past()]], { exitZero: true }),
      [0, "fail", "1 component has reached end of life; not failing, because --exit-zero is set"],
    ],
    [
      "not assessed, reported only",
      exit([[unmatched()]], { exitZero: true }),
      [
        0,
        "unassessed",
        "0.json: nothing could be assessed, because none of 1 component could be matched to a release cycle; not failing, because --exit-zero is set",
      ],
    ],
    [
      "invalid input with exit-zero",
      exit([[past()]], { exitZero: true }, [broken("input")]),
      [3, "input", "b.json: broken"],
    ],
    [
      "invalid input takes precedence over a failure",
      exit([[past()]], {}, [broken("input")]),
      [3, "input", "b.json: broken"],
    ],
    ["no components, by the reader", exit([], {}, [broken("empty")]), [3, "input", "b.json: broken"]],
    ["an unknown kind of error is a bug", exit([], {}, [broken("surprise")]), [70, "internal", "b.json: broken"]],
  ])("%s", (_, got, [code, name, why]) => {
    expect(got).toEqual({ code, name, why });
  });

  test.each([
    [[], 0],
    [[0, 6], 6],
    [[6, 1], 1],
    [[1, 5], 5],
    [[5, 3], 3],
    [[3, 4], 4],
    [[4, 3, 2], 2],
    [[2, 70], 70],
    [[0, 99], 70],
  ])("of the exit codes %j chooses %i", (codes, expected) => {
    expect(worstExit(codes)).toBe(expected);
    expect(worstExit(codes.toReversed())).toBe(expected);
  });

  test("chooses the first of 70, 2, 4, 3, 5, 1, 6, 0 when there are several causes", () => {
    const kinds: readonly (readonly [code: number, kind: string])[] = [
      [70, "internal"],
      [2, "config"],
      [4, "catalogue"],
      [3, "input"],
      [5, "network"],
    ];
    for (const [index, [code]] of kinds.entries()) {
      const failed = kinds
        .slice(index)
        .map(([, kind]) => broken(kind))
        .toReversed();
      expect(exit([[past()], [unmatched()]], {}, failed).code).toBe(code);
    }
    expect(exit([[past()], [unmatched()]]).code).toBe(1);
    expect(exit([[known()], [unmatched()]]).code).toBe(6);
  });
});

const forget = (candidates: readonly AssessedComponent[], at: number): AssessedComponent[] =>
  candidates.map((candidate, index) =>
    index === at % candidates.length ? { ...unmatched(), component: candidate.component } : candidate,
  );

describe("missing information never improves the result", () => {
  const anyCandidate = fc.constantFrom(...Object.values(CYCLES)).chain((assessment) =>
    fc.constantFrom<() => AssessedComponent>(
      () => resolved(assessment),
      () => distroMaintained(assessment),
      () => resolved(assessment, {}, dated),
      () => unmatched("version-not-tracked", {}, "nodejs"),
      () => unmatched(),
    ),
  );
  const documents = fc.array(
    anyCandidate.map((make) => make()),
    { minLength: 1, maxLength: 8 },
  );
  const rank: Readonly<Record<VerdictValue, number>> = { pass: 0, warn: 1, none: 2, fail: 3 };

  test("coverage never rises when a component is unresolved", () => {
    fc.assert(
      fc.property(documents, fc.nat(), (candidates, at) => {
        const before = evaluatePolicy(candidates, policy(), AS_OF).verdict.coverage;
        const after = evaluatePolicy(forget(candidates, at), policy(), AS_OF).verdict.coverage;
        expect(after.percent).toBeLessThanOrEqual(before.percent);
        expect(after.assessed + after.notAssessed).toBe(before.assessed + before.notAssessed);
      }),
    );
  });

  test("a document without resolved components never passes", () => {
    fc.assert(
      fc.property(documents, (candidates) => {
        const withUnresolved = candidates.map(({ component: each }) => ({ ...unmatched(), component: each }));
        expect(exit([withUnresolved]).code).toBe(6);
      }),
    );
  });

  test("never turns a failure into exit code 0 when full coverage is required or untracked components fail", () => {
    fc.assert(
      fc.property(documents, fc.nat(), (candidates, at) => {
        const required = exit([candidates], { minCoverage: 100 }).code;
        const withUnresolved = exit([forget(candidates, at)], { minCoverage: 100 }).code;
        if (required !== 0) expect(withUnresolved).not.toBe(0);
        const failOn = [{ kind: "eol" }, { kind: "untracked" }] as const;
        const before = evaluatePolicy(candidates, policy({ failOn }), AS_OF).verdict.value;
        expect(
          rank[evaluatePolicy(forget(candidates, at), policy({ failOn }), AS_OF).verdict.value],
        ).toBeGreaterThanOrEqual(rank[before]);
      }),
    );
  });

  test("removing a support track, a waiver or a contract never improves the result", () => {
    const track = { name: "LTS", vendor: "Acme", cost: "free", end: null } as const;
    fc.assert(
      fc.property(
        fc.constantFrom("2024-01-01", "2025-08-01", "ended", "open"),
        fc.constantFrom("standard", "free", "extended" as const),
        (ends, support) => {
          const verdictOf = (tracks: readonly (typeof track)[]) =>
            evaluatePolicy([resolved(assessed(ends, { tracks }))], policy({ support }), AS_OF).verdict.value;
          expect(rank[verdictOf([])]).toBeGreaterThanOrEqual(rank[verdictOf([track])]);
        },
      ),
    );
  });

  test("a stricter policy never passes more documents", () => {
    const kinds = fc.subarray([
      "eol",
      "approaching",
      "kev",
      "kev-product",
      "retired",
      "superseded",
      "unknown",
      "untracked",
      "declared-mismatch",
    ] as const);
    fc.assert(
      fc.property(documents, kinds, kinds, (candidates, some, more) => {
        const verdictOf = (list: readonly (typeof some)[number][]) =>
          evaluatePolicy(candidates, policy({ failOn: list.map((kind) => ({ kind })) }), AS_OF).verdict.value;
        expect(rank[verdictOf([...some, ...more])]).toBeGreaterThanOrEqual(rank[verdictOf(some)]);
      }),
    );
  });
});

test("evaluates each cycle once, however many components use it", () => {
  let evaluations = 0;
  /** Only the rules for release cycles read whether an ended cycle is retired. */
  const counting = (assessment: Assessment): Assessment => ({
    ...assessment,
    cycle: Object.defineProperty({ ...assessment.cycle }, "retired", {
      get: () => {
        evaluations += 1;
        return false;
      },
    }),
  });
  const assessments = Array.from({ length: 10 }, (_, index) =>
    counting(assessed("2024-01-01", { name: String(index) })),
  );
  const candidatesOf = (count: number): AssessedComponent[] =>
    Array.from({ length: count }, (_, index) => resolved(assessments[index % 10] ?? CYCLES.supported));
  evaluatePolicy(candidatesOf(10), policy(), AS_OF);
  const once = evaluations;
  expect(once).toBeGreaterThanOrEqual(10);
  evaluations = 0;
  evaluatePolicy(candidatesOf(1000), policy(), AS_OF);
  expect(evaluations).toBe(once);
});
