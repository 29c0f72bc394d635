/** Components with the same assessment share an outcome, which equals the outcome of each of them alone. */
import { expect, test } from "vitest";
import type { AssessedComponent, Assessed, ComponentRows, Policy } from "../../src/model/index.ts";
import { ComponentRowsBuilder, toComponents, toFindings } from "../../src/policy/rows.ts";
import { evaluatePolicy, evaluateRows, type IsBaselined } from "../../src/policy/evaluate.ts";
import { day } from "../lifecycle/builders.ts";
import { AS_OF, component, distroMaintained, file, CYCLES, policy, resolved, root, unmatched } from "./builders.ts";

const ASSESSED: readonly AssessedComponent[] = [
  resolved(CYCLES.past),
  resolved(CYCLES.supported),
  resolved(CYCLES.supported, {}, CYCLES.past),
  distroMaintained(CYCLES.past),
  unmatched(),
  unmatched("version-not-tracked", {}, "nodejs"),
  root(),
  file(),
];

/** Components that differ in what a rule, a waiver or the coverage reads. */
const COMPONENTS = [
  {},
  { scope: "development" },
  { licenses: ["GPL-3.0-only"] },
  { declared: [{ milestone: "end-of-life", value: "2030-01-01", pointer: "/x" }] },
  { purls: ["pkg:npm/waived@1"] },
  { kind: "file" },
  {},
] as const satisfies readonly Parameters<typeof component>[0][];

interface Case {
  readonly more: Partial<Policy>;
  readonly known?: IsBaselined;
}

const CASES: Readonly<Record<string, Case>> = {
  "the default policy": { more: {} },
  "a policy that fails on everything": {
    more: { failOn: [{ kind: "eol" }, { kind: "untracked" }, { kind: "unknown" }] },
  },
  "a scope": { more: { scope: "runtime" } },
  "denied licences": { more: { denyLicense: ["GPL-3.0-only"] } },
  waivers: {
    more: { failOn: [{ kind: "eol" }, { kind: "untracked" }], waivers: [waiver("pkg:npm/waived"), waiver("nodejs")] },
  },
  "a declared end that contradicts": { more: { failOn: [{ kind: "declared-mismatch" }] } },
  "a baseline": {
    more: { failOn: [{ kind: "untracked" }] },
    known: ({ component: { purls } }) => purls.length > 0,
  },
};

function waiver(target: string): Policy["waivers"][number] {
  return { target, reason: "known", expires: day("2099-01-01") };
}

/** Every component with every assessment. Components with the same assessment share the object. */
function candidates(): ComponentRows<Assessed> {
  const all = COMPONENTS.flatMap((more) => ASSESSED.map((assessed) => ({ assessed, component: component(more) })));
  const rows = new ComponentRowsBuilder<Assessed>(all.map((each) => each.component));
  const ids = new Map(ASSESSED.map((each) => [each, rows.add(each)]));
  for (const [index, { assessed }] of all.entries()) rows.set(index, ids.get(assessed) ?? 0);
  return rows;
}

test.each(Object.entries(CASES))("with %s", (_, { more, known }) => {
  const shared = candidates();
  const together = evaluateRows(shared, policy(more), AS_OF, known);
  const list = toComponents(shared);
  const alone = evaluatePolicy(list, policy(more), AS_OF, known);
  expect(toFindings(together.rows)).toEqual(alone.findings);
  expect(together.verdict).toEqual(alone.verdict);
});

test("one outcome is created for many components", () => {
  const { rows } = evaluateRows(candidates(), policy(), AS_OF);
  expect(rows.counts().length).toBeLessThan(rows.length / 2);
});
