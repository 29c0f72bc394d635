/** The support level of a component on the wire, next to its `bom_ref`. Absent when no signals were requested. */
import type { Evidence, Support } from "../model/index.ts";
import type { SupportEvidence, SupportFields } from "./schemas/support.ts";

export function supportFields(support: Support | undefined): SupportFields {
  if (support === undefined) return {};
  const { level, reason, evidence, endOfSupport, lastRelease, replacement } = support;
  return {
    support_level: level,
    ...(reason !== undefined && { support_reason: reason }),
    ...(endOfSupport && { end_of_support: endOfSupport.value }),
    ...(lastRelease !== undefined && { last_release: lastRelease }),
    ...(replacement !== undefined && { replacement }),
    support_evidence: evidence.map(evidenceObject),
  };
}

function evidenceObject({ source, statement, url, retrievedAt, ...more }: Evidence): SupportEvidence {
  const { date, replacement, message, aged } = more;
  return {
    source,
    statement,
    url,
    retrieved_at: retrievedAt,
    ...(date !== undefined && { date }),
    ...(replacement !== undefined && { replacement }),
    ...(message !== undefined && { message }),
    ...(aged === true && { aged }),
  };
}
