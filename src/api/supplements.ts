/** What a report adds to the verdict: upgrade targets, what is new since the baseline, upcoming failures. */
import type { Baseline } from "../compare/difference.ts";
import type { IsoDate } from "../text/ids.ts";
import { upgradeAdvice } from "../compare/upgrade-targets.ts";
import { toFindings } from "../policy/rows.ts";
import { cycleByName } from "../resolve/version/resolve.ts";
import type { Advice, Catalogue, Finding, Forecast, CycleRef, Policy, Report, DocumentReport } from "../model/index.ts";

export interface SupplementOptions {
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly asOf: IsoDate;
  readonly baseline?: Baseline | undefined;
  /** Looks ahead from these findings; absent when it was not requested. */
  readonly forecast?: ((findings: readonly Finding[]) => Forecast) | undefined;
}

export function reportSupplements(
  scans: readonly DocumentReport[],
  setting: SupplementOptions,
): Pick<Report, "advice" | "comparison" | "forecast"> {
  const { baseline, forecast } = setting;
  const findings = baseline || forecast ? scans.flatMap(({ rows }) => toFindings(rows)) : [];
  return {
    advice: (releaseCycle) => adviceOn(releaseCycle, setting),
    ...(baseline && { comparison: baseline.compare(findings) }),
    ...(forecast && { forecast: forecast(findings) }),
  };
}

function adviceOn(
  { product: slug, cycle: name }: CycleRef,
  { catalogue, asOf }: SupplementOptions,
): Advice | undefined {
  const product = catalogue.product(slug);
  const cycle = product && cycleByName(product, name, asOf);
  return product && cycle && upgradeAdvice(product, cycle, asOf);
}
