/** The release cycles of assessed findings, for a watch list. */
import type { CycleRef, Finding } from "../../core/model.ts";
import { riskiest } from "../../core/wire/sbom.ts";

/** Each cycle once, riskiest first. A distro-maintained package is watched by the distribution's cycle. */
export function cyclesOf(findings: readonly Finding[]): readonly CycleRef[] {
  const assessed = findings.flatMap(({ assessment }) => (assessment ? [{ assessment }] : []));
  const byName = riskiest(assessed).map(
    ({ assessment: { releaseCycle } }) => [`${releaseCycle.product}:${releaseCycle.cycle}`, releaseCycle] as const,
  );
  return [...new Map(byName).values()];
}
