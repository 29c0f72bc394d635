/** An unresolved component: the reason, and what is known anyway. */
import type { ProductSlug } from "../ids.ts";
import type { Resolution, UnresolvedReason } from "../model.ts";

export type Unresolved = Extract<Resolution, { readonly kind: "unmatched" }>;

interface Known {
  readonly product?: ProductSlug | undefined;
  readonly candidates?: readonly string[] | undefined;
  readonly evidence?: readonly string[] | undefined;
}

/** Most components of a document are in no map; they share one value. */
const shared = new Map<UnresolvedReason, Unresolved>();

export function unresolved(reason: UnresolvedReason, known?: Known): Unresolved {
  if (known === undefined) {
    let value = shared.get(reason);
    if (value === undefined) shared.set(reason, (value = { kind: "unmatched", reason }));
    return value;
  }
  const { product, candidates, evidence } = known;
  return {
    kind: "unmatched",
    reason,
    ...(product !== undefined && { product }),
    ...(candidates !== undefined && candidates.length > 0 && { candidates }),
    ...(evidence !== undefined && { evidence }),
  };
}
