/** The tables of support levels, of the reasons for an unknown one, and of the modes in which sources are asked. */
import type { SignalsMode, SupportLevel, UnknownReason } from "../model/index.ts";

/** From the best to the worst. */
export const SUPPORT_LEVELS = [
  "supported",
  "maintained",
  "inactive",
  "no-longer-maintained",
  "end-of-support",
  "unknown",
] as const satisfies readonly SupportLevel[];

/**
 * `unasked` marks reasons for which a source should have answered and did not. A policy that fails on a support level
 * gives no verdict on these.
 */
export const UNKNOWN_REASONS: Readonly<Record<UnknownReason, { readonly unasked: boolean }>> = {
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
};

export const SIGNALS_MODES = ["deps.dev", "registry", "cache", "all"] as const satisfies readonly SignalsMode[];
