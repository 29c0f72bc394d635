/** What a resolution found: a release cycle, or the reason why there is none, with what is known. */
import type { ProductSlug } from "../text/ids.ts";
import type { Resolution, UnresolvedReason } from "../model/index.ts";

export type Unresolved = Extract<Resolution, { readonly kind: "unmatched" }>;

interface Known {
  readonly product?: ProductSlug | undefined;
  readonly candidates?: readonly string[] | undefined;
  readonly evidence?: readonly string[] | undefined;
}

/** Most components of a document are not tracked, so equal results share one value. */
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

/** Whether a release cycle was determined: of the component itself, or of the distribution that maintains it. */
export const hasCycle = (
  resolution: Resolution,
): resolution is Extract<Resolution, { kind: "resolved" | "distro-maintained" }> =>
  resolution.kind === "resolved" || resolution.kind === "distro-maintained";
