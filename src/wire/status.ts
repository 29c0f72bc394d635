/** The status object: whether one release cycle is supported. */
import type { Assessment } from "../model/index.ts";
import { dayOf, supportEndFields } from "./end.ts";
import type { StatusObject } from "./schemas.ts";
import { provenanceFields, requestedFields, type Requested } from "./score.ts";

/**
 * Converts an assessment to its status object. For `unknown` all three booleans are false: "not ended" must not be
 * mistaken for "supported".
 */
export function statusObject(assessment: Assessment, requested?: Requested): StatusObject {
  const { releaseCycle, status, cycle } = assessment;
  return {
    product: releaseCycle.product,
    version: releaseCycle.cycle,
    ...requestedFields(requested),
    status,
    is_eol: status === "eol",
    is_supported: status === "active" || status === "approaching",
    eol_approaching: status === "approaching",
    eol_date: dayOf(assessment.eolDate),
    days_until_eol: assessment.daysUntilEol,
    days_past_eol: assessment.daysPastEol,
    ...supportEndFields(assessment.support),
    ...(cycle.latest === undefined ? {} : { latest_release: cycle.latest.name }),
    ...provenanceFields(assessment.provenance),
    as_of: assessment.asOf,
  };
}
