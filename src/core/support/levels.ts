/** The support levels of a component, and why one could not be determined. See docs/signals.md. */

/** From the best to the worst; `unknown` is not a judgement. */
export const SUPPORT_LEVELS = [
  "supported",
  "maintained",
  "inactive",
  "no-longer-maintained",
  "end-of-support",
  "unknown",
] as const;
export type SupportLevel = (typeof SUPPORT_LEVELS)[number];

/**
 * Why a level is `unknown`, or why a component was not asked about. `unasked` marks the reasons that mean that a source
 * should have answered and did not: with a policy that fails on a level, these give no verdict.
 */
export const UNKNOWN_REASONS = {
  "signals-off": { unasked: false },
  "not-a-package": { unasked: false },
  "no-purl": { unasked: false },
  "purl-invalid": { unasked: false },
  "no-version": { unasked: false },
  "type-without-source": { unasked: false },
  private: { unasked: false },
  "other-registry": { unasked: false },
  "not-found": { unasked: false },
  "no-activity-date": { unasked: false },
  quarantined: { unasked: false },
  "not-cached": { unasked: true },
  "source-unavailable": { unasked: true },
  "time-budget": { unasked: true },
} as const satisfies Record<string, { readonly unasked: boolean }>;
export type UnknownReason = keyof typeof UNKNOWN_REASONS;
