/** A refusal on its way to an unmatched component: the reason, and what is known in spite of it. */
import type { ProductSlug } from "../ids.ts";
import type { Resolution, UnresolvedReason } from "../model.ts";

export type Unresolved = Extract<Resolution, { readonly kind: "unmatched" }>;

interface Known {
  readonly product?: ProductSlug | undefined;
  readonly candidates?: readonly string[] | undefined;
}

/** Most components of a document are in no map: they share one answer. */
const bare = new Map<UnresolvedReason, Unresolved>();

export function unresolved(reason: UnresolvedReason, known?: Known): Unresolved {
  if (known === undefined) {
    let shared = bare.get(reason);
    if (shared === undefined) bare.set(reason, (shared = { kind: "unmatched", reason }));
    return shared;
  }
  const { product, candidates } = known;
  return {
    kind: "unmatched",
    reason,
    ...(product !== undefined && { product }),
    ...(candidates !== undefined && candidates.length > 0 && { candidates }),
  };
}
