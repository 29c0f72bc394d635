/**
 * Labelled cases by verdict: what the gate has to say about a component on a day, by people's knowledge. One file per rule
 * in `verdicts/`, one case per row, with the columns of the labelled set. Forms of `expected`: `pass`, `fail CONDITION`,
 * `warn CONDITION`, `unresolved REASON`, `judged PRODUCT` (by a cycle of that product, whatever its state), `kev STATE`
 * and `not …`.
 */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { assess, kevFromCatalogue } from "../../src/lifecycle/assess.ts";
import type { CycleRef } from "../../src/model/index.ts";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { createResolver } from "../../src/resolve/resolve.ts";
import { cycleByName } from "../../src/resolve/version/resolve.ts";
import { AS_OF as asOf, componentOf, documentOf, readCases, type LabelledCase } from "./labelled.ts";

const catalogue = loadCatalogue();
const folder = new URL("verdicts/", import.meta.url);
const CASES = readdirSync(folder)
  .sort()
  .flatMap((file) => readCases(folder, file));

function verdictOf(labelled: LabelledCase): readonly string[] {
  const component = componentOf(labelled);
  const resolution = createResolver(catalogue, documentOf(labelled), { strict: false, asOf })(component);
  if (resolution.kind === "unmatched") return [`unresolved ${resolution.reason}`];
  if (resolution.kind === "not-applicable") return ["not-applicable"];
  const own = resolution.kind === "resolved" ? resolution.releaseCycle : resolution.by;
  const distro = resolution.kind === "resolved" ? resolution.maintainedBy : undefined;
  const [finding] = evaluatePolicy(
    [
      {
        component,
        resolution,
        assessment: assessed(own),
        ...(distro && { distroAssessment: assessed(distro) }),
      },
    ],
    { ...DEFAULT_POLICY, failOn: [{ kind: "eol" }, { kind: "superseded" }] },
    asOf,
  ).findings;
  const { severity, condition } = finding?.outcome ?? { severity: "none", condition: "none" };
  const judged = distro ?? own;
  const version = resolution.kind === "resolved" ? resolution.requestedVersion : "";
  const kev = kevFromCatalogue(catalogue)(assessed(own), version);
  return [
    `kev ${kev?.state ?? "none"}`,
    severity,
    `${severity} ${condition}`,
    `judged ${judged.product}`,
    `${severity} ${judged.product}:${judged.cycle}`,
  ];
}

function assessed({ product: slug, cycle: name }: CycleRef) {
  const product = catalogue.product(slug);
  const cycle = product && cycleByName(product, name, asOf);
  if (!product || !cycle) throw new Error(`no cycle ${slug}:${name}`);
  return assess(product, cycle, asOf);
}

test.each(CASES)("$file: $subject $context: $expected ($why)", (labelled) => {
  const { expected } = labelled;
  const verdict = verdictOf(labelled);
  if (expected.startsWith("not ")) expect(verdict.join(", ")).not.toContain(expected.slice("not ".length));
  else expect(verdict).toContain(expected);
});
