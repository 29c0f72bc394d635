/** Addresses in answers, below `--public-url` or the address served. */
import { percentEncode } from "../text/values.ts";
import type { IsoDate } from "../text/ids.ts";
import type { Catalogue, ReleaseCycle, Report } from "../model/index.ts";
import { provenanceOf } from "../lifecycle/provenance.ts";
import { cycleByName } from "../resolve/version/resolve.ts";

/** Addresses of the pages that answers and reports refer to. */
export type Links = Report["links"];

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

const DOCUMENTATION = "https://github.com/eolgate/eolgate/blob/main/docs";
const DATA_PAGE = `${DOCUMENTATION}/data.md`;

/**
 * Links for a catalogue that is not served. A release cycle links to the source of its effective end, a product to its
 * support policy or else to the source of its newest cycle, and both to docs/data.md where no web page is recorded.
 * `asOf` is the date of the assessment.
 */
export function sourceLinks(catalogue: Catalogue, asOf: IsoDate): Links {
  const sourceOf = (cycle: ReleaseCycle | undefined): string =>
    webPage(cycle && provenanceOf(cycle.claims, asOf).url) ?? DATA_PAGE;
  return {
    scoreCard: ({ product: slug, cycle }) => {
      const product = catalogue.product(slug);
      return sourceOf(product && cycleByName(product, cycle, asOf));
    },
    product: (slug) => {
      const product = catalogue.product(slug);
      return webPage(product?.policyUrl) ?? sourceOf(product?.cycles[0]);
    },
    products: `${DOCUMENTATION}/catalogue.md`,
    methodology: `${DATA_PAGE}#the-score`,
    docs: `${DOCUMENTATION}/reference.md`,
  };
}

const webPage = (address: string | null | undefined): string | undefined =>
  address && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined;
