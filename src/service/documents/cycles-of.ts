/** The release cycles of assessed findings, for a watch list. */
import type { CycleRef, Finding } from "../../model/index.ts";
import { riskiest } from "../../wire/sbom.ts";

/** Distinct cycles, highest risk first. For distro-maintained packages, this is the cycle of the distribution. */
export function cyclesOf(findings: readonly Finding[]): readonly CycleRef[] {
  const assessed = findings.flatMap(({ assessment }) => (assessment ? [{ assessment }] : []));
  const byName = riskiest(assessed).map(
    ({ assessment: { releaseCycle } }) => [`${releaseCycle.product}:${releaseCycle.cycle}`, releaseCycle] as const,
  );
  return [...new Map(byName).values()];
}
