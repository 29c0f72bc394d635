/** The verdict on one labelled component on the day of the labelled sets, in the forms of the column `expected`. */
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { assess, kevFromCatalogue } from "../../src/lifecycle/assess.ts";
import type { CycleRef } from "../../src/model/index.ts";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { createResolver } from "../../src/resolve/resolve.ts";
import { cycleByName } from "../../src/resolve/version/resolve.ts";
import { AS_OF as asOf, componentOf, documentOf, type LabelledCase } from "./labelled.ts";

const catalogue = loadCatalogue();

export function verdictOf(labelled: LabelledCase): readonly string[] {
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
    { ...DEFAULT_POLICY, failOn: [{ kind: "eol" }, { kind: "superseded" }], supersededAfterDays: 0 },
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
