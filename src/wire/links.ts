/**
 * Addresses in answers. They come from `--public-url` or the address served, never from a Host header. Without a server
 * see source-links.ts.
 */
import { percentEncode } from "../text/values.ts";
import type { ProductSlug } from "../text/ids.ts";
import type { CycleRef } from "../model/index.ts";

/** Addresses of the pages that answers and reports refer to. */
export interface Links {
  readonly scoreCard: (releaseCycle: CycleRef) => string;
  readonly product: (slug: ProductSlug) => string;
  readonly products: string;
  readonly methodology: string;
  readonly docs: string;
}

/** Links below the address at which a server is reached, e.g. `https://eol.example.org`. */
export function linksUnder(base: string): Links {
  const root = base.replace(/\/+$/, "");
  const segment = percentEncode;
  return {
    scoreCard: (releaseCycle) => `${root}/score/${segment(releaseCycle.product)}/${segment(releaseCycle.cycle)}`,
    product: (slug) => `${root}/${segment(slug)}`,
    products: `${root}/v1/products`,
    methodology: `${root}/methodology`,
    docs: `${root}/docs`,
  };
}
