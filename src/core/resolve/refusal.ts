/** A refusal on its way to an unmatched component: the reason, and what is known in spite of it. */
import type { ProductSlug } from "../ids.ts";
import type { Resolution, UnmatchedReason } from "../model.ts";

export type Refusal = Extract<Resolution, { readonly kind: "unmatched" }>;

interface Known {
  readonly product?: ProductSlug | undefined;
  readonly candidates?: readonly string[] | undefined;
}

export function refusal(reason: UnmatchedReason, { product, candidates }: Known = {}): Refusal {
  return {
    kind: "unmatched",
    reason,
    ...(product !== undefined && { product }),
    ...(candidates !== undefined && candidates.length > 0 && { candidates }),
  };
}
